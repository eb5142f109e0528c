"""Records that a run goes on with, if they were made as it asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError


def resumed(path: Path | None, record: dict[str, Any]) -> dict[str, Any]:
    """The record in ``path`` when there is one, otherwise ``record``. Raises InputError when the
    file is none, or was made with another model, seed or sample."""
    if path is None or not path.exists():
        return record
    try:
        old_record = json.loads(path.read_text(encoding="utf-8"))
        made, asked = _deciding(old_record), _deciding(record)
        complete = "rows" in old_record
    except (OSError, ValueError, KeyError, TypeError):
        complete = False
    if not complete:
        raise InputError(f"{path} is no record to go on with: give another file")
    apart = [
        f"{name} ({there} there, {here} here)"
        for name in dict.fromkeys((*made, *asked))
        for there, here in _apart(made.get(name), asked.get(name))
    ]
    if apart:
        raise InputError(
            f"{path} was made with another {' and '.join(apart)}: give the same, or another file"
        )
    return dict(old_record)


def _deciding(record: dict[str, Any]) -> dict[str, Any]:
    """What decides the figures of a record, by the name that a reader knows."""
    about = record["provenance"]
    return {
        "model": about["model"],
        "seed": about["seed"],
        "dtype": about.get("dtype", "float32"),  # records were without it when all were so
        **about["arguments"],
        "checksum of the weights": record["weights_sha256"],
    }


def _apart(made: Any, asked: Any) -> list[tuple[str, str]]:
    """Two settings in a message where they differ: of lists what the other lacks."""
    if made == asked:
        return []
    if isinstance(made, list) and isinstance(asked, list):
        made, asked = [m for m in made if m not in asked], [a for a in asked if a not in made]
    return [(_told(made), _told(asked))]


def _told(value: Any) -> str:
    """A setting in a message; of a checksum its begin."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing else"
    return "none" if value is None else str(value)[:16]
