"""What a prompt and a forward bring, checked before anything is decided.

Ids, mask and positions; and whether a prompt goes on with what a used cache has read. ``generate``
gives the decoder only what is after the columns that a cache has seen, whatever they held: so all
columns are compared where they can be seen. No message tells a token.
"""

from __future__ import annotations

import inspect
import threading
import weakref
from collections.abc import Callable, Sequence
from functools import lru_cache, partial, update_wrapper
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ...config import Positions
from ...errors import CacheStateError, InputError, UnsupportedError
from ...methods.observation import Observation
from ...retention.sequence import SequenceState
from ...types import Ints
from .active import DrivingCache
from .arguments import find_cache
from .attach import Patch, attach, remember
from .decoder import find_decoder, num_processes
from .gating import give_angles, hook_attention, open_gates
from .observe import rotary_of_queries
from .rotary import Rotary

PREPARE = "prepare_inputs_for_generation"
DROPS_CACHES = ("phi3", "phimoe", "phi4_multimodal")  # where longrope changes its factors
_lock = threading.Lock()
REMEDY = (
    "a cache goes on with the text that it has read; give another text a cache of its own (or "
    "cache.reset()), and a chat whose earlier turns change to ta.Chat"
)
FIRST = "is_first_iteration"


def check_observable(model: Any, wanted: Observation, positions: Positions) -> None:
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
    if wanted and positions == "rolling":
        raise UnsupportedError(
            f"methods that read {wanted} know ranks, and the tokens' own positions: use compact or "
            "original ones"
        )
    if wanted.moments and positions == "original":  # others know how their queries were turned
        rotary_of_queries(find_decoder(model))
    if wanted.gates:
        open_gates(model, str(wanted.gates))


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
    array = ids.cpu().numpy()
    size = getattr(config, "vocab_size", None)
    if size is not None and array.max() >= size:
        raise InputError(
            f"token id {array.max()} lies outside the model's vocabulary of {size}: "
            "is this the model's own tokenizer?"
        )
    return array


def valid_columns(
    mask: Tensor | None, count: int, before: Ints, *, final: bool
) -> NDArray[np.bool_]:
    """Which of the ``count`` new columns hold tokens, [row, new]; the mask covers all so far.

    ``before`` [row]: tokens that a row has seen already; ``final``: the prompt ends here. Raises
    InputError at its end for rows of padding, and for padding on the right; UnsupportedError for a
    mask that is not 2D.
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


def place_tokens(model: Any, rotary: Rotary | None, *, mixed: bool) -> None:
    """Prepare a model for the positions and prompts of a cache, once a model; ``mixed``: some of
    its layers are not managed."""
    decoder, prepare = attach(model), vars(model).get(PREPARE)
    with _lock:
        if rotary is not None and (mixed or rotary.full.varies):
            hook_attention(decoder, give_angles)
        if not isinstance(prepare, _Prepare):
            remember(decoder, Patch(model, PREPARE, _Prepare(model, prepare)))


class _Prepare:
    """In place of a model's ``prepare_inputs_for_generation``.

    It does not keep its model alive, and goes along when that is copied or pickled. ``original``:
    what another library had put there.
    """

    def __init__(self, model: Any, prepare: Callable[..., Any] | None) -> None:
        self.model, self.original = weakref.ref(model), prepare
        update_wrapper(self, prepare or getattr(type(model), PREPARE))

    def __call__(self, input_ids: Any, *args: Any, **kwargs: Any) -> Any:
        model, cache = self.model(), find_cache(kwargs.values(), DrivingCache)
        original = self.original or partial(getattr(type(model), PREPARE), model)
        if cache is None or not cache.one_flow:
            return original(input_ids, *args, **kwargs)
        check_generate(cache, input_ids, kwargs)
        if cache.decoder.config.model_type not in DROPS_CACHES:  # type: ignore[operator, union-attr]
            return original(input_ids, *args, **kwargs)
        return _prepare_keeping(model, original, cache, input_ids, *args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Prepare:
        return _Prepare(memo.get(id(self.model()), self.model()), self.original)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Prepare, (self.model(), self.original)


def _prepare_keeping(
    model: Any, original: Callable[..., Any], cache: Any, /, *args: Any, **kwargs: Any
) -> Any:
    """A model that drops caches when its rotation changes with the length.

    A compact cache turns all its keys at once and goes on; another one holds keys of the old kind,
    and would be left behind unused without a word.
    """
    if cache.positions.rotary is not None:
        from transformers import GenerationMixin  # noqa: PLC0415  (slow)

        return GenerationMixin.prepare_inputs_for_generation(model, *args, **kwargs)
    inputs = original(*args, **kwargs)
    if find_cache(inputs.values(), type(cache)) is not cache:
        raise UnsupportedError(
            f"{type(model).__name__} changes its rotation at this length and drops the cache: "
            "use positions='compact'"
        )
    return inputs


@lru_cache
def tells_first_step() -> bool:
    """Whether transformers tells the first step of a ``generate()`` from others, as from 5.0."""
    from transformers import GenerationMixin  # noqa: PLC0415  (slow)

    return FIRST in inspect.signature(GenerationMixin.prepare_inputs_for_generation).parameters


def check_generate(cache: Any, input_ids: Tensor, kwargs: dict[str, Any]) -> None:
    """Called with what ``prepare_inputs_for_generation`` gets; compares once a ``generate()``.
    Raises CacheStateError when the ids are fewer than those that were read, or others."""
    if cache.num_columns == 0 or not kwargs.get(FIRST, not tells_first_step()):
        return
    mask = kwargs.get("attention_mask")
    if "next_sequence_length" in kwargs:
        only_new = kwargs["next_sequence_length"] is None
    else:
        only_new = mask is not None and mask.shape[-1] > input_ids.shape[1]
    if not only_new:  # otherwise the caller says by the mask that only new tokens are given
        cache.read_generated()
        check_continues(cache.num_columns, cache.flow.sequences, input_ids, mask)


def check_continues(
    columns: int,
    sequences: Sequence[SequenceState],
    input_ids: Tensor,
    mask: Tensor | None,
    new: int = 1,
) -> None:
    """Refuse ids [row, column] that do not repeat what a cache has read and add ``new`` tokens.
    ``columns``: how many it has read; ``sequences`` [row]: which. Raises CacheStateError as
    ``check_generate``."""
    if input_ids.shape[1] < columns + new:
        raise CacheStateError(
            f"the prompt has {input_ids.shape[1]} tokens, and the cache has read {columns}: pass "
            "the whole conversation, what was read and the new tokens after it; or new tokens "
            "alone by **ta.inputs_after(cache, ids); to read in chunks, ta.prefill and not "
            f"generate(prefill_chunk_size=). Is it another text? {REMEDY}"
        )
    if len(sequences) != len(input_ids):
        return  # refused by the forward, which knows rows
    repeated_ids = input_ids[:, :columns].cpu().numpy()
    valid = np.ones(repeated_ids.shape, bool)
    if mask is not None and mask.ndim == 2:
        valid[:, : mask.shape[1]] = mask[:, :columns].bool().cpu().numpy()
    for row, sequence in enumerate(sequences):
        num_lost, tokens = sequence.lost.num_tokens, repeated_ids[row][valid[row]]
        if num_lost:  # loaded without its text: what came after that is known
            tokens = tokens[max(0, len(tokens) - sequence.num_tokens + num_lost) :]
        num_alike = num_lost + sequence.ids.common(tokens, num_lost)
        if num_alike < max(num_lost + len(tokens), sequence.num_tokens):
            raise CacheStateError(
                f"row {row} of the prompt is not what this cache has read: of the "
                f"{sequence.num_tokens} tokens that it has read, token {num_alike} is the first "
                f"that differs; {REMEDY}"
            )
