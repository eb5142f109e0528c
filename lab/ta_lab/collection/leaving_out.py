"""What each rule earns: the values that are kept with it and not without it, and the other way.

A rule is left out only where it spoke, and a part of a rule only where leaving out the whole changes
what is kept. Of a session's ways only the first is played where the same anchors are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from transactional_attention.config import Retention
from transactional_attention.detection.scanner import Scanner

from ..cases.cases import Case
from ..cases.encoding import budget_of, encode_case
from ..cases.runner import TextRunner
from ..sessions.calls import CallTokens
from ..sessions.deciding import DecidingEngine
from ..sessions.playing import Arm, play
from ..templates import markdown
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

    def decide(self) -> dict[str, Decided]:
        """With all rules, by the set that it counts in."""

    def decide_without(self, rule: Rule) -> dict[str, Decided]:
        """Called after ``decide``, while the rule is left out."""


class CaseUnit:
    """A case of the collection, decided as by ``ta collection score``."""

    def __init__(self, tokenizer: Any, name: str, case: Case) -> None:
        self._tokenizer, self._name, self._case = tokenizer, name, case

    def decide(self) -> dict[str, Decided]:
        """As ``Unit``."""
        encoded = encode_case(self._tokenizer, self._case)
        size, valued = len(encoded.ids), bool(self._case.critical)
        budget = budget_of(BUDGET, encoded) if valued else max(size // 2, 8)
        outcome = TextRunner(self._tokenizer, encoded).run(Retention(budget, METHOD))
        kept = (outcome.retained,) if valued else ()
        free = (0, 0) if valued else (outcome.protected_tokens, size)
        return {self._name: Decided(kept, *free)}

    def decide_without(self, rule: Rule) -> dict[str, Decided]:
        """As ``Unit``."""
        return self.decide()


class SessionUnit:
    """The calls of a session, decided as by ``ta sessions --held-only``."""

    def __init__(self, tokenizer: Any, calls: Sequence[CallTokens], budgets: Sequence[int]) -> None:
        self._engine, self._calls = DecidingEngine(tokenizer), calls
        self._arms = {
            f"{name}, K={budget}": Arm(METHOD, budget, memory=name == MEMORY)
            for name in (SESSIONS, MEMORY)
            for budget in budgets
        }
        self._found: list[Any] = []
        self._whole: dict[str, Decided] = {}

    def decide(self) -> dict[str, Decided]:
        """As ``Unit``."""
        with _scanned() as self._found:
            self._whole = dict([next(ways := self._decided())])
        self._whole |= dict(ways)
        return self._whole

    def decide_without(self, rule: Rule) -> dict[str, Decided]:
        """As ``Unit``."""
        with _scanned() as found:
            without = dict([next(ways := self._decided())])
        same = rule.detects and found == self._found
        return self._whole if same else without | dict(ways)

    def _decided(self) -> Iterator[tuple[str, Decided]]:
        for name, arm in self._arms.items():
            outcomes = play(arm, self._engine, self._calls, LEDGER)
            yield name, Decided(tuple(outcome.held for _, outcome in outcomes))


@contextmanager
def _scanned() -> Iterator[list[Any]]:
    """All that scanners find meanwhile."""
    found: list[Any] = []
    detect = Scanner._detect

    def noted(self: Scanner, parts: Any) -> Any:
        anchors = detect(self, parts)
        found.append((anchors, parts, list(self.sealed)))
        return anchors

    Scanner._detect = noted  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Scanner._detect = detect  # type: ignore[method-assign]


def leave_out(unit: Unit, rows: list[Row], rules: Sequence[Rule] = RULES) -> None:
    """Count in ``rows`` what a unit keeps with all rules, and without each of them."""
    with listening(rules) as spoke:
        whole = unit.decide()
    _count(rows, NOTHING, whole, whole, spoke=False)
    decided: dict[str, dict[str, Decided]] = {}
    for rule in rules:
        without = whole
        if rule.name in spoke and decided.get(rule.part_of) != whole:
            with left_out(rule):
                without = unit.decide_without(rule)
        decided[rule.name] = without
        _count(rows, rule.name, whole, without, spoke=rule.name in spoke)


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
    rules to show, else all."""
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
