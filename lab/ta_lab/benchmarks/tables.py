"""Tables of benchmark records, for a page and for the terminal; nothing is measured here."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..data import table
from ..markdown import markdown

Row = dict[str, Any]
UNITS = ("B", "KB", "MB", "GB", "TB")


def size(count: float) -> str:
    """Bytes with three figures, in powers of 1000."""
    power = 0
    while count >= 1000 and power < len(UNITS) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.3g} {UNITS[power]}" if power else f"{count:.0f} B"


def duration(seconds: float) -> str:
    """Seconds, or minutes from two of them on."""
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


KINDS: dict[str, Callable[[Any], str]] = {
    "size": size,
    "duration": duration,
    "percent": lambda share: f"{100 * share:.1f}%",
    "percent3": lambda share: f"{100 * share:.3g}%",
    "yes": lambda holds: "yes" if holds else "no",
    "computed": lambda measured: "" if measured else " (computed)",
}


class _Cell(string.Formatter):
    """Cells from the forms of ``data/bench_tables.toml``."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), True if key == "measured" else None)

    def format_field(self, value: Any, form: str) -> str:
        kind = KINDS.get(form)
        return "-" if value is None else kind(value) if kind else format(value, form)


DATA = table("bench_tables")


def _form(column: str) -> tuple[str, str]:
    """The head of a column, and the form of its cells."""
    head, _, form = column.partition(": ")
    return head, form or DATA["columns"][head]


COLUMNS = {name: dict(map(_form, columns)) for name, columns in DATA["tables"].items()}
"""Head and form of every column, by benchmark."""


def cells(benchmark: str, rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Heads and lines of a benchmark's rows."""
    columns, cell = COLUMNS[benchmark], _Cell()
    return list(columns), [[cell.format(form, **row) for form in columns.values()] for row in rows]


def by_benchmark(record: Row) -> dict[str, list[Row]]:
    """The rows of a record, one benchmark after the other."""
    groups: dict[str, list[Row]] = {}
    for row in record["rows"]:
        groups.setdefault(row["benchmark"], []).append(row)
    return groups


def is_bench(record: Row) -> bool:
    """Whether a record is one of ``ta bench``."""
    return any("benchmark" in row for row in record["rows"])


def bench_table(record: Row) -> str:
    """Markdown of a record: a table for each benchmark that it holds."""
    groups = by_benchmark(record).items()
    return "\n\n".join(markdown(*cells(benchmark, rows)) for benchmark, rows in groups)


def model_name(record: Row) -> str:
    """The model of a record; of a shape, what its weights are."""
    origin = record["provenance"]
    return str(origin["model"]) + (", random weights" if origin["arguments"].get("shape") else "")
