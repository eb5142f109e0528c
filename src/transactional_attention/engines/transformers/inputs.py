"""What a forward brings, checked before anything is decided: ids, mask, positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ...errors import InputError, PositionsError, UnsupportedError
from ...methods.observation import Observation
from ...types import Ints
from .decoder import find_decoder, num_processes
from .frequencies import trained_length
from .gating import open_gates
from .observe import rotary_of_queries
from .rotary import can_compact
from .session import attach

if TYPE_CHECKING:
    from .cache import RetentionCache


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


def check_ids(ids: Tensor | None) -> Tensor:
    """The ids [row, new] of a forward; anchors and generated values are read from them."""
    if ids is None:
        raise InputError(
            "inputs_embeds carry no token ids, as with virtual tokens of PEFT: pass input_ids"
        )
    if ids.shape[1] == 0:
        raise InputError("the prompt is empty: give at least one token")
    return ids


def host_ids(ids: Tensor, config: Any) -> NDArray[np.int64]:
    """The ids on the host; one outside the vocabulary means another model's tokenizer."""
    found = ids.cpu().numpy()
    size = getattr(config, "vocab_size", None)
    if size is not None and found.max() >= size:
        raise InputError(
            f"token id {found.max()} lies outside the model's vocabulary of {size}: "
            "is this the model's own tokenizer?"
        )
    return found


def valid_columns(
    mask: Tensor | None, count: int, before: Ints, *, final: bool
) -> NDArray[np.bool_]:
    """Which of the ``count`` new columns hold tokens, [row, new]; the mask covers all so far.

    ``before`` [row]: tokens that a row has seen already; ``final``: the prompt ends here.

    Raises:
        InputError: at its end for rows of padding, and for padding on the right.
        UnsupportedError: for a mask that is not 2D.
    """
    if mask is None:
        return np.ones((len(before), count), dtype=bool)
    if mask.ndim != 2 or mask.shape[1] < count:
        raise UnsupportedError(
            f"retention needs a 2D attention mask over the sequence, got shape {tuple(mask.shape)}"
        )
    valid = mask[:, -count:].bool().cpu().numpy()
    if final and not (before + valid.sum(1)).all():
        raise InputError("a row of the batch is all padding: every row needs a token")
    if final and not valid[:, -1].all():
        raise InputError(
            f"row {valid[:, -1].argmin()} of the batch is padded on the right, where its answer "
            "begins: pad on the left (tokenizer.padding_side = 'left')"
        )
    return valid


def check_positions(cache: RetentionCache, config: Any, new: Ints | int, columns: int) -> None:
    """Refuse ``new`` tokens of each row, in so many columns, that outgrow the model.

    Raises:
        PositionsError: when the longest row does, or where tokens are placed by their rank
            (compact) those that are held and new.
    """
    limit = trained_length(config)
    if limit is None:
        return
    if cache.rotary is not None:
        live = cache.managed[0].num_slots() + columns
        if columns == 1 and cache.retention.ledger == "strict":  # each gives another's slot
            live = min(live, max(cache.retention.budgets(), default=live))
        if live > limit:
            raise PositionsError(
                f"{live} live tokens outgrow the model's {limit} positions: "
                "prefill in smaller chunks (ta.prefill, --chunk), with a smaller budget and "
                "ledger='strict'"
            )
    elif (end := int((cache.flow.lengths + new).max())) > limit:
        compacted = (
            ", or let it be cut while it is read: Retention(positions='compact') and a bounded "
            "prefill chunk (ta generate --positions compact)"
        )
        raise PositionsError(
            f"{end} tokens outgrow the model's {limit} positions: shorten the text or the answer"
            f"{compacted if can_compact(cache.decoder) else ''}"
        )
