"""Segments by their words: names in every spelling, and forks that share an index."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.recall.word_index import Segment, WordIndex, words_of
from transactional_attention.types import Span


def segments(*texts):
    return [Segment(Span(i, i + 1), "user", words_of(text)) for i, text in enumerate(texts)]


def found(texts, question, most=99):
    return [number for number, _ in WordIndex().ask(segments(*texts), question, most)]


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


ODD = ["", "   ", '"', '""', "*", "OR", "AND NOT", "NEAR(", "NEAR(a b, 2)", "words:", "^", "{", "-",
       "a\0b", "\0", "\ud800", "a\udfff b", "'; drop table segments; --", "(", ")", "+", "😀",
       "ʰ ª", "\u0300", "कि", "𞤀", "²", "٣", "x" * 9000, "a " * 9000,
       "é\u200dè", "_" * 40]  # fmt: skip


@pytest.mark.parametrize("asked", ODD)
def test_no_question_and_no_text_is_too_odd(asked):
    for texts in (["plain words", "a b"], [asked, f"word {asked} word", "plain"]):
        assert set(found(texts, asked)) <= set(range(len(texts)))


@given(st.text(alphabet=st.characters(codec=None), max_size=40), st.text(max_size=40))
def test_any_text_can_be_asked_and_be_said(asked, said):
    both = f"{said} {asked}"
    answer = found([said, asked, both], asked)
    assert set(answer) <= {0, 1, 2}
    numbers = [word for word in words_of(asked).split() if word.isascii() and word.isdigit()]
    assert not numbers or 1 in answer


@pytest.mark.parametrize("asked", ["", "?!", "the of and", "\n"])
def test_a_question_that_names_nothing_finds_nothing(asked):
    assert found(["the of and", "door code"], asked) == []
    assert WordIndex().ask([], "door code", 9) == []


@given(st.integers(0, 10_000))
def test_copies_that_share_an_index_answer_as_a_fresh_one(seed):
    rng, index = random.Random(seed), WordIndex()
    words = ["door", "code", "gate", "key", "rain", "order", "ticket"]
    copies = [[]]
    for _ in range(20):
        own = rng.choice(copies)
        what = rng.random()
        if what < 0.25:
            copies.append(list(own))
        elif what < 0.65:
            new = " ".join(rng.choices(words, k=4))
            own.append(Segment(Span(len(own), len(own) + 1), "user", words_of(new)))
        else:
            asked = " ".join(rng.sample(words, 2))
            shared, fresh = (i.ask(own, asked, 5) for i in (index, WordIndex()))
            assert [n for n, _ in shared] == [n for n, _ in fresh]
            assert [s for _, s in shared] == pytest.approx([s for _, s in fresh])
