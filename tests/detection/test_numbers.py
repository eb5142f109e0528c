"""Plain numbers: chosen ones are found, quantities are not."""

from __future__ import annotations

import re

import pytest

from found_values import anchors_of
from transactional_attention.detection.numbers import is_chosen

CHOSEN = [
    "Nothing but dust and 847839 on a torn sheet.",
    "> 5571822",
    "En la nota pone 77120, nada más.",
    "Auf dem Zettel steht 7290.",
    "墙上写着77120，看不懂。",
    "封筒の裏に49666600と書いてありました。",
    "The boy had 399965 inked on his hand.",
]
COUNTED = [
    "In 2014 the town had 48213 inhabitants, of whom 12077 lived in the valley.",
    "The loop runs 65536 times, prints 1000000 lines and returns 16777216.",
    "The fair drew 120000 visitors, almost 45210, in 1998.",
    "这座城市有48213人。",
    "1998年には48213冊の本があった。",
    "{'jack': 4098, 'sape': 4139}",
    "x = 4098 + 4139",
    "born on 20310405, 12345678, 7777777",
]


def numbers(text):
    return [m.group() for m in re.finditer(r"\d+", text) if is_chosen(text, *m.span())]


@pytest.mark.parametrize("text", CHOSEN)
def test_chosen_numbers(text):
    (number,) = numbers(text)
    anchors = anchors_of(text + "\n")
    assert number in [text[a.value.start : a.value.end] for a in anchors]


@pytest.mark.parametrize("text", COUNTED)
def test_quantities(text):
    assert numbers(text) == []


def test_a_year_behind_a_month_or_before_a_dash_names_nothing():
    for text in ("In May 1275, the governor left.", "The mission (1271 – 72) began."):
        assert not [m for m in re.finditer(r"\d{4}", text) if is_chosen(text, *m.span())]
