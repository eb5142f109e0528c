"""The machine of a measurement: processor, memory, instructions that decide speed; no host name."""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

CPUINFO = Path("/proc/cpuinfo")
# As Linux names them: what kernels of float32, bfloat16 and int8 choose by.
INSTRUCTIONS = (
    *("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16"),
    *("amx_tile", "amx_bf16", "amx_int8"),
    *("asimd", "i8mm", "bf16", "sve", "sve2", "sme"),
)
APPLE = "hw.optional.arm.FEAT_"  # macOS's prefix, before the same names in capitals
SYSCTL = ("machdep.cpu.brand_string", *(APPLE + name.upper() for name in ("i8mm", "bf16", "sme")))


def machine() -> dict[str, Any]:
    """What decides speed. ``threads``: of torch in this process, now; None where nothing loaded it.

    ``cpu`` is the architecture, and ``instructions`` empty, where the system does not say.
    """
    name, instructions = _processor()
    torch = sys.modules.get("torch")
    return {
        "cpus": os.cpu_count(),
        "system": platform.system(),
        "arch": platform.machine(),
        "cpu": name or platform.processor() or platform.machine(),
        "instructions": instructions,
        "memory_gb": _memory_gb(),
        "threads": torch and torch.get_num_threads(),
        **({"gpu": torch.cuda.get_device_name()} if torch and torch.cuda.is_available() else {}),
    }


def _processor() -> tuple[str, list[str]]:
    """Name and instruction sets of the first processor; an empty name where nobody says it."""
    if CPUINFO.is_file():
        return read_cpuinfo(CPUINFO.read_text(encoding="utf-8", errors="replace"))
    if platform.system() == "Darwin":
        return read_sysctl(_output("sysctl", "-i", *SYSCTL))
    return "", []


def read_cpuinfo(text: str) -> tuple[str, list[str]]:
    """Of Linux's ``/proc/cpuinfo``; on ARM it names no model, but ``lscpu`` does."""
    flags = (_field(text, "flags") or _field(text, "Features")).split()
    name = _field(text, "model name") or _field(_output("lscpu"), "Model name")
    return name, [known for known in INSTRUCTIONS if known in flags]


def read_sysctl(text: str) -> tuple[str, list[str]]:
    """Of macOS's ``sysctl``."""
    instructions = [name for name in INSTRUCTIONS if _field(text, APPLE + name.upper()) == "1"]
    return _field(text, SYSCTL[0]), instructions


def _field(text: str, wanted: str) -> str:
    """The value of a line ``wanted: value``."""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == wanted:
            return value.strip()
    return ""


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _memory_gb() -> float | None:
    """Memory of the machine in units of 10^9 bytes; None where the system does not say."""
    try:
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None
    return round(pages / 1e9, 1)
