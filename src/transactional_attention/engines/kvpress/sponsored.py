"""``SponsoredPress``: any kvpress press, and sponsored values on top, at the same count."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from kvpress import BasePress, ChunkKVPress
from kvpress.presses.base_press import is_prefilling
from kvpress.utils import compute_n_kept, extract_keys_and_values
from torch import Tensor

from ...config import Retention, retention_from
from ...errors import InputError
from ..transformers.arguments import given_cache
from .sponsor import Sponsor, fingerprint

INNER = ("press", "base_press", "prefilling_press", "decoding_press")
SINKS = 4  # what swapping leaves alone, as StreamingLLM does


class SponsoredPress(BasePress):
    """A press that also keeps the values which our detectors find, whole, in every kv head.

    Args:
        base_press: any press of kvpress. It is copied; the result has its class among its bases,
            so it fits wherever the press does (``AdaKVPress(SponsoredPress(SnapKVPress(0.5)))``).
            A press around others is wrapped from outside or by its parts.
        tokenizer: the model's.
        retention: method (its detectors), protected ranges and caps; the budget is kvpress's own.

    Scores of sponsored tokens are raised above all others, so the press keeps as many pairs as
    before; a press without scores has its oldest kept pairs swapped. Whole values, best first, are
    admitted while they fit. While decoding, slots are mapped to tokens by their keys. Prompts are
    read from the first use in a forward; with ``DecodingPress`` alone, whose prefill kvpress runs
    without the press, call ``watch(model)`` before.
    """

    scores: Any
    presses: list[Any]

    def __new__(cls, base_press: Any = None, *args: Any, **kwargs: Any) -> Any:
        """An instance of a class below this one and the press's own."""
        if cls is not SponsoredPress:
            return object.__new__(cls)
        if not isinstance(base_press, BasePress):
            raise InputError(f"SponsoredPress wraps a kvpress press, not {base_press!r:.60}")
        if isinstance(base_press, SponsoredPress):
            raise InputError("this press is sponsored already")
        return object.__new__(_sponsored_class(type(base_press)))

    def __init__(
        self, base_press: Any, tokenizer: Any = None, retention: Retention | int | None = None
    ) -> None:
        self._adopt(base_press, Sponsor(tokenizer, retention_from(retention)))

    def _adopt(self, base_press: Any, sponsor: Sponsor, outer: Any = None) -> None:
        """Take the press's settings over, and sponsor the presses inside."""
        object.__setattr__(self, "__dict__", copy.copy(base_press.__dict__))
        self.sponsor, self.outer = sponsor, outer
        self.swaps = not hasattr(self, "score")
        if not self.swaps:
            return
        for name in INNER:
            if isinstance(getattr(self, name, None), BasePress):
                object.__setattr__(self, name, self._part(getattr(self, name)))
        if hasattr(self, "presses"):
            self.presses = [self._part(press) for press in self.presses]

    def _part(self, press: Any) -> Any:
        if isinstance(press, SponsoredPress):
            raise InputError("a press inside is sponsored already: sponsor the outermost alone")
        part: Any = object.__new__(_sponsored_class(type(press)))
        part._adopt(press, self.sponsor, self)
        self.swaps = False
        return part

    def watch(self, model: Any) -> None:
        """Read the prompts of this model from now on."""
        self.sponsor.skipped = getattr(self, "delimiter_token_id", self.sponsor.skipped)
        self.sponsor.watch(model)

    def post_init_from_model(self, model: Any) -> None:
        """kvpress calls this before a press is used, also on presses inside others."""
        self.watch(model)
        super().post_init_from_model(model)

    @contextmanager
    def __call__(self, model: Any) -> Iterator[None]:
        """Apply to a model; some presses call no ``post_init_from_model`` here."""
        self.watch(model)
        with super().__call__(model):
            yield

    # scores

    def _budget(self, module: Any, length: int) -> int:
        """Pairs that a kv head of this layer keeps of ``length``."""
        if hasattr(self, "get_layer_budget"):
            return int(self.get_layer_budget(module, length))
        ratios = [_ratio(self), _ratio(self.outer)]
        return compute_n_kept(length, max(ratios))

    def _raised(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Scores [..., slot] with those of the mask above all others."""
        limit = torch.finfo(scores.dtype).max
        top = float(scores.max())
        value = max(top + max(1.0, 0.05 * abs(top)), getattr(self.outer, "threshold", None) or top)
        if not value < limit:  # some presses mark slots with the largest number
            scores, value = scores.clamp(max=limit / 2), limit
        return scores.masked_fill(mask.to(scores.device), value)

    def _sponsored_scores(self, scores: Tensor, call: tuple, kwargs: dict) -> Tensor:
        module, _, keys = call[:3]
        cache = given_cache(kwargs)
        held = extract_keys_and_values(cache, module.layer_idx)[0].shape[2]
        whole = held == keys.shape[2]
        chunk = self.outer.chunk_length if isinstance(self.outer, ChunkKVPress) else 1
        budget = self._budget(module, held)
        if chunk > 1:
            budget = int(-(-held // chunk) * (1 - _ratio(self))) * chunk
        mask = self.sponsor.protected(module.layer_idx, keys, budget, chunk=chunk, whole=whole)
        return self._raised(scores, mask)

    # presses that keep scores of all layers until the prefill is over

    def enhance_scores(self) -> None:
        """KVCompose: raise scores [layer, kv_head, token] once they are complete."""
        super().enhance_scores()  # type: ignore[misc]
        budget = compute_n_kept(self.context_len, self.compression_ratio)
        masks = [
            self.sponsor.protected(i, layer.keys[:, :, : self.context_len], budget)[0]
            for i, layer in enumerate(self.cache.layers)
        ]
        self.scores = self._raised(self.scores, torch.stack(masks))

    def compress_post(self, model: Any) -> None:
        """KVzip and its relatives: raise scores [layer][row, kv_head, token] before the cut."""
        cache = self.sponsor.cache
        top = max(float(scores.max()) for scores in self.score_val)
        for layer, scores in enumerate(self.score_val):
            length = scores.shape[-1]
            keys = extract_keys_and_values(cache, layer)[0][:, :, :length]
            budget = compute_n_kept(length, self.compression_ratio) - self.n_sink
            mask = self.sponsor.protected(layer, keys, budget)
            self.score_val[layer] = scores.masked_fill(mask, top + 1)
        super().compress_post(model)  # type: ignore[misc]

    # presses without scores: swap what they kept

    def compress(self, module: Any, *call: Any) -> tuple[Tensor, Tensor]:
        """What the press keeps; without scores, sponsored pairs take the place of the oldest."""
        *_, kwargs = call
        keys, values = call[1:3]
        kept = super().compress(module, *call)
        if not self.swaps or not is_prefilling(kwargs["cache_position"], call[0].shape[1]):
            return kept
        length = kept[0].shape[2]
        if length < keys.shape[2]:
            mask = self.sponsor.protected(module.layer_idx, keys, length)
            slots = _swapped(torch.isin(fingerprint(keys), fingerprint(kept[0])), mask)
            index = slots.nonzero()[:, 2].view(*keys.shape[:2], length, 1)
            return tuple(part.gather(2, index.expand(*index.shape[:3], part.shape[3]))
                         for part in (keys, values))  # fmt: skip
        if getattr(module, "masked_key_indices", None) is not None:
            keep = torch.ones(keys.shape[:3], dtype=torch.bool, device=keys.device)
            keep[tuple(module.masked_key_indices)] = False
            mask = self.sponsor.protected(module.layer_idx, keys, int(keep.sum(-1).min()))
            module.masked_key_indices = torch.nonzero(~_swapped(keep, mask), as_tuple=True)
        return kept


def _ratio(press: Any) -> float:
    """The compression ratio of a press, 0 where it has none of its own."""
    try:
        return float(press.compression_ratio or 0.0)
    except (AttributeError, AssertionError, ValueError):  # known after the forward alone
        return 0.0


def _swapped(keep: Tensor, mask: Tensor) -> Tensor:
    """As many slots [row, kv_head, slot], those of the mask among them; the oldest give way."""
    ages = torch.arange(keep.shape[-1], device=keep.device)
    rank = ages + keep.shape[-1] * (2 * (ages < SINKS) + 3 * keep + 9 * mask)
    rank = torch.where(mask | keep, rank, -1)
    order = rank.argsort(-1, descending=True).argsort(-1)
    return order < keep.sum(-1, keepdim=True)


_classes: dict[type, Any] = {}


def _sponsored_class(base: type) -> Any:
    """The class below ``SponsoredPress`` and ``base``, made once."""
    if base in _classes:
        return _classes[base]

    def score(self: Any, *args: Any, **kwargs: Any) -> Tensor:
        names = ("module", "hidden_states", "keys", "values", "attentions", "kwargs")
        call = (*args, *(kwargs[name] for name in names[len(args) :]))
        return self._sponsored_scores(base.score(self, *call), call, call[-1])  # type: ignore[attr-defined]

    body = {"score": score} if hasattr(base, "score") else {}
    _classes[base] = type(f"Sponsored{base.__name__}", (SponsoredPress, base), body)
    return _classes[base]
