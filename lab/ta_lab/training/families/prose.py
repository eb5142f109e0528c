"""Scenes in prose: labels, near-identical labels, corrections, loose cues, entities."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from ..scene import Question, Scene, capital
from .drafts import PROSE, Ask, Draft, determined

WRAPS, WRAP_SHARES = zip(*PROSE.wraps)


def _completion(rng: random.Random, label: str) -> str:
    text = determined(rng, rng.choice(PROSE.completions), label, 0)
    return text.format(key=label, Key=capital(label))


def _question(rng: random.Random, asked: Ask) -> str:
    """A question, a sentence to complete, or a question and the begin of its answer."""
    kind = rng.random() if asked.label else 1.0
    if kind < 0.14:
        return rng.choice(("\n\n", "\n\n", "\n")) + _completion(rng, asked.label)
    if kind < 0.24:
        return f"\n\n{asked.text} {_completion(rng, asked.label)}"
    return rng.choices(WRAPS, WRAP_SHARES)[0].format(ask=asked.text)


def scene(
    rng: random.Random,
    facts: int,
    words: Sequence[str],
    make: Callable[[random.Random, int, Sequence[str]], Draft],
) -> Scene:
    """A draft as a plain text with its questions behind it."""
    draft = make(rng, facts, words)
    questions = [
        Question(_question(rng, asked), " " + draft.pieces[asked.piece].value, asked.piece)
        for asked in draft.asks
    ]
    filler = "code" if rng.random() < 0.06 else "prose"
    return Scene(draft.pieces, questions, filler=filler)
