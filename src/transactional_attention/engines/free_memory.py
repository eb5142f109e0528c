"""How much memory a process may still take on Linux: of the machine, and of its control groups."""

from collections.abc import Iterator
from pathlib import Path

PROC, CGROUP = Path("/proc"), Path("/sys/fs/cgroup")
LIMITS = (  # of versions 2 and 1: where it is mounted, limit, usage, what its statistics begin with
    ("", "memory.max", "memory.current", ""),
    ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_"),
)
FILES = ("inactive_file", "active_file")  # pages that the system reads again, a model's among them


def free_memory(proc: Path = PROC, cgroup: Path = CGROUP) -> int | None:
    """Bytes; None where the system does not say."""
    known = [*_of_machine(proc / "meminfo"), *_of_groups(proc / "self" / "cgroup", cgroup)]
    return max(0, min(known)) if known else None


def _of_machine(path: Path) -> Iterator[int]:
    for line in _lines(path):
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) << 10


def _of_groups(path: Path, mounted: Path) -> Iterator[int]:
    """Of all groups above the process: in a container the names of some are not seen."""
    for line in _lines(path):
        _, controllers, name = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        below, most, used, begin = LIMITS[bool(controllers)]
        folder = mounted / below / name.lstrip("/")
        while folder.is_relative_to(mounted / below):
            limit, usage = _lines(folder / most), _lines(folder / used)
            if limit and usage and limit[0].isdigit():
                numbers = dict(line.split() for line in _lines(folder / "memory.stat"))
                files = sum(int(numbers.get(begin + name, 0)) for name in FILES)
                yield int(limit[0]) - int(usage[0]) + files
            folder = folder.parent


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
