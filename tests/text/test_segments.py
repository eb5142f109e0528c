"""Segments of a text: whole, in order, and the same however the text comes in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_tokenizers import build
from scenes import byte_tokenizer
from split_text import pieces
from transactional_attention.text.segments import LEAST, MOST, Segmenter
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Span

TOKENIZERS = ["embedded", "byte-level", "byte-fallback", "sentencepiece", "wordpiece"]
WORDS = st.sampled_from(
    ["the ", "code", " is", "7301", ".", ". ", "!\n", "\n", "\n\n", ", ", "; ", "{", '"}', "漢字",
     "。", "、是", "é", "😀", "👩‍👩‍👧", "<s>", "</s>", "a" * 30, " " * 20, "\r\n", "?"]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=120).map("".join)


def segments(tokenizer, parts, most=MOST, close=True):
    text, reader, found = TokenText(tokenizer), Segmenter(most), []
    for part in parts:
        text.append(part)
        found += reader.read(text)
    if close:
        text.settle()
        found += reader.read(text)
        found += [last] if (last := reader.close()) else []
    return found, text


def ids_of(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def said(text, most=MOST, tokenizer=None):
    """The texts of all segments; a token is a byte unless told otherwise."""
    tokenizer = tokenizer or byte_tokenizer()
    found, known = segments(tokenizer, [ids_of(tokenizer, text)], most)
    return [known.said(span) for span in found]


@pytest.mark.parametrize("most", [16, 24, MOST])
@pytest.mark.parametrize("name", TOKENIZERS)
def test_segments_are_whole_and_the_same_for_any_chunks(name, most):
    tokenizer = build(name)

    @given(TEXTS, st.lists(st.integers(0, 300), max_size=12))
    def run(text, cuts):
        ids = ids_of(tokenizer, text)
        found, _ = segments(tokenizer, [ids], most)
        assert [t for span in found for t in span] == list(range(len(ids)))
        assert all(0 < len(span) <= most for span in found)
        assert all(len(span) >= min(LEAST, most) for span in found[:-1])
        assert segments(tokenizer, pieces(ids, cuts), most)[0] == found
        assert segments(tokenizer, [[token] for token in ids], most)[0] == found

    run()


@pytest.mark.parametrize("name", TOKENIZERS)
def test_random_ids_and_broken_characters_make_the_same_segments_in_any_chunks(name):
    tokenizer = build(name)
    low = st.integers(0, min(len(tokenizer), 300) - 1)

    @given(st.lists(low, max_size=200), st.lists(st.integers(0, 200), max_size=8))
    def run(ids, cuts):
        found, _ = segments(tokenizer, [ids], 24)
        assert [t for span in found for t in span] == list(range(len(ids)))
        assert segments(tokenizer, pieces(ids, cuts), 24)[0] == found

    run()


@given(TEXTS, TEXTS)
def test_a_later_text_changes_no_segment_that_has_ended(first, second):
    tokenizer = byte_tokenizer()
    both = [ids_of(tokenizer, text) for text in (first, second)]
    before, _ = segments(tokenizer, both[:1], close=False)
    assert segments(tokenizer, both)[0][: len(before)] == before


@given(TEXTS, TEXTS, TEXTS)
def test_a_copy_goes_on_by_itself(first, one, other):
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter(24)
    text.append(ids_of(tokenizer, first))
    begun = reader.read(text)
    copied, copied_text = reader.copy(), text.copy()
    for own, own_text, new in ((reader, text, one), (copied, copied_text, other)):
        ids = ids_of(tokenizer, new)
        own_text.append(ids)
        found, _ = segments(tokenizer, [ids_of(tokenizer, first), ids], 24, close=False)
        assert begun + own.read(own_text) == found


def test_a_line_ends_a_segment_where_it_has_enough_tokens():
    assert said("The door code is 7301.\nThe gate code is 5519.\n") == [
        "The door code is 7301.\n",
        "The gate code is 5519.\n",
    ]
    assert said("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n") == ["a: 1\nb: 2\nc: 3\nd: 4\n", "e: 5\n"]


def test_a_sentence_ends_a_segment_from_half_its_size_on():
    long, short = "It rained all day and nobody came.", "It rained. "
    assert said(f"{long} {long}") == [long, f" {long}"]
    assert said(f"{short}{long}") == [f"{short}{long}"]
    # where no sentence is long enough, the last one that ends within the most tokens does
    words = "There is nothing to see here. " + "and so on " * 8
    assert said(words)[0] == "There is nothing to see here."


@pytest.mark.parametrize("end", ["。", "！", "？", "；"])
def test_a_sentence_without_spaces_ends_a_segment(end):
    assert said("漢" * 12 + end + "字" * 12)[0] == "漢" * 12 + end  # three bytes a character


def test_records_are_cut_between_their_parts():
    record = {"payment_id": "PAY-7731", "amount": "1250", "name": "Ann Lee", "note": "late again"}
    first = said(json.dumps(record))[0]
    assert first.endswith(",") and '"payment_id": "PAY-7731"' in first
    assert (
        said(json.dumps(record, indent=2).replace("  ", ""))[0] == '{\n"payment_id": "PAY-7731",\n'
    )


def test_without_any_end_a_segment_has_the_most_tokens():
    assert [len(part) for part in said("a" * 150)] == [MOST, MOST, 150 - 2 * MOST]
    assert [len(part) for part in said("a" * 40, most=16)] == [16, 16, 8]


def test_a_special_token_ends_a_segment_as_a_line_does():
    assert said("Who was it that came?</s>And who else was it?") == [
        "Who was it that came?</s>",
        "And who else was it?",
    ]


def test_closing_ends_the_open_segment_once():
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter()
    assert reader.close() is None
    text.append(ids_of(tokenizer, "Hm. "))
    assert reader.read(text) == [] and reader.close() == Span(0, 4) and reader.close() is None
    text.append(ids_of(tokenizer, "The door code is 7301.\n"))
    assert reader.read(text) == [Span(4, 27)] and reader.read(text) == []
