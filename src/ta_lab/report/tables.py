"""Markdown tables from records: ``python -m ta_lab.report.tables FILE ...``.

A record's table is printed; in a page (``.md``) the tables that link to their record are made anew.
No model is loaded; a figure that is not in a record is in no table.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from ..benchmarks.tables import bench_caption, bench_table, is_bench
from ..cases.sweep import over_depths
from .answered_table import answered_caption, answered_table
from .detection_tables import detection_caption, detection_table, kind_of, parts_of
from .model_tables import model_caption, model_kind, model_table, named
from .needle_columns import (
    BYTES,
    PASSES,
    has_bytes,
    has_passes,
    live,
    looser,
    name_of,
    notes,
    passes,
    stored,
)
from .verdicts_page import fill_verdicts

ANSWERED = "answered"
NOT_YET = "not yet recorded"
LINKED = re.compile(
    r"^[^\n]*\(\[record\]\((?P<record>[^)#]+)(?:#(?P<part>[^)]+))?\)\):\n\n(?:\|[^\n]*\n)+",
    re.MULTILINE,
)

FIGURE = re.compile(
    r"^<!-- figure (?P<file>\S+): (?P<words>[^\n]*) -->\n(?:!\[[^\n]*\n)?", re.MULTILINE
)


def needle_table(record: dict[str, Any]) -> str:
    """Exact answers in % with their 95% interval, whole values kept in %, by method and budget.

    Bytes are a column where some method holds other than its pairs in full precision, own passes
    where some method needs them.
    """
    rows = over_depths(record["rows"])
    budgets = list(dict.fromkeys(row["budget"] for row in rows))
    cells = {(row["method"], row["budget"]): row for row in rows}
    further = [(BYTES, stored)] * has_bytes(rows) + [(PASSES, passes)] * has_passes(rows)
    head = [
        "method",
        *(f"K={budget}" for budget in budgets),
        "live",
        *(name for name, _ in further),
    ]
    lines = [head]
    for method in dict.fromkeys(row["method"] for row in rows):
        own = [cells[method, budget] for budget in budgets]
        shown = [name_of(own[0]), *map(_cell, own), live(own)]
        lines.append([*shown, *(column(own) for _, column in further)])
    first, *others = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([first, "|---" * len(head) + "|", *others])


def table_of(record: dict[str, Any], part: str = "") -> str:
    """The table of a record; ``part``: which one of several (``detection_tables``)."""
    if is_bench(record):
        return bench_table(record)
    if record.get("experiment") == ANSWERED:
        return answered_table(record, part)
    if kind_of(record):
        return detection_table(record, part)
    return model_table(record) if model_kind(record) else needle_table(record)


def caption(record: dict[str, Any]) -> str:
    """What a record is about and where it comes from, in one line."""
    if is_bench(record):
        return bench_caption(record)
    if record.get("experiment") == ANSWERED:
        return answered_caption(record)
    if kind_of(record):
        return detection_caption(record)
    if model_kind(record):
        return model_caption(record)
    origin = record["provenance"]
    arguments = origin["arguments"]
    dirty = ", modified" if origin["dirty"] else ""
    trials = arguments["trials"] * len(arguments["depths"])
    commits = ", ".join(str(commit)[:7] for commit in origin.get("commits", [origin["commit"]]))
    noted = "".join(f"; {note}" for note in notes(record["rows"]))
    return (
        f"{named(origin)}{arguments['context']:,} tokens, {arguments['filler']} filler, question "
        f"{arguments['protocol']}, {arguments['ledger']} ledger, {arguments['preset']} preset, "
        f"{trials} cases over {len(arguments['depths'])} depths, seed {origin['seed']}, "
        f"commit {commits}{dirty}, transformers {origin['versions']['transformers']}{noted}"
    )


def _cell(row: dict[str, Any]) -> str:
    low, high = (100 * bound for bound in row["ci95"])
    kept = 100 * row["retained"] / row["trials"]
    return f"{100 * row['accuracy']:.0f} [{low:.0f}, {high:.0f}]{looser(row)} · {kept:.0f}"


def fill_page(text: str, folder: Path) -> str:
    """A page in which each table below a line that ends in ``([record](FILE)):`` is made anew.

    ``FILE`` is relative to ``folder``; ``FILE#PART`` names one of several tables. Raises OSError
    for a record that is not there, unless what stands in its place says ``NOT_YET``: that stays.
    Below a line ``<!-- figure FILE: WORDS -->`` stands the figure when there is such a file, below
    ``<!-- verdicts FOLDER -->`` what the records of a report come to.
    """

    def made(linked: re.Match[str]) -> str:
        name, part = linked["record"], linked["part"] or ""
        if NOT_YET in linked[0].lower() and not (folder / name).exists():
            return linked[0]
        record = json.loads((folder / name).read_text(encoding="utf-8"))
        link = f"{name}#{part}" if part else name
        return f"{caption(record)} ([record]({link})):\n\n{table_of(record, part)}\n"

    def shown(marked: re.Match[str]) -> str:
        name, words = marked["file"], marked["words"]
        image = f"![{words}]({name})\n" if (folder / name).exists() else ""
        return f"<!-- figure {name}: {words} -->\n{image}"

    return FIGURE.sub(shown, LINKED.sub(made, fill_verdicts(text, folder)))


def main(names: list[str]) -> None:
    """Print the table of every record, write every page anew."""
    for path in map(Path, names):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".md":
            path.write_text(fill_page(text, path.parent), encoding="utf-8")
            continue
        record = json.loads(text)
        for part in parts_of(record):
            print(f"{caption(record)}:\n\n{table_of(record, part)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
