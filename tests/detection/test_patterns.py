"""Patterns of the caller: what they match is a value, whole, at once, and in linear time."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

import transactional_attention as ta
from found_values import read, sized
from growing import assert_linear
from transactional_attention.detection.patterns import Patterns
from transactional_attention.retention.saving.records import plain, record_of

pytestmark = pytest.mark.skipif(find_spec("re2") is None, reason="needs google-re2: run .ci/extras")

PLAIN = "The heron stood in the reeds and nobody came. "
TEXT = (
    f"{PLAIN}Our mascot is heron-of-the-lake, as ever.\n"
    "See https://tracker.example/browse/ACME-4471/9f31c7d2 for it.\n"
    "berth: north pier\n" + PLAIN
)


@pytest.fixture(scope="module")
def model():
    return ta.load_embedded()


def values(text, *patterns, detectors=()):
    return {
        (a.rule, text[a.value.start : a.value.end], text[a.label.start : a.label.end])
        for a in read([text], [*detectors, Patterns(patterns)])
    }


def test_what_a_pattern_matches_is_a_value():
    assert values(TEXT, r"heron(?:-\w+)+") == {("pattern:1", "heron-of-the-lake", "")}


def test_groups_name_the_value_and_its_label():
    matches = values(TEXT, r"ACME-9", r"^(?P<label>berth): (?P<value>[a-z ]+)$")
    assert matches == {("pattern:2", "north pier", "berth")}


def test_the_same_patterns_are_one_detector():
    assert len({Patterns(["a"]), Patterns(("a",)), Patterns(["b"])}) == 2


def test_a_value_around_a_match_is_kept_whole():
    matches = values("The door code is XK4471P2.", r"\d{4}", detectors=["values"])
    assert {(rule, value) for rule, value, _ in matches} == {("pattern:1", "XK4471P2")}


def test_an_address_stays_beside_its_part():
    text = "The endpoint is https://tracker.example/browse/ACME-4471/9f31c7d2 from now on.\n"
    pairs = {v[:2] for v in values(text, r"ACME-\d+", detectors=["values"])}
    assert any("ACME-4471" in value for rule, value in pairs if rule == "pattern:1")
    assert "https://tracker.example/browse/ACME-4471/9f31c7d2" in {value for _, value in pairs}


def test_a_value_that_a_match_meets_becomes_one_with_it():
    text = "The gate code is XK7M9P2Q today."
    assert ("pattern:1", "XK7M9P2Q today", "gate code") in {
        (rule, value, label.strip().removeprefix("The ").removesuffix(" is"))
        for rule, value, label in values(text, r"P2Q today", detectors=["values"])
    }


def test_no_match_goes_beyond_its_line():
    assert values("one\ntwo", r"one\s*two", r"e[^x]+") == set()
    assert values("one\ntwo", r"[^x]+") == {("pattern:1", "one", ""), ("pattern:1", "two", "")}


@pytest.mark.parametrize("size", [1, 5, 37])
@pytest.mark.parametrize("detectors", [(), ["values"]], ids=["alone", "ensemble"])
def test_pieces_of_a_text_have_the_anchors_of_the_whole(size, detectors):
    text = TEXT + "Ölstand: ä-12 é-77 \ud800 ß-3\n" + "x" * 9000 + " é-44 " + TEXT
    patterns = [r"heron(?:-\w+)+", r"\pL-\d+", r"ACME-\d+"]
    detectors = [*detectors, Patterns(patterns)]
    whole = read([text], detectors)
    assert read(sized(text, size), detectors) == whole
    assert "é-44" in {text[a.value.start : a.value.end] for a in whole}


def test_a_catastrophic_pattern_ends():
    """With ``re`` this takes 2 to the power of 8,000 steps."""
    assert values("a" * 8000 + "!", r"(a+)+$", r"(?:a|a)*b") == set()


def test_many_matches_take_linear_time():
    values = Patterns([r"\w+", r"\w", "b a"])
    assert_linear(values.find, "ab a, ", 500)


@pytest.mark.parametrize("pattern", [r"a(?=b)", r"(a)\1", "(", "a)|b", "", 3])
def test_a_pattern_that_cannot_be_matched_is_named(pattern):
    with pytest.raises(ta.InputError, match="pattern 2 is no"):
        ta.Retention(patterns=("fine", pattern))


def test_one_string_is_no_list():
    with pytest.raises(ta.InputError, match="takes a list"):
        ta.Retention(patterns="ACME")


def test_methods_that_sponsor_nothing_refuse_patterns(model):
    retention = ta.Retention(16, "h2o", patterns=("ACME",))
    with pytest.raises(ta.InputError, match=r"ta\+h2o"):
        ta.RetentionCache(*model, retention)


@pytest.mark.parametrize("method", ["ta", "ta+h2o", "ta-fast-regex"])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_generate_keeps_what_a_pattern_names(model, method, preset):
    model, tokenizer = model
    text = PLAIN * 5 + "By noon the grey bittern had gone again. " + PLAIN * 20
    long = ta.Sponsorship(span_length=12)
    kept = {}
    for patterns in ((), (r"grey bittern",)):
        retention = ta.Retention(32, method, preset, patterns=patterns, sponsorship=long)
        cache = ta.RetentionCache(model, tokenizer, retention)
        inputs = tokenizer(text, return_tensors="pt")
        model.generate(**inputs, past_key_values=cache, max_new_tokens=1)
        shown = "|".join(item.text or "" for item in cache.report(reveal=True).kept)
        kept[bool(patterns)] = "grey bittern" in shown
    assert kept == {False: False, True: True}


def test_a_saved_retention_keeps_its_patterns():
    retention = ta.Retention(patterns=(r"ACME-\d+",))
    assert record_of(ta.Retention, json.loads(json.dumps(plain(retention)))) == retention
