"""How numbers are handled while a model of this kind is trained or measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def flushed_subnormals() -> Iterator[None]:
    """Subnormal numbers are zero in the block: a trained softmax is full of them, and processors
    are several times slower on them."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
