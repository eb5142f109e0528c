"""What a report says first: judgements, ceilings, where ``ta`` passes the paper, what differs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from ..experiments import Record, Row
from ..experiments.beyond import SOURCES, lines
from ..experiments.beyond_verdicts import Told, by_figure, told
from ..experiments.comparing import ABOVE, BELOW, COMPARABLE, INCOMPARABLE, SAME
from ..experiments.paper import Figure
from ..experiments.rendering import share
from ..experiments.views import block_name, count_of, measures, method_name
from .beside import Cells

JUDGEMENT = "Judgement"
SIDES = (SAME, ABOVE, BELOW, INCOMPARABLE)


class Ceiling(NamedTuple):
    """The full cache on the cases of a block: under 95% answers say little of methods."""

    cases: str
    answered: str
    fair: bool


class Passing(NamedTuple):
    """``ta`` beside a figure of the paper's own methods."""

    cell: str
    paper: str
    told: Told


@dataclass(frozen=True)
class Difference:
    """A figure of the paper that our interval excludes. ``by``: answers or whole values kept."""

    cell: str
    by: str
    paper: str
    ours: str
    side: str


def judgement_of(markdown: str) -> str:
    """The last line of judgement in the tables of a record, without its first word."""
    found = [line for line in markdown.splitlines() if line.startswith(JUDGEMENT)]
    return found[-1].removeprefix(JUDGEMENT).lstrip(":, ") if found else ""


def verdicts(cells: Cells) -> dict[str, int]:
    """How many figures of the paper have which verdict; by values where no answer is asked."""
    found = [c.kept if c.answers is None else c.answers for c in cells.judged]
    counted = Counter(side.partition(" (")[0] for side in found)
    return {name: counted[name] for name in SIDES if counted[name]}


def ceilings(cells: Cells) -> list[Ceiling]:
    """Every kind of cases that the full cache was asked, each value apart."""
    found = []
    for row in cells.rows:
        if row["method"] != "full" or not row["answered"] or row["ledger"] != "strict":
            continue
        for measure in measures(row):
            counted = count_of(row, measure)
            right = counted.right or 0
            cases = block_name(row) + ("" if measure == "answers" else f": {measure}")
            fair = right / counted.trials >= COMPARABLE
            shown = f"{share(right, counted.trials)}, n={counted.trials}"
            found.append(Ceiling(cases, shown, fair))
    return found


def passings(record: Record) -> list[Passing]:
    """Each figure that ``beyond`` has beside a record; none without a cell or by a quick run."""
    name = record["experiment"]
    rows = lines(name, record) if name in SOURCES else ()
    found = by_figure(row for row in rows if "missing" not in row)
    return [_passing(own[0], told(own)) for own in found]


def _passing(row: Row, words: Told) -> Passing:
    budgets = f", K={words.budgets}" if words.budgets else ""
    unstated = f", {words.unstated}" if words.unstated else ""
    return Passing(
        f"{row['table']}, {' or '.join(row['variants'])}, {row.get('block', '')}{words.measure}"
        f"{budgets}",
        f"{row['paper']:g} ({row['name']}{unstated})",
        words,
    )


def differences(cells: Cells) -> list[Difference]:
    """What did not reproduce: figures outside our interval, above or below."""
    found = []
    for item in cells.judged:
        by, side = ("kept", item.kept) if item.answers is None else ("answered", item.answers)
        if side.startswith(INCOMPARABLE):
            by, side = "kept", item.kept
        if side not in (ABOVE, BELOW):
            continue
        successes = item.ours.kept if by == "kept" else item.ours.right or 0
        cell = f"{method_name(item.row)}, {_cell(item.row, item.figure)}"
        ours = share(successes, item.ours.trials)
        theirs = f"{item.figure.value:g}{_of(item.figure)}"
        found.append(Difference(cell, by, theirs, ours, side))
    return found


def _of(figure: Figure) -> str:
    return "" if figure.of_model == "unstated" else f" ({figure.of_model})"


def _cell(row: Row, figure: Figure) -> str:
    measure = "" if figure.measure == "answers" else f": {figure.measure}"
    budget = "" if row["budget"] is None else f", K={row['budget']}"
    return f"{block_name(row)}{measure}{budget}"
