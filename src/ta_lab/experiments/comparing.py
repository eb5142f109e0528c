"""What rows say: counts by measure, sums of blocks, names in words; ours beside the paper's.

A verdict a figure, exact tests of sponsorship against its ablation and of settings on the same
cases, and one line of judgement. Its rule: ``reproduced``, ``better`` or ``worse`` where every
figure that can be compared is that, and the order of methods is not reversed; ``mixed`` with the
counts otherwise; ``not comparable`` with the reasons where fewer than half of the figures can be
compared. What is no performance has words of its own, that for agreement first."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import NamedTuple

from transactional_attention.errors import InputError

from ..cases.metrics import wilson
from .experiment import Record, Row
from .paper import Figure
from .plan import ARM, CONTROLS, cell_of
from .running import CONTAINED, KEPT, RIGHT, WRAPPED, count, counted, origins


class Count(NamedTuple):
    """So many of so many; ``right`` None where nothing was asked. ``wrapped`` and ``contained``:
    None where they are not counted."""

    trials: int
    kept: int
    right: int | None = None
    both: int = 0
    wrapped: int | None = None
    contained: int | None = None


def measures(row: Row) -> tuple[str, ...]:
    """What a row counts: all its questions, or every value at once and each label."""
    return ("all", *sorted(row["marks"])) if len(row["marks"]) > 1 else ("answers",)


def count_of(row: Row, measure: str = "answers") -> Count:
    """Counts of one measure of a row."""
    answered = row["answered"]
    if measure == "all":
        right = row["all_correct"] if answered else None
        return Count(row["contexts"], row["all_retained"], right)
    marks = row["marks"][measure] if measure != "answers" else "".join(row["marks"].values())
    kept, both = count(marks, KEPT), count(marks, "b")
    if not answered:
        return Count(len(marks), kept, None, both)
    right, wrapped, contained = (count(marks, kind) for kind in (RIGHT, WRAPPED, CONTAINED))
    return Count(len(marks), kept, right, both, wrapped, contained)


def with_sums(rows: Sequence[Row]) -> list[Row]:
    """The rows, and the sum over the blocks of every group, arm by arm.

    A sum stands for its whole group: an arm that some block of it lacks has none."""
    usable = [row for row in rows if "refused" not in row]
    sizes: dict[str, set[str]] = {}
    parts: dict[tuple[object, ...], list[Row]] = {}
    for row in usable:
        for group in row["groups"]:
            sizes.setdefault(group, set()).add(row["block"])
            key = cell_of({**row, "block": group})
            parts.setdefault(key, []).append(row)
    sums = [
        _sum(str(key[0]), rows)
        for key, rows in parts.items()
        if len(rows) == len(sizes[str(key[0])])
    ]
    return [*usable, *sums]


def _sum(group: str, rows: Sequence[Row]) -> Row:
    marks = {"": "".join("".join(row["marks"].values()) for row in rows)}
    return {
        **rows[0],
        "block": group,
        "groups": [],
        "marks": marks,
        **counted(marks, rows[0]["answered"]),
        "contexts": sum(row["contexts"] for row in rows),
        **origins(rows),
    }


def method_name(row: Row) -> str:
    """The method of a row with what sets it apart."""
    apart = (
        ("as printed", row["preset"] == "paper"),
        ("without sponsorship", not row["sponsored"]),
        ("allowlist", row["allow"]),
        ("on top", row["ledger"] == "on-top"),
        ("4 sinks and the tail", row.get("tail")),
        ("saving masked, not physical", row.get("saving") == "masked"),
    )
    return ", ".join([row["method"], *(name for name, holds in apart if holds)])


def is_main(row: Row) -> bool:
    """Whether a cell is of the main claim: question hidden, strict ledger, the own ends."""
    return (row["protocol"], row["ledger"]) == ("hidden", "strict") and not row.get("tail")


def cases_name(block: str) -> str:
    """A kind of cases in words: one of a thing is no plural."""
    return block.removesuffix("s") if block.startswith("1 ") else block


def block_name(row: Row) -> str:
    """The cases of a row in words."""
    return cases_name(row["block"]) + (", question visible" if row["protocol"] == "visible" else "")


def same_arm(row: Row, other: Row, *, but: str) -> bool:
    """Whether two rows differ in nothing that names a cell, ``but`` excepted."""
    names = {"block", "protocol", "answered", *ARM} - {but}
    return all(row.get(name) == other.get(name) for name in names | {"tail"})


TIES = 1 + 1e-9  # tables as likely as the one seen, up to rounding


def fisher(first: int, first_trials: int, second: int, second_trials: int) -> float:
    """Two-sided p that two proportions are one (Fisher 1935): the sum over all tables with the same
    margins that are no likelier than the one seen."""
    successes, trials = first + second, first_trials + second_trials
    seen = comb(first_trials, first) * comb(second_trials, second)
    low, high = max(0, successes - second_trials), min(successes, first_trials)
    tables = (
        comb(first_trials, k) * comb(second_trials, successes - k) for k in range(low, high + 1)
    )
    return min(1.0, sum(t for t in tables if t <= seen * TIES) / comb(trials, successes))


TAIL = 0.025  # of a two-sided 95% interval


class Paired(NamedTuple):
    """``gained``: cases that only the first got; ``lost``: only the second; ``p`` two-sided."""

    gained: int
    lost: int
    p: float


def paired(first: str, second: str, kind: str) -> Paired:
    """Marks of one setting against those of another, case by case (McNemar's exact test).

    ``kind``: the letters that count (``marks``). Cases that one of them lacks are left out."""
    pairs = [(a in kind, b in kind) for a, b in zip(first, second, strict=False)]
    gained, lost = pairs.count((True, False)), pairs.count((False, True))
    tail = sum(comb(gained + lost, k) for k in range(min(gained, lost) + 1))
    return Paired(gained, lost, min(1.0, 2.0 * tail / 2 ** (gained + lost)))


class Difference(NamedTuple):
    """Of two shares of the same cases, with its 95% interval, in [-1, 1]."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval does; it is where the sign test has a p under 0.05."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{100 * self.value:+.0f} [{100 * self.low:+.0f}, {100 * self.high:+.0f}]"


def difference(found: Paired, cases: int) -> Difference:
    """The share that the first got less that of the second.

    The interval is exact given the cases in which they differ: Clopper and Pearson's, of the share
    of these that the first got. Where they never differ it is 0 and says nothing."""
    apart = found.gained + found.lost
    if not apart:
        return Difference(0.0, 0.0, 0.0)
    low = 0.0 if not found.gained else _root(lambda s: _tail(found.gained, apart, s) - TAIL)
    high = 1.0 if not found.lost else 1 - _root(lambda s: _tail(found.lost, apart, s) - TAIL)
    low, high = ((2 * share - 1) * apart / cases for share in (low, high))
    return Difference((found.gained - found.lost) / cases, low, high)


def _tail(least: int, of: int, share: float) -> float:
    """Probability of so many successes or more."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(least, of + 1))


def _root(rising: Callable[[float], float]) -> float:
    """Where a rising function of [0, 1] crosses zero."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return low


COMPARABLE = 0.95  # of the full cache on the same cases; below it answers say little of methods
SAME, ABOVE, BELOW = "as in the paper", "above", "below"
INCOMPARABLE = "not comparable"


class Compared(NamedTuple):
    """A row beside a figure of the paper. ``answers`` None where nothing was asked.

    ``fair``: the full cache answers enough of the same cases to say something of methods."""

    row: Row
    figure: Figure
    ours: Count
    kept: str
    answers: str | None
    fair: bool


def full_share(row: Row, rows: Sequence[Row], measure: str) -> float | None:
    """Share of right answers of the full cache on the cases of a row; None where none was asked."""
    for other in rows:
        same = all(other[name] == row[name] for name in ("block", "protocol", "answered"))
        if other["method"] == "full" and same and measure in (*measures(other), "answers"):
            found = count_of(other, measure)
            return None if found.right is None else found.right / found.trials
    return None


def compare(rows: Sequence[Row], figures: Sequence[Figure]) -> list[Compared]:
    """Every row with every figure that is about it."""
    found = []
    for row in rows:
        for figure in figures:
            if not figure.about(row) or figure.measure not in (*measures(row), "answers"):
                continue
            counted = count_of(row, figure.measure)
            kept = _side(counted.kept, counted.trials, figure)
            full = full_share(row, rows, figure.measure)
            answers = _answers(full, figure, counted)
            fair = full is not None and full >= COMPARABLE
            found.append(Compared(row, figure, counted, kept, answers, fair))
    return found


def _answers(full: float | None, figure: Figure, counted: Count) -> str | None:
    if counted.right is None:
        return None
    if full is None or full < COMPARABLE:
        shown = "not run" if full is None else f"{100 * full:.0f}%"
        return f"{INCOMPARABLE} (full cache {shown}, 95% needed)"
    return _side(counted.right, counted.trials, figure)


def _side(successes: int, trials: int, figure: Figure) -> str:
    """Whether the paper's figure lies in our 95% interval, and on which side ours is if not."""
    if figure.unstated:
        return f"{INCOMPARABLE} ({figure.unstated} unstated)"
    low, high = wilson(successes, trials)
    if low <= figure.value / 100 <= high:
        return SAME
    return ABOVE if successes / trials > figure.value / 100 else BELOW


def judged(compared: Sequence[Compared]) -> list[Compared]:
    """The comparisons that count: the main cells, the method as printed.

    A row in this project's preset counts where the paper's does not exist for its method."""
    main = [item for item in compared if is_main(item.row)]
    printed = {item.row["method"] for item in main if item.row["preset"] == "paper"}
    return [
        item for item in main if item.row["preset"] == "paper" or item.row["method"] not in printed
    ]


def ablations(rows: Sequence[Row]) -> list[str]:
    """Fisher's exact test of every sponsored cell against its ablation, in words."""
    lines = []
    for without in rows:
        if without["sponsored"]:
            continue
        for row in rows:
            if row["sponsored"] and same_arm(row, without, but="sponsored"):
                lines.append(_tested(row, count_of(row), count_of(without)))
    return lines


def _tested(row: Row, ours: Count, ablation: Count) -> str:
    def test(what: str, first: int, second: int) -> str:
        p = fisher(first, ours.trials, second, ablation.trials)
        shares = f"{first}/{ours.trials} and {second}/{ablation.trials}"
        return f"{what} {shares}, p = {p:.2g}"

    parts = [test("kept whole", ours.kept, ablation.kept)]
    if ours.right is not None and ablation.right is not None:
        parts.append(test("answered", ours.right, ablation.right))
    name = f"{row['block']}, question {row['protocol']}, {method_name(row)}, K={row['budget']}"
    return f"{name}: {'; '.join(parts)}"


REPRODUCED, BETTER, WORSE = "reproduced", "better", "worse"
OUTCOMES = (REPRODUCED, BETTER, WORSE)
DIFFERS = "differs"  # what is neither better nor worse: a count, or whether a number moves anything


def incomparable(reason: str) -> str:
    """The verdict on a figure that ours cannot stand beside."""
    return f"{INCOMPARABLE} ({reason})"


NO_FIGURE = f"Judgement: {incomparable('the paper has no number for these cells')}."


def overall(
    found: Sequence[str],
    of: str = "figures of the paper",
    *,
    words: Sequence[str] = OUTCOMES,
    reversed_order: bool = False,
) -> str:
    """The verdict and the counts behind it, from one verdict a figure.

    ``found``: of ``words``, or ``incomparable(reason)``; not empty. ``of``: what they are
    about. ``reversed_order``: some methods stand the other way round than in the paper."""
    counted = Counter(word for word in found if word in words)
    told = ", ".join(f"{counted[word]} {word}" for word in words if counted[word])
    total, fair = f"{len(found)} {of}", sum(counted.values())
    left = len(found) - fair
    others = (word.removeprefix(f"{INCOMPARABLE} (") for word in found if word not in words)
    reasons = "; ".join(dict.fromkeys(word.removesuffix(")") for word in others))
    if 2 * fair < len(found):
        beside = f", {told}" if told else ""
        return f"{incomparable(reasons)}: {left} of {total}{beside}"
    beside = f", {left} {incomparable(reasons)}" if left else ""
    if len(counted) > 1:
        return f"mixed: {told} of {total}{beside}"
    (word,) = counted
    if word == words[0] and reversed_order:
        return f"mixed, the order of methods does not hold: {told} of {total}{beside}"
    return f"{word}: {fair} of {total}{beside}"


LEVEL = 0.05  # two methods are told apart here when Fisher's exact p is below it
WORDS = {SAME: REPRODUCED, ABOVE: BETTER, BELOW: WORSE}
_SHARE = re.compile(r"full cache .*?, 95% needed")


class Order(NamedTuple):
    """Pairs of methods that the paper tells apart: as there, the other way round, alike here."""

    holds: int
    reversed: int
    alike: int

    def __str__(self) -> str:
        apart = f"holds in {self.holds} of {sum(self)} pairs"
        return f"{apart}, {self.reversed} reversed, {self.alike} not told apart"


def judgement(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """The verdict by answers, or by values where none are asked; values kept; both orders."""
    chosen = judged(compare(rows, figures))
    if not chosen:
        return NO_FIGURE
    asked = [item for item in chosen if item.answers is not None]
    orders = {
        "answers": order([item for item in asked if item.fair], lambda item: item.ours.right or 0),
        "values kept": order(chosen, lambda item: item.ours.kept),
    }
    judging = orders["answers" if sum(orders["answers"]) else "values kept"]
    words = [_word(item.kept if item.answers is None else item.answers) for item in chosen]
    by = " by answers" if len(asked) == len(chosen) else "" if asked else " by values kept"
    parts = [overall(words, f"figures of the paper{by}", reversed_order=judging.reversed > 0)]
    if asked:
        parts.append(f"whole values kept: {_tally([item.kept for item in chosen])}")
    parts += [
        f"the order of methods by {what} {found}" for what, found in orders.items() if sum(found)
    ]
    return f"Judgement: {'; '.join(parts)}."


def _word(verdict: str) -> str:
    return WORDS.get(verdict, _SHARE.sub("full cache under 95%", verdict))


def _tally(verdicts: Sequence[str]) -> str:
    counted = Counter(map(_word, verdicts))
    return ", ".join(f"{number} {name}" for name, number in counted.most_common())


def order(chosen: Sequence[Compared], successes: Callable[[Compared], int]) -> Order:
    """Pairs of methods of one cell that the paper tells apart, and whether ours does so, too."""
    cells: dict[tuple[object, ...], list[Compared]] = {}
    for item in chosen:
        cell = (item.figure.table, item.row["block"], item.row["budget"], item.figure.measure)
        cells.setdefault(cell, []).append(item)
    found: Counter[str] = Counter()
    for items in cells.values():
        for first, second in combinations(items, 2):
            theirs = first.figure.value - second.figure.value
            if theirs:
                ours = _apart(first, second, successes)
                found["alike" if not ours else "holds" if theirs * ours > 0 else "reversed"] += 1
    return Order(found["holds"], found["reversed"], found["alike"])


def _apart(first: Compared, second: Compared, successes: Callable[[Compared], int]) -> float:
    """Difference of two shares; 0 where so few cases do not tell them apart."""
    ours = [(successes(item), item.ours.trials) for item in (first, second)]
    if fisher(*ours[0], *ours[1]) >= LEVEL:
        return 0.0
    return ours[0][0] / ours[0][1] - ours[1][0] / ours[1][1]


OURS = (("ta", "default"), ("ta-fast-semantic", "paper"), ("ta-fast-regex", "paper"))
AHEAD, ALIKE, BEHIND = "ahead", "not told apart", "behind"


class Line(NamedTuple):
    """A baseline's best cell beside ours, by answers or by whole values kept."""

    best: Row
    settings: int
    by: str
    ours: dict[str, tuple[Row, str]]


def against_best(rows: Sequence[Row]) -> list[Line]:
    """One for each baseline, kind of cases and K where ``ta`` or TA-Fast stands, too.

    A baseline has every setting of it that a record holds: question hidden or shown, strict ledger
    or on top, its own ends or 4 sinks and the tail. Ours has one: hidden, strict."""
    main: dict[tuple[str, int, bool], list[Row]] = {}
    for row in rows:
        if is_main(row) and row["sponsored"] and (row["method"], row["preset"]) in OURS:
            main.setdefault(_place(row), []).append(row)
    found: list[Line] = []
    for place, own in main.items():
        full = full_share(own[0], rows, "answers")
        by = RIGHT if full is not None and full >= COMPARABLE else KEPT
        baselines: dict[str, list[Row]] = {}
        for row in rows:
            if _place(row) == place and is_baseline(row["method"]):
                baselines.setdefault(row["method"], []).append(row)
        for cells in baselines.values():
            best = max(cells, key=lambda row: successes(row, by) / count_of(row).trials)
            ours = {method_name(row): (row, _beside(row, best, by)) for row in own}
            found.append(Line(best, len(cells), by, ours))
    return found


def is_baseline(method: str) -> bool:
    """Whether a method is neither of this project or the paper, nor a control."""
    other = method == "full" or method in CONTROLS
    return not other and method.replace("+", "-").partition("-")[0] != "ta"


def _place(row: Row) -> tuple[str, int, bool]:
    return row["block"], row["budget"], row["answered"]


def _beside(row: Row, best: Row, by: str) -> str:
    ours, theirs = ("".join(one["marks"].values()) for one in (row, best))
    found = paired(ours, theirs, by)
    if found.p >= LEVEL:
        return ALIKE
    return AHEAD if found.gained > found.lost else BEHIND


def successes(row: Row, by: str) -> int:
    """Marks of a row that are one of ``by``."""
    return count("".join(row["marks"].values()), by)


def setting_name(row: Row) -> str:
    """Protocol, ledger and ends of a baseline in words."""
    ledger = "on top" if row["ledger"] == "on-top" else "strict"
    ends = ", 4 sinks and the tail" if row.get("tail") else ""
    return f"question {row['protocol']}, {ledger}{ends}"


def saved(folder: Path | None, names: Iterable[str]) -> dict[str, Record]:
    """The records that a folder holds, by name; those that it lacks are left out. Raises InputError
    for a file that is no record of its name."""
    found = {}
    for name in names:
        path = None if folder is None else folder / f"{name}.json"
        if path is not None and path.is_file():
            found[name] = _read(path, name)
    return found


def _read(path: Path, name: str) -> Record:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        record = None
    if (
        not isinstance(record, dict)
        or record.get("experiment") != name
        or not isinstance(record.get("rows"), list)
    ):
        raise InputError(f"{path.name} is no record of {name}: remove it and run {name} again")
    return record


def main_cells(rows: Iterable[Row]) -> list[Row]:
    """Finished cells of cases under the main claim."""
    return [row for row in rows if row.get("trials") and "marks" in row and is_main(row)]
