"""Questions about values in technical texts, as a person words them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .format_keys import ACRONYMS

PLAIN = (
    "What is the {n}?",
    "What is the {n}?",
    "What is the {n}?",
    "What's the {n}?",
    "What was the {n}?",
    "What is the value of {n}?",
    "What is the value of the {n}?",
    "Give me the {n}.",
    "Tell me the {n}.",
    "I need the {n}.",
    "Which {n} is used?",
    "Which {n} was given?",
    "Return the {n}.",
    "Return only the value of {n}.",
    "Look up the {n}.",
    "Find the {n}.",
    "Extract the {n}.",
    "Print the {n}.",
    "Show me the {n}.",
    "Repeat the {n} exactly.",
    "Copy the {n} here:",
    "Read out the {n}, please.",
    "What is {n} set to?",
    "What value does {n} have?",
    "What does {n} contain?",
    "Could you tell me what the {n} is?",
    "Do you remember the {n}?",
    "Can you give me the {n}?",
    "I forgot the {n}. What is it?",
    "Someone asks for the {n}. What do I answer?",
    "Please state the {n}.",
    "Quote the {n}.",
    "{N}?",
    "{N}:",
    "The {n} is",
    "The {n}:",
    "What is the {n}? Answer with the value only.",
    "What is the {n}? The {n} is:",
)
SOURCED = (
    "What is the {n} in the {s}?",
    "What is the {n} in the {s} above?",
    "What is the value of {n} in the {s}?",
    "In the {s} above, what is the {n}?",
    "According to the {s}, what is the {n}?",
    "Give me the {n} from the {s}.",
    "Which {n} does the {s} show?",
    "What {n} does the {s} contain?",
    "What does the {s} say about the {n}?",
    "Find the {n} in the {s}.",
    "Extract the {n} from the {s} above.",
    "From the {s}: what is the {n}?",
    "Look at the {s}. What is the {n}?",
    "There is a {n} in the {s}. What is it?",
    "What was the {n} in the {s} that I showed you?",
    "The {n} from the {s}:",
    "Read the {n} from the {s}.",
    "What is {n} set to in the {s}?",
    "The {s} has the {n}. Repeat it.",
    "I pasted the {s} earlier; which {n} was in it?",
)
PLACED = (
    "What is the {n} of {p}?",
    "What is the {n} for {p}?",
    "What is the {p} {n}?",
    "What is the {n} in the {p} section?",
    "In {p}, what is the {n}?",
    "Under {p}, what is {n} set to?",
    "Which {n} does {p} use?",
    "Which {n} belongs to {p}?",
    "Give me the {n} for {p}.",
    "Give me {p}'s {n}.",
    "What is {p}'s {n}?",
    "Tell me the {p} {n}.",
    "For {p}: what is the {n}?",
    "{p} {n}?",
    "I need the {n} of {p}, not the others.",
    "The {n} of {p} is",
    "Find the {n} that is listed for {p}.",
    "What value of {n} does {p} have?",
    "In the {s}, what is the {n} of {p}?",
    "According to the {s}, which {n} has {p}?",
    "What is the {n} for {p} in the {s} above?",
)
HEADERS = (
    "Give me the {n} header.",
    "What is the {n} header?",
    "What was the value of the {n} header?",
    "Which {n} header did it send?",
    "What does the {n} header say?",
)
FRAMES = (
    ("\n\n{}", 14.0),
    ("\n\nQuestion: {}\nAnswer:", 2.0),
    ("\nQ: {}\nA:", 2.0),
    ("\n\nQ: {}\nA:", 1.0),
    ("\n\nUser: {}\nAssistant:", 1.5),
    ("\n\nHuman: {}\n\nAssistant:", 0.7),
    ("\n\n{}\nAnswer:", 1.0),
    ("\n\n{}\nValue:", 0.5),
    ("\n\n### {}\n\nAnswer:", 0.5),
    ("\n\n> {}\n\n->", 0.3),
)
CHAT = "<|user|>{}<|end|><|assistant|>"
_FRAMES = [frame for frame, _ in FRAMES]
_SHARES = [share for _, share in FRAMES]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked for: the key in words, its spelling in the text, the owner, the source."""

    phrase: str
    name: str
    source: str
    place: str = ""


def _named(rng: random.Random, subject: Subject) -> str:
    """The key as a person names it: in words, or as the text spells it."""
    kind = rng.random()
    if kind < 0.5:
        return subject.phrase
    if kind < 0.6:
        return " ".join(w.upper() if w in ACRONYMS else w for w in subject.phrase.split())
    if kind < 0.66:
        return f"`{subject.name}`"
    return f'"{subject.name}"' if kind < 0.69 else subject.name


def question_text(rng: random.Random, subject: Subject, chat: bool) -> str:
    """A question for the subject; its answer is a space and the value."""
    name = _named(rng, subject)
    if subject.place:
        template = rng.choice(PLACED)
    elif "-" in name and "header" in subject.source and rng.random() < 0.4:
        template = rng.choice(HEADERS)
    else:
        template = rng.choice(PLAIN if rng.random() < 0.6 else SOURCED)
    text = template.format(
        n=name,
        N=name[:1].upper() + name[1:] if " " in name else name,
        s=rng.choice(subject.source.split("|")),
        p=subject.place,
    )
    return (CHAT if chat else rng.choices(_FRAMES, _SHARES)[0]).replace("{}", text)
