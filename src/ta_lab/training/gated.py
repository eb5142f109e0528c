"""Attention with gates inside, as TRIM-KV trains them, and the losses (2512.03324, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import AttentionInterface
from transformers.masking_utils import AttentionMaskInterface

from transactional_attention.engines.transformers.attention import (
    retention_attention,
    retention_mask,
)
from transactional_attention.engines.transformers.gating import input_of, watch_inputs
from transactional_attention.methods.observation import AttentionRule, logits, normalise
from transactional_attention.methods.scorers.trim_kv import log_decay

NAME = "gated"
LOG_BETA = "_gated_log_beta"


@contextmanager
def gated(
    decoder: nn.Module, gates: Mapping[int, Callable[[Tensor], Tensor]]
) -> Iterator[dict[int, Tensor]]:
    """Let layers attend through gates, by their index, in a model of attention `gated`.

    Yields log beta (row, kv head, token) of every layer, filled by each forward.
    """
    found: dict[int, Tensor] = {}

    def read(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
        hidden, index = input_of(args, kwargs), module.layer_idx
        if hidden is not None and index in gates:
            assert isinstance(index, int)
            found[index] = gates[index](hidden)
            setattr(module, LOG_BETA, found[index])

    handles = watch_inputs(decoder, read)
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()


def gated_attention(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """Equation 3: o_t = sum over i <= t of softmax_i(q_t . k_i + (t - i) log beta_i) v_i.

    Arguments and result as for `retention_attention`, which serves layers without a gate.
    """
    log_beta = module.__dict__.pop(LOG_BETA, None)
    if log_beta is None:
        return retention_attention(
            module, query, key, value, attention_mask, dropout, scaling, **kwargs
        )
    scale = scaling if scaling is not None else query.shape[-1] ** -0.5
    rule = AttentionRule(scale, kwargs.get("softcap"), kwargs.get("s_aux"))
    groups = query.shape[1] // key.shape[1]
    scores = logits(query, key, rule) + log_decay(log_beta).repeat_interleave(groups, 1)
    weights = normalise(scores, rule).to(query.dtype)
    output = weights @ value.repeat_interleave(groups, 1)
    return output.transpose(1, 2).contiguous(), None


AttentionInterface.register(NAME, gated_attention)
AttentionMaskInterface.register(NAME, retention_mask)


def capacity_loss(log_beta: Tensor, memory: int) -> Tensor:
    """1/T sum over t of max(0, sum over i <= t of beta_i^(t-i) - M) / t, a mean over heads.

    `log_beta` is (row, kv head, token), `memory` is M: tokens that a head is meant to hold.
    """
    held = log_decay(log_beta).exp().sum(-1)
    steps = torch.arange(1, held.shape[-1] + 1, device=held.device)
    return (F.relu(held - memory) / steps).mean()


def quality_loss(student: Tensor, teacher: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
    """KL(teacher || student) and the next-token loss, nats per token.

    `student` and `teacher` are logits (token, vocabulary), `targets` ids (token).
    """
    found, wanted = student.float().log_softmax(-1), teacher.float().log_softmax(-1)
    divergence = F.kl_div(found, wanted, reduction="batchmean", log_target=True)
    return divergence, F.nll_loss(found, targets)
