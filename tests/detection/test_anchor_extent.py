"""Where a value ends."""

from __future__ import annotations

import pytest

from transactional_attention.detection.detector import MAX_VALUE
from transactional_attention.detection.extent import find_extent

BARE = [
    ("XK7M9P2Q. Next", "XK7M9P2Q"),
    ("XK7M9P2Q, next", "XK7M9P2Q"),
    ("XK7M9P2Q\nnext", "XK7M9P2Q"),
    ("4417!", "4417"),
    ("/srv/data/run.7/out.bin.", "/srv/data/run.7/out.bin"),
    ("10.0.0.7:8080;", "10.0.0.7:8080"),
    ("12:30:05.", "12:30:05"),
    ("https://a.b/c?d=e#f, and", "https://a.b/c?d=e#f"),
    ("https://a.b/c_(d) x", "https://a.b/c_(d)"),
    ("AB12) and", "AB12"),
    ("abc123&user=bob", "abc123"),
    ("SGVsbG8=,", "SGVsbG8="),
    ("**AB12**.", "AB12"),
    ("Server=db;Port=5432;", "Server=db;Port=5432"),
    ("v8841</door_code>", "v8841"),
]
DELIMITED = [
    ('"a b c" d', "a b c"),
    ("'it is' x", "it is"),
    ("`rm -rf x`.", "rm -rf x"),
    ("“quoted value”.", "quoted value"),
    ('"a \\" b"', 'a \\" b'),
    ('\\"v1\\", ', "v1"),
    ("(48.85, 2.35)", "48.85, 2.35"),
    ("[alpha]", "alpha"),
    ('["first", "second"]', "first"),
    ("48.8566, 2.3522 is", "48.8566, 2.3522"),
    ("48.8566,2.3522 is", "48.8566,2.3522"),
    ("2024-05-01 12:30 UTC", "2024-05-01 12:30"),
    ("4111 1111 1111 1111.", "4111 1111 1111 1111"),
]
NOTHING = ["", "\n", "...", '""', "''", "(", "[", "{", ")", "get_token('x')", "--- "]


def take(text: str):
    extent = find_extent(text, 0, sentence=True)
    return (
        None if extent is None else (text[extent.value.start : extent.value.end], extent.delimited)
    )


@pytest.mark.parametrize(("text", "value"), BARE)
def test_bare_values(text, value):
    assert take(text) == (value, False)


@pytest.mark.parametrize(("text", "value"), DELIMITED)
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
