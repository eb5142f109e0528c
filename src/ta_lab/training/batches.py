"""Batches: documents side by side, with positions, loss weights and masks.

A batch depends on (seed, step, shape) alone, so a resumed run sees what it would have seen. It is
made in PARTS, whose gradients are averaged: by as many processes as there are, or by one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import torch
from torch import Tensor

from .curriculum import Shape
from .documents import Document, DocumentMaker
from .tokenizer import END_ID, MAX_POSITIONS
from .visibility import causal, pruned_visibility

PARTS = 2
POSITION_LIMITS = (4608, 6144, 6144, MAX_POSITIONS)


@dataclass(slots=True)
class Batch:
    """Tensors of one step, all (sequences, length); `visible` is (sequences, length, length).

    `weights[i]` is the loss weight of `ids[i]` as a target, `selected` marks the rows whose
    next token is a target in this step.
    """

    ids: Tensor
    weights: Tensor
    positions: Tensor
    selected: Tensor
    visible: Tensor | None


def make_batch(maker: DocumentMaker, shape: Shape, seed: int, step: int, part: int = 0) -> Batch:
    """One of the PARTS of the batch of a step."""
    rng = random.Random(f"{seed}:{step}:{part}:{shape.length}")
    size, length = shape.sequences // PARTS, shape.length
    ids = torch.full((size, length), END_ID)
    weights = torch.zeros(size, length)
    positions = torch.arange(length).repeat(size, 1)
    masks: list[Tensor | None] = []
    for row in range(size):
        document = _document(maker, shape, rng)
        masks.append(_mask(document, shape, rng))
        count = len(document.ids)
        ids[row, :count] = torch.tensor(document.ids)
        weights[row, :count] = torch.tensor(document.weights)
        if rng.random() < shape.gaps:
            _stretch(positions[row], document, rng)
    visible = None
    if any(mask is not None for mask in masks):
        full = causal(length)
        visible = torch.stack([full if mask is None else mask for mask in masks])
    return Batch(ids, weights, positions, _select(weights, shape, rng), visible)


def _document(maker: DocumentMaker, shape: Shape, rng: random.Random) -> Document:
    if rng.random() < shape.copies:
        return maker.copying(rng, shape.length)
    (family,) = rng.choices(list(shape.families), list(shape.families.values()))
    facts = rng.randint(*shape.facts)
    questions = rng.randint(*shape.questions)
    kinds = {"brief": shape.brief, "spelled": shape.spelled}
    kinds[""] = 1 - sum(kinds.values())
    (values,) = rng.choices(list(kinds), list(kinds.values()))
    bare = rng.random() < shape.bare
    return maker.retrieval(rng, shape.length, family, facts, questions, values=values, bare=bare)


def _mask(document: Document, shape: Shape, rng: random.Random) -> Tensor | None:
    if document.turns and rng.random() < shape.pruned:
        return pruned_visibility(document, shape.length, rng)
    return None


def _stretch(positions: Tensor, document: Document, rng: random.Random) -> None:
    """PoSE: leave gaps between positions, so that short documents train long distances."""
    limit = rng.choice(POSITION_LIMITS)
    if limit <= len(positions):
        return
    total = rng.randint(0, limit - len(positions))
    cuts = sorted(rng.randint(0, total) for _ in range(rng.randint(0, 3)))
    for begin, end in zip([0, *cuts], [*cuts, total]):
        positions[rng.randint(1, document.context) :] += end - begin


def _select(weights: Tensor, shape: Shape, rng: random.Random) -> Tensor:
    """Rows whose next token has a loss: all of the answers, a share of the prose."""
    generator = torch.Generator().manual_seed(rng.getrandbits(32))
    targets = weights[:, 1:]
    drawn = torch.rand(targets.shape, generator=generator) < shape.prose
    selected = torch.zeros_like(weights, dtype=torch.bool)
    selected[:, :-1] = (targets >= 0.5) | ((targets > 0) & drawn)
    return selected
