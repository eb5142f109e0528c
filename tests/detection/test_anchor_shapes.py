"""Values without a label, and how opaque values are."""

from __future__ import annotations

import pytest

from transactional_attention.detection.opacity import opacity
from transactional_attention.detection.registry import DETECTORS
from transactional_attention.detection.scanner import Scanner

SHAPES = [
    ("uuid", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
    ("hash", "d41d8cd98f00b204e9800998ecf8427e"),
    ("prefixed", "sk-live-9911XYZabc"),
    ("prefixed", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("prefixed", "AKIAIOSFODNN7EXAMPLE"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123"),
    ("url", "https://falcon.acme.io/v3/ab12cd?x=1"),
    ("email", "bob.smith+x@mail.acme.org"),
    ("ip", "10.0.0.7:8080"),
    ("ip", "192.168.7.4"),
    ("mac", "00:1b:44:11:3a:b7"),
    ("host", "db.internal:5432"),
    ("path", "/srv/data/run7/out"),
    ("path", "~/work/notes"),
    ("coordinates", "48.8566, 2.3522"),
    ("coordinates", "-33.8688,151.2093"),
    ("time", "2024-05-01T12:30:00Z"),
    ("phone", "+44 20 7946 0018"),
    ("file", "final_report.pdf"),
    ("number", "4111111111111111"),
    ("opaque", "XK7M9P2Q"),
]
PLAIN = [
    "the",
    "something",
    "python3",
    "sha256",
    "ISO",
    "3.14",
    "1998",
    "0x7f",
    "U+0041",
    "HTTP/1.1",
]
PLAIN += [
    "well-known",
    "ValueError",
    "os.path",
    "\\x00\\x01ab1",
    "1e-100",
    "%03.2f",
    "and/or",
    "1,200",
]


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
