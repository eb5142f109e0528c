"""The text of the long benchmarks: its tokens, its value, and that a seed gives it again."""

import pytest

from ta_lab.benchmarks import finding
from ta_lab.benchmarks.benchmark import Recipe, Request
from ta_lab.benchmarks.corpus import LongText
from transactional_attention import InputError
from transactional_attention.text.segments import LEAST


def text(tokenizer, tokens=1200, seed=3, depth=0.4):
    return LongText(tokenizer, tokens, "anchor-free", seed, depth)


def test_a_seed_gives_the_same_tokens_and_no_more_than_asked(tokenizer):
    one, same, other = (text(tokenizer, seed=seed).first(5000) for seed in (3, 3, 4))
    assert one == same != other and len(one) == 1200


def test_the_value_stands_where_it_is_said_to_and_nowhere_else(tokenizer):
    long_text = text(tokenizer)
    ids, value, answer = long_text.first(1200), long_text.value, long_text.stated.answer
    assert tokenizer.decode(ids[value.start : value.end]) == answer
    assert tokenizer.decode(ids).count(answer) == 1
    assert 0.1 * 1200 < value.start < 0.6 * 1200


def test_the_tokens_are_those_of_the_whole_text(tokenizer):
    long_text = text(tokenizer)
    blocks, whole = long_text.blocks(), ""
    while len(whole) < 1500:
        whole += next(blocks)
    assert long_text.first(1200) == tokenizer(whole)["input_ids"][:1200]


def test_a_text_too_short_for_its_value_is_refused(tokenizer):
    with pytest.raises(InputError, match="cannot hold the value"):
        _ = text(tokenizer, tokens=20, depth=0.0).value


def test_no_repr_shows_the_value(tokenizer):
    long_text = text(tokenizer)
    assert long_text.stated.answer not in repr(long_text) + repr(long_text.stated)


def test_what_a_memory_takes_to_find_is_told_by_length():
    request = Request(Recipe(), tokens=(600, 3000), budgets=(64,), methods=("ta",))
    rows = finding.run(request).rows
    assert [row["name"] for row in rows] == ["words", "addresses"] * 2
    short, long = rows[0], rows[2]
    assert 0 < short["segments"] < long["segments"] <= 3000 / LEAST
    assert all(0 < row["range_ms"][0] <= row["median_ms"] <= row["range_ms"][1] for row in rows)
