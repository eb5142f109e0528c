"""Where ``ta`` passes the paper: each figure of its own variants below 100, beside ``ta``'s cell.

Nothing is measured here. The rows come from the records of the other experiments in the same
folder, at the K of the figure, or at every K that was run where the paper names none.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from .beyond_verdicts import NO_CELL, NO_RECORD, QUICK, by_figure, counts, told
from .comparing import INCOMPARABLE, Compared, compare
from .experiment import Context, Experiment, Record, Row
from .jobs import NO_JUDGEMENT, is_quick, markdown
from .origins import origins, traced
from .paper import Figure, figures_for
from .rendering import NONE
from .saved import main_cells, saved
from .views import with_sums

SOURCES = (
    "unstructured", "variants", "confusers", "hardmode", "multislot", "toolcall", "models",
    "formats", "audit", "abuse", "longbench",
)  # fmt: skip
OURS = "ta"
HEAD = ("experiment", "cases", "the paper's", "paper, %", "K", "n", "kept whole, %",
        "answered, %", "ta")  # fmt: skip


def run(context: Context) -> Record:
    """A row a figure and K of what the folder holds; with commits of its cells and this run."""
    records = saved(context.records, SOURCES)
    rows = (row for name in SOURCES for row in lines(name, records.get(name), context.model))
    return {"rows": [traced(row, context.origin) for row in rows]}


def lines(name: str, record: Record | None, model: str = "") -> Iterator[Row]:
    """Rows of one experiment; a figure without a cell says why.

    ``model``: where the record names none. The report's summary is made of these rows as well.
    """
    cells = with_sums(main_cells(record["rows"])) if record else []
    run_by = ((record or {}).get("provenance") or {}).get("model", model)
    for figure, variants in _each_once(filter(passable, figures_for(name, run_by))):
        place: Row = {
            name: figure.match[name] for name in ("block", "budget") if name in figure.match
        }
        key: Row = {"part": "line", "experiment": name, "table": figure.table, "line": figure.line,
               "name": figure.name, "variants": variants,
               "paper": figure.value, "measure": figure.measure,
               "unstated": figure.unstated, **place}  # fmt: skip
        for found in _found(figure, record, cells):
            yield {**key, **found, **origins([found])}


def _each_once(figures: Iterable[Figure]) -> list[tuple[Figure, list[str]]]:
    """Figures that the paper prints alike for several of its variants as one, with all of those."""
    found: dict[str, tuple[Figure, list[str]]] = {}
    for figure in figures:
        cases = {name: value for name, value in figure.match.items() if name != "methods"}
        key = str((figure.table, figure.line, figure.name, figure.measure, figure.value, cases))
        found.setdefault(key, (figure, []))[1].extend(figure.match["methods"])
    return list(found.values())


def _found(figure: Figure, record: Record | None, cells: Sequence[Row]) -> list[Row]:
    """What a record has beside a figure, or why it has nothing."""
    if record is None:
        return [{"missing": NO_RECORD}]
    if is_quick(record):
        return [{"missing": QUICK}]
    if figure.measure == "f1":
        return [_scored(record["rows"])]
    found = compare(cells, [as_ours(figure)])
    return [_beside(item) for item in found] or [{"missing": NO_CELL}]


def passable(figure: Figure) -> bool:
    """Whether a figure is of a variant of the paper's own, and below 100."""
    methods = figure.match.get("methods", ())
    own = bool(methods) and all(method.startswith("ta-") for method in methods)
    return own and bool(figure.match["sponsored"]) and figure.value < 100


def as_ours(figure: Figure) -> Figure:
    """The figure as if it were about method ``ta``, which is given no allowlist."""
    match: dict[str, Any] = {**figure.match, "methods": [OURS], "allow": False}
    return replace(figure, match=match, unstated="")


def _beside(item: Compared) -> Row:
    """Ours and its verdicts; what the full cache cannot answer is judged by what is kept."""
    row, ours = item.row, item.ours
    answers = None if item.answers is None else item.answers.partition(" (")[0]
    return {
        "block": row["block"],
        "budget": row["budget"],
        "method": row["method"],
        "trials": ours.trials,
        "kept": ours.kept,
        "right": ours.right,
        "by_kept": item.kept,
        "by_answers": answers,
        **origins([row]),
    }


def _scored(rows: Sequence[Row]) -> Row:
    """Mean F1 over the tasks in percent, which is no count."""
    own = [row for row in rows if OURS in row.get("f1", {})]
    if not own:
        return {"missing": NO_CELL}
    scores = [row["f1"][OURS] for row in own]
    mean, trials = statistics.fmean(map(statistics.fmean, scores)), sum(map(len, scores))
    return {"f1": 100 * mean, "trials": trials, "by_answers": INCOMPARABLE, **origins(own)}


def render(record: Record) -> str:
    """A line for each figure, and how often ``ta`` passes."""
    rows = record["rows"]
    note = (
        "The paper's figures of its own variants below 100, each once, and method `ta` on the same "
        "kind of cases, question hidden, strict ledger. It passes where the 95% interval of ours "
        "lies above the paper's figure; by values kept where nothing was asked or the full cache "
        "answers under 95%. `keeps more, answers fewer`: values kept lie above the paper's figure, "
        "answers below it. Where the paper names no K, ours stands at our least and our largest, "
        "and passes if it passes at every one. The paper's figures are of its own models."
    )
    judged = NO_JUDGEMENT if is_quick(record) else judgement(rows)
    return "\n\n".join([note, markdown(HEAD, map(_line, by_figure(rows))), judged])


def _line(rows: Sequence[Row]) -> list[str]:
    words, row = told(rows), rows[0]
    unstated = f" ({words.unstated})" if words.unstated else ""
    return [
        row["experiment"],
        row.get("block", NONE) + words.measure,
        f"{row['table']}, {row['name']}: {' or '.join(row['variants'])}{unstated}",
        f"{row['paper']:g}",
        words.budgets or NONE,
        words.trials or NONE,
        words.kept or NONE,
        words.answered or NONE,
        words.verdict,
    ]


def judgement(rows: Sequence[Row]) -> str:
    """How many figures pass, and what the others do; which have no cell, or no record."""
    found = by_figure(rows)
    lost = sum(own[0].get("missing") == NO_CELL for own in found)
    missing = dict.fromkeys(row["experiment"] for row in rows if row.get("missing") == NO_RECORD)
    cells = f"; no cell for {lost}" if lost else ""
    absent = f"; no record of {', '.join(missing)}" if missing else ""
    return f"Judgement: {counts(map(told, found)) or 'none yet'}{cells}{absent}."


EXPERIMENT = Experiment(
    "beyond", "all tables", "where ta passes the paper, from the other records", run, render
)
