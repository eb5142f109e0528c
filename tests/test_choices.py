"""Each choice of the default preset, taken back: what it does then, and what holds all the same."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import after_cut, candidates, held, span, tokens
from test_selection import scenes
from transactional_attention import Choices, InputError, Retention, plan
from transactional_attention.retention.saving.records import plain, record_of
from transactional_attention.selection.selection import SpanSelection

NAMES = [field.name for field in fields(Choices)]


def without(name, sinks=1, recent=4):
    return SpanSelection(sinks, recent, choices=Choices(**{name: False}))


@given(scenes(), st.fixed_dictionaries({name: st.booleans() for name in NAMES}))
def test_the_budget_holds_whatever_is_taken_back(scene, taken):
    selection, live_tokens, budget = scene
    selected = replace(selection, choices=Choices(**taken)).select(live_tokens, budget)
    assert selected.keep.sum() == min(budget, len(live_tokens.positions))
    assert selected.held.sum() < budget
    for admitted in selected.admitted:
        assert tokens(admitted.value) <= held(live_tokens, selected.keep & selected.held)


def test_a_value_that_does_not_fit_is_cut():
    live_tokens = candidates(80, [span(20, 30)])
    assert not tokens(span(20, 30).value) & held(
        live_tokens, SpanSelection(1, 4).select(live_tokens, 16).held
    )
    selected = without("whole").select(live_tokens, 16)
    assert set(range(20, 34)) <= held(live_tokens, selected.keep)
    assert not selected.admitted and len(selected.refused) == 1


def test_ends_that_do_not_yield_leave_a_value_out():
    live_tokens = candidates(80, [span(20, 12)])
    assert SpanSelection(1, 4).select(live_tokens, 16).admitted
    selected = without("ends_may_yield").select(live_tokens, 16)
    assert not selected.admitted and selected.recent == 4 and not selected.yielded


def test_labels_go():
    live_tokens = candidates(40, [span(20, 6, label=3)])
    assert not {17, 18, 19} & held(live_tokens, without("labels").select(live_tokens, 16).held)


def test_values_are_admitted_in_the_order_of_the_text():
    spans = [span(10, 7, rank=1), span(30, 7, rank=3), span(50, 7, rank=2)]
    selected = without("ranked").select(candidates(80, spans), 16)
    assert selected.admitted == (spans[0], spans[1])


def test_a_value_goes_with_its_label():
    spans = [span(10, 4, label=3), span(30, 4)]
    present = [p for p in range(60) if p != 8]  # of the label of the first
    live_tokens = candidates(60, spans, positions=present)
    assert set(SpanSelection(1, 4).select(live_tokens, 16).admitted) == set(spans)
    assert without("survives_label").select(live_tokens, 16).admitted == (spans[1],)


def positions(text, tokenizer, **taken):
    flow = after_cut(text, tokenizer, Retention(16, choices=Choices(**taken)))
    return int(flow.lengths[0]), flow.table.positions[0].tolist()


def test_the_room_that_is_left_goes_to_the_newest(tokenizer):
    """Frequent tokens make no holes in them, as they do by eq. 3."""
    text = "Rain falls on the hill. " * 8 + "Then it stops, and the sun comes out."
    length, newest = positions(text, tokenizer)
    assert newest == [0, *range(length - 15, length)]
    _, holed = positions(text, tokenizer, newest=False)
    assert len(holed) == 16 and holed != newest


@pytest.mark.parametrize("name", NAMES)
def test_what_is_taken_back_is_saved_and_promises_nothing(name, tokenizer):
    retention = Retention(24, choices=Choices(**{name: False}))
    assert record_of(Retention, plain(retention)) == retention
    with pytest.raises(InputError, match="nothing is promised"):
        plan("The door code is 4711.", tokenizer, retention)
    with pytest.raises(InputError, match="default preset"):
        replace(retention, preset="paper")


@pytest.mark.parametrize(("former", "name"), Choices.FORMER.items())
def test_the_former_name_of_a_choice_still_works(former, name):
    off = Choices(**{name: False})
    assert off != Choices() and Choices(**{former: False}) == replace(Choices(), **{former: False})
    assert Choices(**{former: False}) == off
    saved = {former if key == name else key: value for key, value in plain(off).items()}
    assert record_of(Choices, saved) == off
