"""Counts of bounded requests, from the process that schedules to the one that serves metrics.

vLLM's own statistics have no room for more names, so each engine writes a few numbers to a file
that the server reads when it is asked. No label holds anything of a request's text.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = "TA_VLLM_FIGURES"
NAMES = {
    "ta_bounded_requests": "Requests with a budget that wait or run.",
    "ta_live_blocks": "Blocks of the pool that requests with a budget hold.",
    "ta_freed_blocks": "Blocks that requests with a budget gave up while they ran, in all.",
    "ta_values_held": "Values that requests with a budget hold whole.",
    "ta_values_refused": "Values of requests with a budget that did not fit.",
}


class Figures:
    """Where one engine writes, in the order of ``NAMES``."""

    def __init__(self, folder: str | None) -> None:
        self.shared: Any = np.zeros(len(NAMES))
        if folder is not None:
            path = Path(folder) / str(os.getpid())
            self.shared = np.memmap(path, np.float64, "w+", shape=len(NAMES))

    @classmethod
    def of_environment(cls) -> Figures:
        """In the folder that ``serve`` made; nowhere without one."""
        return cls(os.environ.get(FOLDER))

    def write(self, figures: Sequence[int]) -> None:
        """The numbers as they are now."""
        self.shared[:] = figures


class _Collector:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415  (of vLLM)

        arrays = [np.fromfile(path, np.float64) for path in self.folder.iterdir()]
        whole = [part for part in arrays if len(part) == len(NAMES)]
        totals = np.sum([np.zeros(len(NAMES)), *whole], 0)
        for (name, words), total in zip(NAMES.items(), totals.tolist(), strict=True):
            yield GaugeMetricFamily(name, words, value=total)


def serve() -> None:
    """Make the folder, once in a server, and show what is in it among vLLM's metrics."""
    if FOLDER in os.environ:
        return
    from prometheus_client import REGISTRY  # noqa: PLC0415  (of vLLM)

    folder = tempfile.mkdtemp(prefix="ta-vllm-")
    os.environ[FOLDER] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    REGISTRY.register(_Collector(Path(folder)))  # type: ignore[arg-type]
