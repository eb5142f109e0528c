"""Where ``ta`` passes the paper: each figure of its own variants below 100, beside ``ta``'s cell.

Nothing is measured here. The rows come from the records of the other experiments in the same
folder, at the K of the figure, or at every K that was run where the paper names none. A figure has
one verdict: at the paper's K, or where ``ta`` passes at every K of ours."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from ..cases.metrics import wilson
from .comparing import (
    ABOVE,
    BELOW,
    INCOMPARABLE,
    SAME,
    Compared,
    compare,
    main_cells,
    saved,
    with_sums,
)
from .experiment import Context, Experiment, Record, Row
from .paper import Figure, figures_for
from .rendering import section, share
from .running import is_quick, origins, traced

NO_RECORD, NO_CELL, QUICK = "no record", "no such cell in the record", "a quick run"
VERDICTS = {ABOVE: "passes", SAME: "does not differ", BELOW: "falls short"}
PASSES = VERDICTS[ABOVE]
FEWER = "keeps more, answers fewer"
DEPENDS = "depends on K"
COUNTED = (PASSES, FEWER, VERDICTS[SAME], VERDICTS[BELOW], DEPENDS)
BY_KEPT = "by values kept"
_FIGURE = ("experiment", "table", "line", "name", "block", "measure", "paper", "variants")


def verdict(row: Row) -> str:
    """What a row says, in words: by answers where they can be compared, else by values kept."""
    return f"{_word(row)}, {BY_KEPT}" if _by_kept(row) else _word(row)


def _word(row: Row) -> str:
    if "missing" in row:
        return str(row["missing"])
    if row["by_answers"] in VERDICTS:
        return VERDICTS[row["by_answers"]]
    if "by_kept" not in row:
        return INCOMPARABLE
    return FEWER if _fewer(row) else VERDICTS[row["by_kept"]]


def _fewer(row: Row) -> bool:
    """Whether more is kept than the paper answers, and less is answered: no pass."""
    if row["by_kept"] != ABOVE or row["right"] is None:
        return False
    return wilson(row["right"], row["trials"])[1] < row["paper"] / 100


def _by_kept(row: Row) -> bool:
    """Whether values kept alone decide; ``FEWER`` says so by itself."""
    judged = "missing" not in row and row["by_answers"] not in VERDICTS
    return judged and _word(row) in VERDICTS.values()


class Told(NamedTuple):
    """A figure of the paper in words; what was not counted is empty.

    ``measure``: behind the name of its cases. ``kept`` and ``answered``: at the least and at the
    largest K. ``word``: the one verdict it counts as, ``verdict`` says it at each K."""

    measure: str
    unstated: str
    budgets: str
    trials: str
    kept: str
    answered: str
    verdict: str
    word: str
    by_kept: bool


def by_figure(rows: Iterable[Row]) -> list[list[Row]]:
    """The rows of each figure, by K; the paper's own K is part of a figure."""

    def key(row: Row) -> list[object]:
        at_k = "K" not in row["unstated"].split()
        return [*(row.get(name) for name in _FIGURE), row.get("budget") if at_k else None]

    return [list(found) for _, found in groupby(rows, key)]


def told(rows: Sequence[Row]) -> Told:
    """What any table says of a figure, from its rows."""
    first, ends = rows[0], list({id(row): row for row in (rows[0], rows[-1])}.values())
    words = list(dict.fromkeys(map(_word, rows)))
    return Told(
        "" if first["measure"] in ("answers", "f1") else f": {first['measure']}",
        f"{first['unstated']} unstated" if first["unstated"] else "",
        _each(str(row["budget"]) for row in ends if row.get("budget") is not None),
        _each(dict.fromkeys(str(row["trials"]) for row in ends if "trials" in row)),
        _each(share(row["kept"], row["trials"]) for row in ends if "kept" in row),
        _each(filter(None, map(_answered, ends))),
        _said(rows),
        words[0] if len(words) == 1 else DEPENDS,
        any(map(_by_kept, rows)),
    )


def _each(shown: Iterable[str]) -> str:
    return "; ".join(shown)


def _answered(row: Row) -> str:
    if "f1" in row:
        return f"F1 {row['f1']:.1f}"
    return share(row["right"], row["trials"]) if row.get("right") is not None else ""


def _said(rows: Sequence[Row]) -> str:
    """The verdict at each K, those alike at neighbouring ones together."""
    if len(rows) == 1:
        return verdict(rows[0])
    runs = [(word, [row["budget"] for row in own]) for word, own in groupby(rows, _word)]
    if len(runs) == 1:
        said = f"{runs[0][0]} at every K"
    else:
        *before, (last, upper) = runs
        shown = [f"{word} at {_span(budgets)}" for word, budgets in before]
        said = "; ".join([*shown, f"{last} {'from' if upper[1:] else 'at'} {upper[0]}"])
    if not any(map(_by_kept, rows)):
        return said
    every = all(_by_kept(row) or _word(row) == FEWER for row in rows)
    return f"{said}, {BY_KEPT}" + ("" if every else " at some")


def _span(budgets: Sequence[int]) -> str:
    return str(budgets[0]) if len(budgets) == 1 else f"{budgets[0]} to {budgets[-1]}"


def counts(found: Iterable[Told]) -> str:
    """How many figures pass, and what the others do, in one line; empty where none is judged."""
    judged = [one for one in found if one.word in COUNTED]
    counted = Counter(one.word for one in judged)
    kept = sum(one.by_kept for one in judged if one.word == PASSES)
    alone = f" ({kept} of them {BY_KEPT} alone)" if kept else ""
    words = [
        f"{PASSES} {counted[PASSES]}{alone}",
        f"{FEWER} in {counted[FEWER]}",
        *(f"{word} in {counted[word]}" for word in COUNTED[2:]),
    ]
    return f"of {len(judged)} figures `ta` {'; '.join(words)}" if judged else ""


SOURCES = (
    "unstructured", "variants", "confusers", "hardmode", "multislot", "toolcall", "models",
    "formats", "audit", "abuse", "longbench",
)  # fmt: skip
OURS = "ta"


def run(context: Context) -> Record:
    """A row a figure and K of what the folder holds; with commits of its cells and this run."""
    records = saved(context.records, SOURCES)
    rows = (row for name in SOURCES for row in lines(name, records.get(name), context.model))
    return {"rows": [traced(row, context.origin) for row in rows]}


def lines(name: str, record: Record | None, model: str = "") -> Iterator[Row]:
    """Rows of one experiment; a figure without a cell says why.

    ``model``: where the record names none. The report's summary is made of these rows as well."""
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
    judged = partial(judgement, record["rows"])
    return section("beyond", record, judged, by_figure=by_figure, told=told)


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
