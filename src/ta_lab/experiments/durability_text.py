"""What is kept over generated tokens and turns, without a model."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from transactional_attention.retention.flow import RetentionFlow

from ..cases.encoding import EncodedCase
from ..cases.fillers import paragraphs
from ..cases.runner import with_oracle
from ..generators.placing import truncate
from .durability_arms import ARMS, cell, held_whole, registered, stated, token_ids
from .durability_part import Part
from .experiment import Context, Row

ASKED, SAID = 48, 24  # tokens of a turn: at most what a user writes, and what is generated


def read(tokenizer: Any, encoded: EncodedCase, name: str) -> RetentionFlow:
    """A flow of a setting that has read the context and cut it."""
    flow = RetentionFlow(with_oracle(ARMS[name], encoded), tokenizer, 1)
    take(flow, encoded.ids)
    return flow


def take(flow: RetentionFlow, ids: Sequence[int]) -> None:
    """A prompt or a turn, cut at its end."""
    new = np.array([list(ids)])
    flow.read(new, np.ones_like(new, dtype=bool), final=True)
    for table in flow.tables.values():
        flow.cut(table)


def generate(flow: RetentionFlow, count: int) -> None:
    """So many generated tokens, whatever they are."""
    for _ in range(count):
        flow.decode(evict=True)


def over_generated(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of generated tokens."""
    encoded, tokenizer = stated(context, part.tokens, trial), context.loaded[1]
    (value,) = encoded.values
    for name in part.settings:
        flow, seen = read(tokenizer, encoded, name), 0
        for gap in part.gaps:
            kept = held_whole(flow, value)
            if kept:  # what is lost once does not come back
                generate(flow, gap - seen)
                seen, kept = gap, held_whole(flow, value)
            yield cell(name, gap, kept, registered=registered(flow, value))


def over_turns(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of turns."""
    encoded, tokenizer = stated(context, part.tokens, trial), context.loaded[1]
    (value,) = encoded.values
    turns = turns_of(context, trial, max(part.gaps))
    for name in part.settings:
        flow, seen = read(tokenizer, encoded, name), 0
        for gap in part.gaps:
            for said, answer in turns[seen:gap]:
                take(flow, said)
                generate(flow, len(answer))
                flow.read_generated([answer])
            seen = gap
            yield cell(name, gap, held_whole(flow, value), registered=registered(flow, value))


def turns_of(context: Context, trial: int, count: int) -> list[tuple[list[int], list[int]]]:
    """Tokens of what a user says, and of what is generated then, turn by turn."""
    rng, tokenizer = random.Random(f"durability/{context.seed}/{trial}"), context.loaded[1]
    found = []
    for _ in range(count):
        said, answer = (rng.choice(paragraphs(context.filler)) for _ in range(2))
        asked = token_ids(tokenizer, "\n\n" + truncate(tokenizer, said, ASKED))
        found.append((asked, token_ids(tokenizer, answer)[:SAID]))
    return found
