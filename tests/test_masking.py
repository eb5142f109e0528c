"""Values are masked wherever they occur, and nothing else is."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes import byte_tokenizer
from transactional_attention import Retention
from transactional_attention.inspection import held
from transactional_attention.inspection.masking import MASK, WORD, masked_text
from transactional_attention.inspection.plan import read

TOKENIZER = byte_tokenizer()


def masked(text, retention=None):
    (sequence,) = read(text, TOKENIZER, retention or Retention(16)).sequences
    shown = masked_text(sequence)
    assert len(shown) == len(sequence.text.text)
    return shown[len(sequence.text.text) - len(text) :]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The door code is 7301. So 7301 it is.\n", "The door code is ••••. So •••• it is.\n"),
        ("Nothing at all.\n", "Nothing at all.\n"),
    ],
)
def test_a_value_is_masked_where_it_is_repeated(text, shown):
    assert masked(text) == shown


def test_ranges_of_the_caller_are_values():
    assert masked("It was blue then.\n", Retention(16).protect(7, 11)) == "It was •••• then.\n"


def test_overlapping_values_are_masked_once():
    retention = Retention(16).protect(0, 6).protect(3, 9)
    assert masked("abcdefghi jk\n", retention) == "••••••••• jk\n"


def test_a_short_value_is_masked_elsewhere_only_where_it_stands_alone():
    text = "The pin is 73. Not 730, but 73.\n"
    assert (
        masked(text, Retention(16, "streaming-llm").protect(11, 13))
        == "The pin is ••. Not 730, but ••.\n"
    )


def by_definition(text, values):
    """Each place of each value, looked up one value at a time."""
    shown = list(text)
    for start, end in values:
        core = re.search(r"\w(?:.*\w)?", text[start:end])
        spans = [(start, end)]
        if core is not None:
            found = core.group()
            edge = r"(?<!\w){}(?!\w)" if len(found) < WORD else "{}"
            places = re.finditer(rf"(?={edge.format(re.escape(found))})", text)
            spans += [(m.start(), m.start() + len(found)) for m in places]
        for first, last in spans:
            shown[first:last] = [c if c.isspace() else MASK for c in text[first:last]]
    return "".join(shown)


PARTS = ["ab1-c", "ab1-cd", "ab1-", "ab", "1", "-", " ", "ab1-c ab1-c"]


@settings(max_examples=300, deadline=None)
@given(
    parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=12),
    places=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), min_size=1, max_size=5),
)
def test_every_place_of_every_value_is_masked(parts, places):
    text = "".join(parts) + "x\n"
    spans = [(a, min(a + size, len(text))) for a, size in places if a < len(text)]
    retention = Retention(None, "full")
    for start, end in spans:
        retention = retention.protect(start, end)
    assert masked(text, retention) == by_definition(text, spans)


def test_a_page_masks_the_text_once_for_all_its_values(monkeypatch):
    calls = []
    monkeypatch.setattr(held, "masked_text", lambda read: calls.append(read) or masked_text(read))
    flow = read("The door code is 7301.\nThe gate code is 8842.\n", TOKENIZER, Retention(64))
    found = held.held_tokens(flow, reveal=False)
    assert len(found["values"]) == 2 and len(calls) == 1
    assert all("code is" in value["label"] for value in found["values"])
    assert "7301" not in str(found) and "8842" not in str(found)
