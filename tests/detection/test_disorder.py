"""Codes of letters alone: found under labels, after cues and by themselves; words are none."""

from __future__ import annotations

import pydoc_data.topics
import re
import string

import pytest

from transactional_attention.detection.disorder import ALONE, CUED, MOST, disorder

LOWER, UPPER, MIXED = string.ascii_lowercase, string.ascii_uppercase, string.ascii_letters


def test_words_and_names_are_not():
    text = "\n".join(pydoc_data.topics.topics.values())
    words = set(re.findall(r"[A-Za-z]{8,}(?:[-_][A-Za-z]+)*", text))
    assert len(words) > 1000
    for least, share in ((CUED, 0.01), (ALONE, 0.002)):
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
