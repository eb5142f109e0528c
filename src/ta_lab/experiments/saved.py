"""Records of other experiments, from the folder that a run saves its own in."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from transactional_attention.errors import InputError

from .experiment import Record, Row
from .views import is_main


def saved(folder: Path | None, names: Iterable[str]) -> dict[str, Record]:
    """The records that a folder holds, by name; those that it lacks are left out.

    Raises:
        InputError: for a file that is no record of its name.
    """
    found = {}
    for name in names:
        path = None if folder is None else folder / f"{name}.json"
        if path is not None and path.is_file():
            found[name] = _read(path, name)
    return found


def _read(path: Path, name: str) -> Record:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        record = None
    if (
        not isinstance(record, dict)
        or record.get("experiment") != name
        or not isinstance(record.get("rows"), list)
    ):
        raise InputError(f"{path.name} is no record of {name}: remove it and run {name} again")
    return record


def main_cells(rows: Iterable[Row]) -> list[Row]:
    """Finished cells of cases under the main claim."""
    return [row for row in rows if row.get("trials") and "marks" in row and is_main(row)]
