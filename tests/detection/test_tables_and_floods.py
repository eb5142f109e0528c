"""Rows of a table share the name of their column and are no flood; longer ones are."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found
from growing import assert_linear
from transactional_attention import plan
from transactional_attention.detection.formats.block_worth import block_worth as worth
from transactional_attention.sponsorship.floods import CELL, FLOOD, LONG_TABLE, Repetition

NAMES = "router switch printer scanner beamer camera kiosk tablet sensor lamp safe gate".split()


@pytest.mark.parametrize(("rule", "most"), [("prose:label", FLOOD), (CELL, LONG_TABLE)])
def test_a_wording_is_a_flood_from_a_number_of_claims_on(rule, most):
    counts = Repetition()
    gaps = [counts.note(7, 40 * place) for place in range(most - 1)]
    assert counts.factor(7, 40, gaps[1], rule) == 1
    gap = counts.note(7, 40 * most)
    assert counts.factor(7, 40 * most, gap, rule) < 1


def test_every_row_of_a_short_table_is_guaranteed(tokenizer):
    rows = "\n".join(f"| {name} | SN7651{i:02}KX | checked |" for i, name in enumerate(NAMES))
    text = f"| Device | Serial | State |\n|---|---|---|\n{rows}\n"
    made = plan(text, tokenizer, 600)
    assert [value.rule for value in made.values] == [CELL] * len(NAMES)
    room = sum(value.tokens + 1 for value in made.values) + 5  # with closing tokens
    assert plan(text, tokenizer, room).guaranteed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("We got new wifi, the password is yJdKecoRwB?91. The old one was silly.", "yJdKecoRwB?91"),
        ("The user is admin and the password is EmberYarrow19#, I changed it.", "EmberYarrow19#"),
    ],
)
def test_signs_of_a_password_belong_to_it(text, value):
    assert value in found(text)


def test_a_program_is_no_value():
    text = '{"code": "df = load(); print(df.head(8).to_csv(index=False)); print(df)"}'
    assert anchors_of(text) == []


def test_code_as_a_value_is_told_in_time_that_grows_with_it():
    assert_linear(lambda text: worth(text, 1.0), "a( =", 4_000)
