"""Whether a prompt goes on with what a used cache has read: token by token, before any forward.

``generate`` gives the decoder only what is behind the columns that a cache has seen, whatever they
held. So all columns are compared where they can be seen. No message tells a token.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from ...errors import CacheStateError

if TYPE_CHECKING:
    from .cache import RetentionCache

REMEDY = (
    "a cache goes on with the text that it has read; give another text a cache of its own (or "
    "cache.reset()), and a chat whose earlier turns change to ta.Chat"
)
FIRST = "is_first_iteration"


def check_generate(cache: RetentionCache, input_ids: torch.Tensor, kwargs: dict[str, Any]) -> None:
    """Called with what ``prepare_inputs_for_generation`` gets; compares once a ``generate()``.

    Raises:
        CacheStateError: when the ids are fewer than those that were read, or others.
    """
    if cache.num_columns == 0 or not (kwargs.get(FIRST) or not _says_first()):
        return
    mask = kwargs.get("attention_mask")
    if "next_sequence_length" in kwargs:
        only_new = kwargs["next_sequence_length"] is None
    else:
        only_new = mask is not None and mask.shape[-1] > input_ids.shape[1]
    if not only_new:  # else the caller says by the mask that only new tokens are given
        check_continues(cache, input_ids, mask)


def _says_first() -> bool:
    """Whether transformers tells the first step of a ``generate()`` (from 5.0) from later ones."""
    from transformers import GenerationMixin  # noqa: PLC0415  (slow)

    known = inspect.signature(GenerationMixin.prepare_inputs_for_generation).parameters
    return FIRST in known


def check_continues(
    cache: RetentionCache, input_ids: torch.Tensor, mask: torch.Tensor | None, new: int = 1
) -> None:
    """Refuse columns [row, column] that do not go on with what the cache has read, by ``new``.

    Raises:
        CacheStateError: as ``check_generate``.
    """
    columns = cache.num_columns
    if input_ids.shape[1] < columns + new:
        raise CacheStateError(
            f"the prompt has {input_ids.shape[1]} tokens, and the cache has read {columns}: pass "
            "the whole conversation, what was read and the new tokens behind it; or new tokens "
            f"alone by **ta.inputs_behind(cache, ids). Is it another text? {REMEDY}"
        )
    cache.read_generated()
    sequences = cache.flow.sequences
    if len(sequences) != len(input_ids):
        return  # refused by the forward, which knows rows
    given = input_ids[:, :columns].cpu().numpy()
    valid = np.ones(given.shape, bool)
    if mask is not None and mask.ndim == 2:
        valid[:, : mask.shape[1]] = mask[:, :columns].bool().cpu().numpy()
    for row, sequence in enumerate(sequences):
        unknown, tokens = sequence.forgotten, given[row][valid[row]]
        if unknown:  # loaded without its text: what came after that is known
            tokens = tokens[max(0, len(tokens) - sequence.num_tokens + unknown) :]
        same = unknown + sequence.ids.common(tokens, unknown)
        if same < max(unknown + len(tokens), sequence.num_tokens):
            raise CacheStateError(
                f"row {row} of the prompt is not what this cache has read: of the "
                f"{sequence.num_tokens} tokens that it has read, token {same} is the first that "
                f"differs; {REMEDY}"
            )
