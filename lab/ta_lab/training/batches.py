"""Batches: documents side by side, with positions, weights and masks; figures of a step.

A batch depends on (seed, step, shape) alone, so a resumed run sees what it would have seen.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, fields

import torch
import torch.nn.functional as F
from torch import Tensor

from .curriculum import Shape
from .documents import (
    COPY_WEIGHT,
    END_ID,
    FIRST_WEIGHT,
    VALUE_WEIGHT,
    Document,
    DocumentMaker,
)
from .visibility import causal, pruned_visibility

POSITION_LIMITS = (4608, 6144, 6144, 8192)


@dataclass(slots=True)
class Batch:
    """Tensors of one step, all (sequences, length); `visible` is (sequences, length, length).

    `weights[i]` is the loss weight of `ids[i]` as a target, `selected` marks the rows whose
    next token is a target in this step."""

    ids: Tensor
    weights: Tensor
    positions: Tensor
    selected: Tensor
    visible: Tensor

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        return Batch(*(getattr(self, f.name).to(device) for f in fields(self)))


def make_batch(maker: DocumentMaker, shape: Shape, seed: int, step: int) -> Batch:
    """The batch of a step."""
    rng = random.Random(f"{seed}:{step}:{shape.length}")
    size, length = shape.sequences, shape.length
    ids = torch.full((size, length), END_ID)
    weights = torch.zeros(size, length)
    positions = torch.arange(length).repeat(size, 1)
    visible = causal(length).repeat(size, 1, 1)
    for row in range(size):
        document = _document(maker, shape, rng)
        if document.turns and rng.random() < shape.pruned:
            visible[row] = pruned_visibility(document, length, rng)
        count = len(document.ids)
        ids[row, :count] = torch.tensor(document.ids)
        weights[row, :count] = torch.tensor(document.weights)
        if rng.random() < shape.gaps:
            _stretch(positions[row], document, rng)
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


def weighted_loss(logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """The mean loss of a step and the cross entropy of each selected row."""
    targets = batch.ids[:, 1:][batch.selected[:, :-1]]
    weights = batch.weights[:, 1:][batch.selected[:, :-1]]
    entropies = F.cross_entropy(logits.float(), targets, reduction="none")
    return (entropies * weights).sum() / weights.sum(), entropies


@torch.no_grad()
def step_figures(logits: Tensor, entropies: Tensor, batch: Batch) -> dict[str, float]:
    """Losses in nats per token and shares in [0, 1], without those that a batch has no target for.

    `first_accuracy` is of the tokens that choose a value, before there is something to copy on;
    `exact` of the answers, which are right when every token is, teacher forced."""
    chosen = batch.selected[:, :-1]
    targets, weights = batch.ids[:, 1:][chosen], batch.weights[:, 1:][chosen]
    right = logits.argmax(-1) == targets
    answers, prose = weights >= VALUE_WEIGHT, weights < COPY_WEIGHT
    wrong = torch.zeros_like(chosen)
    wrong[chosen] = ~right
    in_answer = batch.weights[:, 1:] >= VALUE_WEIGHT
    before = F.pad(in_answer, (1, 0))[:, :-1]
    # Answers are numbered by their first row: an answer is wrong when any of its rows is.
    number = (in_answer & ~before).flatten().cumsum(0)
    count = int(number[-1])
    missed = torch.zeros(count + 1, dtype=torch.bool, device=number.device)
    missed[number[(in_answer & wrong).flatten()]] = True
    figures = {
        "answer_loss": entropies[answers],
        "prose_loss": entropies[prose],
        "token_accuracy": right[answers],
        "first_accuracy": right[weights == FIRST_WEIGHT],
        "exact": ~missed[1:],
    }
    return {name: float(each.float().mean()) for name, each in figures.items() if each.numel()}
