"""Is a value dormant? Its rank by cumulative attention, per layer, before and after the question.

Cumulative attention of a token: the attention weights that it has received from every query so
far, averaged over heads (H2O's score, by which the paper ranks a value). The cache adds it up in
blocks of queries (``Observation.columns``)."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

import torch

from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.methods.observation import Observation

from ..cases.decoding import forward
from ..cases.encoding import EncodedCase, encode_case
from ..cases.runner import FULL
from ..generators.placing import Setting
from .plan import DEPTHS, SEEDS_APART, make


def received(model: Any, tokenizer: Any, *parts: Sequence[int]) -> list[list[torch.Tensor]]:
    """Cumulative attention [token] by layer, after each part of a text."""
    cache = RetentionCache(model, tokenizer, FULL, observe=Observation(columns=True))
    heads = model.config.get_text_config(decoder=True).num_attention_heads
    found = []
    for ids in parts:
        forward(model, cache, ids)
        observers = [layer.observer for layer in cache.managed]
        found.append([o.sums[0].double().sum(0) / heads for o in observers])  # type: ignore[union-attr, index]
    return found


def value_ranks(
    model: Any, tokenizer: Any, encoded: EncodedCase
) -> list[tuple[list[int], list[int]]]:
    """Per layer: ranks of the value's tokens before and after the question; 1 has received most.

    Ranks are among the tokens of the context."""
    places = [p for span in encoded.values for p in range(span.start, span.end)]
    both = received(model, tokenizer, encoded.ids, encoded.question)
    return [tuple(_ranks(row[: len(encoded.ids)], places) for row in pair) for pair in zip(*both)]  # type: ignore[misc]


def _ranks(row: torch.Tensor, places: Sequence[int]) -> list[int]:
    return [1 + int((row > row[place]).sum()) for place in places]


def dormancy(
    model: Any, tokenizer: Any, *, tokens: int, trials: int, seed: int, filler: str
) -> list[dict[str, Any]]:
    """One row a layer over ``trials`` needles: median and worst rank before and after.

    ``chance``: the median rank of a token picked at random. ``n``: ranks behind a median."""
    ranks: dict[int, tuple[list[int], list[int]]] = {}
    sizes = []
    for trial in range(trials):
        depth, own = DEPTHS[trial % len(DEPTHS)], seed * SEEDS_APART + trial // len(DEPTHS)
        case = make("needle", tokenizer, Setting(tokens, depth, own, filler))[0]
        encoded = encode_case(tokenizer, case)
        sizes.append(len(encoded.ids))
        for layer, pair in enumerate(value_ranks(model, tokenizer, encoded)):
            for all_ranks, more in zip(ranks.setdefault(layer, ([], [])), pair, strict=True):
                all_ranks.extend(more)
    positions = statistics.median(sizes)
    return [
        {
            "layer": layer,
            "positions": positions,
            "chance": (positions + 1) / 2,
            "trials": trials,
            "n": len(before),
            "before": _summary(before),
            "after": _summary(after),
        }
        for layer, (before, after) in ranks.items()
    ]


def _summary(ranks: Sequence[int]) -> dict[str, float]:
    return {"median": statistics.median(ranks), "best": min(ranks), "worst": max(ranks)}
