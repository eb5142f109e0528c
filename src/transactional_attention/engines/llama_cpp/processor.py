"""How many threads compute: as many as llama-server takes."""

import os
from pathlib import Path

CPUS = Path("/sys/devices/system/cpu")
SIBLINGS = "topology/thread_siblings"  # the threads of a core, the same text for each of them
FEW = 4  # processors that are taken for cores where nobody says so


def physical_cores(folder: Path = CPUS) -> int:
    """Cores that this process may run on; at least one.

    Two threads of a core share what computes. Where the system does not say which do, all of up to
    ``FEW`` processors count, otherwise half of them (``common_cpu_get_num_physical_cores`` of
    llama.cpp).
    """
    processors = _allowed()
    files = [folder / f"cpu{number}" / SIBLINGS for number in processors]
    try:
        return len({file.read_text(encoding="ascii").strip() for file in files}) or 1
    except OSError:
        return len(processors) if len(processors) <= FEW else len(processors) // 2


def _allowed() -> list[int]:
    """Numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
