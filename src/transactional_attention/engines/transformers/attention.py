"""The attention function of managed layers: its own mask, SDPA underneath, then eviction.

Registered under transformers' attention interface. For a layer of a retention cache it hides what
has to be hidden by true positions, and evicts right after that layer's attention, so that the peak
is one layer's chunk over L x K. Everything else is handed to transformers' own SDPA.
"""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import AttentionInterface
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, AttentionMaskInterface
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from ...errors import UnsupportedError
from ...methods.observation import AttentionRule, logits, normalise
from .active import ATTENTION_NAME, active, noted
from .layer import managed_layer

QUERY_BLOCK = 256


def retention_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Attention output [batch, query, head, head_dim]; weights are never returned.

    ``query`` [batch, query_head, query, head_dim], ``key`` and ``value`` [batch, kv_head, seq,
    head_dim]. ``softcap`` and ``s_aux`` (attention sinks) are computed in blocks of queries.
    """
    several = getattr(active(), "attend", None)
    if several is not None:
        kwargs.update(dropout=dropout, scaling=scaling)
        return several(retention_attention, module, query, key, value, **kwargs)
    layer = managed_layer(module)
    if layer is not None and not layer.pending:
        raise UnsupportedError(
            f"layer {module.layer_idx} attends without keys of its own: not supported"
        )
    plain = kwargs.get("softcap") is None and kwargs.get("s_aux") is None
    window = kwargs.get("sliding_window")
    if layer is None:
        if plain:
            kwargs.update(scaling=scaling, dropout=dropout)
            return ALL_ATTENTION_FUNCTIONS["sdpa"](
                module, query, key, value, attention_mask, **kwargs
            )
        mask = attention_mask
    else:
        mask = None
        if layer.in_place is None or window is not None:
            mask = _by_query_head(layer.mask(query.shape[2], window), query)
    scale = scaling if scaling is not None else query.shape[-1] ** -0.5
    caps = kwargs.get("softcap"), kwargs.get("s_aux")
    rule = AttentionRule(scale, *caps, reach=window)
    if plain:
        output = _fused(query, key, value, mask, scale, dropout)
    else:
        output = _blockwise(query, key, value, mask, rule)
    if layer is not None:
        layer.settle(query, key, value, rule)
    return output.transpose(1, 2).contiguous(), None


def _fused(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, dropout: float
) -> Tensor:
    """SDPA without a mask tensor wherever none is needed; ``mask`` may be a ``CausalBias``."""
    groups = query.shape[1] // key.shape[1]
    if mask is not None and query.is_cuda and groups > 1:  # masked GQA means the math kernel
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
        groups = 1
    return F.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=mask,
        dropout_p=dropout,
        is_causal=mask is None and query.shape[2] > 1,
        scale=scale,
        enable_gqa=groups > 1,
    )


def _by_query_head(mask: Tensor | None, query: Tensor) -> Tensor | None:
    """A mask that differs between kv heads, repeated for the query heads of each."""
    if type(mask) is not Tensor or mask.shape[1] in (1, query.shape[1]):
        return mask
    return mask.repeat_interleave(query.shape[1] // mask.shape[1], 1)


def _blockwise(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, rule: AttentionRule
) -> Tensor:
    """Exact attention with logit soft-capping and attention sinks, a block of queries at a time."""
    num_queries, num_keys = query.shape[2], key.shape[2]
    values = value.repeat_interleave(query.shape[1] // key.shape[1], 1)
    output = []
    for start in range(0, num_queries, QUERY_BLOCK):
        block = slice(start, min(start + QUERY_BLOCK, num_queries))
        scores = _hide(logits(query[:, :, block], key, rule), mask, block, num_keys - num_queries)
        output.append(normalise(scores, rule).to(query.dtype) @ values)
    return torch.cat(output, 2)


def _hide(scores: Tensor, mask: Tensor | None, block: slice, offset: int) -> Tensor:
    """Apply a boolean or additive mask to one block of query rows; without one, causality."""
    if isinstance(mask, Tensor) and type(mask) is Tensor:
        rows = mask[:, :, block, : scores.shape[-1]]
        if rows.dtype == torch.bool:
            return scores.masked_fill(~rows, torch.finfo(scores.dtype).min)
        return scores + rows
    rows = torch.arange(block.start, block.stop, device=scores.device)[:, None] + offset
    later = torch.arange(scores.shape[-1], device=scores.device) > rows
    return scores.masked_fill(later, torch.finfo(scores.dtype).min)


def retention_mask(*args: Any, **kwargs: Any) -> Tensor | None:
    """The model's mask: none for managed layers, SDPA's for sliding ones and other caches."""
    if (active() or noted()) is not None and kwargs.get("local_size") is None:
        return None
    return ALL_MASK_ATTENTION_FUNCTIONS["sdpa"](*args, **kwargs)


AttentionInterface.register(ATTENTION_NAME, retention_attention)
AttentionMaskInterface.register(ATTENTION_NAME, retention_mask)
