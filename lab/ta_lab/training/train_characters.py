"""Train the character-level detector: a quarter of an hour on one core."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from transactional_attention.detection.boundaries import Boundaries
from transactional_attention.detection.features import BUCKETS
from transactional_attention.detection.scorer import Network
from transactional_attention.models.tensors import save_tensors

from .character_data import (
    Examples,
    annotated,
    cases,
    examples,
    joined,
    plain_texts,
    scenes,
    template_documents,
)
from .train_boundaries import train_boundaries

WIDTH = 48
SCENES, DRAWS, TEMPLATED, EPOCHS, BATCH = 2000, 2, 9600, 2, 512
ANNOTATED_TIMES = 6
MISTAKEN, MISTAKEN_TIMES = 0.02, 3
"""Probability from which a candidate of a text without values is a mistake, and its weight."""
RATE, DROPPED = 4e-3, 0.6
CALIBRATION_STEPS = 100


@dataclass(frozen=True)
class Result:
    """What held-out wordings say: candidates, values among them, and the figures at 0.5."""

    candidates: int
    values: int
    precision: float
    recall: float


class _Trained(nn.Module):
    """``Network`` with gradients."""

    def __init__(self, numbers: int) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(BUCKETS, WIDTH, mode="sum")
        nn.init.normal_(self.table.weight, std=0.05)
        self.numbers = nn.Linear(numbers, WIDTH)
        self.inner = nn.Linear(WIDTH, WIDTH)
        self.outer = nn.Linear(WIDTH, 1, bias=False)

    def forward(self, rows: torch.Tensor, numbers: torch.Tensor, dropped: float) -> torch.Tensor:
        """Logits [candidate]; a share of the rows is dropped, the others grow."""
        kept = (torch.rand(rows.shape) >= dropped) / (1 - dropped) if dropped else None
        total = self.table(rows, per_sample_weights=kept)
        hidden = torch.relu(total + self.numbers(numbers))
        return self.outer(torch.relu(self.inner(hidden))).squeeze(-1)


def train_characters(
    out: Path,
    *,
    seed: int = 0,
    count: int = SCENES,
    draws: int = DRAWS,
    templated: int = TEMPLATED,
    epochs: int = EPOCHS,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Train on ``count`` scenes, ``templated`` documents, ``draws`` of the collection and the
    annotated texts; then anew with the mistakes that the first network makes in texts without
    values, and write the weights.

    Returns the figures of held-out wordings.

    Raises InputError when ``out`` cannot be written."""
    torch.manual_seed(seed)
    texts = [
        *islice(scenes(), count),
        *template_documents(random.Random(seed), templated),
        *cases(draws),
        *annotated(ANNOTATED_TIMES),
    ]
    boundaries = train_boundaries(texts, seed)
    dataset = examples(texts, boundaries)
    first = _calibrated(dataset, boundaries, epochs, progress)
    plain = examples(list(plain_texts()), boundaries)
    mistakes = _mistakes(first, plain)
    network = _calibrated(
        joined([dataset, *[mistakes] * MISTAKEN_TIMES]), boundaries, epochs, progress
    )
    result = _figures(network, dataset)
    about = {
        "detector": "values",
        "seed": str(seed),
        "documents": str(count),
        "draws": str(draws),
        "templates": str(templated),
    }
    save_tensors(out, saved(network), about)
    return result


def _mistakes(network: Network, plain: Examples) -> Examples:
    """What a network finds likely where nothing is stated (hard negatives; Sung, Poggio 1998)."""
    likely = network.probabilities(plain.rows.astype(np.int64), plain.numbers) >= MISTAKEN
    chosen = Examples(*(part[likely] for part in vars(plain).values()))
    return replace(chosen, held_out=np.zeros(len(chosen.labels), bool))


def _calibrated(
    dataset: Examples, boundaries: Boundaries, epochs: int, progress: Callable[[int, int], None]
) -> Network:
    network = _quantised(_fitted(dataset, epochs, progress), boundaries)
    held = dataset.held_out
    logits = network.logits(dataset.rows[held].astype(np.int64), dataset.numbers[held])
    return replace(network, platt=platt(logits, dataset.labels[held]))


def _fitted(dataset: Examples, epochs: int, progress: Callable[[int, int], None]) -> _Trained:
    train = np.flatnonzero(~dataset.held_out)
    rows = torch.from_numpy(dataset.rows.view(np.int16))  # torch indexes no uint16
    numbers = torch.from_numpy(dataset.numbers)
    labels = torch.from_numpy(dataset.labels)
    model = _Trained(numbers.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), RATE, betas=(0.9, 0.99))
    total = epochs * (len(train) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, max(total, 2), pct_start=0.1)
    done = 0
    for _ in range(epochs):
        # Candidates of one text together: they compete for the same tokens.
        place = torch.randperm(int(dataset.texts[-1]) + 1)[torch.from_numpy(dataset.texts[train])]
        order = torch.from_numpy(train)[place.argsort(stable=True)]
        for batch in order[: len(order) // BATCH * BATCH].split(BATCH):
            logits = model(rows[batch].long() & 0xFFFF, numbers[batch], DROPPED)
            loss = nn.functional.binary_cross_entropy_with_logits(logits, labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if done + 1 < total:
                schedule.step()
            done += 1
            progress(done, total)
    return model.eval()


def saved(network: Network) -> dict[str, np.ndarray]:
    """The tensors of a network by the names of its file."""
    fields = dict(vars(network))
    first = vars(fields.pop("boundaries"))
    return fields | {f"boundaries.{name}": tensor for name, tensor in first.items()}


def _quantised(model: _Trained, boundaries: Boundaries) -> Network:
    """The table in 8 bits, everything else as it is; not calibrated."""
    table = model.table.weight.detach().numpy()
    scale = np.abs(table).max(0) / 127
    as_array = {
        "numbers": model.numbers.weight.T,
        "bias": model.numbers.bias,
        "inner": model.inner.weight.T,
        "inner_bias": model.inner.bias,
        "outer": model.outer.weight[0],
    }
    return Network(
        table=np.rint(table / scale).astype(np.int8),
        scale=scale.astype(np.float32),
        platt=np.array([1, 0], np.float32),
        boundaries=boundaries,
        **{name: np.ascontiguousarray(t.detach().numpy()) for name, t in as_array.items()},
    )


def platt(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Slope and offset that make probabilities of logits (Platt, 1999).

    Newton's method, with steps halved until the loss falls."""
    inputs = np.stack([logits.astype(np.float64), np.ones(len(logits))], 1)

    def loss(at: np.ndarray) -> float:
        margins = inputs @ at
        return float(np.mean(np.logaddexp(0, margins) - labels * margins))

    coefficients = np.array([1.0, 0.0])
    for _ in range(CALIBRATION_STEPS):
        p = np.exp(-np.logaddexp(0, -(inputs @ coefficients)))
        gradient = inputs.T @ (p - labels) / len(labels)
        hessian = (inputs * (p * (1 - p))[:, None]).T @ inputs / len(labels)
        step = np.linalg.solve(hessian + 1e-9 * np.eye(2), gradient)
        while loss(coefficients - step) > loss(coefficients) and np.abs(step).max() > 1e-9:
            step = step / 2
        coefficients = coefficients - step
        if np.abs(step).max() < 1e-6:
            break
    return coefficients.astype(np.float32)


def _figures(network: Network, dataset: Examples) -> Result:
    held = dataset.held_out
    p = network.probabilities(dataset.rows[held].astype(np.int64), dataset.numbers[held])
    predictions, labels = p >= 0.5, dataset.labels[held] > 0
    true_positives = int((predictions & labels).sum())
    return Result(
        candidates=len(labels),
        values=int(labels.sum()),
        precision=true_positives / max(int(predictions.sum()), 1),
        recall=true_positives / max(int(labels.sum()), 1),
    )
