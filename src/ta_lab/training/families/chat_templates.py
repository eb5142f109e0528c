"""Sentences of chats: system prompts, acknowledgements, small talk, and statements by role."""

from __future__ import annotations

SYSTEMS = (
    *("You are a helpful assistant.", "You are a careful assistant. Answer briefly."),
    *("Answer with the value only.", "You help people find what they noted.", "Be concise."),
    "You are the assistant of a small company. Never invent values.",
    "Keep everything that the user tells you and repeat it when asked.",
    "You have access to tools. Their results follow as tool messages.",
    "The conversation may be long. Pay attention to details.",
    "Do as the user says. Reply in one line.",
    "You are an operations bot. Reports and logs are pasted into this channel.",
)
OPENINGS = (
    *("Read this text:", "Here is a text.", "I'm pasting my notes.", "Please read along.", ""),
    *("Look at this:", "This is the document:", "Summarize the following:", "Hi! A long one:"),
    *("Let me paste the report.", "Story time:", "Could you proofread this?", "Context:"),
)
CONTINUED = (
    *("Here is more:", "Next part:", "Let's go on.", "The text continues:", "", "", "And then:"),
    *("Back to the text.", "Where were we?", "Another paragraph:", "Now read this as well:"),
)
ASSISTANT_CONTINUED = (
    *("Here is what I found:", "Sure, here it is:", "Let me continue.", "To summarize:", "Well,"),
    *("Of course. The story goes on:", "Here is a draft:", "As I understand it:", "In short:"),
)
TOOL_CONTINUED = ("search results:", "output:", "[document]", "page 2", "", "stdout:", "excerpt:")
LEADS = (
    *("By the way:", "Before I forget:", "One more thing.", "Quick note.", "Oh, and", "Listen:"),
    *("Something else:", "For later:", "Please save this:", "Just so you have it:", "Also:"),
)
ACKS = (
    *("Noted.", "OK.", "Got it.", "Thanks, I will remember.", "Understood.", "Sure.", "All right."),
    *("I've saved that.", "Okay, go on.", "Thank you.", "I see.", "Will do.", "Saved.", "Yes?"),
    *("Alright, noted.", "Thanks for letting me know.", "Good to know.", "I'm listening.", "Done."),
)
LOOKUPS = (
    *("Let me check.", "One moment, I'll look that up.", "Calling the tool.", "Searching."),
    *("I'll run a query.", "Let me open the file.", "Checking the records now."),
)
GO_ON = (
    "Go on.",
    "Please continue.",
    "And?",
    "Check again, please.",
    "Look it up.",
    "More, please.",
)
SMALL_TALK = (
    ("How are you?", "Fine, thank you."),
    ("Thanks!", "You're welcome."),
    ("Are you still there?", "Yes, I am."),
    ("What a day.", "I hope it gets better."),
    ("Do you like tea?", "I don't drink, but many people do."),
    ("Tell me a joke.", "Why did the chicken cross the road? To get to the other side."),
    ("Is it going to rain?", "I can't see the weather from here."),
    ("Which number is larger, six or nine?", "Nine."),
    ("Wait a second.", "Take your time."),
    ("What can you do?", "I can read, summarize and answer questions."),
    ("I lost my keys again.", "I'm sorry to hear that. Look under the sofa."),
    ("My colleague forgot her password.", "She should ask the help desk."),
    ("Good morning.", "Good morning! How can I help?"),
    ("That is funny.", "Glad you like it."),
    ("Who wrote this?", "It isn't mentioned."),
    ("Let's take a break.", "Good idea."),
)
BY_ROLE: dict[str, tuple[str, ...]] = {
    "user": (
        *("my {key} is {value}", "hey, {key} is {value}", "pls remember {key} {value}"),
        *("My {key} is {value}, keep it for me.", "ok so {key} = {value}", "{key}?? it's {value}"),
        *("Can you store the {key} {value} for me?", "It's me again, my {key} is {value}."),
        *("btw the {key} is {value}", "I'd like you to remember the {key}: {value}."),
        *("I set the {key} to {value} yesterday.", "They gave me {value} as my {key}."),
        *("Save {value} as my {key}.", "If I ask you later for the {key}, tell me {value}."),
        *("I just got my {key}. It is {value}.", "so, {value} is my {key}", "{key} {value} thx"),
    ),
    "assistant": (
        *("I've set the {key} to {value}.", "Your {key} is {value}.", "Done. {Key}: {value}"),
        *("I generated a new {key} for you: {value}", "Use {value} as your {key}."),
        *("The {key} I found is {value}.", "Saved the {key} as {value}.", "{Key} is {value}."),
        *("According to the file, the {key} is {value}.", "I created it; the {key} is {value}."),
        *("The tool returned {value} as the {key}.", "Okay, {key} = {value}."),
    ),
    "tool": (
        *('{{"{snake}": "{value}"}}', "{snake}: {value}", "{snake}={value}", "{key}: {value}"),
        *('{{"status": "ok", "{snake}": "{value}"}}', '{{"{snake}":"{value}","ttl":60}}'),
        *('{{"result": {{"{snake}": "{value}"}}}}', "OK\n{snake}={value}", "{key} -> {value}"),
        *("1 row: {snake} | {value}", "lookup: {key} -> {value}", "<{snake}>{value}</{snake}>"),
        *('[{{"name": "{key}", "value": "{value}"}}]', "name: {key}\nvalue: {value}"),
        *('{{"key": "{key}", "value": "{value}"}}', "Found {key}: {value}", "{snake}\n{value}"),
    ),
    "system": (
        *("The user's {key} is {value}.", "Context: the {key} is {value}.", "{Key}: {value}"),
        *("You may tell the user the {key} when asked: {value}.", "The {key} is {value}."),
        *("Configuration: {snake}={value}", "The {key} in this session is {value}."),
        *("For this conversation, the {key} is {value}.", "Known facts: {key} = {value}."),
        *("When the user asks for the {key}, answer {value}.", "# {Key}\n{value}"),
    ),
}
ASKS = (
    *("what was my {key} again?", "What's my {key}?", "remind me, what is the {key}?", "{key}?"),
    *("hey what's the {key}", "Which {key} did I tell you?", "Do you still have the {key}?"),
    *("Earlier in this chat I mentioned the {key}. What is it?", "And now the {key}, please."),
    *("pls give me the {key}", "You saved the {key} for me, right? Tell me.", "Now the {key}."),
    *("I need to fill in the {key}. What do I write?", "so what is the {key}", "the {key}, please"),
    *("What did the tool return for the {key}?", "Look above: what is the {key}?", "{Key}:"),
    *("Thanks. What is the {key}?", "Okay, and what is the {key}?", "Last question: the {key}?"),
)
AROUND = (
    *("{ask}", "{ask}", "{ask}", "{ask}", "{ask}", "{ask}", "Thanks. {ask}", "OK, now: {ask}"),
    *("{ask} Answer with the value only.", "{ask} No explanation, please.", "Hi again. {ask}"),
    *("Based on everything above: {ask}", "I have a question. {ask}", "{ask} Just the value."),
    *("Great work. {ask}", "One question: {ask}", "{ask}\n", "Enough of that. {ask}"),
)
