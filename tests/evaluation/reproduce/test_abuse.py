"""Floods: every number of fakes with every statement, and labels as the text words them."""

from itertools import product

import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.cases.runner import TextRunner
from ta_lab.collection.floods import COUNTS, FLOODS, crossed, num_statements
from ta_lab.experiments.plan import Arm

METHODS = ("ta-fast-regex", "ta-fast-semantic", "ta")


def stated(count, trial, kind="templated"):
    """The case of a trial."""
    return crossed(kind, count, trial, 0, sourced=False, methods=METHODS)


def test_numbers_of_fakes_and_statements_are_crossed():
    """Two rounds of trials: each statement twice with each number, its label spoofed once."""
    size = num_statements()
    labels = {stated(20, trial).critical[0].label for trial in range(size)}
    assert len(labels) == size
    for count in COUNTS:
        cases = [stated(count, trial) for trial in range(2 * size)]
        pairs = sorted((case.critical[0].label, case.meta["spoofs"]) for case in cases)
        assert pairs == sorted(product(labels, (False, True)))
        assert {case.meta["fakes"] for case in cases} == {count}


def test_a_trial_states_the_same_under_every_kind_of_flood():
    for trial in range(5):
        cases = [stated(50, trial, kind) for kind in FLOODS]
        assert len({case.answer for case in cases}) == 1
        assert len({tuple(case.meta["labels"].items()) for case in cases}) == 1


@pytest.mark.parametrize("trial", range(5))
def test_an_allowlist_permits_the_value_of_every_statement(tokenizer, trial):
    """Without a flood nothing that the default method keeps is lost by it."""
    case = stated(20, trial, "none")
    runner = TextRunner(tokenizer, encode_case(tokenizer, case))
    kept = [runner.run(Arm("ta", 64, allow=a).retention(case, 0)).retained for a in (False, True)]
    assert kept == [True, True]


def test_a_method_without_a_label_of_its_own_takes_that_of_the_case():
    case = stated(20, 0)
    assert Arm("oracle", 64, allow=True).retention(case, 0).allow == (case.critical[0].label,)
