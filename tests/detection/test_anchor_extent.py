"""Where a value ends."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from found_values import parted
from transactional_attention.detection.detector import MAX_VALUE
from transactional_attention.detection.extent import find_extent

PAPER = tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))
NOTHING = ["", "\n", "...", '""', "''", "(", "[", "{", ")", "get_token('x')", "--- "]


def take(text: str):
    extent = find_extent(text, 0, sentence=True)
    return (
        None if extent is None else (text[extent.value.start : extent.value.end], extent.delimited)
    )


@pytest.mark.parametrize(("text", "value"), [*map(parted, PAPER["bare"])])
def test_bare_values(text, value):
    assert take(text) == (value, False)


@pytest.mark.parametrize(("text", "value"), [*map(parted, PAPER["delimited"])])
def test_delimited_values(text, value):
    assert take(text) == (value, True)


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_to_take(text):
    assert take(text) is None


def test_an_open_quote_falls_back_to_the_bare_value():
    assert take('"abc def') == ("abc", False)


def test_exclamation_marks_belong_to_assigned_values():
    extent = find_extent("hunter2!\n", 0)
    assert extent is not None
    assert len(extent.value) == len("hunter2!")


def test_length_is_bounded():
    extent = find_extent("a1" * MAX_VALUE, 0)
    assert extent is not None
    assert len(extent.value) == MAX_VALUE
