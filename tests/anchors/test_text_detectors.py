"""The detectors of text together: value-free prose, hostile text, linear time."""

from __future__ import annotations

import sys
from statistics import median

import pytest

from growing import assert_linear
from transactional_attention.detection.registry import build_detectors
from transactional_attention.detection.scanner import Scanner
from transactional_attention.types import Anchor

TEXT = ["structure", "prose", "languages", "shapes"]
PART = 16_384
HOSTILE = [
    "a",
    "\0",
    "�",
    "[",
    "(",
    "{",
    '"',
    "'",
    "=",
    ":",
    "a=",
    "a:b",
    "key=",
    '{"a":',
    "<a>",
    "</",
    "|",
    "| a ",
    ",",
    "a,b,",
    "://",
    "/a",
    "a@b",
    "?a=b&",
    "--a ",
    "-p1",
    "VALUES (",
    "('a',",
    "1.",
    ".",
    ". ",
    "a .... ",
    "x aB!c",
    "was set, it, to 4471 ",
    "1,",
    "+1 2",
    "ab-",
    "«",
    "：",
    "は1",
    "का 1 ",
    "is 1 ",
    "the a is 1 ",
    "not ",
    "\\",
    '\\"',
    "&",
    ";",
    "\t",
    "password ",
    "password is ",
    "machine ",
    "name\n",
    "a=b=",
    "a: a: ",
]


def test_value_free_prose_protects_almost_nothing():
    topics = pytest.importorskip("pydoc_data.topics").topics
    text = "\n".join(topics.values())
    shares = []
    for begin in range(0, len(text) - PART, PART):
        found = Scanner(TEXT).feed(text[begin : begin + PART], final=True)
        shares.append(sum(len(a.value) for a in found) / PART)
    assert median(shares) < 0.005


class Counting:
    """Finds nothing, and counts the characters that it is given."""

    name = "counting"

    def __init__(self) -> None:
        self.read = 0

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        self.read += len(text)
        return []


@pytest.mark.parametrize("text", ["[" * 400_000, "a = 1\n" * 60_000, ("b" * 9_000 + "\n") * 40])
@pytest.mark.parametrize("piece", [997, 400_000])
def test_a_text_is_read_little_more_than_once(text, piece):
    counting = Counting()
    scanner = Scanner([counting])
    for begin in range(0, len(text), piece):
        scanner.feed(text[begin : begin + piece])
    scanner.feed("", final=True)
    assert len(text) <= counting.read < (1.7 if piece > 8192 else 2.2) * len(text)


def find_all(text: str) -> None:
    for detector in build_detectors(TEXT):
        detector.find(text)


def calls(text: str) -> int:
    """Calls of functions, Python's and C's, patterns included, that detection makes."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        find_all(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_calls_grow_linearly(piece):
    """Counted, not timed. Quadratic work would make four times the text 16 times the calls."""
    find_all((piece * 3_000)[:3_000])  # patterns are compiled when they are first needed
    small, large = ((piece * size)[:size] for size in (4_000, 16_000))
    assert calls(large) < 5 * calls(small) + 500


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_pattern_backtracks_without_bound(piece):
    assert_linear(find_all, piece, 1_000)
