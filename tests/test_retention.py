"""What is admitted at a cut survives decoding; padding goes first; required ranges are kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import tokens
from transactional_attention import BudgetError, Retention
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.selection import PartitionSelection, SpanSelection
from transactional_attention.selection.slot_table import PADDING


def started(retention, length, rows=1, valid=None):
    """A flow after the cut of a prompt; the control ``random`` reads no text."""
    flow = RetentionFlow(retention, None, rows)
    ids = np.arange(rows * length).reshape(rows, length) % 7
    flow.read(ids, np.ones((rows, length), bool) if valid is None else valid, final=True)
    (table,) = flow.tables.values()
    flow.cut(table)
    return flow, table


@st.composite
def protected(draw):
    """A retention with ranges that the caller names, none required; the prompt; the steps."""
    sinks, recent = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    preset = draw(st.sampled_from(["default", "paper"]))
    retention = Retention(
        budget=draw(st.integers(max(sinks + recent, 2), 24)),
        method="random",
        preset=preset,
        sinks=sinks,
        recent=recent,
        seed=draw(st.integers(0, 5)),
    )
    length = draw(st.integers(2, 60))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, length - 1))
        end = draw(st.integers(start + 1, min(start + 12, length)))
        retention = retention.protect(start, end, unit="tokens", required=False)
    return retention, length, draw(st.integers(1, 70))


@given(protected())
def test_admitted_values_survive_any_number_of_decode_steps(scene):
    retention, length, steps = scene
    flow, table = started(retention, length)
    admitted = table.selected[0].admitted
    for _ in range(steps):
        flow.decode(evict=True)
        assert table.width <= retention.budget
        live = set(table.positions[0].tolist())
        assert len(live) == min(retention.budget, flow.lengths[0])
        assert all(tokens(item.value) <= live for item in admitted)


@given(protected())
def test_decoding_keeps_the_newest_tokens_and_the_sinks(scene):
    retention, length, steps = scene
    flow, table = started(retention, length)
    selected = table.selected[0]
    sinks = flow.selection.sinks - (selected.yielded - (flow.selection.recent - selected.recent))
    for _ in range(steps):
        flow.decode(evict=True)
    end = int(flow.lengths[0])
    newest = set(range(max(end - max(selected.recent, 1), 0), end))
    held_values = {p for item in selected.admitted for p in tokens(item.value)}
    live = set(table.positions[0].tolist())
    if len(newest | held_values | set(range(sinks))) <= retention.budget:
        assert newest <= live
    assert set(range(min(sinks, length))) <= live


@given(st.integers(0, 4), st.integers(1, 4), st.integers(0, 30))
def test_padding_gives_way_first(padding, recent, steps):
    valid = np.ones((2, 12), bool)
    valid[1, :padding] = False
    flow, table = started(Retention(budget=10, method="random", recent=recent), 12, 2, valid)
    for step in range(steps):
        before = set(table.positions[1].tolist()) - {PADDING}
        had_padding = (table.positions[1] == PADDING).any()
        flow.decode(evict=True)
        if had_padding:
            assert before <= set(table.positions[1].tolist())
        assert (table.positions[1] != PADDING).sum() == min(10, 12 - padding + step + 1)


@given(st.integers(1, 12), st.integers(1, 12))
def test_a_required_range_is_kept_or_its_budget_is_named(length, start):
    retention = Retention(budget=8, method="random").protect(start, start + length, unit="tokens")
    try:
        _, table = started(retention, 30)
    except BudgetError as error:
        needed = int(str(error).rsplit(" ", 1)[1])
        assert needed > 8
        ranges = retention.protected
        _, table = started(Retention(budget=needed, method="random", protected=ranges), 30)
        with pytest.raises(BudgetError):
            started(Retention(budget=max(needed - 1, 5), method="random", protected=ranges), 30)
    assert set(range(start, start + length)) <= set(table.positions[0].tolist())


@given(
    st.lists(st.booleans(), min_size=8, max_size=8), st.lists(st.booleans(), min_size=8, max_size=8)
)
def test_the_victim_is_neither_held_nor_recent_while_another_exists(hold, recent):
    hold, recent = np.array([hold]), np.array([recent])
    utility, voucher = np.linspace(0, 1, 8)[None], np.zeros((1, 8))
    for selection in (SpanSelection(1, 2), PartitionSelection(1, 2, "quarter")):
        victim = int(selection.victim(utility, voucher, hold, recent)[0])
        if not (hold | recent).all():
            assert victim == int(np.flatnonzero(~(hold | recent)[0])[0])
        elif not hold.all():
            assert not hold[0, victim]
