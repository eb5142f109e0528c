from __future__ import annotations

import random

import pytest
import torch

from transactional_attention.embedded import load_embedded
from transactional_attention.errors import InputError
from transactional_attention.training import evaluate, needles

FILLER = "The harbour was quiet and the boats lay still in the morning light. " * 40


def test_held_slots_keep_the_named_and_the_most_recent():
    assert evaluate.held_slots(10, [0, 4, 5], 5) == [0, 4, 5, 8, 9]
    assert evaluate.held_slots(4, [0, 1], 9) == [0, 1, 2, 3]


def test_wilson_interval():
    low, high = evaluate.wilson(95, 100)
    assert (round(low, 3), round(high, 3)) == (0.888, 0.978)
    assert evaluate.wilson(100, 100)[1] == 1.0


def test_needles_have_their_length_and_value():
    _, tokenizer = load_embedded()
    words = needles.filler_words(FILLER)
    needle = needles.make_needle(tokenizer, words, 400, 0.5, random.Random(1))
    value = tokenizer.decode(needle.context[slice(*needle.value)]).strip()
    assert value == tokenizer.decode(needle.answer[:-1]).strip()
    assert 380 <= len(needle.context) + len(needle.question) <= 400
    assert 0.4 < needle.value[0] / len(needle.context) < 0.6
    with pytest.raises(InputError):
        needles.filler_words("  ")


@torch.no_grad()
def test_the_strict_ledger_holds_k_tokens(monkeypatch: pytest.MonkeyPatch):
    model, tokenizer = load_embedded()
    words = needles.filler_words(FILLER)
    needle = needles.make_needle(tokenizer, words, 300, 0.5, random.Random(2))
    lengths: list[int] = []
    feed = evaluate.HeldCache.feed

    def counted(cache: evaluate.HeldCache, ids):
        # Decode as if every token were right, to see all steps.
        token = feed(cache, ids)
        lengths.append(len(cache))
        return token

    cache = evaluate.HeldCache(model)
    feed(cache, needle.context)
    front = 1 + needle.value[1] - needle.value[0]
    kept = evaluate.held_slots(len(needle.context), [0, *range(*needle.value)], 16)
    cache.keep(kept)
    cache.keep(evaluate.held_slots(len(cache), range(front), 16))
    monkeypatch.setattr(evaluate.HeldCache, "feed", counted)
    evaluate.answer(cache, needle.answer[0], needle, front, 16)
    assert lengths
    assert max(lengths) == 16


@torch.no_grad()
def test_random_tokens_in_place_of_the_value_fail():
    model, tokenizer = load_embedded()
    needle = needles.make_needle(
        tokenizer, needles.filler_words(FILLER), 300, 0.5, random.Random(3)
    )
    assert not evaluate.judge(model, needle, [16], seed=0)["random@16"]
