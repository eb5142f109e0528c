"""What is freed goes back to the system: glibc keeps it otherwise, and copies of cells are tens of
megabytes. Elsewhere than on glibc nothing is done."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

MMAP_THRESHOLD = -3  # of mallopt: bytes from which a block is one of its own
LARGE = 1 << 20


@cache
def _glibc(name: str) -> Callable[..., int] | None:
    """A function of glibc's, where that is the library."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


def return_large_blocks() -> None:
    """Let large blocks go back as soon as they are freed. By itself glibc keeps blocks as large as
    any that was freed before."""
    if (mallopt := _glibc("mallopt")) is not None:
        mallopt(MMAP_THRESHOLD, LARGE)


def trim() -> None:
    """Give back what is free among small blocks."""
    if (malloc_trim := _glibc("malloc_trim")) is not None:
        malloc_trim(0)
