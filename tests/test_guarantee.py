"""Certificates against the real selection: sound, complete, and K* is the smallest budget; their
work grows with the text, not with its square."""

from itertools import count

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from candidates import candidates, held, span, tokens
from transactional_attention.config import Choices
from transactional_attention.selection import guarantee
from transactional_attention.selection.guarantee import certify, kept_by_vouchers, minimum_budget
from transactional_attention.selection.selection import PartitionSelection, SpanSelection

CONFIDENCES = [0.3, 0.49, 0.5, 0.8, 0.9, 1.0]


@st.composite
def texts(draw):
    """(selection, length, spans) of a whole text; values may overlap and hold either end."""
    length = draw(st.integers(1, 50))
    spans = []
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, length - 1))
        size = draw(st.integers(1, min(12, length - start)))
        rank = draw(st.integers(0, 4))
        label = draw(st.integers(0, min(start, 4)))
        sure = draw(st.sampled_from(CONFIDENCES))
        odd = draw(st.integers(0, 2))
        spans.append(span(start, size, label=label, rank=rank, confidence=sure, doubtful=odd))
    ends = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    limits = (draw(st.sampled_from(numbers)) for numbers in ([0, 3, 8, 64], [0, 2, 16]))
    selection = SpanSelection(*ends, *limits, on_top=draw(st.booleans()))
    return selection, length, spans


def utilities(draw, length):
    numbers = st.floats(-1e6, 1e6, allow_nan=False)
    return draw(st.lists(numbers, min_size=length, max_size=length))


@given(texts(), st.integers(1, 60), st.data())
def test_what_is_guaranteed_is_kept_for_every_utility(text, budget, data):
    selection, length, spans = text
    budget = max(budget, selection.mandatory)
    live_tokens = candidates(length, spans, utility=utilities(data.draw, length))
    selected = selection.select(live_tokens, budget)
    for item in certify(selection, length, spans, budget):
        extent = selection.extent(item.span)
        wanted = tokens(extent) & set(range(length)) if item.status == "guaranteed" else set()
        wanted |= tokens(item.span.value) if item.kept else set()
        assert wanted <= held(live_tokens, selected.keep)
        assert budget >= length or wanted <= held(live_tokens, selected.held)


@given(texts(), st.integers(1, 60))
def test_what_is_not_guaranteed_is_refused(text, budget):
    """The certificate is complete: what it says is kept is admitted, and all else is refused."""
    selection, length, spans = text
    budget = min(max(budget, selection.mandatory), length - 1)  # what fits is not cut
    assume(budget >= max(selection.mandatory, 1))
    selected = selection.select(candidates(length, spans), budget)
    certificates = certify(selection, length, spans, budget)
    assert [c.span for c in certificates if c.kept] == list(selected.admitted)
    assert [c.span for c in certificates if not c.kept] == list(selected.refused)
    assert all(c.kept for c in certificates if c.status == "guaranteed")


@given(texts(), st.integers(1, 60))
def test_a_value_at_risk_would_be_kept_without_its_competitors(text, budget):
    selection, length, spans = text
    budget = max(budget, selection.mandatory)
    for item in certify(selection, length, spans, budget):
        if budget >= length:
            assert (item.status, item.kept) == ("guaranteed", True)
            continue
        alone = selection.select(candidates(length, [item.span]), budget)
        assert bool(alone.admitted) == (item.status != "does not fit")
        assert not item.competitors or item.status == "at risk"
        assert item.competitors or item.kept or item.status != "at risk"
        assert all(other.rank >= item.span.rank for other in item.competitors)


@given(texts())
def test_every_value_is_kept_from_k_star_on_and_not_below(text):
    selection, length, spans = text
    smallest = minimum_budget(selection, length, spans)
    for budget in range(max(selection.mandatory, 1), smallest + 20):
        live_tokens = candidates(length, spans)
        selected = selection.select(live_tokens, budget)
        hold = held(live_tokens, selected.keep if budget >= length else selected.held)
        extents = (tokens(selection.extent(s)) & set(range(length)) for s in spans)
        assert budget < smallest or all(extent <= hold for extent in extents)
        certificates = certify(selection, length, spans, budget)
        assert all(c.status == "guaranteed" for c in certificates) == (budget >= smallest)


@given(texts())
def test_a_budget_of_its_own_keeps_a_value(text):
    selection, length, spans = text
    for item in certify(selection, length, spans, 60):
        live_tokens = candidates(length, spans)
        kept = held(live_tokens, selection.select(live_tokens, item.least).keep)
        assert tokens(item.span.value) <= kept
        assert item.least <= max(length, selection.mandatory, 1)


def test_k_star_of_one_value_beside_ends_that_yield():
    """Seven tokens, the closing one, a sink and the newest token: ten, not 1 + W + 8."""
    selection = SpanSelection(1, 4)
    assert minimum_budget(selection, 100, [span(40, 7)]) == 10
    assert minimum_budget(selection, 100, [span(40, 7, confidence=0.4)]) == 13
    assert minimum_budget(selection, 100, [span(93, 7)]) == 9  # the newest slot stays free
    assert minimum_budget(selection, 100, []) == 5


def test_a_token_of_the_least_useful_value_is_lost_below_k_star():
    """Below K* a closing token goes, then tokens of a value, not just the admission."""
    selection, spans = SpanSelection(1, 4), [span(20, 7, rank=2), span(40, 7, rank=1)]
    worst = np.ones(100)
    worst[40:47] = -1.0
    live_tokens = candidates(100, spans, utility=worst)
    smallest = minimum_budget(selection, 100, spans)
    assert smallest == 18
    whole = set(range(20, 27)) | set(range(40, 47))
    closed = whole | {27, 47}
    keeps = [
        held(live_tokens, selection.select(live_tokens, smallest - less).keep) for less in range(4)
    ]
    assert closed <= keeps[0]
    assert [whole <= keep for keep in keeps] == [True, True, True, False]
    assert [len(closed - keep) for keep in keeps[:3]] == [0, 1, 2]


@st.composite
def sponsored_tokens(draw):
    """(utility, voucher) with base utilities in [-0.1, 0.8], as TA-Fast has them."""
    length = draw(st.integers(1, 40))
    base = st.lists(st.floats(-0.1, 0.8), min_size=length, max_size=length)
    boost = st.sampled_from([0.0, 0.0, 0.1, 0.9, 3.9, 4.9, 12.0])
    return draw(base), draw(st.lists(boost, min_size=length, max_size=length))


@given(sponsored_tokens(), st.integers(0, 3), st.integers(0, 3), st.integers(1, 40))
def test_vouchers_keep_what_the_corrected_theorem_says(scene, sinks, recent, budget):
    utility, voucher = scene
    budget = max(budget, sinks + recent)
    live_tokens = candidates(len(utility), utility=utility, voucher=voucher)
    mandatory = (live_tokens.positions < sinks) | (live_tokens.positions >= len(utility) - recent)
    sure = kept_by_vouchers(live_tokens.voucher, mandatory, -0.1, 0.8, budget)
    for partition in ("quarter", "strict", "audit"):
        keep = PartitionSelection(sinks, recent, partition).select(live_tokens, budget).keep
        assert not (sure & ~keep).any()


def test_every_schedule_of_cuts_keeps_values_that_fit_together():
    """The corollary for chunks and turns: all values, the ends and one slot are within K."""
    spans = [span(10, 5, rank=1), span(30, 5, rank=3), span(45, 5, rank=2, confidence=0.5)]
    selection = SpanSelection(1, 4, choices=Choices(keep_closing_token=False))  # as theorems count
    budget = 15 + 5 + 1
    positions, seen_before = np.arange(0), 0
    for border in (12, 20, 33, 34, 47, 60):
        positions = np.concatenate([positions, np.arange(seen_before, border)])
        seen_before = border
        seen = [item for item in spans if item.value.end <= border]
        partial = [span(s.value.start, border - s.value.start, rank=9) for s in spans
                   if s.value.start < border < s.value.end]  # fmt: skip
        live_tokens = candidates(border, [*seen, *partial], positions=positions)
        positions = live_tokens.positions[selection.select(live_tokens, budget).keep]
        assert all(tokens(item.value) <= set(positions.tolist()) for item in seen)


class CountedSet(set):
    """A set that counts the positions that sets read of one another."""

    read = 0

    def update(self, *others):
        CountedSet.read += sum(map(len, others))
        super().update(*others)

    def __or__(self, other):
        CountedSet.read += len(self) + len(other)
        return super().__or__(other)


def work(monkeypatch, num_values):
    """Positions and slots that are read for the certificates of a table, half of it doubtful."""
    ranks = count(start=-num_values)
    spans = [
        span(8 * i + 4, 3, label=2, rank=next(ranks), confidence=1.0 - doubt / 2, doubtful=doubt)
        for i in range(num_values)
        for doubt in (i % 2,)
    ]
    slots, count_nonzero = [0], np.count_nonzero

    def counted(mask, *args, **kwargs):
        slots[0] += np.size(mask)
        return count_nonzero(mask, *args, **kwargs)

    monkeypatch.setattr(CountedSet, "read", 0)
    with monkeypatch.context() as patched:
        patched.setattr(guarantee, "set", CountedSet, raising=False)
        patched.setattr(np, "count_nonzero", counted)
        certify(SpanSelection(1, 4), 8 * num_values + 8, spans, 64)
    return CountedSet.read, slots[0]


def test_twice_the_doubtful_values_take_twice_the_work(monkeypatch):
    positions, slots = work(monkeypatch, 400)
    more_positions, more_slots = work(monkeypatch, 800)
    assert 0 < more_positions <= 2.1 * positions
    assert 0 < more_slots <= 2.1 * slots


def test_values_after_the_same_ones_share_the_list_of_them():
    """Else a text of many values that do not fit holds as many lists."""
    spans = [span(10 * i + 5, 4, rank=-i) for i in range(100)]
    refused = [c for c in certify(SpanSelection(1, 4), 1100, spans, 64) if not c.kept]
    assert len(refused) > 80
    assert len({id(c.competitors) for c in refused}) == 1
