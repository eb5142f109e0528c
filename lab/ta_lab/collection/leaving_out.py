"""What each rule earns: the values that are kept with it and not without it, and the other way.

Only what a rule can affect is decided again: where it spoke, and where other anchors are found or
the rule is not about anchors. A part of a rule is left out only where leaving out the whole changes
what is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from transactional_attention.config import Retention
from transactional_attention.detection.scanner import Scanner

from ..cases.cases import Case
from ..cases.encoding import EncodedCase, budget_of, encode_case
from ..cases.runner import TextRunner
from ..markdown import markdown
from ..sessions.calls import CallTokens, calls_of
from ..sessions.deciding import DecidingEngine
from ..sessions.files import AgentSession
from ..sessions.playing import Arm, play
from .rules import RULES, Rule, left_out, listening

METHOD, BUDGET, LEDGER = "ta", "values+5", "strict"
SESSIONS, MEMORY = "sessions", "sessions, memory"
NOTHING = "nothing"
Row = dict[str, Any]


class Decided(NamedTuple):
    """Of the values of a text, which are kept; of a text without values ``protected``, the tokens
    that are protected of ``tokens``."""

    kept: tuple[bool, ...]
    protected: int = 0
    tokens: int = 0


class Unit(Protocol):
    """A text, or a session, that is decided with and without a rule."""

    def decide(self) -> Iterator[tuple[str, Decided]]:
        """What is kept in each of some ways, all of which read the same text; with the name of the
        set that a way counts in."""


class CaseUnit:
    """A case of the collection, decided as by ``ta collection score``."""

    def __init__(self, tokenizer: Any, name: str, case: Case) -> None:
        self._tokenizer, self._name, self._case = tokenizer, name, case

    @cached_property
    def _encoded(self) -> EncodedCase:
        return encode_case(self._tokenizer, self._case)

    def decide(self) -> Iterator[tuple[str, Decided]]:
        """As ``Unit``; there is one way."""
        encoded, valued = self._encoded, bool(self._case.critical)
        size = len(encoded.ids)
        budget = budget_of(BUDGET, encoded) if valued else max(size // 2, 8)
        outcome = TextRunner(self._tokenizer, encoded).run(Retention(budget, METHOD))
        kept = (outcome.retained,) if valued else ()
        free = (0, 0) if valued else (outcome.protected_tokens, size)
        yield self._name, Decided(kept, *free)


class SessionUnit:
    """The calls of a session, decided as by ``ta sessions --held-only``."""

    def __init__(self, tokenizer: Any, session: AgentSession, budgets: Sequence[int]) -> None:
        self._engine, self._session, self._budgets = DecidingEngine(tokenizer), session, budgets

    @cached_property
    def _calls(self) -> list[CallTokens]:
        tokenizer = self._engine.tokenizer
        ends = frozenset({tokenizer.eos_token_id} - {None})
        return list(calls_of(self._session, tokenizer, ends))

    def decide(self) -> Iterator[tuple[str, Decided]]:
        """As ``Unit``: without a memory and with one, by budget."""
        for name in (SESSIONS, MEMORY):
            for budget in self._budgets:
                arm = Arm(METHOD, budget, memory=name == MEMORY)
                outcomes = play(arm, self._engine, self._calls, LEDGER)
                yield f"{name}, K={budget}", Decided(tuple(outcome.held for _, outcome in outcomes))


Scans = dict[Any, tuple[Any, Any]]
"""What parts of texts a scanner read, what it found there, and the table that is open then."""


@contextmanager
def _remembering(scans: Scans) -> Iterator[None]:
    """Scanners read no text twice meanwhile."""
    detect = Scanner._detect

    def remembered(self: Scanner, parts: Any) -> Any:
        reads = self._values is not None, tuple(map(id, self._others))
        key = reads, self._text, self._origin, repr((self.table, parts))
        if key not in scans:
            scans[key] = detect(self, parts), self.table
        anchors, self.table = scans[key]
        return list(anchors)

    Scanner._detect = remembered  # type: ignore[method-assign]
    try:
        yield
    finally:
        Scanner._detect = detect  # type: ignore[method-assign]


def left_to_do(units: Sequence[Unit], record: dict[str, Any]) -> Iterator[Unit]:
    """The units that are not yet in a record, each as soon as its ``rows`` count it; ``units``: how
    many they count."""
    for unit in units[record["units"] :]:
        leave_out(unit, record["rows"])
        record["units"] += 1
        yield unit


def leave_out(unit: Unit, rows: list[Row]) -> None:
    """Count in ``rows`` what a unit keeps with all rules, and without each of them."""
    scans: Scans = {}
    with listening(RULES) as spoke, _remembering(scans):
        whole = dict(unit.decide())
    _count(rows, NOTHING, whole, whole, spoke=False)
    decided: dict[str, dict[str, Decided]] = {}
    for rule in RULES:
        without = whole
        if rule.name in spoke and decided.get(rule.part_of) != whole:
            without = _without(rule, unit, whole, scans)
        decided[rule.name] = without
        _count(rows, rule.name, whole, without, spoke=rule.name in spoke)


def _without(rule: Rule, unit: Unit, whole: dict[str, Decided], scans: Scans) -> dict[str, Decided]:
    rule_scans: Scans = {} if rule.detects else scans
    ways = unit.decide()
    with left_out(rule), _remembering(rule_scans):
        first = next(ways)
        if rule.detects and all(scans.get(key) == scan for key, scan in rule_scans.items()):
            return whole
        return dict([first, *ways])


def _count(
    rows: list[Row],
    rule: str,
    whole: dict[str, Decided],
    without: dict[str, Decided],
    *,
    spoke: bool,
) -> None:
    for name, left in without.items():
        row = next((r for r in rows if (r["set"], r["left_out"]) == (name, rule)), None)
        if row is None:
            row = {"set": name, "left_out": rule}
            rows.append(row)
        pairs = list(zip(whole[name].kept, left.kept, strict=True))
        counts = {
            "spoke_in": int(spoke),
            "kept": sum(left.kept),
            "values": len(left.kept),
            "kept_by_it_alone": sum(one and not other for one, other in pairs),
            "lost_by_it": sum(other and not one for one, other in pairs),
            "protected": left.protected,
            "tokens_without_values": left.tokens,
        }
        for field, count in counts.items():
            row[field] = row.get(field, 0) + count


def of_rules(rows: Sequence[Row], only: Sequence[str] = ()) -> str:
    """A line a rule, a column a set: values kept by it alone - lost by it; first what all keep.

    Budgets of sessions are taken together, and a rule that never spoke has no figure. ``only``:
    rules to show, otherwise all."""
    names = list(dict.fromkeys(_column(row) for row in rows))
    cells: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        cells.setdefault((row["left_out"], _column(row)), []).append(row)
    rules = [rule for rule in dict.fromkeys(row["left_out"] for row in rows) if rule != NOTHING]
    shown = [rule for rule in rules if not only or rule in only]
    named = [(NOTHING, "kept by all together"), *((rule, rule) for rule in shown)]
    lines = [
        [name, *(_cell(cells.get((rule, column), [])) for column in names)] for rule, name in named
    ]
    return markdown(("rule", *names), lines)


def _column(row: Row) -> str:
    return str(row["set"]).partition(", K=")[0]


def _cell(rows: Sequence[Row]) -> str:
    kept, values, alone, lost, spoke = (
        sum(row[field] for row in rows)
        for field in ("kept", "values", "kept_by_it_alone", "lost_by_it", "spoke_in")
    )
    if rows and rows[0]["left_out"] == NOTHING:
        return f"{kept} of {values}"
    return "" if not spoke else f"{alone} - {lost}" if lost else str(alone)
