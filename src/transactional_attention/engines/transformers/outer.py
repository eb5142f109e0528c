"""Models whose decoder is handed embeddings, as those for images and text: the ids stand outside.

A hook on the module that embeds them notes what the decoder's own hook needs, for text alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ...errors import UnsupportedError
from .cache import RetentionCache
from .several import SeveralCaches

TEXT = ("inputs_embeds", "attention_mask")  # tensors of floats that are of no image or sound
_thread = threading.local()


@dataclass(frozen=True)
class Noted:
    """Ids [row, new] and mask [row, column] that a module was called with, for its decoder."""

    ids: torch.Tensor | None
    mask: torch.Tensor | None


def noted() -> Noted | None:
    """What the module around the running decoder was called with, beside a retention cache."""
    return getattr(_thread, "noted", None)


def note(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
    """Before the outer module runs.

    Raises:
        UnsupportedError: for images, videos and sounds.
    """
    _thread.noted = None
    if not any(isinstance(value, RetentionCache | SeveralCaches) for value in kwargs.values()):
        return
    for name, value in kwargs.items():
        if name not in TEXT and _has_floats(value):
            raise UnsupportedError(
                f"{name}: retention serves {type(module).__name__} with text alone, since images "
                "and sounds have no tokens that could be read: leave them out, or use a cache of "
                "transformers"
            )
    ids = kwargs.get("input_ids", args[0] if args else None)
    _thread.noted = Noted(ids, kwargs.get("attention_mask"))


def forget(module: nn.Module, args: tuple, output: Any) -> None:
    """Behind it, also when it has raised."""
    _thread.noted = None


def true_positions(
    cache: RetentionCache | SeveralCaches, like: torch.Tensor | None
) -> torch.Tensor | None:
    """Positions [row, new] of the running forward's tokens, where the ids ``like`` them are.

    Models for images keep offsets of an earlier text, which may have been another cache's.
    """
    if like is None or isinstance(cache, SeveralCaches):
        return None
    return torch.from_numpy(cache.forward_of(0).new).clamp(min=0).to(like.device)


def forget_offsets(model: Any, rows: int) -> None:
    """Take from a model the offsets that it keeps of an earlier text with images (Qwen2-VL).

    ``generate`` behind a prefill would add them, and fail where that text had other rows.
    """
    for module in model.modules():
        if getattr(module, "rope_deltas", None) is not None:
            module.rope_deltas = torch.zeros_like(module.rope_deltas[:1]).expand(rows, -1)


def outer_module(model: Any, decoder: nn.Module) -> nn.Module | None:
    """The module between a model and its decoder, or the model itself; None where there is none."""
    base = model.base_model
    return None if base is decoder else base


def _has_floats(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_floats, value))
    return isinstance(value, torch.Tensor) and value.is_floating_point()
