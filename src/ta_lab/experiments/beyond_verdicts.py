"""What the rows of ``beyond`` say of each figure of the paper: one verdict a figure, not a row.

A figure whose K the paper names is judged there. One without is judged at every K of ours, and
passes where ``ta`` passes at each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from ..cases.metrics import wilson
from .comparing import ABOVE, BELOW, INCOMPARABLE, SAME
from .experiment import Row
from .rendering import share

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
    largest K. ``word``: the one verdict it counts as, ``verdict`` says it at each K.
    """

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
        return [*(row.get(name) for name in _FIGURE), row.get("budget") if _at_k(row) else None]

    return [list(found) for _, found in groupby(rows, key)]


def _at_k(row: Row) -> bool:
    return "K" not in row["unstated"].split()


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
