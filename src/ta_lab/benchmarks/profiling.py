"""What dominates a benchmark: operators by torch's profiler, Python functions by cProfile.

Profiled arms are several times slower, so nothing of such a run is a timing. Arms stand in the
first table under their names.
"""

from __future__ import annotations

import cProfile
import io
import pstats
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch
from torch.profiler import ProfilerActivity, profile

from transactional_attention.errors import InputError

LINES = 40
T = TypeVar("T")


def profiled(work: Callable[[], T], path: Path) -> T:
    """Run, and write both tables to a file.

    Raises:
        InputError: when the file cannot be written.
    """
    activities = [ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(ProfilerActivity.CUDA)
    functions = cProfile.Profile()
    with profile(activities=activities) as operators:
        found = functions.runcall(work)
    sort = "self_cuda_time_total" if torch.cuda.is_available() else "self_cpu_time_total"
    written = io.StringIO()
    stats = pstats.Stats(functions, stream=written).strip_dirs()
    stats.sort_stats("tottime").print_stats(LINES)
    table = operators.key_averages().table(sort_by=sort, row_limit=LINES)
    try:
        path.write_text(f"{table}\n{written.getvalue()}", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    return found
