"""Where a figure comes from; every record carries it."""

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..models.machine import machine

PACKAGES = ("transactional-attention", "torch", "transformers", "tokenizers", "numpy", "xllamacpp")


def provenance(
    arguments: dict[str, Any], *, seed: int | None, model: str, dtype: str | None = None
) -> dict[str, Any]:
    """Commit, versions, machine and arguments of a run. Arguments must not contain text of values.

    Call it after ``set_threads``: the machine's threads are those of torch. ``dtype``: in which the
    model computes. ``dirty``: files of the packages differ from the commit.
    """
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        **revision(),
        "versions": {"python": platform.python_version(), **{p: _version(p) for p in PACKAGES}},
        "machine": machine(),
        "model": model,
        **({} if dtype is None else {"dtype": dtype}),
        "seed": seed,
        "arguments": arguments,
    }


def revision() -> dict[str, Any]:
    """Commit of the code that runs, and whether the files of the packages differ from it."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "dirty": bool(_git("status", "--porcelain", "--", ":/src", ":/lab")),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    """Output of git in the source checkout; None if there is no checkout."""
    folder = Path(__file__).resolve().parents[2]
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
