"""Scenes in prose: labels, near-identical labels, corrections, loose cues, entities."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..scene import Question, Scene
from . import drafts
from .draft import PROSE, Ask, Draft, capital, is_genitive

WRAPS, WRAP_SHARES = zip(*PROSE.wraps)


def _completion(rng: random.Random, label: str) -> str:
    text = rng.choice(PROSE.completions)
    if is_genitive(label):
        text = text.replace("the {key}", "{key}").replace("The {key}", "{Key}")
    return text.format(key=label, Key=capital(label))


def _question(rng: random.Random, asked: Ask) -> str:
    """A question, a sentence to complete, or a question and the begin of its answer."""
    kind = rng.random() if asked.label else 1.0
    if kind < 0.14:
        return rng.choice(("\n\n", "\n\n", "\n")) + _completion(rng, asked.label)
    if kind < 0.24:
        return f"\n\n{asked.text} {_completion(rng, asked.label)}"
    return rng.choices(WRAPS, WRAP_SHARES)[0].format(ask=asked.text)


def _as_text(rng: random.Random, draft: Draft, family: str) -> Scene:
    """The draft as a plain text with its questions behind it."""
    questions = [
        Question(_question(rng, asked), " " + draft.pieces[asked.piece].value, asked.piece)
        for asked in draft.asks
    ]
    filler = "code" if rng.random() < 0.06 else "prose"
    return Scene(draft.pieces, questions, filler=filler, family=family)


def plain(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Labelled values in many sentences."""
    return _as_text(rng, drafts.plain(rng, facts, words), "plain")


def confusers(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Labels that are easily taken for each other."""
    return _as_text(rng, drafts.confusers(rng, facts, words), "confusers")


def corrections(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Values of which some are corrected later."""
    return _as_text(rng, drafts.corrections(rng, facts, words), "corrections")


def unstructured(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Values of everyday things, told or asked for without their names."""
    return _as_text(rng, drafts.unstructured(rng, facts, words), "unstructured")


def multi(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Several values of one entity."""
    return _as_text(rng, drafts.multi(rng, facts, words), "multi")


MAKERS = (plain, confusers, corrections, unstructured, multi)
