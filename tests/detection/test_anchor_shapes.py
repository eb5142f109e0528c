"""Values without a label, and how opaque values are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from transactional_attention.detection.opacity import opacity
from transactional_attention.detection.registry import DETECTORS
from transactional_attention.detection.scanner import Scanner

PAPER = tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))
SHAPES = [(rule, value) for rule, values in PAPER["shapes"].items() for value in values]
PLAIN = (
    "the something python3 sha256 ISO 3.14 1998 0x7f U+0041 HTTP/1.1 well-known ValueError".split()
)
PLAIN += r"os.path \x00\x01ab1 1e-100 %03.2f and/or 1,200".split()


@pytest.mark.parametrize("frame", ["{}", "see {} now", "see {}.", "({})", "'{}',", "x={}\n"])
@pytest.mark.parametrize(("rule", "value"), SHAPES)
def test_shapes(rule, value, frame):
    text = frame.format(value)
    (anchor,) = DETECTORS["shapes"]().find(text)
    assert text[anchor.value.start : anchor.value.end] == value
    said = rule == "time" and frame.startswith("see ")  # behind a word it is no stamp of a line
    assert anchor.rule == f"shape:{'moment' if said else rule}"
    assert anchor.delimited
    assert len(anchor.label) == 0


@pytest.mark.parametrize("word", PLAIN)
def test_plain_words_have_no_shape(word):
    assert DETECTORS["shapes"]().find(f"see {word} now") == []


def test_opacity_orders_values():
    rising = ["the", "ValueError", "1998", "4417", "88412", "QX-2231", "XK7M9P2Q"]
    scores = [opacity(value) for value in rising]
    assert scores == sorted(scores)
    assert scores[0] < 0.1
    assert scores[-1] > 0.9


@pytest.mark.parametrize("value", ["", " ", "a", "é", "漢字", "x" * 10_000, "1" * 10_000, "\0"])
def test_opacity_is_a_fraction(value):
    assert 0.0 <= opacity(value) <= 1.0


def test_many_words_are_no_more_opaque_than_one():
    assert opacity("the one and only way to say it again") < 0.2


@pytest.mark.parametrize(
    "text",
    [
        'The "door camera mac" is the one he means.',
        'He filled in "garage keypad code" and "deposit slip number".',
    ],
)
def test_names_of_values_are_no_values(text):
    assert Scanner(["shapes"]).feed(text, final=True) == []
