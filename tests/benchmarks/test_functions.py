"""What one decode step goes through: few functions, each counted once."""

import pytest

from ta_lab.benchmarks import functions
from ta_lab.benchmarks.benchmark import Recipe, Request

MOST = 45  # of a step of `ta`; a layer that does nothing of its own is merged with its neighbour


def test_a_decode_step_goes_through_few_functions():
    rows = functions.run(Request(Recipe(), (256,), (32,), ("ta",))).rows
    counts = {row["name"]: row["functions"] for row in rows}
    assert counts["plain cache"] < counts["ta"] <= MOST, rows[-1]["names"]


def test_a_function_counts_once_with_what_is_written_inside_it():
    with functions.counting(functions.LIBRARY.parent) as entries:
        pass
    assert not entries
    home = functions.Path(__file__)

    def twice():
        return [(lambda: item)() for item in range(2)]

    with functions.counting(home) as entries:
        twice()
        twice()
    assert entries == {(home.name, "test_a_function_counts_once_with_what_is_written_inside_it")}
    with pytest.raises(ZeroDivisionError), functions.counting(home):
        1 / 0  # noqa: B018
    assert functions.sys.getprofile() is None
