"""Which anchor stays, and which value is admitted first."""

from __future__ import annotations

from itertools import pairwise

import pytest

from transactional_attention.detection.competition import AGREED, strongest
from transactional_attention.detection.opacity import surprise
from transactional_attention.detection.scanner import Scanner
from transactional_attention.sponsorship.trust import value_rank
from transactional_attention.types import Anchor, Span


def anchor(start: int, end: int, confidence: float, label: int | None = None, rule: str = "r"):
    begin = start if label is None else label
    return Anchor(Span(begin, start), Span(start, end), confidence, rule)


def rank(anchor: Anchor, text: str) -> tuple[float, ...]:
    """Its order, as nobody else says anything."""
    value = text[anchor.value.start : anchor.value.end]
    return value_rank(
        "unknown", anchor.rule, anchor.confidence, surprise(value), anchor.value.start
    )


def test_one_anchor_a_value_with_the_longest_label():
    labelled = anchor(10, 18, 0.7, label=0, rule="label")
    shaped = anchor(10, 18, 0.9, rule="shape")
    (winner,) = strongest([labelled, shaped])
    assert winner.rule == "shape"
    assert winner.confidence == pytest.approx(0.9 + AGREED)
    assert winner.label == Span(0, 10)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (anchor(10, 18, 0.7, label=0, rule="prose:label"), anchor(10, 18, 0.8, rule="prose:doing")),
        (anchor(10, 18, 0.7, rule="shape:order"), anchor(10, 18, 0.8, rule="characters")),
    ],
)
def test_one_detector_alone_or_no_label_makes_a_value_no_surer(one, other):
    (winner,) = strongest([one, other])
    assert winner.confidence == pytest.approx(max(one.confidence, other.confidence))


def test_a_second_detector_makes_an_announced_value_stand_before_an_equal_one():
    text = "take QX7Z91KM or QX7Z91KN"
    bare = anchor(17, 25, 0.76, rule="shape:order")
    (winner,) = strongest(
        [anchor(5, 13, 0.76, label=0, rule="stated:label"), anchor(5, 13, 0.76, rule="shape:order")]
    )
    assert rank(winner, text) > rank(bare, text)


def test_the_most_confident_of_overlapping_values_stays():
    wide, inner, other = anchor(0, 20, 0.6), anchor(5, 9, 0.8), anchor(20, 25, 0.5)
    assert strongest([wide, inner, other]) == [inner, other]


def test_result_is_in_order_and_does_not_depend_on_the_input_order():
    anchors = [anchor(i * 7, i * 7 + 10, 0.5 + (i * 37 % 11) / 30) for i in range(40)]
    winners = strongest(anchors)
    assert winners == strongest(reversed(anchors))
    assert [a.value.start for a in winners] == sorted(a.value.start for a in winners)
    assert all(a.value.end <= b.value.start for a, b in pairwise(winners))


def test_rank_is_likelihood_of_confidence_and_opacity_then_newest():
    text = "QX7Z91KM hello QX7Z91KM"
    sure = anchor(9, 14, 0.99, rule="regex:symbol")
    opaque, word, newer = (
        anchor(start, end, 0.6, rule="regex:symbol") for start, end in ((0, 8), (9, 14), (15, 23))
    )
    best = sorted([word, opaque, sure, newer], key=lambda a: rank(a, text), reverse=True)
    assert best == [sure, newer, opaque, word]


def test_an_announced_value_stands_before_shapes_and_prose():
    text = (
        "See https://www.example.org/docs/page.html or mail bob@acme.org (10.0.0.1).\n"
        "The secret code is: XK7M9P2Q\n"
        "The key is read once. File report_2024.txt, id 3f2504e0-4f89-11d3-9a0c-0305e82c3301.\n"
    )
    anchors = Scanner(["semantic", "shapes"]).feed(text, True)
    best = max(anchors, key=lambda a: rank(a, text))
    assert text[best.value.start : best.value.end] in ("XK7M9P2Q",) or best.rule.startswith(
        "semantic"
    )
    needle = next(a for a in anchors if text[a.value.start : a.value.end] == "XK7M9P2Q")
    shapes = [a for a in anchors if a.rule.startswith("shape")]
    assert shapes
    assert all(rank(needle, text) > rank(a, text) for a in shapes)
