"""``ablation`` in Markdown: every setting against its base, and the spread beside the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .experiment import Record, Row
from .jobs import NO_JUDGEMENT, is_quick, markdown
from .marks import KEPT, RIGHT
from .paired import Difference, Paired, difference, paired
from .paper import Figure, figures
from .rendering import LONG_SPAN_NOTE, NONE, WORDS, share
from .verdicts import DIFFERS, REPRODUCED, incomparable, overall
from .views import count_of, method_name

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

    The unchanged setting is one of them; None where no other was run.
    """
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
            paper = ", ".join(f"{f.measure} {f.value:g}" for f in _paper(what)) or NONE
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


def _paper(what: str) -> list[Figure]:
    return [figure for figure in figures("ablation") if figure.match["block"] == what]


def papers_spreads() -> dict[str, float]:
    """By how many points the paper's accuracy moves, by the number that it varies."""
    return {figure.match["block"]: figure.value for figure in figures("ablation", "spread")}


def papers_most() -> str:
    """The number that moves most in the paper, which it calls the only critical one."""
    known = papers_spreads()
    return max(known, key=lambda what: known[what])


def judgement(rows: Sequence[Row]) -> str:
    """Whether the number that the paper calls the only critical one moves most here as well.

    The spread alone is compared, never the level; then what a single change does by itself.
    """
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
