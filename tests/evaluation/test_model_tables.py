"""Tables of ceilings, perplexity and dormancy come from their records, by kind."""

from __future__ import annotations

import pytest

from ta_lab.report.tables import caption, fill_page, kind_of, table_of


def record(arguments, seed, rows):
    origin = {"commit": "abcdef012345", "dirty": False, "seed": seed, "arguments": arguments}
    origin["versions"] = {"transformers": "5.0"}
    return {"provenance": origin, "weights_sha256": "0", "rows": rows}


def figures(nats):
    names = ("nats_per_token", "token_perplexity", "bits_per_character", "word_perplexity")
    return dict(zip(names, (nats, 1234.56, 2.0, 98765.4)))


@pytest.fixture
def perplexity():
    row = {"window": 1024, "windows": 300, "tokens": 306_900}
    row |= {"model": figures(5.0), "unigram": figures(7.0), "five_gram": figures(6.0)}
    arguments = {"text": "test.txt", "baseline": "valid.txt", "window": 1024, "limit": None}
    return record(arguments, None, [row])


@pytest.fixture
def dormancy():
    ranks = ({"median": 3101.5, "best": 12, "worst": 4000}, {"median": 2, "best": 1, "worst": 9})
    row = {"layer": 0, "positions": 4080, "chance": 2040.5, "trials": 50, "n": 300}
    row |= dict(zip(("before", "after"), ranks))
    return record({"tokens": 4096, "trials": 50, "filler": "pydoc"}, 3, [row])


def test_perplexity_stands_beside_the_n_grams(perplexity):
    lines = table_of(perplexity).split("\n")
    assert lines[2:] == [
        f"| {name} | {nats} | 1,234.6 | 2.000 | 98,765 |"
        for name, nats in (("the model", "5.000"), ("unigram", "7.000"), ("5-gram", "6.000"))
    ]
    told = caption(perplexity)
    assert "300 windows of 1,024 tokens" in told and "counted on valid.txt" in told
    assert "seed" not in told


def test_dormancy_has_a_line_a_layer(dormancy):
    assert table_of(dormancy).split("\n")[2:] == [
        "| 1 | 3,102 [12, 4,000] | 2 [1, 9] | 4,080 | 2,040 |"
    ]
    assert "50 needles in 4,096 tokens, pydoc filler, seed 3, commit abcdef0" in caption(dormancy)


def test_a_needle_that_names_its_weights_is_no_ceiling():
    needle = record({"protocol": "hidden"}, 0, [{"method": "full"}])
    assert kind_of(needle) == "" and kind_of(record({}, 0, [{"task": "x"}])) == "ceilings"


def test_a_page_waits_for_its_record(tmp_path):
    page = "Not yet recorded ([record](none.json)):\n\n| not yet recorded |\n|---|\n"
    assert fill_page(page, tmp_path) == page
