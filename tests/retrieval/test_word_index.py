"""Segments by their words: names in every spelling, and forks that share an index."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.retrieval import word_index
from transactional_attention.retrieval.word_index import Segment, WordIndex, words_of
from transactional_attention.types import Span


def segments(*texts):
    return [Segment(Span(i, i + 1), "user", words_of(text)) for i, text in enumerate(texts)]


def found(texts, question, most=99):
    """Of texts that stand apart, so that none is near another, which ones are found."""
    apart = [part for text in texts for part in (text, "far", "away")]
    numbers = WordIndex().ask(segments(*apart), question, 999)
    return [number // 3 for number in numbers if number % 3 == 0][:most]


def near(texts, question):
    """Which of these texts are found, in order, the newest waiting for another one."""
    return WordIndex().ask(segments(*texts), question, 99)


NAMES = ["payment_id", "paymentId", "PaymentID", "payment-id", "PAYMENT_ID", "payment id"]


@pytest.mark.parametrize("asked", NAMES)
def test_a_compound_name_is_found_in_every_spelling(asked):
    idle = ["The weather is fine.", "Nothing else happened."]
    texts = [*(f"{name}: PAY-{i}" for i, name in enumerate(NAMES)), *idle]
    assert sorted(found(texts, f'"{asked}": "')) == list(range(len(NAMES)))


@pytest.mark.parametrize(
    ("asked", "said"),
    [("connections", "connecting"), ("tickets", "ticket"), ("booked", "booking"),
     ("Café", "cafe"), ("ÄRGER", "ärger"), ("ﬁnal", "final")],
)  # fmt: skip
def test_forms_of_a_word_find_each_other(asked, said):
    assert found([f"the {said} here", "a plain line"], asked) == [0]
    assert found([f"the {asked} here", "a plain line"], said) == [0]


def test_a_number_is_one_word():
    texts = ["order 58213", "order 5821", "order 82139"]
    assert found(texts, "58213") == [0] and found(texts, "821") == []
    assert found(["ORD58213 was sent", "other"], "order 58213") == [0]


@pytest.mark.parametrize("asked", ["注文番号", "番号は？", "この注文の"])
def test_scripts_without_spaces_are_found_by_pairs(asked):
    assert found(["今日は雨です", "注文番号は四二です"], asked) == [1]


def test_of_equal_segments_the_newest_is_first():
    texts = ["the door code is 1", "rain", "the door code is 2", "rain", "the door code is 3"]
    assert found(texts, "door code") == [4, 2, 0]
    assert found(texts, "door code", most=1) == [4]


def test_who_shares_more_words_is_before_who_is_newer():
    texts = ["the gate code is 1", "the code is 2", *["rain all day"] * 6]
    assert found(texts, "gate code") == [0, 1]


def test_a_question_that_names_several_things_finds_each_before_more_about_one():
    gates = [f"the gate of the north yard, day {number}" for number in range(9)]
    ladders = [f"the ladder that the neighbours brought, day {number}" for number in range(9)]
    assert min(found([*ladders, *gates, *["rain all day"] * 20], "gate north yard, ladder")[:6]) < 9


def test_what_follows_the_segments_that_cover_a_question_is_ordered_too(monkeypatch):
    monkeypatch.setattr(word_index, "COVERING", 2)
    texts = [f"the gate is {colour}" for colour in ("red", "blue", "green", "brown")]
    assert found([*texts, "rain"], "gate") == [3, 2, 1, 0]
    assert found([*texts, "rain"], "gate", most=3) == [3, 2, 1]


ODD = ["", "   ", '"', '""', "*", "OR", "AND NOT", "NEAR(", "NEAR(a b, 2)", "words:", "^", "{", "-",
       "a\0b", "\0", "\ud800", "a\udfff b", "'; drop table segments; --", "(", ")", "+", "😀",
       "ʰ ª", "\u0300", "कि", "𞤀", "²", "٣", "x" * 9000, "a " * 9000,
       "é\u200dè", "_" * 40]  # fmt: skip


@pytest.mark.parametrize("asked", ODD)
def test_no_question_and_no_text_is_too_odd(asked):
    for texts in (["plain words", "a b"], [asked, f"word {asked} word", "plain"]):
        assert set(found(texts, asked)) <= set(range(len(texts)))


@given(st.text(alphabet=st.characters(codec=None), max_size=40), st.text(max_size=40))
def test_any_text_can_be_asked_and_be_said(asked, text):
    joint_text = f"{text} {asked}"
    answer = found([text, asked, joint_text], asked)
    assert set(answer) <= {0, 1, 2}
    numbers = [word for word in words_of(asked).split() if word.isascii() and word.isdigit()]
    assert not numbers or 1 in answer


@pytest.mark.parametrize("asked", ["", "?!", "the of and", "\n"])
def test_a_question_that_names_nothing_finds_nothing(asked):
    assert found(["the of and", "door code"], asked) == []
    assert WordIndex().ask([], "door code", 9) == []


def test_a_segment_is_found_by_the_words_of_its_neighbours_after_those_that_say_them():
    texts = ["rain", "and so on", "the door code?", "it is 7301", "rain", "snow"]
    assert near(texts, "door code") == [2, 3, 1]  # its own words first, then the newer neighbour
    assert near(texts, "7301") == [3, 4, 2]


def test_the_newest_segment_waits_for_the_one_after_it():
    known, index = segments("rain", "the door code", "it is 7301"), WordIndex()
    assert index.ask(known[:2], "door code", 9)[0] == 0  # the neighbour alone
    assert index.ask(known, "door code", 9) == [1, 0]
    assert index.ask(known, "7301", 9) == [1]
    assert index.ask(known[:1], "rain", 9) == []


def test_a_fork_that_goes_on_otherwise_changes_what_is_near_the_last_one_they_share():
    index, shared = WordIndex(), segments("rain", "what is it", "snow")
    one, other = ([*shared, *segments(text, "end")] for text in ("door code", "gate key"))
    for _ in range(2):
        assert index.ask(one, "door code", 9) == [3, 2]
        assert index.ask(one, "gate key", 9) == []
        assert index.ask(other, "gate key", 9) == [3, 2]
        assert index.ask(other, "door code", 9) == []
        assert index.ask(shared, "door code gate key", 9) == []


@given(st.integers(0, 10_000))
def test_copies_that_share_an_index_answer_as_a_fresh_one(seed):
    rng, index = random.Random(seed), WordIndex()
    words = ["door", "code", "gate", "key", "rain", "order", "ticket"]
    copies = [[]]
    for _ in range(20):
        copy = rng.choice(copies)
        what = rng.random()
        if what < 0.25:
            copies.append(list(copy))
        elif what < 0.65:
            new = " ".join(rng.choices(words, k=4))
            copy.append(Segment(Span(len(copy), len(copy) + 1), "user", words_of(new)))
        else:
            asked = " ".join(rng.sample(words, 2))
            shared, fresh = (i.ask(copy, asked, 5) for i in (index, WordIndex()))
            assert shared == fresh


def test_words_of_very_many_segments_tell_the_newest_apart_and_rare_ones_all(monkeypatch):
    monkeypatch.setattr(word_index, "COMMON", 5)
    texts = [f"the ticket of customer n{number}" for number in range(40)]
    texts[3] = "the ticket of a marmot"
    index, known = WordIndex(), segments(*texts, "the end")
    assert set(index.ask(known, "ticket", 99)) == {35, 36, 37, 38, 39}
    assert index.ask(known, "ticket of the marmot", 99)[0] == 3
    assert len(index.ask(known, "ticket of the marmot", 2)) == 2
