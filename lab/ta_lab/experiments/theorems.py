"""Section 6: each formal claim executed, with a counterexample where it is false and what holds.

No model runs: the selection is the library's own, ``guarantee.py`` supplies the corrected forms and
``docs/guarantees.md`` argues them. Nothing is random but utilities, from fixed seeds, so a record
is the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, permutations, product
from math import floor
from typing import NamedTuple

import numpy as np

from transactional_attention.config import Choices, Sponsorship
from transactional_attention.selection.admission import LiveTokens
from transactional_attention.selection.guarantee import certify, kept_by_vouchers, minimum_budget
from transactional_attention.selection.selection import PartitionSelection, SpanSelection, top
from transactional_attention.sponsorship.vouchers import vouchers
from transactional_attention.types import Floats, Rank, Span, SponsoredSpan

from ..data import table
from .experiment import Context, Record, Row
from .paper import Figure, figures
from .rendering import section
from .running import Job, run_parts
from .verdicts import overall

NUMBERS = Sponsorship()
LENGTH = 400  # tokens of a text, where nothing else is said
SINKS, WINDOW, SPAN = 1, 2, NUMBERS.span_length  # of the paper


class Instance(NamedTuple):
    """One case of a claim: what it is, whether its condition is met, whether it then holds."""

    what: Row
    met: bool
    holds: bool


def checked(instances: Iterator[Instance]) -> Row:
    """How many instances there are, how many meet the condition, and the first that breaks it."""
    tried = met = broken = 0
    first: Row | None = None
    for what, condition, holds in instances:
        tried, met = tried + 1, met + condition
        if condition and not holds:
            broken, first = broken + 1, first or what
    return {"tried": tried, "met": met, "broken": broken, "counterexample": first}


# scenes: a text of tokens with values in it, no tokenizer and no model


def span(start: int, length: int, rank: float = 0.0, confidence: float = 0.9) -> SponsoredSpan:
    """A value whose anchor stands right before it."""
    return SponsoredSpan(
        label=Span(start, start),
        value=Span(start, start + length),
        anchor=start - 1,
        budget=NUMBERS.budget,
        confidence=confidence,
        rule="claim",
        source="unknown",
        rank=Rank(rank),
    )


def scene(
    spans: Sequence[SponsoredSpan], *, faded: float = 1.0, utility: Floats | None = None
) -> LiveTokens:
    """All tokens of a text, none evicted; recency at its weight where no utility is given.

    ``faded``: what is left of every sponsor budget."""
    positions = np.arange(LENGTH)
    voucher = vouchers(positions, spans, [faded * s.budget for s in spans], NUMBERS)
    own = 0.5 * positions / LENGTH if utility is None else utility
    return LiveTokens(positions, LENGTH, own, voucher, tuple(spans))


def whole(
    found: LiveTokens, selection: PartitionSelection | SpanSelection, budget: int
) -> list[bool]:
    """Whether each value of a scene is kept whole."""
    keep = selection.select(found, budget).keep
    return [bool(keep[s.value.start : s.value.end].all()) for s in found.spans]


BUDGETS = (9, 12, 16, 24, 32, 64)
PARTITIONS = ("quarter", "strict")
VALUES_ALONE = SpanSelection(1, 4, choices=Choices(keep_closing_token=False))  # as theorems count
DECAY = 0.9
BOUND = (-0.1, 0.8)  # of TA-Fast's utility without vouchers


def starts(count: int) -> list[int]:
    """Where values stand: evenly spread, none at an end of the text."""
    return [LENGTH * (i + 1) // (count + 1) for i in range(count)]


def partition(name: str) -> PartitionSelection:
    """The paper's selection with one of ``PARTITIONS``."""
    return PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]


def equal(count: int) -> LiveTokens:
    """So many values of the paper's length, alike."""
    return scene([span(start, SPAN) for start in starts(count)])


def worst(count: int, low: float, high: float, faded: float = 1.0) -> LiveTokens:
    """The same where tokens of a value have the utility ``low``, all others ``high``."""
    found = equal(count)
    inside = [np.isin(found.positions, range(s.value.start, s.value.end)) for s in found.spans]
    return scene(found.spans, faded=faded, utility=np.where(np.any(inside, 0), low, high))


# theorem 1: attention-based eviction fails


def dormant_survives() -> Iterator[Instance]:
    """One sink takes the attention, the dormant token a hundredth, the others nothing."""
    thresholds = (0.005, 0.1, 0.5, 1.0)  # of the first it is not dormant
    for length, budget, threshold in product((400, 4_000, 40_000), (16, 64), thresholds):
        attention, dormant = np.zeros(length), length // 2
        attention[0], attention[dormant] = length, 0.01
        bound = budget / (threshold * length)
        kept = bool(top(attention, budget, np.ones(length, bool))[dormant])
        what = {"n": length, "K": budget, "epsilon": threshold, "bound": round(bound, 4)}
        met = bool(attention[dormant] < threshold) and bound < 1
        yield Instance({**what, "kept": kept}, met, not kept)


def rank_decides() -> Iterator[Instance]:
    """Kept if and only if fewer than K stand before; exchangeable ones with at most K / m."""
    for seed, budget in product(range(20), (3, 16)):
        attention = np.random.default_rng(seed).random(60)
        before = (attention[None] > attention[:, None]).sum(1)
        kept = top(attention, budget, np.ones(60, bool))
        yield Instance({"seed": seed, "K": budget}, True, bool((kept == (before < budget)).all()))
    for budget, low, high in ((3, 5, 2), (2, 4, 0), (4, 6, 3)):
        orders = list(permutations(range(low)))
        share = np.mean([
            top(np.array([*order, *[9.0] * high], float), budget, np.ones(low + high, bool))[0]
            for order in orders
        ])  # fmt: skip
        what = {"K": budget, "dormant": low, "share kept": round(float(share), 3)}
        yield Instance(what, True, bool(share <= budget / low))


# theorem 2: sponsorship guarantees retention


def span_kept() -> Iterator[Instance]:
    """K >= 1 + W + L, one to five anchors, two partitions; TA-Fast's utility."""
    for budget, anchors, name in product(BUDGETS, range(1, 6), PARTITIONS):
        kept = whole(equal(anchors), partition(name), budget)
        what = {"K": budget, "anchors": anchors, "partition": name, "whole": sum(kept)}
        yield Instance(what, budget >= SINKS + WINDOW + SPAN, all(kept))


def span_kept_by_protected_slots() -> Iterator[Instance]:
    """K_p >= L, whatever the attention is: plain tokens of utility 50, values of none."""
    selection = partition("quarter")
    for budget, anchors in product((*BUDGETS, 128), range(1, 4)):
        kept = whole(worst(anchors, 0.0, 50.0), selection, budget)
        protected = selection.num_protected(budget)
        what = {"K": budget, "K_p": protected, "anchors": anchors, "whole": sum(kept)}
        yield Instance(what, protected >= SPAN, all(kept))


def span_kept_later() -> Iterator[Instance]:
    """One anchor, K = 16: B has lost a tenth at each of so many steps, and sponsors as many."""
    for steps, name in product(range(0, 61), PARTITIONS):
        selection, found = partition(name), scene([span(LENGTH // 2, SPAN)], faded=DECAY**steps)
        met = selection.mandatory + int((found.voucher > 0).sum()) <= 16
        yield Instance({"steps": steps, "partition": name}, met, all(whole(found, selection, 16)))


def vouchers_suffice() -> Iterator[Instance]:
    """``kept_by_vouchers`` promises a token: it is kept under the worst utilities in the bound."""
    low, high = BOUND
    for budget, anchors, steps, name in product(BUDGETS, (1, 2, 3), (0, 10, 27, 40), PARTITIONS):
        found = worst(anchors, low, high, faded=DECAY**steps)
        mandatory = (found.positions < SINKS) | (found.positions >= LENGTH - WINDOW)
        sure = kept_by_vouchers(found.voucher, mandatory, low, high, budget)
        sponsored = found.voucher > 0
        keep = partition(name).select(found, budget).keep
        what = {"K": budget, "anchors": anchors, "steps": steps, "partition": name}
        yield Instance(what, bool((sure & sponsored).any()), bool(keep[sure].all()))


def certificates_hold() -> Iterator[Instance]:
    """``certify`` guarantees a value if and only if it is admitted, for any utilities."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        places = rng.choice(np.arange(10, LENGTH - 40, 30), rng.integers(1, 6), replace=False)
        spans = [
            span(int(p), int(rng.integers(1, 25)), rank=float(i)) for i, p in enumerate(places)
        ]
        budget = int(rng.choice(BUDGETS))
        found = scene(spans, utility=rng.normal(0, 10.0 ** rng.integers(0, 6), LENGTH))
        promised = {
            c.span.value for c in certify(VALUES_ALONE, LENGTH, spans, budget)
            if c.status == "guaranteed"
        }  # fmt: skip
        selected = VALUES_ALONE.select(found, budget)
        admitted = {one.value for one in selected.admitted}
        kept = all(selected.keep[v.start : v.end].all() for v in promised)
        yield Instance({"seed": seed, "K": budget}, True, promised == admitted and kept)


# theorem 3: the minimum budget


def minimum_is_enough() -> Iterator[Instance]:
    """K* = 1 + W + l for one value of l tokens, none of its tokens in the window."""
    for length, name in product(range(1, 21), PARTITIONS):
        budget = SINKS + WINDOW + length
        kept = whole(scene([span(LENGTH // 2, length)]), partition(name), budget)
        what = {"value": length, "K*": budget, "partition": name}
        yield Instance(what, True, all(kept))


def minimum_is_exact() -> Iterator[Instance]:
    """``minimum_budget``: all values are kept at it, and not all at any smaller budget."""
    for seed in range(60):
        rng = np.random.default_rng(100 + seed)
        spans = [
            span(int(p), int(rng.integers(1, 15)), float(i))
            for i, p in enumerate(rng.choice(np.arange(5, LENGTH - 20, 20), rng.integers(1, 5)))
        ]
        selection, found = VALUES_ALONE, scene(spans)
        least = minimum_budget(selection, LENGTH, spans)
        enough = all(whole(found, selection, least))
        smaller = range(selection.mandatory, least)
        admitted = [len(selection.select(found, k).admitted) for k in smaller]
        exact = all(number < len(spans) for number in admitted)
        yield Instance({"seed": seed, "K*": least}, True, enough and exact)


# theorem 4: decoys


def decoys_tolerated() -> Iterator[Instance]:
    """K >= 1 + W + (m + 1) L: every span is whole."""
    for budget, decoys, name in product((*BUDGETS, 128), range(0, 9), PARTITIONS):
        kept = whole(equal(decoys + 1), partition(name), budget)
        what = {"K": budget, "decoys": decoys, "partition": name, "whole": sum(kept)}
        yield Instance(what, SINKS + WINDOW + (decoys + 1) * SPAN <= budget, all(kept))


def decoys_share() -> Iterator[Instance]:
    """Otherwise the true value has probability 1 / (m + 1): one of the spans must be whole."""
    for budget, decoys, name in product(BUDGETS, range(1, 9), PARTITIONS):
        kept = whole(equal(decoys + 1), partition(name), budget)
        enough = SINKS + WINDOW + (decoys + 1) * SPAN <= budget
        what = {"K": budget, "decoys": decoys, "partition": name, "whole": sum(kept)}
        yield Instance(what, not enough, sum(kept) == 1)


def whole_spans_counted() -> Iterator[Instance]:
    """Whole spans: the best min(m + 1, floor((K - 2) / l)) are kept."""
    for budget, decoys, length in product(BUDGETS, range(0, 9), (3, 6, 11)):
        spans = [span(s, length, float(i)) for i, s in enumerate(starts(decoys + 1))]
        number = len(VALUES_ALONE.select(scene(spans), budget).admitted)
        expected = min(decoys + 1, (budget - 2) // length)
        what = {"K": budget, "decoys": decoys, "value": length, "whole": number}
        yield Instance(what, True, number == expected)


CHECKS = {
    "Theorem 1": (dormant_survives, rank_decides),
    "Theorem 2, body": (span_kept, certificates_hold),
    "Theorem 2, appendix": (span_kept_by_protected_slots, vouchers_suffice),
    "Theorem 2, over time": (span_kept_later, vouchers_suffice),
    "Theorem 3": (minimum_is_enough, minimum_is_exact),
    "Theorem 4, first half": (decoys_tolerated, whole_spans_counted),
    "Theorem 4, second half": (decoys_share, whole_spans_counted),
}
"""Instances of what the paper states, and of what holds in its place, by ``data/claims.toml``."""


COROLLARY_WINDOW = 4  # W of the paper's corollaries; its section 3.3 keeps the newest two
VALUE = 10  # tokens of its typical key
TOKENS = 4000  # of its context


@dataclass(frozen=True)
class Number:
    """``formula`` in words and its result at K; ``printed``: what the selection does there."""

    formula: str
    result: Callable[[int], float]
    printed: Callable[[int], float] | None = None


COROLLARY = PartitionSelection(SINKS, COROLLARY_WINDOW, "quarter")
"""The paper's selection, with its quarter of K for protected slots."""


def least_voucher(_: int) -> float:
    """The smallest voucher of a span right after its anchor was read."""
    found = scene([span(LENGTH // 2, SPAN)]).voucher
    return float(found[found > 0].min())


def least_budget(_: int) -> float:
    """The smallest K that keeps a value of ``VALUE`` tokens in the middle of a text whole."""
    found = scene([span(LENGTH // 2, VALUE)])
    budgets = range(COROLLARY.mandatory, LENGTH + 1)
    return next(k for k in budgets if all(whole(found, COROLLARY, k)))


def decoys(budget: int) -> float:
    """The most decoys beside which every span is whole."""
    return next(n for n in count() if not all(whole(equal(n + 2), COROLLARY, budget)))


WORKED = {
    "least voucher of a span": Number(
        "B 0.8^L", lambda _: NUMBERS.budget * NUMBERS.token_decay**SPAN, least_voucher
    ),
    "least K": Number("1 + W + l", lambda _: SINKS + COROLLARY_WINDOW + VALUE, least_budget),
    "protected slots": Number(
        "K - 1 - W", lambda k: k - SINKS - COROLLARY_WINDOW, COROLLARY.num_protected
    ),
    "decoys tolerated": Number(
        "floor(K_p / L) - 1", lambda k: floor((k - SINKS - COROLLARY_WINDOW) / SPAN) - 1, decoys
    ),
    "dormant tokens kept": Number("100 K / n", lambda k: 100 * k / TOKENS),
}
"""By the paper's measure."""


HOLDS, FALSE = "holds", "false as stated"


def run(context: Context) -> Record:
    """A row a claim, and one a number that the paper works out."""
    return {"rows": run_parts(context, all_jobs())}


def all_jobs() -> list[Job]:
    """Claims, then numbers."""
    claims = [
        Job({"part": "claim", "name": name, "line": claim["line"]}, partial(_claimed, name, claim))
        for name, claim in table("claims").items()
    ]
    stated = [figure for figure in figures("theorems") if figure.measure in WORKED]
    return [*claims, *map(_number, stated)]


def _claimed(name: str, claim: Row) -> Row:
    stated, corrected = (checked(check()) for check in CHECKS[name])
    return {
        "paper": claim["paper"], "stated": stated, "sound": claim["sound"], "corrected": corrected,
    }  # fmt: skip


def _number(figure: Figure) -> Job:
    budget, number = figure.match.get("budget"), WORKED[figure.measure]
    key = {"part": "number", "name": figure.measure, "budget": budget, "line": figure.line}

    def worked() -> Row:
        printed = None if number.printed is None else number.printed(budget or 0)
        return {
            "formula": number.formula, "result": number.result(budget or 0), "printed": printed,
        }  # fmt: skip

    return Job(key, worked)


def render(record: Record) -> str:
    """A line for each claim and each number, and one of judgement."""
    claims = [row for row in record["rows"] if row["part"] == "claim"]
    stated = {(f.measure, f.match.get("budget")): f for f in reversed(figures("theorems"))}
    numbers = [
        (row, stated[row["name"], row["budget"]])
        for row in record["rows"]
        if row["part"] == "number"
    ]
    text = section(
        "theorems", record, claims=claims, numbers=numbers, window=COROLLARY_WINDOW, length=VALUE,
        span=SPAN, tokens=TOKENS, text=LENGTH,
    )  # fmt: skip
    return f"{text}\n\n{judgement(claims)}"


def judgement(rows: Sequence[Row]) -> str:
    """How many claims have a counterexample, and whether every corrected form holds."""
    false = [row["name"] for row in rows if row["stated"]["broken"]]
    wrong = [row["name"] for row in rows if row["corrected"]["broken"]]
    corrected = f"broken for {'; '.join(wrong)}" if wrong else "all hold"
    named = f"; counterexamples to {'; '.join(false)}" if false else ""
    words = [FALSE if row["stated"]["broken"] else HOLDS for row in rows]
    verdict = overall(words, "claims", words=(HOLDS, FALSE))
    return f"Judgement: {verdict}{named}; the corrected forms: {corrected}."
