"""Where records lie, what they may be, and the commands that run them again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from ..experiments.experiment import Record, Row

FOLDER = "records"  # inside the folder of a report
LEFT_OUT, UNFINISHED, GIVEN = "left_out", "unfinished", "given"
"""What the command adds to a record: why nothing was run; that it was interrupted; options that a
rerun needs and that are no part of the figures."""


def path_of(folder: Path, name: str) -> Path:
    """Where the record of an experiment lies in a report's folder."""
    return folder / FOLDER / f"{name}.json"


DEFAULTS = {"filler": "pydoc", "seed": 0, "model": "embedded", "trials": None}


def arguments(record: Record) -> Row:
    """Those of the run that made a record; none where it does not say."""
    return (record.get("provenance") or {}).get("arguments") or {}


def command(name: str, record: Record | None, out: str) -> str:
    """``ta reproduce`` with the settings of a record; what takes a part of one experiment is left
    out of the command of another, or of all."""
    words = ["ta", "reproduce", name]
    given = record or {}
    origin: dict[str, Any] = given.get("provenance") or {}
    asked = arguments(given)
    if asked.get("size") in ("quick", "full"):
        words.append(f"--{asked['size']}")
    for option, default in DEFAULTS.items():
        value = asked.get(option, origin.get(option, default))
        if value != default:
            words += [f"--{option}", str(value)]
    for option in ("only", "budgets", "tokens") if given.get("experiment") == name else ():
        if value := asked.get(option):
            listed = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            words += [f"--{option}", listed]
    if asked.get("raw"):
        words.append("--raw")
    for option, value in (given.get(GIVEN) or {}).items():
        words += [f"--{option}", str(value)]
    return shlex.join([*words, "--out", out])
