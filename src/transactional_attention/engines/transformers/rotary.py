"""Compact positions: keys stored without rotation, rotated to their rank in the cache when read.

StreamingLLM (2309.17453, section 3.2) assigns positions within the cache; so a stream of any
length stays inside the positions that the model was trained on. Covers models that rotate as Llama
does (``rotate_half`` over the whole head) with position-independent frequencies.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from ...errors import UnsupportedError
from .forward import TableForward

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
ROPE_TYPES = ("default", "linear", "llama3")


class LlamaRotary:
    """Rotates and un-rotates keys [batch, kv_head, seq, head_dim] in float32."""

    def __init__(self, decoder: nn.Module) -> None:
        config: Any = decoder.config
        rope = (
            getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
        )
        kind = rope.get("rope_type", rope.get("type", "default"))
        if config.model_type not in FAMILIES or kind not in ROPE_TYPES:
            raise UnsupportedError(
                f"positions='compact' covers {', '.join(FAMILIES)} with {', '.join(ROPE_TYPES)} "
                f"rope, not {config.model_type} with {kind}: use positions='original'"
            )
        self.embedding: nn.Module = decoder.rotary_emb  # type: ignore[assignment]

    def apply(self, keys: torch.Tensor, forward: TableForward) -> torch.Tensor:
        """Rotate stored keys to their ranks."""
        visible, _ = forward.rank_tensors(keys.device)
        cos, sin = self._angles(keys, visible)
        wide = keys.float()
        return (wide * cos + _rotate_half(wide) * sin).to(keys.dtype)

    def undo(self, keys: torch.Tensor, forward: TableForward) -> torch.Tensor:
        """Remove the rotation that the model gave to new keys."""
        _, new = forward.rank_tensors(keys.device)
        cos, sin = self._angles(keys, new)
        wide = keys.float()
        scale = cos.square() + sin.square()  # the attention scaling of some rope types, squared
        return ((wide * cos - _rotate_half(wide) * sin) / scale).to(keys.dtype)

    def _angles(self, keys: torch.Tensor, ranks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        dummy = torch.empty(0, dtype=torch.float32, device=keys.device)
        cos, sin = self.embedding(dummy, ranks)
        return cos[:, None], sin[:, None]


def _rotate_half(x: torch.Tensor) -> torch.Tensor:
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], -1)
