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
COMPACT, REMEDY = "positions='compact'", "use positions='original'"


class LlamaRotary:
    """Rotates and un-rotates keys [batch, kv_head, seq, head_dim] in float32."""

    def __init__(self, decoder: nn.Module, *, user: str = COMPACT, remedy: str = REMEDY) -> None:
        config: Any = decoder.config
        rope = (
            getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
        )
        kind = rope.get("rope_type", rope.get("type", "default"))
        if config.model_type not in FAMILIES or kind not in ROPE_TYPES:
            raise UnsupportedError(
                f"{user} covers {', '.join(FAMILIES)} with {', '.join(ROPE_TYPES)} "
                f"rope, not {config.model_type} with {kind}: {remedy}"
            )
        self.embedding: nn.Module = decoder.rotary_emb  # type: ignore[assignment]

    def apply(self, keys: torch.Tensor, forward: TableForward) -> torch.Tensor:
        """Rotate stored keys to their ranks."""
        return self.rotate(keys, forward.rank_tensors(keys.device)[0])

    def undo(self, states: torch.Tensor, forward: TableForward) -> torch.Tensor:
        """Remove the rotation that the model gave to keys or queries of the last new tokens."""
        ranks = forward.rank_tensors(states.device)[1]
        cos, sin = self._angles(ranks[:, :, -states.shape[2] :])
        wide = states.float()
        scale = cos.square() + sin.square()  # the attention scaling of some rope types, squared
        return ((wide * cos - _rotate_half(wide) * sin) / scale).to(states.dtype)

    def rotate(self, states: torch.Tensor, ranks: torch.Tensor) -> torch.Tensor:
        """Rotate states [row, head, slot, head_dim] to ranks [row, head or 1, slot]."""
        cos, sin = self._angles(ranks)
        wide = states.float()
        return (wide * cos + _rotate_half(wide) * sin).to(states.dtype)

    def mean_rotation(self, start: torch.Tensor, count: int) -> torch.Tensor:
        """Mean over positions ``start`` [row] to ``start + count``, [row, head_dim, head_dim].

        Row vectors are multiplied by it from the right.
        """
        ahead = start[:, None, None] + torch.arange(count, device=start.device)
        cos, sin = (angles.mean(2, keepdim=True)[:, 0] for angles in self._angles(ahead))
        unit = torch.eye(cos.shape[-1], device=cos.device)[None]
        return unit * cos + _rotate_half(unit) * sin

    def _angles(self, ranks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        dummy = torch.empty(0, dtype=torch.float32, device=ranks.device)
        cos, sin = self.embedding(dummy, ranks.flatten(0, 1))
        return cos.unflatten(0, ranks.shape[:2]), sin.unflatten(0, ranks.shape[:2])


def _rotate_half(x: torch.Tensor) -> torch.Tensor:
    half = x.shape[-1] // 2
    return torch.cat([-x[..., half:], x[..., :half]], -1)
