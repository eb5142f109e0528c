"""RULER's needles: every arm of a context in one row, gone on with, and judged by context."""

from dataclasses import replace

import pytest

from ta_lab.experiments import ruler
from ta_lab.experiments.experiment import Context
from transactional_attention.errors import InputError


@pytest.fixture
def small(model, tokenizer, monkeypatch):
    """One task of one context, three answers' tokens, a random model."""
    monkeypatch.setattr(ruler, "SHAPES", {"niah_multikey_1": ruler.SHAPES["niah_multikey_1"]})
    monkeypatch.setattr(ruler, "LENGTH", 1100)
    monkeypatch.setattr(ruler, "GENERATED", 3)
    return Context(lambda: (model, tokenizer), size="quick", filler="anchor-free")


def test_every_arm_is_in_the_row_and_a_run_goes_on(small):
    record = ruler.run(small)
    (row,) = record["rows"]
    methods = ("ta", *ruler.PEERS)
    ledgers = {"on-top": (*methods, "kvzip"), "strict": methods}
    named = {f"{ledger} 64 {name}" for ledger, names in ledgers.items() for name in names}
    assert {*row["cells"]} == {"full", *named} and "refused" not in row
    assert row["cells"]["full"] == ["kkkk", [0, 0, 0, 0]]
    assert all(len(marks) == len(counts) == 4 for marks, counts in row["cells"].values())
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=record["rows"])
    assert ruler.run(again) == record
    shown = ruler.tables(record)
    assert "kvzip" in shown and "| tova | 64 | 4 | 0 |" in shown


def test_kvzip_is_run_on_one_context_of_four_unless_all_is(small):
    for size, trials in {
        "quick": {0, 1, 2, 3, 4},
        "default": {0, 4},
        "full": {0, 1, 2, 3, 4},
    }.items():
        context = replace(small, size=size)
        arms = [[a.method for a in ruler.arms_of(context, trial)] for trial in range(5)]
        assert {trial for trial in range(5) if "kvzip" in arms[trial]} == trials


def test_methods_and_budgets_can_be_chosen(small):
    context = replace(small, size="default", only=("ta", "snapkv"), budgets=(64,))
    named = [(arm.method, arm.ledger) for arm in ruler.arms_of(context, 0)]
    ours = [(name, ledger) for ledger in ruler.LEDGERS for name in ("ta", "snapkv")]
    assert named == [("full", "strict"), *ours]
    with pytest.raises(InputError, match="--only and --budgets leave nothing; there are ta, snap"):
        ruler.run(replace(context, budgets=(99,)))
    (zipped,) = ruler.run(replace(context, only=("kvzip",), trials=8))["rows"]  # of two contexts
    assert zipped["trial"] == 0 and zipped["cells"].keys() == {"full", "on-top 64 kvzip"}


def row(trial, task="niah_multivalue", **found):
    """A context in which methods found this many of the references."""
    cells = {f"on-top 64 {name}": ["b", [number]] for name, number in found.items()}
    return {"part": "context", "task": task, "trial": trial,
            "cells": {"full": ["b", [4]], **cells}}  # fmt: skip


def test_scores_and_the_sign_test_are_of_what_was_found():
    rows = [row(trial, ta=3, tova=1 if trial else 4) for trial in range(8)]
    rows.append(row(0, "niah_single_1", ta=1, tova=0))
    shown = ruler.tables({"rows": rows})
    assert (
        "| ta | 64 | 9 | 75 | 100 | 87.5 |" in shown
        and "| tova | 64 | 9 | 34 | 0 | 17.2 |" in shown
    )
    assert ruler.compared(rows, "on-top") == {("64", "tova"): (8, 1, pytest.approx(20 / 512))}
    assert "| on-top | 64 | tova | 8 | 1 | 0.039 |" in shown
