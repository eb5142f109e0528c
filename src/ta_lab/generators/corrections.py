"""Corrections: a value is stated, then replaced; the later one counts."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from .placing import Asked, Setting, Statement, make_cases
from .values import fresh

LABELS = (
    ("rendezvous code", "code"), ("meter serial", "serial"), ("guest wifi password", "words"),
    ("return address of the relay", "address"), ("pickup reference", "code"),
    ("recovery mailbox", "email"),
)  # fmt: skip
FIRST = (
    "For everybody who asked: the {label} is {value}.",
    "At nine the desk announced {value} as the {label}.",
    "Draft minutes, item two. {label}: {value}",
)
LATER = (
    "Scratch what was said before; the {label} is {value} after all.",
    "The {label} that was given earlier no longer works. Use {value} in its place.",
    "The sheet on the door is wrong about the {label}, which is {value} from today.",
    "They changed the {label} again, to {value}.",
)
QUESTIONS = (
    "Which {label} holds now?",
    "What is the valid {label} at this point?",
    "After all changes, how does the {label} read?",
)
TEMPLATES = (*FIRST, *LATER, *QUESTIONS)


def corrections(tokenizer: Any, setting: Setting) -> list[Case]:
    """The first statement lies before ``setting.depth``, its correction there."""
    rng = setting.rng("corrections")
    label, kind = rng.choice(LABELS)
    old, new = fresh(rng, kind), fresh(rng, kind)
    earlier = rng.uniform(0, 0.8 * setting.depth)
    stated = [
        Statement(rng.choice(FIRST).format(label=label, value=old), old, label, earlier, False),
        Statement(rng.choice(LATER).format(label=label, value=new), new, label, setting.depth),
    ]
    asked = Asked("\n\n" + rng.choice(QUESTIONS).format(label=label), new)
    return make_cases(tokenizer, setting, "corrections", stated, [asked], rng)
