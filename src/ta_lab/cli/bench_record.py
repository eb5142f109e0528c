"""The record of ``ta bench``: written after each benchmark, gone on with after an interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transactional_attention.cli.common import write_json
from transactional_attention.errors import InputError

from ..benchmarks.benchmark import Outcome
from ..report import UNFINISHED


class BenchRecord:
    """Rows and notes so far, in ``path`` when there is one.

    What an unfinished record in ``path`` holds is not measured again; a finished one is replaced.

    Raises:
        InputError: for an unfinished record of another commit, machine, model or request.
    """

    def __init__(
        self, path: Path | None, origin: dict[str, Any], weights_sha256: str | None
    ) -> None:
        self.path = path
        about = {"provenance": origin, "weights_sha256": weights_sha256, UNFINISHED: True}
        fresh: dict[str, Any] = {**about, "rows": [], "notes": []}
        found = _unfinished(path)
        if found is not None:
            differ = _differing(found, fresh)
            if differ:
                raise InputError(
                    f"{path} holds an unfinished run with another {', '.join(differ)}: "
                    "go on as it was begun, or remove it"
                )
        self.content = found or fresh

    def holds(self, benchmark: str) -> bool:
        """Whether a benchmark was measured."""
        return any(row["benchmark"] == benchmark for row in self.content["rows"])

    def add(self, benchmark: str, outcome: Outcome) -> None:
        """Note what one benchmark gave, and write it."""
        self.content["rows"] += [{"benchmark": benchmark, **row} for row in outcome.rows]
        self.content["notes"] += outcome.notes
        write_json(self.path, self.content)

    def finish(self) -> None:
        """Nothing more will be added."""
        self.content.pop(UNFINISHED)
        write_json(self.path, self.content)


def _unfinished(path: Path | None) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8")) if path is not None else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get(UNFINISHED) else None


def _differing(found: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    """What two records do not share of all that decides their figures."""
    there, here = _settings(found), _settings(json.loads(json.dumps(fresh)))  # no tuples in a file
    return sorted(name for name in here if there.get(name) != here[name])


def _settings(record: dict[str, Any]) -> dict[str, Any]:
    origin = {name: value for name, value in record["provenance"].items() if name != "time"}
    asked = origin.pop("arguments")
    return {**origin, **asked, "weights_sha256": record.get("weights_sha256")}
