"""Where a benchmark runs, and its clock there: the host's, or events of a CUDA stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from transactional_attention.errors import InputError, UnsupportedError

from .timing import stopwatch


def find_device(name: str) -> torch.device:
    """The device of a name, ``cpu`` or ``cuda``.

    Raises:
        InputError: for another name.
        UnsupportedError: for ``cuda`` on a machine without such a device.
    """
    if name not in ("cpu", "cuda"):
        raise InputError(f"--device must be cpu or cuda, got {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise UnsupportedError(
            "--device cuda: there is no CUDA device on this machine, nothing was measured; "
            "use --device cpu"
        )
    return torch.device(name)


def describe(device: torch.device) -> dict[str, Any]:
    """What a record says of a device: its kind, and the card."""
    if device.type != "cuda":
        return {"device": device.type}
    card = torch.cuda.get_device_properties(device)
    return {
        "device": "cuda",
        "card": card.name,
        "card_bytes": card.total_memory,
        "cuda": torch.version.cuda,
    }


def seconds(work: Callable[[], object], device: torch.device) -> float:
    """Seconds of one call: wall time on the host, time between two events on a CUDA device.

    The device is idle when it begins, so gaps in which it waits for the host count as well.
    """
    if device.type != "cuda":
        return stopwatch(work)
    torch.cuda.synchronize(device)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    torch.cuda.synchronize(device)
    return start.elapsed_time(end) / 1e3
