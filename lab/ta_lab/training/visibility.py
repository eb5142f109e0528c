"""Which tokens a row may attend to in a pruned document.

Pruned rows are neutral as to retention policy: beside the asked values half of them keep
scattered tokens or values that nobody asks for, and some lose an asked value (its answer then
has no loss). The rows follow the two ledgers of evaluation: on top (the cut context, then the
question and the answer ride on it) and strict (answer rows see token 0, the value, a few last).
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from .documents import Document, Turn

STREAMED_SHARE, STRICT_SHARE, LOST_SHARE, NOISE_SHARE = 0.1, 0.65, 0.15, 0.5


def causal(length: int) -> Tensor:
    """The full mask: bool (length, length), True where a row may look."""
    return torch.ones(length, length, dtype=torch.bool).tril_()


def pruned_visibility(document: Document, length: int, rng: random.Random) -> Tensor:
    """Bool (length, length) mask for a document whose context is cut before its questions.

    Sets the loss weights of an answer to 0 when its value is lost."""
    visible = causal(length)
    lost = _lose(document, rng)
    if rng.random() < STREAMED_SHARE:
        _stream(visible, document, rng)
    noise = _noise(document, rng)
    if rng.random() < STRICT_SHARE:
        for turn in document.turns:
            _strict(visible, document, turn, noise, lost, rng)
    else:
        kept = noise.clone()
        for turn in document.turns:
            if turn.fact != lost:
                _keep_value(kept, document, turn.fact, rng)
        kept[-rng.randint(1, 12) :] = True
        _forget(kept, document, lost)
        visible[document.context :, : document.context] &= kept
    return visible


def _lose(document: Document, rng: random.Random) -> int | None:
    """Choose a value to lose, sometimes; without it there is no right answer to learn."""
    if not document.turns or rng.random() >= LOST_SHARE:
        return None
    lost = rng.choice(document.turns)
    document.weights[lost.answer : lost.end] = [0.0] * (lost.end - lost.answer)
    return lost.fact


def _noise(document: Document, rng: random.Random) -> Tensor:
    """Context tokens kept beside the values: token 0, and for half of the documents others."""
    kept = torch.zeros(document.context, dtype=torch.bool)
    if rng.random() < NOISE_SHARE:
        generator = torch.Generator().manual_seed(rng.getrandbits(32))
        if rng.random() < 0.5:
            kept |= torch.rand(document.context, generator=generator) < 0.4 * rng.random() ** 2
        else:
            asked = {turn.fact for turn in document.turns}
            for fact in range(len(document.facts)):
                if fact not in asked and rng.random() < 0.5:
                    _keep_value(kept, document, fact, rng)
    kept[0] = True
    return kept


def _keep_value(kept: Tensor, document: Document, fact: int, rng: random.Random) -> None:
    """Keep a value, up to three tokens before it and up to one after it."""
    start, end = document.facts[fact]
    if start == end:
        return
    kept[max(0, start - rng.choice((0, 0, 1, 2, 3))) : end + rng.randint(0, 1)] = True


def _forget(kept: Tensor, document: Document, lost: int | None) -> None:
    """Remove the value that is lost from what noise and neighbours kept."""
    if lost is not None:
        kept[slice(*document.facts[lost])] = False


def _strict(
    visible: Tensor,
    document: Document,
    turn: Turn,
    noise: Tensor,
    lost: int | None,
    rng: random.Random,
) -> None:
    """One turn under the strict ledger, as if the turns before it were not there."""
    context = document.context
    held = noise.clone()
    if turn.fact != lost:
        _keep_value(held, document, turn.fact, rng)
    with_recent = held.clone()
    with_recent[-rng.randint(1, 12) :] = True
    if turn.fact == lost:
        _forget(held, document, lost)
        _forget(with_recent, document, lost)
    rows = slice(turn.question, turn.end)
    visible[rows, :context] &= with_recent
    visible[rows, context : turn.question] = False
    # From the first answer token on, only the last few tokens of question and answer are live.
    window = rng.choice((2, 3, 4, 5, 6, 6, 7, 8, 10))
    answers = slice(turn.answer, turn.end)
    row = torch.arange(turn.answer, turn.end)[:, None]
    column = torch.arange(turn.question, turn.end)[None]
    visible[answers, :context] &= held
    visible[answers, turn.question : turn.end] &= column > row - window


def _stream(visible: Tensor, document: Document, rng: random.Random) -> None:
    """Cut the context while it is read: a row sees its chunk, values before it and a few last."""
    context = document.context
    chunk = rng.choice((32, 64, 128, 256, 512))
    last = rng.randint(2, 16)
    row = torch.arange(context)
    start = (row // chunk * chunk)[:, None]
    column = row[None]
    values = torch.zeros(context, dtype=torch.bool)
    values[0] = True
    for fact in range(len(document.facts)):
        _keep_value(values, document, fact, rng)
    visible[:context, :context] &= values | (column >= start - last)
