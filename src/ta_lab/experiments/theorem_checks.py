"""The paper's theorems over grids of instances, and the corrected forms over the same kind.

The selection that runs is the library's own; ``guarantee.py`` supplies the corrected forms, and
``docs/guarantees.md`` argues them. Nothing is random but utilities, from fixed seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import numpy as np

from transactional_attention.config import Choices
from transactional_attention.selection.guarantee import certify, kept_by_vouchers, minimum_budget
from transactional_attention.selection.selection import PartitionSelection, SpanSelection, top

from .claims import LENGTH, SINKS, SPAN, WINDOW, Claim, Instance, scene, span, whole

BUDGETS = (9, 12, 16, 24, 32, 64)
PARTITIONS = ("quarter", "strict")
VALUES_ALONE = SpanSelection(1, 4, choices=Choices(closing=False))  # as theorems count
DECAY = 0.9
BOUND = (-0.1, 0.8)  # of TA-Fast's utility without vouchers


def starts(count: int) -> list[int]:
    """Where values stand: evenly spread, none at an end of the text."""
    return [LENGTH * (i + 1) // (count + 1) for i in range(count)]


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
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        found = scene([span(start, SPAN) for start in starts(anchors)])
        kept = whole(found, selection, budget)
        what = {"K": budget, "anchors": anchors, "partition": name, "whole": sum(kept)}
        yield Instance(what, budget >= SINKS + WINDOW + SPAN, all(kept))


def span_kept_by_protected_slots() -> Iterator[Instance]:
    """K_p >= L, whatever the attention is: plain tokens of utility 50, values of none."""
    for budget, anchors in product((*BUDGETS, 128), range(1, 4)):
        selection = PartitionSelection(SINKS, WINDOW, "quarter")
        utility = np.full(LENGTH, 50.0)
        spans = [span(start, SPAN) for start in starts(anchors)]
        for one in spans:
            utility[one.value.start : one.value.end] = 0.0
        kept = whole(scene(spans, utility=utility), selection, budget)
        protected = selection.num_protected(budget)
        what = {"K": budget, "K_p": protected, "anchors": anchors, "whole": sum(kept)}
        yield Instance(what, protected >= SPAN, all(kept))


def span_kept_later() -> Iterator[Instance]:
    """One anchor, K = 16: B has lost a tenth at each of so many steps, and sponsors as many."""
    for steps, name in product(range(0, 61), PARTITIONS):
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        found = scene([span(LENGTH // 2, SPAN)], faded=DECAY**steps)
        met = selection.mandatory + int((found.voucher > 0).sum()) <= 16
        yield Instance({"steps": steps, "partition": name}, met, all(whole(found, selection, 16)))


def vouchers_suffice() -> Iterator[Instance]:
    """``kept_by_vouchers`` promises a token: it is kept under the worst utilities in the bound."""
    low, high = BOUND
    for budget, anchors, steps, name in product(BUDGETS, (1, 2, 3), (0, 10, 27, 40), PARTITIONS):
        utility = np.full(LENGTH, high)
        spans = [span(start, SPAN) for start in starts(anchors)]
        for one in spans:
            utility[one.value.start : one.value.end] = low
        found = scene(spans, faded=DECAY**steps, utility=utility)
        mandatory = (found.positions < SINKS) | (found.positions >= LENGTH - WINDOW)
        sure = kept_by_vouchers(found.voucher, mandatory, low, high, budget)
        sponsored = found.voucher > 0
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        keep = selection.select(found, budget).keep
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
        selection = VALUES_ALONE
        found = scene(spans, utility=rng.normal(0, 10.0 ** rng.integers(0, 6), LENGTH))
        promised = {
            c.span.value for c in certify(selection, LENGTH, spans, budget)
            if c.status == "guaranteed"
        }  # fmt: skip
        selected = selection.select(found, budget)
        admitted = {one.value for one in selected.admitted}
        kept = all(selected.keep[v.start : v.end].all() for v in promised)
        yield Instance({"seed": seed, "K": budget}, True, promised == admitted and kept)


# theorem 3: the minimum budget


def minimum_is_enough() -> Iterator[Instance]:
    """K* = 1 + W + l for one value of l tokens, none of its tokens in the window."""
    for length, name in product(range(1, 21), PARTITIONS):
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        budget = SINKS + WINDOW + length
        kept = whole(scene([span(LENGTH // 2, length)]), selection, budget)
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
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        kept = whole(scene([span(s, SPAN) for s in starts(decoys + 1)]), selection, budget)
        what = {"K": budget, "decoys": decoys, "partition": name, "whole": sum(kept)}
        yield Instance(what, SINKS + WINDOW + (decoys + 1) * SPAN <= budget, all(kept))


def decoys_share() -> Iterator[Instance]:
    """Otherwise the true value has probability 1 / (m + 1): one of the spans must be whole."""
    for budget, decoys, name in product(BUDGETS, range(1, 9), PARTITIONS):
        selection = PartitionSelection(SINKS, WINDOW, name)  # type: ignore[arg-type]
        kept = whole(scene([span(s, SPAN) for s in starts(decoys + 1)]), selection, budget)
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


CLAIMS: tuple[Claim, ...] = (
    Claim("Theorem 1", 373, "a dormant token is kept with probability at most K / (epsilon n)",
          dormant_survives,
          "kept if and only if fewer than K stand before it; exchangeable ones with K / m at most",
          rank_decides),
    Claim("Theorem 2, body", 382, "K >= 1 + W + L keeps the span with probability 1", span_kept,
          "a value is admitted if and only if it fits beside the ends and the values before it",
          certificates_hold),
    Claim("Theorem 2, appendix", 468, "K_p >= L keeps the span regardless of attention",
          span_kept_by_protected_slots,
          "bounded utilities, and all that can reach the token's within K", vouchers_suffice),
    Claim("Theorem 2, over time", 151, "what is sponsored stays, while B decays at every step",
          span_kept_later,
          "bounded utilities, and all that can reach the token's within K, at that step",
          vouchers_suffice),
    Claim("Theorem 3", 391, "K* = 1 + W + l keeps a value of l tokens", minimum_is_enough,
          "K* is the largest, over the values by rank, of what this one and those before need",
          minimum_is_exact),
    Claim("Theorem 4, first half", 395, "K >= 1 + W + (m + 1) L keeps every span",
          decoys_tolerated, "whole spans: the best min(m + 1, floor((K - 2) / l)) are kept",
          whole_spans_counted),
    Claim("Theorem 4, second half", 395, "otherwise the true value is kept with 1 / (m + 1)",
          decoys_share, "whole spans: the best min(m + 1, floor((K - 2) / l)) are kept",
          whole_spans_counted),
)  # fmt: skip
