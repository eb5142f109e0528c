"""The mechanism's record: the paper's numbers, whole values by default, nothing of the value."""

import json

import numpy as np
import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.mechanism import run, tables
from ta_lab.generators.needle import needle_case
from transactional_attention.models import load_tokenizer

TOKENIZER = load_tokenizer("embedded")


@pytest.fixture(scope="module")
def record():
    context = Context(lambda: (None, TOKENIZER), size="quick", seed=3)  # no model is there to run
    return {"experiment": "mechanism", **run(context)}


def test_vouchers_are_equation_2_over_six_tokens(record):
    row = record["rows"][0]
    assert (row["preset"], row["rule"] is not None) == ("paper", True)
    for i, voucher in enumerate(row["voucher"]):
        distance = row["first"] + i - row["anchor"]
        expected = 15 * 0.8**distance if 0 < distance <= 6 else 0.0
        assert voucher == pytest.approx(expected, abs=1e-3)


def test_vouchers_lift_the_tokens_that_have_one_and_no_other(record):
    row = record["rows"][0]
    without, lifted = (np.array(row["ranks"][name]) for name in ("without", "with"))
    low = row["value"][0] - row["first"]
    sponsored = np.array(row["voucher"][low : low + len(without)]) > 0
    assert 0 < sponsored.sum() < len(without)  # six tokens after the anchor cut it
    assert (lifted[sponsored] <= 16).all() and (without[sponsored] > 16).all()
    assert (lifted[~sponsored] > 16).all()


def test_by_default_the_value_is_whole(record):
    printed, ours = record["rows"]
    value = set(range(*ours["value"]))
    assert value <= set(ours["kept"]) and not value <= set(printed["kept"])
    assert len(ours["kept"]) == len(printed["kept"]) == 16
    left = len(value & set(printed["kept"]))
    assert f"| ta-fast-semantic, as printed | 16 | {left} of {len(value)} |" in tables(record)


def test_the_value_is_masked(record):
    case = needle_case(TOKENIZER, context=1024, depth=0.5, seed=3, filler_name="pydoc")
    (span,) = encode_case(TOKENIZER, case).values
    for row in record["rows"]:
        assert row["value"] == [span.start, span.end]
        low = span.start - row["first"]
        shown = row["pieces"][low : low + len(span)]
        assert set("".join(shown)) == {"•"}
    assert case.answer not in json.dumps(record) + tables(record)
