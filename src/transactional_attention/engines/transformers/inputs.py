"""What a forward brings, checked before anything is decided: ids, mask, positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...errors import InputError, PositionsError, UnsupportedError
from ...observation import Observation
from .gating import open_gates
from .moments import rotary_of_queries
from .parallel import num_processes
from .session import attach, find_decoder


def check_observable(model: Any, wanted: Observation, *, compact: bool) -> None:
    """Refuse to read what transformers hides: attention of its own, a rotation, other heads.

    Gates that are read are opened: found, or refused.
    """
    if wanted and not getattr(model, "_supports_attention_backend", False):
        attach(model)  # refuses a model that attention-free methods cannot serve either
        raise UnsupportedError(
            f"{type(model).__name__} has attention of its own: methods that read {wanted} cannot "
            "see it; use an attention-free method (`ta methods`)"
        )
    if wanted and num_processes(model) > 1:
        raise UnsupportedError(
            f"with tensor parallel a process sees its own heads alone: methods that read {wanted} "
            "would keep other tokens in each; use an attention-free method (`ta methods`)"
        )
    if wanted.moments and not compact:  # a compact cache knows how its queries were turned
        rotary_of_queries(find_decoder(model))
    if wanted.gates:
        open_gates(model)


def check_ids(ids: torch.Tensor | None) -> torch.Tensor:
    """The ids [row, new] of a forward; anchors and generated values are read from them."""
    if ids is None:
        raise InputError("inputs_embeds carry no token ids: pass input_ids")
    if ids.shape[1] == 0:
        raise InputError("the prompt is empty: give at least one token")
    return ids


def host_ids(ids: torch.Tensor, config: Any) -> NDArray[np.int64]:
    """The ids on the host; one outside the vocabulary means another model's tokenizer."""
    found = ids.cpu().numpy()
    size = getattr(config, "vocab_size", None)
    if size is not None and found.max() >= size:
        raise InputError(
            f"token id {found.max()} lies outside the model's vocabulary of {size}: "
            "is this the model's own tokenizer?"
        )
    return found


def valid_columns(mask: torch.Tensor | None, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which of the new columns hold tokens, [row, new]; the mask covers all columns so far."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    if mask.ndim != 2 or mask.shape[1] < shape[1]:
        raise UnsupportedError(
            f"retention needs a 2D attention mask over the sequence, got shape {tuple(mask.shape)}"
        )
    return mask[:, -shape[1] :].bool().cpu().numpy()


def check_positions(config: Any, end: int, live: int, *, compact: bool) -> None:
    """Refuse a prompt that outgrows the model: ``end`` columns, ``live`` of them held or new."""
    limit = getattr(config, "max_position_embeddings", None)
    if limit is None:
        return
    if not compact and end > limit:
        raise PositionsError(
            f"{end} tokens outgrow the model's {limit} positions: shorten the text, or let it be "
            "cut while it is read: Retention(positions='compact') and a bounded prefill chunk "
            "(ta generate --positions compact)"
        )
    if compact and live > limit:
        raise PositionsError(
            f"{live} live tokens outgrow the model's {limit} positions: "
            "prefill in smaller chunks (ta.prefill, --chunk)"
        )
