"""Is a value dormant? Its rank by cumulative attention, per layer, before and after the question.

Cumulative attention of a token: the attention weights that it has received from every query so
far, averaged over heads (H2O's score, by which the paper ranks a value). Weights are computed in
blocks of queries, so memory is O(block x n)."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from transactional_attention.errors import UnsupportedError

from ..cases.encoding import EncodedCase, encode_case
from ..generators.needle import needle_case
from .plan import DEPTHS

NAME = "cumulative-attention"
QUERY_BLOCK = 256


class ColumnSums:
    """Cumulative attention [layer][2, n]: by the first ``split`` queries, and by all of them."""

    def __init__(self, split: int) -> None:
        self.split = split
        self.layers: dict[int, torch.Tensor] = {}

    def attend(
        self, index: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scale: float
    ) -> torch.Tensor:
        """Causal attention output [1, head, n, head_dim] of a whole sequence, sums noted.

        ``query`` [1, head, n, head_dim]; ``key`` and ``value`` with as many heads."""
        count = query.shape[2]
        sums = torch.zeros(2, count, dtype=torch.float64, device=query.device)
        columns, output = torch.arange(count, device=query.device), []
        for start in range(0, count, QUERY_BLOCK):
            rows = columns[start : start + QUERY_BLOCK, None]
            scores = query[:, :, start : start + QUERY_BLOCK] @ key.transpose(2, 3) * scale
            weights = scores.masked_fill(columns > rows, -torch.inf).softmax(-1, torch.float32)
            received = weights[0].mean(0, dtype=torch.float64)
            before = max(0, min(self.split - start, len(received)))
            sums[0] += received[:before].sum(0)
            sums[1] += received.sum(0)
            output.append(weights.to(value.dtype) @ value)
        self.layers[index] = sums
        return torch.cat(output, 2)


_recording: list[ColumnSums] = []


def _attention(
    module: nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[torch.Tensor, None]:
    window = kwargs.get("sliding_window")
    special = any(kwargs.get(name) is not None for name in ("softcap", "s_aux"))
    if special or (window is not None and window < query.shape[2]):
        raise UnsupportedError("dormancy is measured on plain causal attention only")
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scale = scaling if scaling is not None else query.shape[-1] ** -0.5
    output = _recording[-1].attend(module.layer_idx, query, key, value, scale)  # type: ignore[arg-type]
    return output.transpose(1, 2).contiguous(), None


@contextmanager
def recording(model: Any, split: int) -> Iterator[ColumnSums]:
    """Forwards of one whole sequence inside are recorded; the model's own attention comes back."""
    from transformers import AttentionInterface  # noqa: PLC0415  (slow)
    from transformers.masking_utils import AttentionMaskInterface  # noqa: PLC0415

    AttentionInterface.register(NAME, _attention)
    AttentionMaskInterface.register(NAME, lambda *args, **kwargs: None)
    previous, sums = model.config._attn_implementation, ColumnSums(split)
    _recording.append(sums)
    model.set_attn_implementation(NAME)
    try:
        yield sums
    finally:
        model.set_attn_implementation(previous)
        _recording.pop()


@torch.inference_mode()
def value_ranks(model: Any, encoded: EncodedCase) -> list[tuple[list[int], list[int]]]:
    """Per layer: ranks of the value's tokens before and after the question; 1 has received most.

    Ranks are among the tokens of the context."""
    context = len(encoded.ids)
    ids = torch.tensor([encoded.ids + encoded.question], device=model.device)
    with recording(model, context) as sums:
        model(ids, use_cache=False, logits_to_keep=1)
    places = [p for span in encoded.values for p in range(span.start, span.end)]
    found = []
    for _, layer in sorted(sums.layers.items()):
        before, after = (
            [1 + int((row > row[place]).sum()) for place in places] for row in layer[:, :context]
        )
        found.append((before, after))
    return found


def _needle(tokenizer: Any, tokens: int, trial: int, seed: int, filler: str) -> EncodedCase:
    case = needle_case(
        tokenizer,
        context=tokens,
        depth=DEPTHS[trial % len(DEPTHS)],
        seed=seed * 100_003 + trial // len(DEPTHS),
        filler_name=filler,
    )
    return encode_case(tokenizer, case)


def dormancy(
    model: Any,
    tokenizer: Any,
    *,
    tokens: int,
    trials: int,
    seed: int,
    filler: str,
) -> list[dict[str, Any]]:
    """One row a layer over ``trials`` needles: median and worst rank before and after.

    ``chance``: the median rank of a token picked at random. ``n``: ranks behind a median."""
    ranks: dict[int, tuple[list[int], list[int]]] = {}
    sizes = []
    for trial in range(trials):
        encoded = _needle(tokenizer, tokens, trial, seed, filler)
        sizes.append(len(encoded.ids))
        for layer, pair in enumerate(value_ranks(model, encoded)):
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
