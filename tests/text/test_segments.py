"""Segments of a text: whole, in order, and the same however the text comes in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from made_tokenizers import build, wrap
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
    """With a token after the parts, which itself is not looked at."""
    text, reader, spans = TokenText(tokenizer), Segmenter(most), []
    for part in [*parts, following(tokenizer)]:
        text.append(part)
        spans += reader.read(text)
    if close:
        text.settle()
        spans += reader.read(text)
        spans += [last] if (last := reader.close()) else []
    return spans, text


def following(tokenizer):
    """A token with a text in every scheme."""
    return ids_of(tokenizer, "x")[-1:]


def ids_of(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def said(text, most=MOST, tokenizer=None):
    """The texts of all segments; a token is a byte unless told otherwise."""
    tokenizer = tokenizer or byte_tokenizer()
    spans, known = segments(tokenizer, [ids_of(tokenizer, text)], most)
    return [known.text_of(span) for span in spans]


@pytest.mark.parametrize("most", [16, MOST])
@pytest.mark.parametrize("name", TOKENIZERS)
def test_segments_are_whole_and_the_same_for_any_chunks(name, most):
    tokenizer = build(name)

    @given(TEXTS, st.lists(st.integers(0, 300), max_size=12))
    def run(text, cuts):
        ids = ids_of(tokenizer, text)
        spans, _ = segments(tokenizer, [ids], most)
        assert [t for span in spans for t in span] == list(range(len(ids)))
        assert all(0 < len(span) <= most for span in spans)
        assert all(len(span) >= min(LEAST, most // 2) for span in spans[:-1])
        assert segments(tokenizer, pieces(ids, cuts), most)[0] == spans
        assert segments(tokenizer, [[token] for token in ids], most)[0] == spans

    run()


@pytest.mark.parametrize("name", TOKENIZERS)
def test_random_ids_and_broken_characters_make_the_same_segments_in_any_chunks(name):
    tokenizer = build(name)
    low = st.integers(0, min(len(tokenizer), 300) - 1)

    @given(st.lists(low, max_size=200), st.lists(st.integers(0, 200), max_size=8))
    def run(ids, cuts):
        spans, _ = segments(tokenizer, [ids], 24)
        assert [t for span in spans for t in span] == list(range(len(ids)))
        assert segments(tokenizer, pieces(ids, cuts), 24)[0] == spans

    run()


@given(TEXTS, TEXTS)
def test_a_later_text_changes_no_segment_that_has_ended(first, second):
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter()
    text.append(ids_of(tokenizer, first))
    before = reader.read(text)
    parts = [ids_of(tokenizer, part) for part in (first, second)]
    assert segments(tokenizer, parts)[0][: len(before)] == before


@given(TEXTS, TEXTS, TEXTS)
def test_a_copy_goes_on_by_itself(first, one, other):
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter(24)
    text.append(ids_of(tokenizer, first))
    begun = reader.read(text)
    copied, copied_text = reader.copy(), text.copy()
    for segmenter, own_text, new in ((reader, text, one), (copied, copied_text, other)):
        ids = [*ids_of(tokenizer, new), *following(tokenizer)]
        own_text.append(ids)
        expected, _ = segments(tokenizer, [ids_of(tokenizer, first), ids[:-1]], 24, close=False)
        assert begun + segmenter.read(own_text) == expected


def test_a_line_ends_a_segment_where_it_has_enough_tokens():
    assert said("The door code is 7301.\nThe gate code is 5519.\n") == [
        "The door code is 7301.\n",
        "The gate code is 5519.\n",
    ]
    assert said("a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n") == ["a: 1\nb: 2\nc: 3\nd: 4\n", "e: 5\n"]


def test_a_line_of_several_sentences_is_one_segment_while_it_has_no_more_than_the_most():
    line = "It was so. Nobody came by, it rained all day. Hm.\n"
    assert said(line + line) == [line, line]
    assert said(line + line, most=len(line)) == [line, line]
    assert said(line, most=len(line) - 1)[0] == "It was so. Nobody came by, it rained all day."


def test_small_segments_end_with_lines_shorter_than_the_least():
    assert said("door: 7301\ngate: 5519\n", most=16) == ["door: 7301\n", "gate: 5519\n"]


def test_a_longer_line_ends_with_its_first_sentence_from_half_the_most_on():
    long, short = "It rained all day and nobody came.", "It rained. "
    assert said(f"{long} {long} {long}") == [long, f" {long}", f" {long}"]
    assert said(f"{short}{long} {long}")[0] == f"{short}{long}"
    assert said(f"{short}{long}") == [f"{short}{long}"]  # fewer than the most: it may still be one
    # one that ends before half of the most ends no segment
    words = "There is nothing to see here. " + "and so on " * 8
    assert said(words)[0] == words[:MOST]


@pytest.mark.parametrize("inside", ["12.50", "v1.2.3", "a.b", "https://x.y/z?q=1", "wait...no"])
def test_a_sentence_ends_only_where_white_space_follows(inside):
    words = f"It came to so much as could be, {inside} and no more"
    assert said(f"{words}. " + "and so on " * 8)[0] == f"{words}."


@pytest.mark.parametrize("parts", [1, 2])
def test_whether_a_number_goes_on_is_known_with_the_next_token(parts):
    tokenizer = byte_tokenizer()
    begun = "It came to so much as may be 12."
    rest = ["50 and no more. " + "x" * 40, " And no more than that " + "x" * 40]
    for new, first in zip(rest, [f"{begun}50 and no more.", begun]):
        text, reader = TokenText(tokenizer), Segmenter(48)
        spans = []
        for part in ([begun + new], [begun, new])[parts - 1]:
            text.append(ids_of(tokenizer, part))
            spans += reader.read(text)
            assert reader.num_read == len(text) - 1
        assert text.text_of(spans[0]) == first


@pytest.mark.parametrize("end", ["。", "！", "？", "；"])
def test_a_sentence_without_spaces_ends_a_segment(end):
    assert said("漢" * 12 + end + "字" * 12)[0] == "漢" * 12 + end  # three bytes a character


def test_a_number_is_in_one_segment():
    words = "and it came to no less than so much: 1,250 of them, or more, said "
    assert said(words + "x" * 30)[0] == "and it came to no less than so much: 1,250 of them,"


def test_a_token_that_brings_its_space_along_ends_a_sentence():
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: number for number, piece in enumerate([*alphabet, ".Ġ"])}
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[(".", "Ġ")]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    words = "It rained all day and nobody came. "
    assert said(words + "x" * 40, tokenizer=wrap(backend))[0] == words


def test_records_are_cut_between_their_parts_and_no_label_from_its_value():
    record = {"payment_id": "PAY-7731", "amount": "1250", "name": "Ann Lee", "note": "late again"}
    first = said(json.dumps(record))[0]
    assert first == '{"payment_id": "PAY-7731", "amount": "1250",'
    lines = json.dumps(record, indent=2).replace("  ", "")
    assert said(lines)[0] == '{\n"payment_id": "PAY-7731",\n'


def test_without_any_end_a_segment_has_the_most_tokens():
    assert [len(part) for part in said("a" * 150)] == [MOST, MOST, 150 - 2 * MOST]
    assert [len(part) for part in said("a" * 40, most=16)] == [16, 16, 8]


def test_a_special_token_ends_a_segment_as_a_line_does():
    assert said("Who was it that came?</s>And who else was it?") == [
        "Who was it that came?</s>",
        "And who else was it?",
    ]


def test_closing_ends_the_open_segment_once_before_the_newest_token():
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter()
    assert reader.close() is None
    text.append(ids_of(tokenizer, "Hm. "))
    assert reader.read(text) == [] and reader.close() == Span(0, 3) and reader.close() is None
    text.append(ids_of(tokenizer, "The door code is 7301.\n"))
    assert reader.read(text) == []  # of the newest token nothing is known
    text.append(ids_of(tokenizer, "A"))
    assert reader.read(text) == [Span(3, 27)] and reader.read(text) == []
    assert reader.close() is None


def test_closing_before_a_token_leaves_the_others_open():
    tokenizer = byte_tokenizer()
    text, reader = TokenText(tokenizer), Segmenter()
    text.append(ids_of(tokenizer, "Nobody came by. "))
    assert reader.read(text) == [] and reader.num_read == 15
    assert reader.close(9) == Span(0, 9) and reader.num_read == 15
    assert reader.close(9) is None and reader.close() == Span(9, 15)


@given(TEXTS, st.integers(0, 200))
def test_one_that_resumes_with_the_text_goes_on_as_the_one_that_was_left(text, cut):
    tokenizer = byte_tokenizer()
    ids = ids_of(tokenizer, text)
    known, reader, other = TokenText(tokenizer), Segmenter(24), Segmenter(24)
    known.append(ids[:cut])
    reader.read(known)
    other.resume(reader.start, reader.num_read, known)
    known.append(ids[cut:])
    assert other.read(known) == reader.read(known) and other.num_read == reader.num_read
