"""The "safety cliff": error against compression, from half of the cache to 99.6% of it gone.

The paper cites another work for errors that rise sharply at one compression. Here the needle is
asked for at K of 4,096 tokens, every method on the same prefills."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..data import table
from .comparing import COMPARABLE
from .counting import Count, count_of, method_name
from .experiment import Record, Row
from .paper import figures
from .rendering import section
from .running import arguments
from .verdicts import incomparable

Curve = dict[int, Count]  # by K
STEEP = 0.5  # of the cases: an error that rises by half of them between two ratios is a cliff


def render(record: Record) -> str:
    """Errors in percent, methods by compression; where each method's error rises most."""
    rows = [row for row in record["rows"] if row.get("trials")]
    asked, sizes = arguments(record), table("experiments")["cliff"]["tokens"]
    tokens = asked.get("tokens") or sizes.get(asked.get("size"), sizes["default"])
    budgets = [tokens, *sorted({row["budget"] for row in rows} - {None}, reverse=True)]
    curves = _curves(rows, tokens)
    return section(
        "cliff", record, lambda: _judgement(rows, curves, tokens), curves=curves, tokens=tokens,
        budgets=budgets, steepest=steepest,
    )  # fmt: skip


def _curves(rows: Sequence[Row], tokens: int) -> dict[str, Curve]:
    """Counts of every method by K; the full cache is what each has where nothing is evicted."""
    whole = next((count_of(row) for row in rows if row["method"] == "full"), None)
    full: Curve = {} if whole is None else {tokens: whole}
    curves: dict[str, Curve] = {}
    for row in rows:
        if row["method"] != "full":
            curves.setdefault(method_name(row), dict(full))[row["budget"]] = count_of(row)
    return curves


def rise(curve: Curve) -> tuple[float, int, int] | None:
    """The largest rise of the error between two neighbouring budgets, and both; None without one.

    Errors are shares of wrong answers."""
    budgets = sorted(curve, reverse=True)
    errors = {k: 1 - (curve[k].right or 0) / curve[k].trials for k in budgets}
    pairs = [(errors[b] - errors[a], a, b) for a, b in pairwise(budgets)]
    found = max(pairs, default=None, key=lambda pair: pair[0])
    return found if found is not None and found[0] > 0 else None


def steepest(curve: Curve, tokens: int) -> str:
    """Where the error of a method rises most, in words."""
    found = rise(curve)
    if found is None:
        return "it rises nowhere between these budgets"
    height, before, after = found
    kind = ", a cliff" if height >= STEEP else ""
    return (
        f"by {100 * height:.0f} points between {100 * (1 - before / tokens):.4g}% and "
        f"{100 * (1 - after / tokens):.4g}%{kind}"
    )


def _judgement(rows: Sequence[Row], curves: dict[str, Curve], tokens: int) -> str:
    full = next((count_of(row) for row in rows if row["method"] == "full"), None)
    if full is None or (full.right or 0) / full.trials < COMPARABLE:
        under = incomparable("full cache under 95%")
        return f"Judgement: {under}; what is kept stands for itself."
    stated = next(figure.value / 100 for figure in figures("cliff"))
    near = [
        name
        for name, curve in curves.items()
        if (found := rise(curve)) is not None
        and found[0] >= STEEP
        and 1 - found[1] / tokens <= stated <= 1 - found[2] / tokens
    ]
    beside = ", ".join(near) if near else "none of the methods"
    cited = incomparable("the protocol of the work that the paper cites is unstated")
    return f"Judgement: {cited}; a cliff across its {100 * stated:g}% is seen for {beside}."
