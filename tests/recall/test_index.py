"""The index against plain loops, and while it grows and shrinks."""

from __future__ import annotations

import random
from itertools import count

import numpy as np
import pytest

from transactional_attention.recall import index as indexing
from transactional_attention.recall.index import Index
from transactional_attention.types import Span

PLACES = (Span(at, at + 1) for at in count())


def add(index, words, **options):
    """Take an entry in behind the others; its key."""
    key = next(PLACES)
    index.add(key, words, **options)
    return key


def best(index, *words, most=8):
    return [match.key for match in index.query([dict.fromkeys(words, 1.0)], most)[0]]


def filled(number, seed=0):
    rng = random.Random(seed)
    index, words = Index(), {}
    vocabulary = [f"w{chr(97 + i)}{chr(97 + j)}x" for i in range(8) for j in range(8)]
    for _ in range(number):
        own = {word: rng.choice([0.6, 1.0, 3.0]) for word in rng.sample(vocabulary, 5)}
        words[add(index, own)] = own
    return index, words, vocabulary


def by_loops(words, asked):
    """The formula of the index in plain loops, for words without relatives."""
    counts = {word: sum(word in own for own in words.values()) for word in asked}
    largest = np.log(1 + (len(words) + 0.5) / 0.5)
    scores = {}
    for key, own in words.items():
        long = indexing.K1 * (1 - indexing.B + indexing.B * sum(own.values()) / indexing.NOMINAL)
        scores[key] = sum(
            own[word] * (indexing.K1 + 1) / (own[word] + long)
            * np.log(1 + (len(words) - counts[word] + 0.5) / (counts[word] + 0.5)) / largest
            for word in asked if word in own
        )  # fmt: skip
    return scores


@pytest.mark.parametrize("number", [5, 40, 400])
def test_scores_are_those_of_the_formula(number):
    index, words, vocabulary = filled(number)
    asked = vocabulary[3:6]
    scores = by_loops(words, asked)
    found = index.query([dict.fromkeys(asked, 1.0)], 4)[0]
    assert found[0].score == pytest.approx(max(scores.values()), rel=1e-5)
    assert all(match.score == pytest.approx(scores[match.key], rel=1e-5) for match in found)


def test_removing_leaves_the_answers_of_an_index_that_never_had_it(monkeypatch):
    monkeypatch.setattr(indexing, "STALE", 16)  # so that it is built anew on the way
    index, words, vocabulary = filled(200)
    for key in list(words)[::3]:
        index.remove(key)
        del words[key]
    fresh = Index()
    for key, own in words.items():
        fresh.add(key, own)
    for word in vocabulary[:8]:
        asked = [{word: 1.0, vocabulary[9]: 0.5}]
        scores = [match.score for match in index.query(asked, 8)[0]]
        assert scores == pytest.approx([match.score for match in fresh.query(asked, 8)[0]])
        assert all(match.key in words for match in index.query(asked, 8)[0])


def test_the_rare_word_decides():
    index = Index()
    for _ in range(9):
        add(index, {"key": 3.0, "staging": 1.0})
    own = add(index, {"key": 3.0, "production": 1.0})
    assert best(index, "key", "production")[0] == own


def test_a_second_word_comes_before_a_second_entry_for_the_first():
    index = Index()
    hosts = [add(index, {"host": 3.0}) for _ in range(2)]
    ports = [add(index, {"port": 2.0}) for _ in range(2)]
    first, second, *others = best(index, "host", "port")
    assert first in hosts and second in ports and len(others) == 2


def test_of_equal_ones_the_newest_among_many():
    index = Index()
    keys = [add(index, {"code": 3.0}) for _ in range(500)]
    assert set(best(index, "code")) <= set(keys[-indexing.CANDIDATES :])


def test_a_reason_names_the_words_of_the_question():
    index = Index()
    add(index, {"expires": 3.0, "certificate": 1.0})
    (match,) = index.query([{"expiry": 0.0, "expired": 1.0, "certificate": 1.0, "x": 1.0}])[0]
    assert match.reason == ("expired", "certificate")


def test_untrusted_entries_make_no_word_common_for_trusted_ones():
    index = Index()
    own = add(index, {"door": 3.0, "code": 3.0})
    alone = index.query([{"door": 1.0, "code": 1.0}])[0][0].score
    for _ in range(300):
        add(index, {"door": 3.0, "code": 3.0}, trusted=False)
    first = index.query([{"door": 1.0, "code": 1.0}])[0][0]
    assert first.key == own and first.score >= alone
