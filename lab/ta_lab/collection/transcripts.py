"""Turns of a conversation as text, with who wrote what; turns that state nothing between them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..cases.cases import CaseSource, Value
from ..data import texts
from .composing import Block, fill
from .surroundings import documentation

IDLE = "..."
TEXTS = texts("collection/transcripts")
STYLES: tuple[tuple[str, str], ...] = TEXTS.styles


@dataclass(frozen=True)
class Turn:
    """What a role says."""

    role: str
    block: Block


def parse_turns(template: str, rng: random.Random, idle: Sequence[Turn]) -> list[Turn]:
    """The turns of a template; ``§...`` stands for ``idle``."""
    turns: list[Turn] = []
    for part in template.split("§")[1:]:
        role, _, text = part.partition("\n")
        turns += idle if role == IDLE else [Turn(role, fill(text.strip("\n"), rng))]
    return turns


def idle_turns(rng: random.Random, name: str, size: int) -> list[Turn]:
    """Questions, calls and results of ``size`` characters or more that state nothing."""
    turns: list[Turn] = []
    while size > 0:
        text = rng.choice(TEXTS.results)
        if rng.random() < 0.7:
            text = documentation(name, rng.randrange(200, 1_500), rng)
        exchange = (
            ("user", rng.choice(TEXTS.asks)),
            ("assistant", rng.choice(TEXTS.replies)),
            ("tool", text),
        )
        turns += [Turn(role, Block(words)) for role, words in exchange]
        size -= sum(len(words) for _, words in exchange)
    return turns


def render(
    turns: Sequence[Turn], style: tuple[str, str]
) -> tuple[str, tuple[Value, ...], tuple[CaseSource, ...]]:
    """The text of the turns, its values, and who wrote which characters."""
    head, tail = style
    text = ""
    values: list[Value] = []
    sources: list[CaseSource] = []
    for turn in turns:
        role = turn.role
        text += head.format(role=role, Role=role.capitalize(), ROLE=role.upper())
        values += turn.block.shifted(len(text))
        sources.append(CaseSource(len(text), len(text) + len(turn.block.text), role))
        text += turn.block.text + tail
    return text, tuple(values), tuple(sources)
