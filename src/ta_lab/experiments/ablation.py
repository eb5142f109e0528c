"""Section 5.2: what each number and each choice is worth, one changed at a time.

``as printed``: the paper's mechanism at K=16 with its weights, sponsor budget, span, decays and
partition. Its span is 10 here where nothing else is said: six tokens cut the value under most
tokenizers, and nothing else could be seen. ``our choice``: method ``ta`` with one choice of the
default preset taken back, each on the cases that it was made for. All settings of one context are
cut from one prefill, so that rows are paired."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, NamedTuple

from transactional_attention.config import Choices, Retention, Sponsorship, Weights

from ..cases.cases import Case
from ..templates import markdown
from .abuse import flood
from .comparing import (
    DIFFERS,
    REPRODUCED,
    Difference,
    Paired,
    count_of,
    difference,
    incomparable,
    method_name,
    overall,
    paired,
)
from .experiment import Context, Record, Row
from .paper import figures
from .plan import FULL, Arm, Block, MakeCases, contexts, task_cases
from .registry import case_experiment
from .rendering import LONG_SPAN, LONG_SPAN_NOTE, NONE, WORDS, share
from .running import KEPT, NO_JUDGEMENT, RIGHT, is_quick

BASE = "unchanged"
PRINTED, OURS, OWN = "as printed", "our choice", "ta"
HEAD = (
    "setting", "K", "n",
    "kept whole, %", "against unchanged", "answered, %", "against unchanged",
)  # fmt: skip
NOTE = (
    "Shares in percent [95% Wilson interval]. Settings of one table are cut from the same "
    "prefills: `+` and `-` count cases that only this setting, or only the unchanged one, keeps "
    "whole or answers, with the exact sign test, and the difference of the shares in points [95% "
    "interval, exact given the cases in which the two differ]."
)


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
    for row in rows:
        place = setting_of(row)
        if place.title:
            groups.setdefault((place.cases, place.method), []).append(row)
    beside: dict[str, list[Row]] = {}  # the full cache and the controls have no setting
    for row in rows:
        if not setting_of(row).title:
            beside.setdefault(setting_of(row).cases, []).append(row)
    parts = [NOTE, LONG_SPAN_NOTE]
    for (cases, method), found in groups.items():
        title = f"{cases}, {method}" if method else cases
        parts.append(f"### {title}\n\n{_table(found, beside.get(cases, []))}")
    spreads = _spreads(rows)
    parts += [part for part in (spreads, _effects(rows)) if part]
    parts += [NO_JUDGEMENT if is_quick(record) else judgement(rows)]
    return "\n\n".join(parts)


def _table(rows: Sequence[Row], controls: Sequence[Row]) -> str:
    base = next((row for row in rows if setting_of(row).title == BASE), None)
    lines = [
        _line("full cache" if row["method"] == "full" else method_name(row), row, None)
        for row in controls
    ]
    lines += [_line(setting_of(row).title, row, None if row is base else base) for row in rows]
    return markdown(HEAD, lines)


def _line(title: str, row: Row, base: Row | None) -> list[str]:
    ours = count_of(row)
    answered = NONE if ours.right is None else share(ours.right, ours.trials)
    budget = NONE if row["budget"] is None else str(row["budget"])
    kept = share(ours.kept, ours.trials)
    beside = [NONE if base is None else _against(row, base, kind) for kind in (KEPT, RIGHT)]
    return [title, budget, str(ours.trials), kept, beside[0], answered, beside[1]]


def _against(row: Row, base: Row, kind: str) -> str:
    if kind == RIGHT and not (row["answered"] and base["answered"]):
        return NONE
    found, apart = effect(row, base, kind)
    if not (found.gained or found.lost):
        return "the same"
    return f"+{found.gained} -{found.lost}, p = {found.p:.2g}, {apart}"


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


def _spreads(rows: Sequence[Row]) -> str:
    """Every number that was varied, beside what the paper says of it."""
    numbers: dict[tuple[str, str], None] = {}
    for row in rows:
        place = setting_of(row)
        if place.cases == PRINTED and " = " in place.title:
            numbers[place.method, place.title.partition(" = ")[0]] = None
    lines = []
    for method, what in numbers:
        found = spread(rows, method, what)
        if found is not None:
            stated = (f for f in figures("ablation") if f.match["block"] == what)
            paper = ", ".join(f"{f.measure} {f.value:g}" for f in stated) or NONE
            lines.append([method, what, f"{found[0]:.0f} to {found[1]:.0f}", paper])
    if not lines:
        return ""
    head = ("method, as printed", "number", "kept whole, %, least to most", "the paper's accuracy")
    return f"Spread over the values of each number:\n\n{markdown(head, lines)}"


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


def _effects(rows: Sequence[Row]) -> str:
    """The changes whose effect is no chance of these cases, by size; nothing without any change."""
    found = [(WORDS[kind], _changes(rows, kind)) for kind in (KEPT, RIGHT)]
    total = sum(len(changes) for _, changes in found)
    if not total:
        return ""
    lines, counted = [], []
    for by, changes in found:
        sure = sorted((c for c in changes if c[1].excludes_zero), key=lambda c: -abs(c[1].value))
        counted.append(f"{len(sure)} of {len(changes)} by {by}")
        lines += [[p.cases, p.method or OWN, p.title, by, str(effect)] for p, effect in sure]
    head = ("cases", "method", "what was changed", "by", "points [95% interval]")
    note = (
        f"Changes whose paired interval excludes zero, {', '.join(counted)}; of so many about "
        f"{0.05 * total:.0f} at most would by chance:"
    )
    return f"{note}\n\n{markdown(head, lines)}" if lines else f"{note} none."


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
        sure = sum(effect.excludes_zero for _, effect in found)
        told.append(f"{sure} of {len(found)} by {WORDS[kind]}")
    return f"one change alone has an effect that is no chance in {', '.join(told)} (listed above)"


def _moved(ours: float, papers: float) -> str:
    """Whether a number moves anything here as it does in the paper."""
    return REPRODUCED if bool(ours) == bool(papers) else DIFFERS


BUDGET = 16
FAST, FULL_TA = "ta-fast-semantic", "ta-full"
FACTORS = ((0.5, 2.0), (0.5, 2.0), (0.5, 0.75, 1.5, 2.0))
BUDGETS = ((0.0, 30.0), (0.0, 1.0, 2.5, 5.0, 30.0), (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0))
SPANS = ((6,), (4, 6, 8, 16), (2, 4, 6, 7, 8, 9, 12, 16, 24))
TOKEN_DECAYS = ((1.0,), (0.6, 1.0), (0.5, 0.6, 0.7, 0.9, 1.0))
STEP_DECAYS = ((1.0,), (0.5, 1.0), (0.5, 0.7, 0.95, 0.99, 1.0))
Change = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Variant(Arm):
    """An arm with fields of its retention changed; ``title`` is what a record calls it."""

    title: str = ""
    change: Change = ()

    def retention(self, case: Case, seed: int) -> Retention:
        """The settings of a case."""
        return replace(super().retention(case, seed), **dict(self.change))


@dataclass(frozen=True)
class Titled(Block):
    """A block whose rows are named by the setting of their arm, behind the name of its cases."""

    def key(self, arm: Arm) -> Row:
        """What names a cell in a record."""
        title = getattr(arm, "title", "")
        return {**super().key(arm), "block": f"{self.name}: {title}" if title else self.name}


def printed(title: str, method: str = FAST, numbers: Row | None = None, **change: Any) -> Variant:
    """A method as printed with one thing changed; ``numbers``: of the sponsorship."""
    sponsorship = replace(Sponsorship(span_length=LONG_SPAN), **(numbers or {}))
    settled = (("sponsorship", sponsorship), *change.items())
    return Variant(method, BUDGET, "paper", title=f"{method}, {title}", change=settled)


def as_printed_variants(context: Context) -> tuple[Variant, ...]:
    """The paper's numbers, one changed at a time; weights also where attention is read."""
    found = [printed(BASE), printed(BASE, FULL_TA)]
    for method, names in ((FULL_TA, _weights()), (FAST, ("recency", "anchor", "frequency"))):
        for name in names:
            for factor in context.pick(*FACTORS):
                weights = replace(Weights(), **{name: factor * getattr(Weights(), name)})
                found.append(printed(f"weight of {name} = x {factor:g}", method, weights=weights))
    numbers = (
        ("sponsor budget", "budget", BUDGETS),
        ("span L", "span_length", SPANS),
        ("decay per token", "token_decay", TOKEN_DECAYS),
        ("decay per step", "step_decay", STEP_DECAYS),
    )
    for what, field, values in numbers:
        for value in context.pick(*values):
            found.append(printed(f"{what} = {value:g}", numbers={field: value}))
    found += [printed(f"partition = {name}", partition=name) for name in ("strict", "audit")]
    return tuple(found)


def _weights() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Weights))


def ours(budget: int, title: str = BASE, **change: Any) -> Variant:
    """Method ``ta`` with one choice taken back."""
    return Variant("ta", budget, title=title, change=tuple(change.items()))


def our_variants(budget: int) -> tuple[Variant, ...]:
    """What a caller can take back of the default preset, one choice at a time.

    ``the paper's selection``: by tokens, with the paper's detectors, ends and partition, and its
    span as long as the cap of a value in prose."""
    longest = Sponsorship(span_length=Sponsorship().prose_cap, step_decay=1.0)
    paper = ours(budget, "the paper's selection", sponsorship=longest)
    return (
        ours(budget),
        replace(ours(budget, "no sponsorship"), sponsored=False),
        *(
            ours(budget, f"no values of {name}", deny=(f"{rule}:*",))
            for name, rule in (
                ("structure", "structure"),
                ("labels in prose", "stated"),
                ("known shapes", "shape"),
            )
        ),
        ours(
            budget, "values at most 6 tokens", sponsorship=Sponsorship(prose_cap=6, delimited_cap=6)
        ),
        ours(budget, "protection fades by 0.9 a step", sponsorship=Sponsorship(fade_per="step")),
        ours(budget, "4 sinks, 1 recent", sinks=4, recent=1),
        *(
            ours(budget, title, choices=Choices(**{name: False}))
            for title, name in (
                ("values that do not fit are cut", "whole"),
                ("no closing tokens", "closing"),
                ("ends do not yield", "yielding"),
                ("no labels kept", "labels"),
                ("values in the order of the text", "ranked"),
                ("values go with their labels", "outliving"),
                ("the other tokens by eq. 3", "newest"),
            )
        ),
        replace(paper, preset="paper"),
    )


def of_floods(budget: int) -> tuple[Variant, ...]:
    """What stands against floods of a tool, one choice taken back at a time."""
    every = Sponsorship(untrusted_rate=10**9, untrusted_share=1.0)
    return (
        ours(budget),
        ours(budget, "no quota of K for tools", sponsorship=Sponsorship(untrusted_share=1.0)),
        ours(budget, "no limit on values in a message", sponsorship=every),
    )


def unsourced(make: MakeCases) -> MakeCases:
    """The same cases without who wrote what."""
    return lambda tokenizer, trial: [replace(c, sources=()) for c in make(tokenizer, trial)]


def blocks(context: Context) -> list[Block]:
    """The needle under every setting of the paper, and five kinds of cases under ours."""
    tokens = context.pick(1024, 4096, 4096)

    def cases(task: str, variant: str = "") -> MakeCases:
        return task_cases(context, task, variant, tokens=tokens)

    number, few = contexts(context, 1, 8, 50), contexts(context, 1, 5, 50)
    found: list[Block] = [
        Titled("as printed", cases("needle"), number, (FULL, *as_printed_variants(context)))
    ]
    kinds: Iterable[tuple[str, MakeCases, int]] = context.pick(
        (("needle", cases("needle"), BUDGET),), _kinds(cases), _kinds(cases)
    )
    for name, make, budget in kinds:
        arms = (FULL, *our_variants(budget))
        found.append(Titled(f"{OURS}, {name}", make, few, arms))
    make = partial(flood, context, "templated", context.pick(20, 100, 100), True)
    arms = (FULL, *of_floods(64))
    kinds_of_flood: Sequence[tuple[str, MakeCases]] = (
        ("flood of a tool", make),
        ("flood, sources unknown", unsourced(make)),
    )
    for name, make_flood in kinds_of_flood:
        found.append(Titled(f"{OURS}, {name}", make_flood, few, arms, answered=False))
    return found


def _kinds(cases: Any) -> tuple[tuple[str, MakeCases, int], ...]:
    return (
        ("needle", cases("needle"), BUDGET),
        ("5 confusers", cases("confusers", "5"), 32),
        ("unstructured", cases("unstructured"), 32),
        ("corrections", cases("corrections"), 32),
        ("json", cases("formats", "json"), 32),
    )


EXPERIMENT = case_experiment(
    "ablation", "section 5.2, Figure 5", "each number and each choice changed alone", blocks, render
)
