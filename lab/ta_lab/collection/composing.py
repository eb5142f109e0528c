"""From templates to cases: slots filled, blocks at their depths, offsets of their values.

``⟦!uuid/hex|trace id⟧``: a value that must be kept, of either kind, and the label a question uses.
``⟦uuid|other id⟧``: a value that is not asked for; K has room for it. ``⟦int⟧``: fresh text that is
no value. ``⟦*⟧`` between blank lines: the parts lie apart. A last line ``?? ...`` is the question;
without it the label is asked for in the template's language.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..cases.cases import Case, Value
from ..data import table
from ..values import placeholders
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

    text, filled = placeholders.fill(template, draw)
    values = [Value(s.start, s.end, s.label, s.kept) for s in filled if s.label is not None]
    kind = next((kind for kind, slot in zip(drawn, filled) if slot.kept), "")
    asked = [value.label for value in values if value.critical]
    question = QUESTIONS[lang].format(label=asked[0]) if asked else ""
    return Block(text, tuple(values), question, kind)


GAP, ASKED = "\n\n⟦*⟧\n\n", "\n?? "


def fill_parts(template: str, rng: random.Random, lang: str = "en") -> tuple[list[Block], str]:
    """The blocks of a template, and its question."""
    body, _, question = template.partition(ASKED)
    parts = [fill(part, rng, lang) for part in body.split(GAP)]
    return parts, question or next(filter(None, (part.question for part in parts)), "")


def depths_of(rng: random.Random, count: int) -> list[float]:
    """Ascending relative depths; the ends of the context come up too."""
    ends = (0.0, 1.0)
    return sorted(rng.choice(ends) if rng.random() < 0.1 else rng.random() for _ in range(count))


def weave(
    text: str, blocks: Sequence[Block], depths: Sequence[float], joint: str
) -> tuple[str, tuple[Value, ...]]:
    """Lines of ``text`` with the blocks between them, each after about its share of the text."""
    context, previous = "", 0
    values: list[Value] = []
    for block, depth in zip(blocks, depths, strict=True):
        cut = text.find("\n", int(depth * len(text))) if depth < 1 else -1
        cut = 0 if depth == 0 else len(text) if cut < 0 else cut + 1
        context += text[previous:cut].rstrip("\n")
        context += joint if context else ""
        values += block.shifted(len(context))
        context += block.text + joint
        previous = cut
    return (context + text[previous:]).rstrip("\n") + "\n", tuple(values)


def make_case(
    split: str,
    family: str,
    index: int,
    context: str,
    values: Sequence[Value],
    question: str,
    *,
    lang: str = "en",
    **others: Any,
) -> Case:
    """A case whose answer are the values that must be kept, one a line, each once."""
    kept = (context[value.start : value.end] for value in values if value.critical)
    return Case(
        id=f"{split}-{family}-{index}",
        context=context,
        question=f"\n\n{question}" if question else "",
        answer="\n".join(dict.fromkeys(kept)),
        values=tuple(values),
        family=family,
        lang=lang,
        **others,
    )
