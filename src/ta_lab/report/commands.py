"""The name of every cell of a record, and the exact command that runs it again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from transactional_attention.errors import UnknownNameError

from ..experiments import Record, Row
from ..experiments.plan import CELL
from ..experiments.views import block_name, method_name
from .records import GIVEN

DEFAULTS = {"filler": "pydoc", "seed": 0, "model": "embedded", "trials": None}

ORIGIN = ("commit", "dirty")  # of a row: no part of what names it


def is_case(row: Row) -> bool:
    """Whether a row is a cell of cases, with a mark a question."""
    return "marks" in row and all(name in row for name in CELL)


def cell_names(rows: Sequence[Row]) -> list[str]:
    """A name for every row, none twice: cases by what they are, measurements by leading fields."""
    others = [row for row in rows if not is_case(row)]
    fields = _leading(others)
    names = [_case_name(row) if is_case(row) else _name(row, fields) for row in rows]
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            names[i] = f"{name}, {seen[name]}"
    return names


def _case_name(row: Row) -> str:
    budget = "" if row["budget"] is None else f", K={row['budget']}"
    kept = "" if row["answered"] else ", kept only"
    return f"{block_name(row)}, {method_name(row)}{budget}{kept}"


def _leading(rows: Sequence[Row]) -> dict[str, list[str]]:
    """For each part the fewest leading fields that tell its rows apart."""
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(str(row.get("part")), []).append(row)
    return {part: _fewest(own) for part, own in parts.items()}


def _fewest(rows: Sequence[Row]) -> list[str]:
    plain = [
        name
        for name, value in rows[0].items()
        if name not in ORIGIN and not isinstance(value, (dict, list, float))
    ]
    for count in range(1, len(plain) + 1):
        chosen = plain[:count]
        if len({tuple(str(row.get(name)) for name in chosen) for row in rows}) == len(rows):
            return chosen
    return plain


def _name(row: Row, fields: dict[str, list[str]]) -> str:
    chosen = fields[str(row.get("part"))]
    shown = [str(row[name]) for name in chosen if row.get(name) is not None]
    return ", ".join(shown) or str(row.get("part"))


def without_cells(record: Record, chosen: Sequence[str]) -> list[Row]:
    """The rows of a record but for the cells of these names, which a run then makes again.

    Raises:
        UnknownNameError: with the closest names.
    """
    names = cell_names(record["rows"])
    for name in chosen:
        if name not in names:
            raise UnknownNameError(f"cell of {record['experiment']}", name, names)
    return [row for row, name in zip(record["rows"], names, strict=True) if name not in chosen]


def command(name: str, record: Record | None, out: str, cell: str | None = None) -> str:
    """``ta reproduce`` with the settings of a record, for all of it or for one cell."""
    words = ["ta", "reproduce", name]
    origin: dict[str, Any] = (record or {}).get("provenance") or {}
    arguments = origin.get("arguments") or {}
    if arguments.get("size") in ("quick", "full"):
        words.append(f"--{arguments['size']}")
    for option, default in DEFAULTS.items():
        value = arguments.get(option, origin.get(option, default))
        if value != default:
            words += [f"--{option}", str(value)]
    for option, value in ((record or {}).get(GIVEN) or {}).items():
        words += [f"--{option}", str(value)]
    words += ["--out", out]
    return shlex.join([*words, "--again", cell] if cell is not None else words)
