"""The detectors of text together: value-free prose, hostile text, linear time."""

from __future__ import annotations

import time
from statistics import median

import pytest

from transactional_attention.anchors import Scanner

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


def seconds(text: str) -> float:
    begin = time.process_time()
    Scanner(TEXT).feed(text, final=True)
    return time.process_time() - begin


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_linearly(piece):
    """Quadratic time would make eight times the text 64 times as slow."""
    small, large = ((piece * size)[:size] for size in (10_000, 80_000))
    seconds(small)
    assert seconds(large) < 24 * max(min(seconds(small) for _ in range(3)), 0.004)
