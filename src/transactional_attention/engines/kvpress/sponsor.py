"""Which slots of a kvpress cache hold sponsored tokens, whatever was evicted before.

kvpress has no map from slots to tokens. Keys carry their position by rotation, so a key is known
again by its bits: the keys of the tokens that may be sponsored are noted while the prompt is
prefilled, before any press evicts, and every later call finds them by fingerprint.
"""

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from kvpress.presses.base_press import is_prefilling
from kvpress.utils import extract_keys_and_values
from torch import Tensor

from ...config import Retention
from ...errors import CacheStateError, UnsupportedError
from ...methods.registry import get_method
from ...retention.sequence import SequenceState
from ...selection.admission import LiveTokens
from ...selection.selection import SpanSelection
from ...types import Span, SponsoredSpan
from ..transformers.arguments import given_cache

SELECTION = SpanSelection(0, 1)


class Sponsor:
    """Finds values in the prompts of a model that it watches, and knows which tokens of each
    layer's cache they are, also after presses have cut it.

    ``length``: tokens of the last prompt.
    """

    def __init__(self, tokenizer: Any, retention: Retention) -> None:
        self.tokenizer, self.retention = tokenizer, retention
        self.detectors = get_method(retention.method).detectors_for(retention)
        SequenceState(tokenizer, retention, self.detectors)  # refuses a missing tokenizer
        self.length = 0
        self.skipped: int | None = None  # an id that never reaches the cache (Finch's delimiter)
        self._spans: dict[int, list[list[SponsoredSpan]]] = {}
        self._found: list[list[SponsoredSpan]] = []
        self._positions: list[Tensor] = []
        self._prints: dict[int, list[Tensor]] = {}
        self._cache: weakref.ref[Any] | None = None
        self._model: weakref.ref[Any] | None = None
        self._finalizer: Any = None

    def watch(self, model: Any) -> None:
        """Read the prompts of a model, from now on until this object is gone."""
        if self._model is not None and self._model() is model:
            return
        if self._finalizer is not None:
            self._finalizer()
        decoder = getattr(model.model, "language_model", model.model)
        this = weakref.ref(self)

        def before(module: Any, args: tuple, kwargs: dict) -> None:
            sponsor, cache = this(), given_cache(kwargs)
            ids = kwargs.get("input_ids", args[0] if args else None)
            if sponsor is not None and not _held(cache):
                sponsor.read(ids)

        def after(module: Any, args: tuple, kwargs: dict, output: Any) -> None:
            sponsor, cache = this(), given_cache(kwargs)
            length = kwargs["hidden_states"].shape[1]
            if sponsor is None or cache is None or length != sponsor.length:
                return
            if is_prefilling(kwargs["cache_position"], length):
                sponsor._cache = weakref.ref(cache)
                sponsor.note(module.layer_idx, extract_keys_and_values(cache, module.layer_idx)[0])

        handles = [decoder.register_forward_pre_hook(before, with_kwargs=True)]
        handles += [
            layer.self_attn.register_forward_hook(after, with_kwargs=True)
            for layer in decoder.layers
        ]
        self._model = weakref.ref(model)
        self._finalizer = weakref.finalize(self, _remove, handles)

    @property
    def cache(self) -> Any:
        """The cache that the last prompt went to."""
        return None if self._cache is None else self._cache()

    def read(self, ids: Tensor | None) -> None:
        """Find what is sponsored in a prompt [row, token]; embeddings (None) say nothing."""
        self._found, self._positions, self.length = [], [], 0
        self._spans, self._prints = {}, {}
        for row, line in enumerate([] if ids is None else ids.tolist()):
            tokens = [token for token in line if token != self.skipped]
            state = SequenceState(self.tokenizer, self.retention, self.detectors, row)
            state.read(tokens, final=True)
            spans = [*(span for span, _ in state.explicit()), *state.registry.spans]
            parts = [part for s in spans for part in (SELECTION.extent(s), *SELECTION.before(s))]
            wanted = {t for part in parts for t in part if t < len(tokens)}
            self._found.append(spans)
            self._positions.append(torch.tensor(sorted(wanted), dtype=torch.long))
            self.length = len(tokens)

    def note(self, layer: int, keys: Tensor) -> None:
        """Remember the keys [row, kv_head, token, head_dim] that the prompt has in a layer."""
        self._spans[layer] = self._found
        self._prints[layer] = [
            fingerprint(keys[row][:, positions.to(keys.device)])
            for row, positions in enumerate(self._positions)
        ]

    def protected(
        self, layer: int, keys: Tensor, budget: int, *, chunk: int = 1, whole: bool = True
    ) -> Tensor:
        """The slots of keys [row, kv_head, slot, head_dim] to keep, bool [row, kv_head, slot].

        Whole values, best first, while they fit into ``budget`` tokens; a value that is left out
        once stays out. ``chunk``: tokens that the press keeps or drops together. ``whole``: the
        keys are all that the cache holds, so a value that is not found whole is gone. Raises
        CacheStateError: the prompt was not seen; UnsupportedError: no sponsored token is left, as
        after a press that changes keys.
        """
        if layer not in self._prints:
            raise CacheStateError(
                "SponsoredPress has not seen the prompt: wrap the outermost press, or call "
                "watch(model) before the prefill"
            )
        mask = torch.zeros(keys.shape[:3], dtype=torch.bool, device=keys.device)
        prints = fingerprint(keys)
        chosen = []
        for row, known in enumerate(self._prints[layer]):
            spans = self._spans[layer][row]
            if whole:
                spans = self._living(spans, row, known, prints[row])
            spans, tokens = self._admit(spans, budget, chunk)
            chosen.append(spans)
            index = torch.isin(self._positions[row], torch.tensor(tokens, dtype=torch.long))
            for head, wanted in enumerate(known[:, index.to(keys.device)]):
                mask[row, head] = torch.isin(prints[row, head], wanted)
        self._spans[layer] = chosen
        return mask if chunk == 1 else _whole_chunks(mask, chunk)

    def _living(
        self, spans: list[SponsoredSpan], row: int, known: Tensor, prints: Tensor
    ) -> list[SponsoredSpan]:
        """The spans whose value every kv head still holds whole."""
        matches = torch.stack([torch.isin(k, p) for k, p in zip(known, prints, strict=True)])
        if spans and not bool(matches.any()):
            raise UnsupportedError(
                "no sponsored token is left in the cache: a press before this one changed their "
                "keys (rotated or quantized them), or evicted them because it is not sponsored"
            )
        held = set(self._positions[row][matches.all(0).cpu()].tolist())
        return [span for span in spans if held.issuperset(span.value)]

    def _admit(
        self, spans: Sequence[SponsoredSpan], budget: int, chunk: int
    ) -> tuple[list[SponsoredSpan], list[int]]:
        """The spans that fit, and their tokens with what of closing tokens and labels fits."""
        aligned = [_aligned(span, chunk, self.length) for span in spans]
        originals = dict(zip(map(id, aligned), spans, strict=True))
        positions = np.arange(self.length)
        flat = np.zeros(self.length)
        selected = SELECTION.select(
            LiveTokens(positions, self.length, flat, flat, aligned), min(budget, self.length)
        )
        chosen = [originals[id(span)] for span in selected.admitted]
        return chosen, np.flatnonzero(selected.held).tolist()


def fingerprint(keys: Tensor) -> Tensor:
    """A number for every key [..., head_dim]: a sum of its bits, weighted, modulo 2^64."""
    words = keys.contiguous().view(torch.int64)
    weights = torch.tensor(
        np.random.default_rng(0).integers(1 << 62, size=words.shape[-1]) * 2 + 1, device=keys.device
    )
    return (words * weights).sum(-1)


def _aligned(span: SponsoredSpan, chunk: int, length: int) -> SponsoredSpan:
    """The chunks that hold the value; there is no label beside them."""
    if chunk == 1:
        return span
    start = span.value.start // chunk * chunk
    end = min(-(-span.value.end // chunk) * chunk, length)
    return span._replace(value=Span(start, end), label=Span(start, start))


def _whole_chunks(mask: Tensor, chunk: int) -> Tensor:
    """Mark all slots of a chunk in which one is marked."""
    length = mask.shape[-1]
    padded = torch.nn.functional.pad(mask, (0, -length % chunk))
    marked = padded.unflatten(-1, (-1, chunk)).any(-1)
    return marked.repeat_interleave(chunk, -1)[..., :length]


def _held(cache: Any) -> int:
    return 0 if cache is None else int(cache.get_seq_length())


def _remove(handles: Sequence[Any]) -> None:
    for handle in handles:
        handle.remove()
