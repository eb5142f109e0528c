"""Scoring of the collection: budgets, counts by family, what is protected for nothing."""

import pytest

from ta_lab.cases.cases import Case, Value
from ta_lab.cases.encoding import budget_of, check_rule, encode_case
from ta_lab.collection.scoring import ALL, FLOODS, Reading, markdown, readings, rows, score
from transactional_attention.errors import InputError

WORDS = "Nothing of note was said for a while, and then they all went home again.\n"
TEXT = f"{WORDS * 3}The access code is: QX81-77K2\n{WORDS * 3}"
START = TEXT.index("QX81")
ASKED = Value(START, START + 9, "access code")


def case(name, family, *values, kind="code"):
    return Case(name, TEXT, values=values, family=family, lang="en", meta={"kind": kind})


CASES = [
    case("a", "logs", ASKED),
    case("b", "logs", ASKED, kind="serial"),
    case("c", "flood-none", ASKED),
    Case("d", WORDS * 4, family="value-free", lang="en"),
]


@pytest.fixture(scope="module")
def seen(tokenizer):
    wanted = readings(("oracle", "streaming-llm", "ta-fast-regex"), ("default",))
    return score(tokenizer, CASES, wanted, "values+5")


def cell(counted, group, method):
    (row,) = [row for row in counted if (row["group"], row["method"]) == (group, method)]
    return row


def test_families_and_totals_are_counted(seen):
    counted = rows(seen)
    assert cell(counted, "logs", "oracle")["retained"] == 2
    assert cell(counted, "logs", "ta-fast-regex")["rate"] == 1
    assert cell(counted, "logs", "streaming-llm")["retained"] == 0
    assert cell(counted, ALL, "oracle")["trials"] == 2
    assert cell(counted, FLOODS, "oracle")["trials"] == 1
    low, high = cell(counted, "logs", "oracle")["ci95"]
    assert 0 < low < high == 1


def test_texts_without_values_count_what_is_protected(seen):
    row = cell(rows(seen), "value-free", "ta-fast-regex")
    assert (row["trials"], row["protected_median"]) == (1, 0)
    assert "rate" not in row


def test_counts_by_kind_of_value(seen):
    counted = rows(seen, "kind")
    assert cell(counted, "code", "oracle")["trials"] == 2
    assert cell(counted, "serial", "oracle")["trials"] == 1


def test_a_table_has_a_line_a_group_and_a_column_a_reading(seen):
    lines = markdown(rows(seen)).split("\n")
    assert lines[0] == "| | n | oracle | streaming-llm | ta-fast-regex |"
    assert lines[2].startswith("| logs | 2 | 100 [34, 100] | 0 [0, 66] |")
    assert (
        lines[-1]
        == "| value-free | 1 | 0.00% (mean 0.00%) | 0.00% (mean 0.00%) | 0.00% (mean 0.00%) |"
    )


def test_presets_are_those_of_methods_that_detect():
    pairs = readings(("random", "ta-fast-regex"), ("default", "paper"))
    detecting = [Reading("ta-fast-regex", preset) for preset in ("default", "paper")]
    assert pairs == [Reading("random", "default"), *detecting]
    with pytest.raises(InputError, match="column sums"):
        readings(("h2o",), ("default",))
    with pytest.raises(InputError, match="preset"):
        readings(("ta-fast-regex",), ("other",))


def test_budgets_count_every_value_once(tokenizer):
    values = (Value(6, 10), Value(19, 21, critical=False), Value(6, 8, critical=False))
    encoded = encode_case(tokenizer, Case("c", "code: ABCD. other: EF.", values=values, budget=9))
    assert budget_of("values+5", encoded) == len(encoded.values[0]) + 2 + 5
    assert (budget_of("64", encoded), budget_of("case", encoded)) == (64, 9)
    with pytest.raises(InputError, match="no budget"):
        budget_of("case", encode_case(tokenizer, Case("c", "text")))


@pytest.mark.parametrize("rule", ["0", "values", "values+", "-3", "all", "1.5"])
def test_a_rule_that_is_none_is_named(rule):
    with pytest.raises(InputError, match="--budget"):
        check_rule(rule)
