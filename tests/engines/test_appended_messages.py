"""Messages after a conversation of which only the tokens are known, as templates write them."""

import pytest

from chat_templates import AGENT, PLAIN, READ, chat, chat_tokenizer
from transactional_attention.engines.prompts import Prompt, chat_prompt
from transactional_attention.errors import InputError

TALK = [*PLAIN, *chat(("assistant", "Nobody knows."), ("user", "Then look it up."))]


def cut(prompt, at):
    """What a session has read of a prompt up to the end of a reply, at a number of tokens."""
    sources = [known for known in prompt.sources if known.span.end <= at]
    return Prompt(prompt.ids[:at], sources, at)


def owners(prompt):
    """Whose each token is."""
    return [known.source for known in prompt.sources for _ in known.span]


def ends(prompt, source):
    """Where its contents end."""
    return [s.span.end for s in prompt.sources if s.source == source and not s.template]


@pytest.mark.parametrize(
    "name", ["chatml", "llama3", "mistral", "default-system", "tools", "case-turns", "parts"]
)
@pytest.mark.parametrize("reply", [0, 1])
def test_they_are_the_tokens_of_the_whole_conversation(name, reply):
    tokenizer = chat_tokenizer(name)
    whole = chat_prompt(tokenizer, TALK)
    index = [n for n, message in enumerate(TALK) if message["role"] == "assistant"][reply]
    before = cut(whole, ends(whole, "assistant")[reply])
    prompt = chat_prompt(tokenizer, TALK[index + 1 :], before=before)
    assert prompt.ids.tolist() == whole.ids.tolist() and prompt.border == whole.border
    assert owners(prompt) == owners(whole)


def test_outputs_of_tools_and_a_call_that_is_begun():
    tokenizer = chat_tokenizer("tools")
    answered = [*chat(("user", "Read."), ("assistant", "Wait.")), *AGENT[3:5]]
    whole = chat_prompt(tokenizer, answered, [READ], "<tool_call>")
    before = cut(whole, ends(whole, "assistant")[0])
    prompt = chat_prompt(tokenizer, answered[2:], [READ], "<tool_call>", before)
    assert prompt.ids.tolist() == whole.ids.tolist()
    assert owners(prompt) == owners(whole) and prompt.border == whole.border


def test_a_reply_that_was_said_is_the_assistants():
    tokenizer = chat_tokenizer("chatml")
    asked = chat_prompt(tokenizer, TALK[:2])
    reply_ids = tokenizer(TALK[2]["content"])["input_ids"]
    before = Prompt([*asked.ids, *reply_ids], asked.sources, len(asked.ids) + len(reply_ids))
    whole, prompt = chat_prompt(tokenizer, TALK), chat_prompt(tokenizer, TALK[3:], before=before)
    assert prompt.ids.tolist() == whole.ids.tolist() and owners(prompt) == owners(whole)


def test_a_template_that_writes_them_at_the_head_refuses():
    """Its system message stands before the first turn, wherever it is given."""
    template = (
        "{% for m in messages if m.role == 'system' %}[system]{{ m.content }}{% endfor %}"
        "{% for m in messages if m.role != 'system' %}[{{ m.role }}]{{ m.content }}{% endfor %}"
    )
    tokenizer = chat_tokenizer("chatml")
    tokenizer.chat_template = template
    before = chat_prompt(tokenizer, TALK[1:3])
    assert len(chat_prompt(tokenizer, TALK[3:4], before=before).ids) > len(before.ids)
    with pytest.raises(InputError, match="before a conversation"):
        chat_prompt(tokenizer, [TALK[0], TALK[3]], before=before)
    alternate = chat_tokenizer("mistral")
    with pytest.raises(InputError, match="turns must alternate"):
        chat_prompt(alternate, TALK[2:4], before=chat_prompt(alternate, TALK[1:2]))
