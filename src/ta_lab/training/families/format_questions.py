"""Questions about values in technical texts, as a person words them."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ...data import texts
from .format_keys import ACRONYMS

TEXTS = texts("training/format_questions")

CHAT = "<|user|>{}<|end|><|assistant|>"
_FRAMES, _SHARES = zip(*TEXTS.frames)


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
        template = rng.choice(TEXTS.placed)
    elif "-" in name and "header" in subject.source and rng.random() < 0.4:
        template = rng.choice(TEXTS.headers)
    else:
        template = rng.choice(TEXTS.plain if rng.random() < 0.6 else TEXTS.sourced)
    text = template.format(
        n=name,
        N=name[:1].upper() + name[1:] if " " in name else name,
        s=rng.choice(subject.source.split("|")),
        p=subject.place,
    )
    return (CHAT if chat else rng.choices(_FRAMES, _SHARES)[0]).replace("{}", text)
