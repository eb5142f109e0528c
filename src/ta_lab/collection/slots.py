"""Templates: a text with slots for values, and what becomes of it for one case.

``⟦!uuid/hex|trace id⟧``: a value that must be kept, of either kind, and the label a question uses.
``⟦uuid|other id⟧``: a value that is not asked for; K has room for it. ``⟦int⟧``: fresh text that is
no value. ``⟦*⟧`` between blank lines: the parts lie apart. A last line ``?? ...`` is the question;
without it the label is asked for in the template's language.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from ..cases.cases import Value
from ..data import table
from ..values import slots
from .values import make_value

QUESTIONS: dict[str, str] = table("collection/surroundings")["questions"]
"""The question for a label, by language."""


@dataclass(frozen=True)
class Block:
    """Text with its values in characters of ``text``; ``kind``: that of the first to be kept."""

    text: str
    values: tuple[Value, ...] = ()
    question: str = ""
    kind: str = ""

    def shifted(self, by: int) -> tuple[Value, ...]:
        """The values when ``by`` characters precede the text."""
        return tuple(replace(v, start=v.start + by, end=v.end + by) for v in self.values)


def fill(template: str, rng: random.Random, lang: str = "en") -> Block:
    """A template with fresh values."""
    drawn: list[str] = []

    def draw(kinds: str) -> str:
        kind, value = make_value(rng, kinds)
        drawn.append(kind)
        return value

    text, filled = slots.fill(template, draw)
    values = [Value(s.start, s.end, s.label, s.kept) for s in filled if s.label is not None]
    kind = next((kind for kind, slot in zip(drawn, filled) if slot.kept), "")
    asked = [value.label for value in values if value.critical]
    question = QUESTIONS[lang].format(label=asked[0]) if asked else ""
    return Block(text, tuple(values), question, kind)
