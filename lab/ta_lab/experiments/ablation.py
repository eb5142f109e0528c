"""Section 5.2: what each number and each choice is worth, one changed at a time.

``as printed``: the paper's mechanism at K=16 with its weights, sponsor budget, span, decays and
partition. Its span is 10 here where nothing else is said: six tokens cut the value under most
tokenizers, and nothing else could be seen. ``our choice``: method ``ta`` with one choice of the
default preset taken back, each on the cases that it was made for. All settings of one context are
cut from one prefill, so that rows are paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, NamedTuple

from transactional_attention.config import Sponsorship, Weights

from ..data import table
from .abuse import flood
from .counting import count_of
from .exact_tests import Difference, Paired, difference, paired
from .experiment import Context, Record, Row
from .paper import figures
from .plan import FULL, Arm, Block, changed, task_cases
from .rendering import LONG_SPAN, WORDS, section
from .running import KEPT, RIGHT
from .verdicts import DIFFERS, REPRODUCED, incomparable, overall

BASE = "unchanged"
PRINTED, OURS = "as printed", "our choice"


class Setting(NamedTuple):
    """A row's place: the cases, the method where it varies, and what was changed to what."""

    cases: str
    method: str
    title: str


def setting_of(row: Row) -> Setting:
    """The parts of a block's name; a full cache has no title."""
    cases, _, title = row["block"].partition(": ")
    method, comma, changed = title.partition(", ")
    if cases == PRINTED and comma:
        return Setting(cases, method, changed)
    return Setting(cases, "", title)


def render(record: Record) -> str:
    """A table for the cases of each kind, then spreads and one line of judgement."""
    rows = [row for row in record["rows"] if row.get("trials")]
    groups: dict[tuple[str, str], list[Row]] = {}
    beside: dict[str, list[Row]] = {}  # the full cache and the controls have no setting
    for row in rows:
        place = setting_of(row)
        if place.title:
            groups.setdefault((place.cases, place.method), []).append(row)
        else:
            beside.setdefault(place.cases, []).append(row)
    changes = [_changes(rows, kind) for kind in (KEPT, RIGHT)]
    return section(
        "ablation", record, lambda: judgement(rows), groups=groups, beside=beside, effect=effect,
        setting_of=setting_of, count_of=count_of, spreads=_spreads(rows), changes=changes,
        base_of=lambda some: next((row for row in some if setting_of(row).title == BASE), None),
        sure=_sure,
    )  # fmt: skip


def _sure(changes: Sequence[tuple[Setting, Difference]]) -> list[tuple[Setting, Difference]]:
    """Effects that are no chance, the largest first."""
    found = [change for change in changes if change[1].excludes_zero]
    return sorted(found, key=lambda change: -abs(change[1].value))


def effect(row: Row, base: Row, kind: str) -> tuple[Paired, Difference]:
    """What one change does to the values that are kept whole, or answered, case by case."""
    ours, theirs = ("".join(one["marks"].values()) for one in (row, base))
    found = paired(ours, theirs, kind)
    return found, difference(found, min(len(ours), len(theirs)))


def spread(rows: Sequence[Row], method: str, what: str) -> tuple[float, float] | None:
    """Least and most of the values kept whole, in percent, over the settings of one number.

    The unchanged setting is one of them; None where no other was run."""
    found = [
        row
        for row in rows
        if setting_of(row)[:2] == (PRINTED, method)
        and setting_of(row).title.partition(" = ")[0] in (what, BASE)
    ]
    shares = [100 * count_of(row).kept / count_of(row).trials for row in found]
    return (min(shares), max(shares)) if len(shares) > 1 else None


def _spreads(rows: Sequence[Row]) -> list[tuple[str, str, tuple[float, float]]]:
    """Every number that was varied, with the least and the most that is kept."""
    places = (setting_of(row) for row in rows)
    varied = (p for p in places if p.cases == PRINTED and " = " in p.title)
    numbers = dict.fromkeys((p.method, p.title.partition(" = ")[0]) for p in varied)
    found = [(*number, spread(rows, *number)) for number in numbers]
    return [(method, what, between) for method, what, between in found if between is not None]


def _changes(rows: Sequence[Row], kind: str) -> list[tuple[Setting, Difference]]:
    """Every setting that changes one thing, with its effect against the unchanged one on what is
    kept whole or answered; rows without answers have none."""
    placed = [(setting_of(row), row) for row in rows if kind == KEPT or row["answered"]]
    bases = {place[:2]: row for place, row in placed if place.title == BASE}
    return [
        (place, effect(row, bases[place[:2]], kind)[1])
        for place, row in placed
        if place.title not in ("", BASE) and place[:2] in bases
    ]


def papers_spreads() -> dict[str, float]:
    """By how many points the paper's accuracy moves, by the number that it varies."""
    return {figure.match["block"]: figure.value for figure in figures("ablation", "spread")}


def papers_most() -> str:
    """The number that moves most in the paper, which it calls the only critical one."""
    known = papers_spreads()
    return max(known, key=lambda what: known[what])


def judgement(rows: Sequence[Row]) -> str:
    """Whether the number that the paper calls the only critical one moves most here as well.

    The spread alone is compared, never the level; then what a single change does by itself."""
    known = papers_spreads()
    ours: dict[str, float] = {}
    for method in dict.fromkeys(setting_of(row).method for row in rows):
        for what in known:
            found = spread(rows, method, what)
            if found is not None:
                ours[what] = max(ours.get(what, 0.0), found[1] - found[0])
    if not ours or not any(ours.values()):
        reason = incomparable("no number that the paper varies moves what is kept")
        return f"Judgement: {reason}; {_single(rows)}."
    ranked = sorted(ours, key=lambda what: -ours[what])
    most = papers_most()
    holds = "as in the paper" if ranked[0] == most else f"in the paper it is {most}"
    words = [_moved(ours[what], known[what]) for what in ours]
    told = overall(words, "numbers by their spread alone", words=(REPRODUCED, DIFFERS),
                   reversed_order=ranked[0] != most)  # fmt: skip
    still = [what for what in ours if not ours[what]]
    return (
        f"Judgement: {told}, whatever the level of what is kept; {ranked[0]} moves most "
        f"({ours[ranked[0]]:.0f} points), {holds}; {len(still)} of {len(ours)} numbers "
        f"move nothing, in the paper {sum(not known[what] for what in ours)}; {_single(rows)}."
    )


def _single(rows: Sequence[Row]) -> str:
    """How many single changes have an effect whose paired interval excludes zero."""
    told = []
    for kind in (KEPT, RIGHT):
        found = _changes(rows, kind)
        told.append(f"{len(_sure(found))} of {len(found)} by {WORDS[kind]}")
    return f"one change alone has an effect that is no chance in {', '.join(told)} (listed above)"


def _moved(ours: float, papers: float) -> str:
    """Whether a number moves anything here as it does in the paper."""
    return REPRODUCED if bool(ours) == bool(papers) else DIFFERS


BUDGET = 16
FAST, FULL_TA = "ta-fast-semantic", "ta-full"


def printed(title: str, method: str = FAST, numbers: Row | None = None, **change: Any) -> Arm:
    """A method as printed with one thing changed; ``numbers``: of the sponsorship."""
    sponsorship = replace(Sponsorship(span_length=LONG_SPAN), **(numbers or {}))
    settled = (("sponsorship", sponsorship), *change.items())
    return Arm(method, BUDGET, "paper", title=f"{method}, {title}", change=settled)


DATA = table("ablation")


def as_printed_variants(context: Context) -> tuple[Arm, ...]:
    """The paper's numbers, one changed at a time; weights also where attention is read."""
    found = [printed(BASE), printed(BASE, FULL_TA)]
    every = tuple(field.name for field in fields(Weights))
    for method, names in ((FULL_TA, every), (FAST, ("recency", "anchor", "frequency"))):
        for name in names:
            for factor in DATA["weights"][context.size]:
                weights = replace(Weights(), **{name: factor * getattr(Weights(), name)})
                found.append(printed(f"weight of {name} = x {factor:g}", method, weights=weights))
    for what, number in DATA["numbers"].items():
        for value in number[context.size]:
            found.append(printed(f"{what} = {value:g}", numbers={number["field"]: value}))
    found += [printed(f"partition = {name}", partition=name) for name in ("strict", "audit")]
    return tuple(found)


def our_variants(budget: int) -> tuple[Arm, ...]:
    """What a caller can take back of the default preset, one choice at a time; last the paper's
    selection: by tokens, with the paper's detectors, ends and partition, and its span as long as
    the cap of a value in prose."""
    longest = Sponsorship(span_length=Sponsorship().prose_cap, step_decay=1.0)
    change = (("sponsorship", longest),)
    paper = Arm("ta", budget, "paper", title="the paper's selection", change=change)
    return *changed("choices", [budget]), paper


KINDS = (
    ("needle", ("needle",), BUDGET),
    ("5 confusers", ("confusers", "5"), 32),
    ("unstructured", ("unstructured",), 32),
    ("corrections", ("corrections",), 32),
    ("json", ("formats", "json"), 32),
)
"""Cases that our choices were made for, and the K at which one is taken back."""


def blocks(context: Context) -> list[Block]:
    """The needle under every setting of the paper, and five kinds of cases under ours."""
    tokens = context.pick(1024, 4096, 4096)
    number, few = (context.trials or context.pick(1, n, 50) for n in (8, 5))
    make = task_cases(context, "needle", tokens=tokens)
    found = [Block(PRINTED, make, number, (FULL, *as_printed_variants(context)))]
    for name, task, budget in context.pick(KINDS[:1], KINDS, KINDS):
        make, arms = task_cases(context, *task, tokens=tokens), (FULL, *our_variants(budget))
        found.append(Block(f"{OURS}, {name}", make, few, arms))
    arms, fakes = (FULL, *changed("floods", [64])), context.pick(20, 100, 100)
    for name, sourced in (("flood of a tool", True), ("flood, sources unknown", False)):
        make = partial(flood, context, "templated", fakes, sourced)
        found.append(Block(f"{OURS}, {name}", make, few, arms, answered=False))
    return found
