"""The type that a model computes in: chosen before it is loaded, so that records can say it."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import InputError
from .embedded import SHIPPED
from .machine import machine
from .reading import read_config

AUTO = "auto"
DTYPES = {name: getattr(torch, name) for name in ("float32", "bfloat16", "float16")}
FAST = {"avx512_bf16", "amx_bf16"}  # Qwen2.5-0.5B's prefill takes less than half the time with them


def dtype_of(name: str, dtype: str = AUTO) -> str:
    """The type for a model. ``auto``: bfloat16 where the processor computes in it and the weights
    have no more digits than 16 bits give, else float32; of a shipped model float32.

    Raises:
        InputError: for a type that is none of ``DTYPES``, or a model that cannot be found.
    """
    if dtype in DTYPES:
        return dtype
    if dtype != AUTO:
        raise InputError(f"--dtype must be auto or one of {', '.join(DTYPES)}: {dtype!r}")
    return "float32" if name in SHIPPED else _fast(read_config(name))


def _fast(config: Any) -> str:
    stored = str(getattr(config, "dtype", None)).removeprefix("torch.")
    halves = stored in ("bfloat16", "float16") and FAST & set(machine()["instructions"])
    return "bfloat16" if halves else "float32"
