"""Train what finds the candidates of the scorer: where values begin and where they end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from transactional_attention.detection.boundaries import (
    BUCKETS,
    Boundaries,
    places,
    rows_of,
)
from transactional_attention.detection.plain_text import plain
from transactional_attention.detection.text_codes import EDGE, TextCodes

from ..collection.annotated import ANNOTATED
from .character_data import JUDGED, Marked

SHARE = 0.12  # of the places where no value begins or ends
ANNOTATED_WEIGHT = 3.0
EPOCHS, BATCH, RATE, DROPPED = 2, 4096, 2e-2, 0.3
LEAST = -7.0
"""Log odds of a begin and its end from which a span is a candidate: it leaves out a fifth of the
values that only a reader of the whole sentence would find, and is a hundred spans in a page."""

Side = tuple[npt.NDArray[np.int16], npt.NDArray[np.bool_], npt.NDArray[np.float32]]
"""Rows [place, feature], whether a value begins (ends) there, and the weight of the place."""


def train_boundaries(documents: Sequence[Marked], seed: int) -> Boundaries:
    """The boundaries of documents; texts that are held out take no part."""
    rng = np.random.default_rng(seed)
    texts = {id(document): document for document in documents if document.family != JUDGED}
    parts = [_places_of(document, rng) for document in texts.values()]  # each text once
    tables, offsets = [], []
    for side in (0, 1):
        rows, labels, weights = (
            np.concatenate([part[side][i] for part in parts]) for i in range(3)
        )
        table, offset = _fitted(rows, labels, weights)
        tables.append(table)
        offsets.append(offset)
    scale = np.array([np.abs(table).max() / 127 for table in tables], np.float32)
    weights = np.stack([np.rint(t / s) for t, s in zip(tables, scale)]).astype(np.int8)
    return Boundaries(weights, scale, np.array([*offsets, LEAST], np.float32))


def _places_of(document: Marked, rng: np.random.Generator) -> tuple[Side, Side]:
    """Examples of begins and of ends; what a statement does not mark may be either."""
    codes = TextCodes(plain(document.text))
    annotated = document.family == ANNOTATED
    unknown = np.zeros(len(codes.folded) + 1, bool)
    for start, stop in document.statements:
        unknown[start + EDGE : stop + EDGE] = True
    examples = []
    for side, at in enumerate(places(codes)):
        label = np.isin(at, [value[side] + EDGE for value in document.values])
        share = 1.0 if annotated else SHARE
        used = label | (~unknown[at] & (rng.random(len(at)) < share))
        label = label[used]
        weight = np.where(label, 1.0, 1 / share) * (ANNOTATED_WEIGHT if annotated else 1.0)
        examples.append(
            (rows_of(codes, at[used], side).astype(np.int16), label, weight.astype(np.float32))
        )
    return examples[0], examples[1]


def _fitted(
    rows: npt.NDArray[np.int16], labels: npt.NDArray[np.bool_], weights: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], float]:
    """Log odds of each row of the table, and those of any place."""
    table = nn.EmbeddingBag(BUCKETS, 1, mode="sum")
    nn.init.zeros_(table.weight)
    offset = nn.Parameter(torch.tensor(-3.0))
    optimizer = torch.optim.Adam([table.weight, offset], RATE)
    total = EPOCHS * (len(labels) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total, pct_start=0.1)
    inputs, targets = torch.from_numpy(rows), torch.from_numpy(labels.astype(np.float32))
    shares = torch.from_numpy(weights / weights.mean())
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(labels)).split(BATCH):
            here = inputs[batch].long()
            kept = (torch.rand(here.shape) >= DROPPED) / (1 - DROPPED)
            logits = table(here, per_sample_weights=kept).squeeze(-1) + offset
            loss = nn.functional.binary_cross_entropy_with_logits(
                logits, targets[batch], shares[batch]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return table.weight.detach().numpy()[:, 0].copy(), float(offset.detach())
