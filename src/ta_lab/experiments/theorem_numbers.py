"""The numbers that the paper works out from its theorems: by its own formula, and as printed.

``as printed``: what the library's selection of the paper preset does, with the partition of section
3.3. ``claims.py`` has the scenes, without a text or a model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import floor

from transactional_attention.selection.selection import PartitionSelection

from .claims import LENGTH, NUMBERS, SINKS, SPAN, scene, span, whole
from .experiment import Row
from .jobs import Job, markdown
from .paper import Figure, figures
from .rendering import NONE

WINDOW = 4  # W of the paper's corollaries; its section 3.3 keeps the newest two
VALUE = 10  # tokens of its typical key
TOKENS = 4000  # of its context
HEAD = ("number", "K", "the paper", "its formula", "gives", "as printed here")


@dataclass(frozen=True)
class Number:
    """``formula`` in words and its result at K; ``printed``: what the selection does there."""

    measure: str
    formula: str
    result: Callable[[int], float]
    printed: Callable[[int], float] | None = None


def selection() -> PartitionSelection:
    """The paper's, with its quarter of K for protected slots."""
    return PartitionSelection(SINKS, WINDOW, "quarter")


def least_voucher(_: int = 0) -> float:
    """The smallest voucher of a span right after its anchor was read."""
    found = scene([span(LENGTH // 2, SPAN)]).voucher
    return float(found[found > 0].min())


def least_budget(_: int = 0) -> float:
    """The smallest K that keeps a value of ``VALUE`` tokens in the middle of a text whole."""
    found = scene([span(LENGTH // 2, VALUE)])
    budgets = range(selection().mandatory, LENGTH + 1)
    return next(k for k in budgets if all(whole(found, selection(), k)))


def decoys(budget: int) -> float:
    """The most decoys beside which every span is whole."""
    number = 0
    while _all_whole(number + 1, budget):
        number += 1
    return number


def _all_whole(number: int, budget: int) -> bool:
    places = [LENGTH * (i + 1) // (number + 2) for i in range(number + 1)]
    return all(whole(scene([span(p, SPAN) for p in places]), selection(), budget))


WORKED = (
    Number("least voucher of a span", "B 0.8^L",
           lambda _: NUMBERS.budget * NUMBERS.token_decay**SPAN, least_voucher),
    Number("least K", "1 + W + l", lambda _: SINKS + WINDOW + VALUE, least_budget),
    Number("protected slots", "K - 1 - W", lambda k: k - SINKS - WINDOW,
           lambda k: selection().num_protected(k)),
    Number("decoys tolerated", "floor(K_p / L) - 1",
           lambda k: floor((k - SINKS - WINDOW) / SPAN) - 1, decoys),
    Number("dormant tokens kept", "100 K / n", lambda k: 100 * k / TOKENS),
)  # fmt: skip


def number_jobs() -> list[Job]:
    """One for each number of the paper."""
    known = {number.measure: number for number in WORKED}
    stated = (figure for figure in figures("theorems") if figure.measure in known)
    return [_job(figure, known[figure.measure]) for figure in stated]


def _job(figure: Figure, number: Number) -> Job:
    budget = figure.match.get("budget")
    key = {"part": "number", "name": number.measure, "budget": budget, "line": figure.line}
    return Job(key, partial(_worked, number, budget or 0))


def _worked(number: Number, budget: int) -> Row:
    printed = None if number.printed is None else number.printed(budget)
    return {"formula": number.formula, "result": number.result(budget), "printed": printed}


def numbers_table(rows: Sequence[Row]) -> str:
    """A line a number: the paper's, its formula's, and what the selection does as printed."""
    lines = []
    for row in rows:
        place = (row["name"], row["budget"])
        stated = next(f for f in figures("theorems") if (f.measure, f.match.get("budget")) == place)
        name = f"{row['name']} ({stated.name}, line {stated.line})"
        printed = NONE if row["printed"] is None else f"{row['printed']:.3g}"
        lines.append([name, row["budget"] or NONE, stated.shown, row["formula"],
                      f"{row['result']:.3g}", printed])  # fmt: skip
    note = (
        f"Numbers that the paper works out, with W = {WINDOW}, l = {VALUE}, L = {SPAN}, n = "
        f"{TOKENS:,}; as printed: its selection with the partition of section 3.3, a value of "
        f"{VALUE} tokens in the middle of {LENGTH} tokens:"
    )
    return f"{note}\n\n{markdown(HEAD, lines)}" if lines else ""
