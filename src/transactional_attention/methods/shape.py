"""What methods must know of a model."""

from __future__ import annotations

from dataclasses import dataclass

from ..detection.reading import Reader


@dataclass(frozen=True)
class Shape:
    """What methods must know of a model: managed layers, their kv heads, how to read with it."""

    layers: int
    kv_heads: int
    reader: Reader | None = None
