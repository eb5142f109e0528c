"""Codes of letters alone: found under labels, behind cues and by themselves; words are none."""

from __future__ import annotations

import pydoc_data.topics
import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.detection.disorder import (
    ALONE,
    CUED,
    LABELLED,
    MOST,
    disorder,
    scrambled,
)

LOWER, UPPER, MIXED = string.ascii_lowercase, string.ascii_uppercase, string.ascii_letters


def test_words_and_names_are_not():
    text = "\n".join(pydoc_data.topics.topics.values())
    words = set(re.findall(r"[A-Za-z]{8,}(?:[-_][A-Za-z]+)*", text))
    assert len(words) > 1000
    for least, share in ((LABELLED, 0.02), (CUED, 0.01), (ALONE, 0.002)):
        assert sum(disorder(word) >= least for word in words) <= share * len(words)
    for name in (
        "getElementById",
        "XMLHttpRequest",
        "xxxxxxxxxxxx",
        "yyyy-mm-dd",
        "Donaudampfschiff",
    ):
        assert disorder(name) < ALONE


@pytest.mark.parametrize(
    "word", ["", "short", "has4digits", "two words", "a.b", "ключи-от-дома", "x" * (MOST + 1)]
)
def test_what_is_no_word_of_letters_has_none(word):
    assert disorder(word) == float("-inf")


@pytest.mark.parametrize(
    "around",
    ["{}", "({})", '"{}"', "a: {}, b", "see {}.", "-{}-", "__{}__", "は{}です", "바로 {}입니다."],
)
def test_a_code_stands_between_delimiters(around):
    text = around.format("TzzpUnzEaeMk")
    assert [text[begin:end] for begin, end in scrambled(text)] == ["TzzpUnzEaeMk"]


@pytest.mark.parametrize("around", ["{}()", "a.{}", "{}.b", "/{}", "{}4", "é{}", "%{}", "@{}"])
def test_what_goes_on_is_no_code(around):
    assert list(scrambled(around.format("TzzpUnzEaeMk"))) == []


@given(st.text(alphabet="abQXjz-_ .é漢4\n", max_size=80))
def test_spans_are_in_order_and_qualify(text):
    last = 0
    for begin, end in scrambled(text):
        assert last <= begin < end <= len(text)
        assert disorder(text[begin:end]) >= CUED
        last = end
