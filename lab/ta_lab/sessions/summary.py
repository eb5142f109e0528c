"""From arguments to figures: by how far back they stood, beside other ways, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Row = dict[str, Any]
ALL = "all"
BUCKETS: dict[str, Callable[[int], bool]] = {
    "<=256": lambda back: back <= 256,
    "256-1024": lambda back: 256 < back <= 1024,
    ">1024": lambda back: back > 1024,
}
BESIDE = ("full", "streaming-llm")
SAMPLES = 2000


def rows_of(arguments: Sequence[Row]) -> list[Row]:
    """Rows of a table from records of single arguments, by method, memory, budget and bucket; of
    what has a ``kind``, by that; of other questions, which stand nowhere (``back`` None), by the
    first three.

    ``minus``: what is answered more, or less, than by others at the same budget, in points of all
    arguments that both were asked, with a 95% interval: calls are drawn anew, since the arguments
    of one stand and fall together.
    """
    arms = defaultdict[tuple[Any, ...], list[Row]](list)
    for argument in arguments:
        arms[argument["method"], argument["memory"], argument["budget"]].append(argument)
    rows = []
    for (method, memory, budget), asked in arms.items():
        others = {
            name: arms.get((name, False, None if name == "full" else budget), []) for name in BESIDE
        }
        for bucket, chosen in _buckets(asked):
            row = {"method": method, "memory": memory, "budget": budget, "bucket": bucket}
            row |= {"n": len(chosen), "held": sum(a["held"] for a in chosen)}
            if chosen and chosen[0]["answered"] is not None:
                row["answered"] = sum(a["answered"] for a in chosen)
                row["minus"] = {
                    name: paired(chosen, other) for name, other in others.items() if name != method
                }
            rows.append(row)
    return rows


def _buckets(asked: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    yield ALL, list(asked)
    if "kind" in asked[0]:
        for kind in sorted({row["kind"] for row in asked}):
            yield kind, [row for row in asked if row["kind"] == kind]
    elif asked[0]["back"] is not None:
        for bucket, inside in BUCKETS.items():
            yield bucket, [row for row in asked if inside(row["back"])]


def paired(ours: Iterable[Row], theirs: Iterable[Row]) -> list[float] | None:
    """The difference in points and its interval: [difference, low, high]; None without a pair."""
    known = {_key(row): row["answered"] for row in theirs}
    calls = defaultdict[tuple[str, int], list[int]](list)
    for row in ours:
        if (key := _key(row)) in known and known[key] is not None:
            calls[row["session"], row["message"]].append(int(row["answered"]) - int(known[key]))
    if not calls:
        return None
    sums = np.array([sum(differences) for differences in calls.values()])
    sizes = np.array([len(differences) for differences in calls.values()])
    return [round(100 * x, 1) for x in interval(sums, sizes)]


def interval(sums: NDArray[Any], sizes: NDArray[Any]) -> tuple[float, float, float]:
    """The mean of groups [group] of ``sizes`` each, and its 95% interval: groups are drawn anew."""
    drawn = np.random.default_rng(0).integers(0, len(sums), (SAMPLES, len(sums)))
    low, high = np.quantile(sums[drawn].sum(1) / sizes[drawn].sum(1), [0.025, 0.975])
    return float(sums.sum() / sizes.sum()), float(low), float(high)


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["session"], row["message"], row["place"]


def lines_by_way(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """The head and the lines of a table, one a way: answered, and held in brackets, in each bucket;
    what is answered more or less than by others, in points."""
    counts = {row["bucket"]: row["n"] for row in rows}
    buckets = list(counts)
    head = ["method", "K", *(f"{name} ({counts[name]})" for name in buckets)]
    lines = []
    for first in range(0, len(rows), len(buckets)):
        group = rows[first : first + len(buckets)]
        row, name = group[0], group[0]["method"]
        if row["memory"]:
            name += ", memory" if row["memory"] is True else f", memory, {row['memory']} read again"
        cells = [
            f"{r['answered']} ({r['held']})" if "answered" in r else str(r["held"]) for r in group
        ]
        points = [row.get("minus", {}).get(other) for other in BESIDE]
        beside = ["" if p is None else f"{p[0]:+.0f} [{p[1]:.0f}, {p[2]:.0f}]" for p in points]
        lines.append([name, str(row["budget"] or "all"), *cells, *beside])
    return [*head, *(f"beside {name}" for name in BESIDE)], lines
