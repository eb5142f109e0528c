"""Figures of records: ``python -m ta_lab.benchmarks.figures FOLDER OUT``.

``FOLDER`` holds ``bench-NAME.json``; what it lacks is not drawn. Needs matplotlib (extra
``report``). No model is loaded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from .bars import peers_figure, prefill_figure
from .lines import agent_figure, decode_figure, memory_figure
from .plotting import Row
from .tables import model_name

Record = dict[str, Any]
Draw = Callable[[Path], None]


def draw(folder: Path, out: Path) -> list[Path]:
    """Every figure whose records a folder holds, the files in ``out``."""
    drawn = []
    for name, make in FIGURES.items():
        figure = make(folder)
        if figure is not None:
            drawn.append(out / f"{name}.svg")
            figure(drawn[-1])
    return drawn


def _prefill(folder: Path) -> Draw | None:
    models = _by_model(folder, "prefill", "prefill-135m", "prefill-1b")
    return partial(prefill_figure, models) if models else None


def _decode(folder: Path) -> Draw | None:
    steps = _rows(folder, "decode")
    budgets = sorted({row["budget"] for row in steps})
    return partial(decode_figure, steps, budgets[len(budgets) // 2]) if steps else None


def _agent(folder: Path) -> Draw | None:
    sessions = {
        f"{len(rows[0]['first_ms'])} turns before the questions": rows
        for rows in (_rows(folder, name) for name in ("agent", "agent-6k"))
        if rows
    }
    return partial(agent_figure, sessions) if sessions else None


def _memory(folder: Path) -> Draw | None:
    rows = [*_rows(folder, "memory"), *_marks(_rows(folder, "stream"))]
    return partial(memory_figure, rows) if rows else None


def _peers(folder: Path) -> Draw | None:
    models = _by_model(folder, "peers")
    return partial(peers_figure, models) if models else None


FIGURES: Mapping[str, Callable[[Path], Draw | None]] = {
    "prefill": _prefill,
    "decode": _decode,
    "agent": _agent,
    "memory": _memory,
    "peers": _peers,
}


def _record(folder: Path, name: str) -> Record | None:
    path = folder / f"bench-{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _rows(folder: Path, name: str) -> list[Row]:
    return (_record(folder, name) or {"rows": []})["rows"]


def _by_model(folder: Path, *names: str) -> dict[str, Sequence[Row]]:
    records = (_record(folder, name) for name in names)
    return {model_name(record): record["rows"] for record in records if record is not None}


def _marks(rows: Iterable[Row]) -> list[Row]:
    """The long reading's last mark at every doubling, beside what ``memory`` measured."""
    chosen = []
    for row in rows:
        named = {"name": row["name"], "budget": row["budget"]}
        last = 0
        for mark in row["marks"]:
            if mark["tokens"] >= 2 * last:
                last = mark["tokens"]
                chosen.append({**named, **mark})
    return chosen


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1]), Path(sys.argv[2])):
        print(path)
