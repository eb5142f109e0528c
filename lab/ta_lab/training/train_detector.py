"""Train the learned detector for one model: a minute or two on one core, most of it forwards."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from transactional_attention.detection.model_detectors import Reader
from transactional_attention.detection.paper import learned
from transactional_attention.detection.paper.learned import Probe
from transactional_attention.errors import InputError
from transactional_attention.models.embedded.derived import write_detector
from transactional_attention.types import Floats32

from . import detector_data as data
from .detector_data import EVALUATION, TRAINING

PER_PATTERN = 6
"""Lines of a pattern. Many of them read alike up to the value, so that more patterns do more than
more lines (the paper: 62 patterns x 100)."""
NEGATIVES = 6200  # paper, section 5.1
ANCHORS, NON_ANCHORS = 429, 1000  # of the evaluation, paper, section 5.1
WIDTH, EPOCHS, BATCH, RATE, DECAY = 32, 24, 256, 2e-3, 0.05
# Chosen on held-out patterns of those to train on: layers in the middle differ little, the last
# is worse; what an anchor weighs against another token brings the best threshold to the paper's.
DEPTH, WEIGHT = 0.5, 3.0
THRESHOLDS = {"learned": learned.THRESHOLD, "learnrank": learned.RANK_THRESHOLD}


@dataclass(frozen=True)
class Counts:
    """Anchors found by family, and non-anchors taken for one, at a threshold.

    ``per_thousand``: tokens of held-out text, in a thousand, that are taken for an anchor.
    ``taken``: tokens beside the announcements, in their own lines, that are, and how many there
    are, by family."""

    threshold: float
    found: dict[str, tuple[int, int]]
    false: int
    non_anchors: int
    per_thousand: float
    taken: dict[str, tuple[int, int]]

    @property
    def scores(self) -> dict[str, float]:
        """See ``scores_of``."""
        return scores_of(self.found, self.false)

    def to_dict(self) -> dict[str, Any]:
        """Counts and figures for a record."""
        return asdict(self) | self.scores


def scores_of(counts: Mapping[str, Sequence[int]], false: int) -> dict[str, float]:
    """Precision, recall and F1, in [0, 1]; ``counts``: by family how many, and of how many."""
    right, of = (sum(pair[i] for pair in counts.values()) for i in range(2))
    precision, recall = right / max(right + false, 1), right / max(of, 1)
    return {"precision": precision, "recall": recall, "f1": f1(right, of, false)}


def f1(right: int, of: int, false: int) -> float:
    """F1 of ``right`` found of ``of``, and ``false`` taken that are none."""
    return 2 * right / max(of + right + false, 1)


def train_detector(
    decoder: Any,
    reader: Reader,
    out: Path,
    *,
    layer: int | None = None,
    seed: int = 0,
    report: Callable[[str], None] = lambda line: None,
) -> dict[str, Counts]:
    """Train, judge on disjoint patterns, write the weights; the counts at both thresholds.

    ``layer``: states after n layers are read; None for ``usual_layer``. Raises InputError
    when ``out`` cannot be written, or the model has fewer layers."""
    deepest = decoder.config.get_text_config(decoder=True).num_hidden_layers
    layer = usual_layer(deepest) if layer is None else layer
    if not 0 < layer <= deepest:
        raise InputError(f"--layer must be 1 to {deepest}, the layers of the model, got {layer}")
    probe, positives, counted = trained(reader, layer, seed, report)
    write_detector(out, decoder, vars(probe), seed=seed, positives=positives)
    return counted


def usual_layer(layers: int) -> int:
    """The layer that is read of ``layers``."""
    return max(1, round(DEPTH * layers))


def trained(
    reader: Reader, layer: int, seed: int = 0, report: Callable[[str], None] = lambda line: None
) -> tuple[Probe, int, dict[str, Counts]]:
    """A probe of a model's states, the positives that it was fitted on, and what it then finds."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    training_texts, held_out = data.paragraphs()
    report("reading the training lines")
    training = data.lines(rng, TRAINING, len(TRAINING) * PER_PATTERN, training_texts)
    positive, beside = data.announcing(reader, training, layer)
    report("reading text without announcements")
    pool = np.concatenate([data.plain(reader, training_texts, layer), beside])
    report("fitting")
    probe = fitted(positive, pool, rng, layer)
    return probe, len(positive), evaluated(reader, probe, rng, held_out)


def fitted(positive: Floats32, pool: Floats32, rng: random.Random, layer: int) -> Probe:
    """A probe of the positives and as many negatives: half at random, half the hardest.

    The hardest are those that a first probe, fitted on random ones, takes for anchors."""
    count = min(NEGATIVES, len(pool))
    chosen = np.array(rng.sample(range(len(pool)), count))
    first = _fit(positive, pool[chosen], layer)
    hardest = np.argsort(-first.probabilities(pool))[: count // 2]
    negatives = np.concatenate([chosen[: count - count // 2], hardest])
    return _fit(positive, pool[negatives], layer)


def _fit(positive: Floats32, negative: Floats32, layer: int) -> Probe:
    states = np.concatenate([positive, negative])
    scale = states.std(0) + 1e-6
    inputs = torch.from_numpy(states / scale)
    labels = torch.cat([torch.ones(len(positive)), torch.zeros(len(negative))])
    weights = 1 + (WEIGHT - 1) * labels
    inner, outer = nn.Linear(states.shape[1], WIDTH), nn.Linear(WIDTH, 1)
    model = nn.Sequential(inner, nn.GELU(approximate="tanh"), outer)
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=DECAY)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(labels)).split(BATCH):
            logits = model(inputs[batch]).squeeze(-1)
            loss = nn.functional.binary_cross_entropy_with_logits(
                logits, labels[batch], weights[batch]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    parts = {
        "inner": inner.weight.T,
        "inner_bias": inner.bias,
        "outer": outer.weight[0],
        "outer_bias": outer.bias,
        "scale": torch.from_numpy(scale),
    }
    made = {name: np.ascontiguousarray(part.detach(), np.float32) for name, part in parts.items()}
    return Probe(**made, layer=np.array([layer]))


def evaluated(
    reader: Reader, probe: Probe, rng: random.Random, held_out: list[str]
) -> dict[str, Counts]:
    """Counts on patterns and text that were not trained on, at both thresholds."""
    layer = int(probe.layer[0])
    anchor_scores: dict[str, Floats32] = {}
    others: dict[str, Floats32] = {}
    for i, (family, patterns) in enumerate(EVALUATION.items()):
        count = ANCHORS // len(EVALUATION) + (i < ANCHORS % len(EVALUATION))
        pairs, beside = data.announcing(reader, data.lines(rng, patterns, count, held_out), layer)
        anchor_scores[family] = probe.probabilities(pairs)
        others[family] = probe.probabilities(beside)
    scores = probe.probabilities(data.plain(reader, held_out, layer))
    sample = scores[rng.sample(range(len(scores)), min(NON_ANCHORS, len(scores)))]
    return {
        name: Counts(
            threshold,
            _above(anchor_scores, threshold),
            int((sample > threshold).sum()),
            len(sample),
            1000 * float((scores > threshold).mean()),
            _above(others, threshold),
        )
        for name, threshold in THRESHOLDS.items()
    }


def _above(scores: dict[str, Floats32], threshold: float) -> dict[str, tuple[int, int]]:
    """How many of each family are above a threshold, and of how many."""
    return {family: (int((p > threshold).sum()), len(p)) for family, p in scores.items()}
