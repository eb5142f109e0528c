"""Tables of what is detected and kept, from records alone: cases, detectors, tokenizers, floods.

A page names a part of a record behind ``#``: ``records/tokenizers.json#kinds``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..collection.detecting import READING, WHOLE
from ..collection.scoring import ALL, FLOODS, Reading, markdown
from ..experiments.bfcl import ALONE, WITH_TOOLS, totals_table
from ..experiments.detector_table import of_collection
from ..experiments.jobs import markdown as lines_of
from ..experiments.rendering import NONE, share
from ..experiments.tokenizers import kinds_table
from ..experiments.views import method_name, with_sums

Record = dict[str, Any]
Row = dict[str, Any]
KNOWN = ", sources known"


def kind_of(record: Record) -> str:
    """What a record is of: an experiment's name, ``collection``, ``detectors``, or nothing."""
    if "experiment" in record:
        return str(record["experiment"]) if record["experiment"] in TABLES else ""
    first = record["rows"][0] if record["rows"] else {}
    return "collection" if "group" in first else "detectors" if "families" in first else ""


def parts_of(record: Record) -> tuple[str, ...]:
    """The parts that a record's tables are named by."""
    return tuple(TABLES[kind_of(record)]) if kind_of(record) else ("",)


def detection_table(record: Record, part: str) -> str:
    """The table of a part of a record.

    Raises:
        KeyError: for a part that such records do not have.
    """
    return TABLES[kind_of(record)][part](record)


def detection_caption(record: Record) -> str:
    """What a record is of and where it comes from, in one line."""
    origin, kind = record["provenance"], kind_of(record)
    arguments = origin["arguments"]
    dirty = ", modified" if origin["dirty"] else ""
    told = {
        "collection": lambda: (
            f"{arguments['cases']} split, tokenizer {origin['model']}, K = {arguments['budget']}"
        ),
        "detectors": lambda: f"{_cases_of(arguments)}, floods left out{_read_with(origin)}",
    }.get(kind, lambda: f"`ta reproduce {kind}`, {arguments['filler']} filler")()
    return f"{told}, seed {origin['seed']}, commit {str(origin['commit'])[:7]}{dirty}"


def _cases_of(arguments: Record) -> str:
    """The split, and how many cases of every family where it is not all of them."""
    few = f", {arguments['each']} cases of every family at most" if "each" in arguments else ""
    return f"{arguments['cases']} split{few}"


def _read_with(origin: Record) -> str:
    return "" if origin["model"] == "none" else f", model {origin['model']}"


def _sums(record: Record) -> str:
    """Totals, the family that loses most, and families under 85%; last what is protected."""
    rows = record["rows"]
    families = [row for row in rows if "rate" in row and row["group"] not in (ALL, FLOODS)]
    families = [row for row in families if not row["group"].startswith("flood")]
    columns = list(dict.fromkeys(Reading(row["method"], row["preset"]) for row in rows))
    own = {c: [row for row in families if (row["method"], row["preset"]) == c] for c in columns}
    worst = {c: min(found, key=lambda row: row["rate"]) for c, found in own.items()}
    table = markdown([row for row in rows if row not in families and _is_sum(row)]).split("\n")
    totals, protected = table[2:4], table[4:]
    added = [
        ("lowest family", [f"{w['group']}: {100 * w['rate']:.0f}" for w in worst.values()]),
        (
            "families under 85%",
            [str(sum(row["rate"] < 0.85 for row in found)) for found in own.values()],
        ),
    ]
    size = len({row["group"] for row in families})
    shown = [f"| {name} | {size} | {' | '.join(cells)} |" for name, cells in added]
    return "\n".join([*table[:2], *totals, *shown, *protected])


def _is_sum(row: Row) -> bool:
    return row["group"] in (ALL, FLOODS) or "rate" not in row


def _needle(record: Record) -> str:
    """Whole values kept: a line a tokenizer and method, a column a budget."""
    rows = [row for row in record["rows"] if "part" not in row]
    budgets = list(dict.fromkeys(row["budget"] for row in rows))
    cells = {(row["block"], method_name(row), row["budget"]): row for row in rows}
    names = dict.fromkeys((block, method) for block, method, _ in cells)
    lines = [
        [*name, *(_kept(cells[(*name, k)]) for k in budgets), cells[(*name, budgets[0])]["trials"]]
        for name in names
    ]
    return lines_of(("tokenizer", "method", *(f"K={k}" for k in budgets), "n"), lines)


def _floods(sourced: bool) -> Callable[[Record], str]:
    """Whole values kept: a line a flood, a column an arm; ``sourced``: who wrote what is known."""

    def table(record: Record) -> str:
        rows = [row for row in with_sums(record["rows"]) if (KNOWN in row["block"]) == sourced]
        names = list(dict.fromkeys((method_name(row), row["budget"]) for row in rows))
        cells = {(row["block"], method_name(row), row["budget"]): row for row in rows}
        lines = []
        for block in dict.fromkeys(row["block"] for row in rows):
            own = [cells.get((block, *name)) for name in names]
            trials = next(row["trials"] for row in own if row is not None)
            shown = (NONE if row is None else _kept(row) for row in own)
            lines.append([block.removesuffix(KNOWN), trials, *shown])
        heads = (method if k is None else f"{method}, K={k}" for method, k in names)
        return lines_of(("fakes", "n", *heads), lines)

    return table


def _kept(row: Row) -> str:
    return "refused" if "refused" in row else share(row["retained"], row["trials"])


def _kinds(record: Record) -> str:
    return kinds_table(record["rows"])


def _dialogues(kind: str) -> Callable[[Record], str]:
    return lambda record: totals_table([row for row in record["rows"] if row["context"] == kind])


def _found(record: Record) -> str:
    rows: Sequence[Row] = record["rows"]
    return of_collection(rows)


def _reading(record: Record) -> str:
    """The detectors that read a model, beside all of those of text."""
    return of_collection([r for r in record["rows"] if r["detector"] in (WHOLE, *READING)])


TABLES: dict[str, dict[str, Callable[[Record], str]]] = {
    "collection": {"": lambda record: markdown(record["rows"]), "sums": _sums},
    "detectors": {"": _found, "reading": _reading},
    "tokenizers": {"kinds": _kinds, "needle": _needle},
    "bfcl": {"dialogue": _dialogues(ALONE), "tools": _dialogues(WITH_TOOLS)},
    "abuse": {"plain": _floods(False), "sources": _floods(True)},
}
"""Tables by kind of record and part."""
