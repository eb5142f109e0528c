"""A plan against the flow that really cuts: real detectors, random texts, many generated tokens."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transactional_attention as ta
from candidates import after_cut, tokens
from chat_templates import chat_tokenizer
from scenes import byte_tokenizer
from transactional_attention import InputError, Retention
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.inspection import plan as planning
from transactional_attention.inspection.memory_plan import plan_memory
from transactional_attention.inspection.plan import plan, read_and_cut
from transactional_attention.inspection.report import reasons

TOKENIZER = byte_tokenizer()
PIECES = [
    "The door code is {}. ",
    "api_key: {}\n",
    'password = "{}"\n',
    "My colleague told me that it is {}.\n",
    "Nothing happened that day.\n",
    "see https://{}.example.com/a ",
    "{} ",
]
WORDS = st.text("ABCXYZ0189abz-", min_size=1, max_size=14)


@st.composite
def texts(draw):
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7))
    return "".join(piece.format(draw(WORDS)) for piece in pieces)


def cut(text, retention, steps=0):
    """Positions that are held after the cut and ``steps`` generated tokens."""
    flow = after_cut(text, TOKENIZER, retention)
    for _ in range(steps):
        flow.decode(evict=True)
    return set(flow.table.positions[0].tolist()), flow


@given(texts(), st.integers(5, 80), st.integers(0, 40))
def test_what_is_guaranteed_is_held_after_the_cut_and_while_decoding(text, budget, steps):
    planned = plan(text, TOKENIZER, budget)
    kept, flow = cut(text, Retention(budget), steps)
    (selected,) = flow.table.selected
    whole = [v for v in planned.values if v.kept]
    for value in whole:
        closing = {value.end} & set(range(planned.tokens)) if not value.why else set()
        assert tokens(value) | closing <= kept
    places = {(s.value.start, s.value.end) for s in selected.admitted}
    assert places == {(v.start, v.end) for v in whole}


def test_half_a_surrogate_pair_is_named():
    with pytest.raises(InputError, match="half a surrogate pair at character 21"):
        plan("The door code is 4471\ud800.\n", TOKENIZER, 64)


@given(texts())
def test_k_star_keeps_every_value_and_one_less_does_not(text):
    smallest = plan(text, TOKENIZER, 512).minimum_budget
    whole = plan(text, TOKENIZER, smallest)
    kept, _ = cut(text, Retention(smallest), steps=20)
    assert whole.guaranteed
    assert all(tokens(value) <= kept for value in whole.values)
    if smallest > 5:
        assert not plan(text, TOKENIZER, smallest - 1).guaranteed


@given(texts(), st.integers(5, 60), st.integers(0, 3))
def test_the_scorer_does_not_matter(text, budget, seed):
    """Admission reads no utility: random utilities hold the same values."""
    planned = plan(text, TOKENIZER, Retention(budget, "ta+random", sinks=1, recent=4))
    retention = Retention(budget, "ta+random", sinks=1, recent=4, seed=seed)
    kept, _ = cut(text, retention, steps=10)
    for value in planned.values:
        assert value.status != "guaranteed" or tokens(value) <= kept


def test_a_plan_says_where_a_value_is_and_who_stands_before_it():
    text = "The door code is QX7K9. The vault code is ZZ81-4410-AK.\n"
    planned = plan(text, TOKENIZER, 16, reveal=True)
    first, second = planned.values
    assert [text[slice(*v.characters)] for v in planned.values] == ["QX7K9", "ZZ81-4410-AK"]
    assert (first.text, second.text) == ("QX7K9", "ZZ81-4410-AK")
    assert {first.status, second.status} == {"guaranteed", "at risk"}
    lost, held = sorted(planned.values, key=lambda v: v.status)
    (rival,) = lost.competitors
    assert (rival.start, rival.end) == (held.start, held.end)
    assert "code" in rival.label
    assert planned.minimum_budget == max(v.least for v in planned.values)


def test_a_value_that_cannot_fit_is_no_matter_of_competition():
    (value,) = plan("api_key: " + "A1b2" * 10 + "\n", TOKENIZER, 16).values
    assert (value.status, value.competitors) == ("does not fit", ())
    assert value.least == value.tokens + 3  # its closing token, a sink, the newest


def test_a_value_over_its_cap_fits_no_budget():
    text = 'api_key: "' + "A1b2" * 80 + '"\n'
    (value,) = plan(text, TOKENIZER, 400).values
    assert (value.status, value.least, value.why) == ("does not fit", None, "longer than the cap")


def test_a_corrected_value_is_given_up_and_says_so():
    text = "The door code is QX7K9.\n\nCorrection: the door code is ZZ81-44.\n"
    planned = plan(text, TOKENIZER, 40)
    (value,), (given_up,) = planned.values, planned.given_up
    assert text[slice(*given_up.characters)] == "QX7K9"
    assert (given_up.status, given_up.least) == ("given up", None)
    assert given_up.why == "superseded by a later statement"
    assert (value.why, planned.guaranteed) == ("", True)
    assert planned.to_dict()["given_up"][0]["tokens"] == len("QX7K9")


@pytest.mark.parametrize(
    ("lists", "why"),
    [
        ({"deny": ("api key",)}, "denied by its label: 'api key'"),
        ({"deny": ("pin", "structure:*")}, "denied by its rule: 'structure:*'"),
        ({"allow": ("door code",)}, "neither its label nor its rule is allowed"),
    ],
)
def test_a_value_that_is_not_permitted_says_by_what(lists, why):
    planned = plan("api_key: AB12CD34\n", TOKENIZER, Retention(40, **lists))
    assert planned.values == ()
    assert [value.why for value in planned.given_up] == [why]


def test_values_without_room_say_why():
    text = "The door code is QX7K9. The vault code is ZZ81-4410-AK.\n"
    lost = next(v for v in plan(text, TOKENIZER, 16).values if v.status == "at risk")
    assert lost.why == "1 value stands before it"
    (alone,) = plan("api_key: " + "A1b2" * 10 + "\n", TOKENIZER, 16).values
    assert alone.why == "longer than the budget leaves room for"
    again = "The code is QX7K9.\nNothing.\nThe code is ZZ81-4410-AK.\n"
    old = next(v for v in plan(again, TOKENIZER, 16).values if v.status == "at risk")
    assert old.why == "said again, and 1 value stands before it"


def test_ranges_of_the_caller_are_planned_first():
    text = "Nothing to see but these words. The door code is QX7K9.\n"
    retention = Retention(16).protect(8, 18, required=False)
    caller, code = plan(text, TOKENIZER, retention).values
    assert (caller.rule, caller.status, code.status) == ("caller", "guaranteed", "at risk")
    assert code.competitors[0].start == caller.start


def test_a_text_without_values_needs_the_mandatory_tokens():
    planned = plan("Nothing happened that day.\n", TOKENIZER, 8)
    assert (planned.values, planned.minimum_budget, planned.guaranteed) == ((), 5, True)


@pytest.mark.parametrize(
    ("retention", "words"),
    [
        (Retention(16, "full"), "no budget"),
        (Retention(None), "no budget"),
        (Retention((16, 32)), "one budget"),
        (Retention(16, "streaming-llm"), "protects no value"),
        (Retention(16, "random-spans"), "protects no value"),
        (Retention(16, preset="paper"), "paper preset"),
    ],
)
def test_a_retention_without_promises_is_refused(retention, words):
    with pytest.raises(InputError, match=words):
        plan("api_key: AB12\n", TOKENIZER, retention)


@pytest.mark.parametrize("load", [byte_tokenizer, lambda: ta.load_embedded()[1]])
def test_a_long_text_is_read_in_pieces_as_at_once(load, monkeypatch):
    tokenizer = load()
    text = "Nothing happened that day, and more. " * 200 + PIECES[0].format("X7Q2-19AB") * 2
    whole = plan(text, tokenizer, 64)
    monkeypatch.setattr(planning, "LONG", 100)
    monkeypatch.setattr(planning, "BLOCK", 700)
    assert plan(text, tokenizer, 64) == whole
    assert whole.values


CHAT = [
    {"role": "system", "content": "Be brief. The door code is QX7K2M9P."},
    {
        "role": "user",
        "content": "api_key: Zx81Qw77Lm and my ticket is TK-58213.\n" + "It rained. " * 20,
    },
]


@given(texts(), st.integers(5, 80))
def test_a_label_that_is_said_to_be_held_is(text, budget):
    planned = plan(text, TOKENIZER, budget)
    kept, flow = cut(text, Retention(budget))
    labels = {(s.value.start, s.value.end): s.label for s in flow.table.selected[0].admitted}
    for value in planned.values:
        if value.labelled:
            assert set(labels[value.start, value.end]) <= kept


@pytest.mark.parametrize("budget", [8, 16, 24, 40, 64])
def test_a_chat_is_planned_as_it_is_cut_beside_what_is_pinned(budget):
    tokenizer = chat_tokenizer("chatml")
    prompt, retention = chat_prompt(tokenizer, CHAT), Retention(budget, pinned=("system",))
    planned, flow = plan(prompt, tokenizer, retention), read_and_cut(prompt, tokenizer, retention)
    kept = set(flow.table.positions[0].tolist())
    assert len(kept) == budget + planned.pinned and planned.pinned == flow.num_pinned > 0
    for value in planned.values:
        held = set(range(value.start, value.end)) <= kept
        assert held or value.status != "guaranteed"
        assert value.status == "guaranteed" or value.least > budget
    assert {v.source for v in planned.values if v.status == "guaranteed"} >= {"system"}
    assert plan(prompt, tokenizer, replace(retention, budget=planned.minimum_budget)).guaranteed
    assert not plan(
        prompt, tokenizer, replace(retention, budget=planned.minimum_budget - 1)
    ).guaranteed


def test_a_memory_is_planned_as_an_engine_holds_it(model, tokenizer):
    text = "".join(f"Line {n}: the ticket is TK-{n:05d}. It rained.\n" for n in range(60))
    retention = Retention(256, memory=True)
    planned = plan_memory(text, tokenizer, retention)
    cache = ta.RetentionCache(model, tokenizer, retention)
    ta.prefill(
        model, tokenizer(text, return_tensors="pt").input_ids, cache, chunk=1 << 16, keep_last=False
    )
    why = reasons(cache.flow, 0)
    assert planned.held == Counter(reason for reason, _ in why.values())
    for value in planned.values:
        assert (value.status == "held") == all(p in why for p in range(value.start, value.end))
    with pytest.raises(InputError, match="has no memory"):
        plan_memory(text, tokenizer, Retention(256))
