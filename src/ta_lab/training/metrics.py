"""What the log says about a step: loss, token accuracy and whole answers that are right."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from .batches import Batch
from .documents import COPY_WEIGHT, FIRST_WEIGHT, VALUE_WEIGHT


@dataclass(frozen=True, slots=True)
class StepFigures:
    """Losses in nats per token; shares in [0, 1]; None where a batch had no such target.

    `first_accuracy` is of the tokens that choose a value, before there is something to copy on.
    """

    answer_loss: float | None
    prose_loss: float | None
    token_accuracy: float | None
    first_accuracy: float | None
    exact: float | None


def weighted_loss(logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """The mean loss of a step and the cross entropy of each selected row."""
    targets = batch.ids[:, 1:][batch.selected[:, :-1]]
    weights = batch.weights[:, 1:][batch.selected[:, :-1]]
    entropies = F.cross_entropy(logits.float(), targets, reduction="none")
    return (entropies * weights).sum() / weights.sum(), entropies


@torch.no_grad()
def step_figures(logits: Tensor, entropies: Tensor, batch: Batch) -> StepFigures:
    """Figures of one step; an answer is right when its every token is, teacher forced."""
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
    return StepFigures(
        answer_loss=_mean(entropies[answers]),
        prose_loss=_mean(entropies[prose]),
        token_accuracy=_mean(right[answers].float()),
        first_accuracy=_mean(right[weights == FIRST_WEIGHT].float()),
        exact=_mean((~missed[1:]).float()),
    )


def _mean(values: Tensor) -> float | None:
    return float(values.mean()) if values.numel() else None
