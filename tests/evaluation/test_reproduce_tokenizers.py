"""Tokens of values by kind, under several tokenizers."""

import pytest

from ta_lab.collection.values import KINDS
from ta_lab.experiments import needle
from ta_lab.experiments.experiment import Context
from transactional_attention.text.token_text import TokenText


@pytest.fixture
def record(model, tokenizer):
    context = Context(
        lambda: (model, tokenizer),
        model="bytes",
        size="quick",
        tokenizers={"other": lambda: tokenizer},
    )
    return {"experiment": "tokenizers"} | needle.tokenizers(context)


def test_tokens_of_a_value_are_those_that_hold_its_characters(tokenizer):
    blank = TokenText(tokenizer)
    assert needle.tokens_of(blank, tokenizer, "QX81-77K2") == 9  # a byte each
    assert needle.tokens_of(blank, tokenizer, "€5") == 4
    assert len(blank) == 0


def test_every_tokenizer_has_its_kinds(record):
    kinds = [row for row in record["rows"] if row.get("part") == "kinds"]
    assert [row["tokenizer"] for row in kinds] == ["bytes", "other"]
    assert kinds[0]["tokens"] == kinds[1]["tokens"] and set(kinds[0]["tokens"]) == set(KINDS)
    assert kinds[0]["tokens"]["uuid"] == [36, 36, 36]


def test_the_papers_credential_is_counted_and_stands_beside_its_count(record):
    rows = [row for row in record["rows"] if row.get("part") == "credential"]
    assert [(row["tokenizer"], row["tokens"]) for row in rows] == [("bytes", 8), ("other", 8)]
    assert "| bytes | – | 8 |" in needle.token_tables(record)
