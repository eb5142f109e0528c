"""What every registered detector promises, and the scanner over any of them."""

from __future__ import annotations

import logging
import multiprocessing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from found_values import read
from split_text import pieces
from transactional_attention.detection import scanner
from transactional_attention.detection.catalogue import DETECTORS, build_detectors
from transactional_attention.detection.detector import MAX_VALUE, MIN_CONFIDENCE
from transactional_attention.detection.scanner import Scanner
from transactional_attention.detection.values import LIKELY
from transactional_attention.errors import UnknownNameError

STATED = "The secret code is: XK7M9P2Q\n"  # every detector finds something in it
FRAGMENTS = "key code password XK7M9P2Q 4417 token a /srv/x/y1 ' \" ` ( ) [ ] < > \\ { = :".split()
FRAGMENTS += [" ", " is ", ": ", "\n", "\n\n", "the ", "remember ", "order #88412", "--api-key "]
FRAGMENTS += ["https://a.b/c?d=e1", "48.8566, 2.3522", "2024-05-01 12:30", "bob@x.org"]
FRAGMENTS += [STATED]
FRAGMENTS += ", ; | -> é 漢 İ sk-abcdef123456 =====".split()
texts = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join), st.text(max_size=200)
)
detectors = pytest.mark.parametrize("name", DETECTORS)
LEAST = {"values": LIKELY}  # the default detector also reports what it rates below 50%


@detectors
@settings(deadline=None, max_examples=150)
@given(texts)
def test_contract(name, text):
    detector = DETECTORS[name]()
    anchors = detector.find(text)
    assert detector.name == name
    assert anchors == DETECTORS[name]().find(text)
    last = 0
    for anchor in anchors:
        assert 0 <= anchor.label.start <= anchor.label.end <= len(text)
        assert not anchor.label.overlaps(anchor.value)
        assert last <= anchor.value.start < anchor.value.end <= len(text)
        assert 0.0 <= anchor.confidence <= 1.0
        assert anchor.confidence >= LEAST.get(name, MIN_CONFIDENCE)
        assert text[anchor.value.start : anchor.value.end].strip()
        assert "\n" not in text[anchor.value.start : anchor.value.end]
        assert len(anchor.value) <= 2 * MAX_VALUE
        last = anchor.value.start  # a part stands inside its whole


def test_the_default_detector_reports_unlikely_values_and_says_how_unlikely():
    anchors = DETECTORS["values"]().find("The door code is 4417, ask Nell Ward.")
    assert any(LIKELY <= anchor.confidence < MIN_CONFIDENCE for anchor in anchors)
    assert any(anchor.confidence >= MIN_CONFIDENCE for anchor in anchors)


def test_unknown_detectors_are_refused():
    with pytest.raises(UnknownNameError, match="semantic"):
        build_detectors(["semantics"])


cuts = st.lists(st.integers(0, 5000), max_size=8)


sets = pytest.mark.parametrize("names", [["semantic", "shapes"], *([name] for name in DETECTORS)])


@sets
@settings(deadline=None, max_examples=150)
@given(texts, cuts)
def test_any_split_gives_the_same_anchors(names, text, cuts):
    whole = read([text], names)
    assert read(pieces(text, cuts), names) == whole
    assert read(list(text), names) == whole


@sets
@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=500).map("".join), cuts)
def test_any_split_of_long_lines_gives_the_same_anchors(names, text, cuts):
    text = text.replace("\n", " ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanner, "MAX_LINE", 300)
        whole = read([text], names)
        assert read(pieces(text, cuts), names) == whole


@sets
@settings(deadline=None, max_examples=40)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=500).map("".join), cuts)
def test_lines_read_at_once_give_the_anchors_of_lines_read_alone(names, text, cuts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanner, "MAX_LINE", 100)
        patch.setattr(scanner, "MAX_PART", 400)
        whole = read([text], names)
        assert read(pieces(text, cuts), names) == whole
        assert read(text.splitlines(keepends=True), names) == whole


@sets
@settings(deadline=None, max_examples=100)
@given(texts, cuts)
def test_reading_settles_and_foresees_what_two_readings_do(names, text, cuts):
    at_once, twice = Scanner(names), Scanner(names)
    for chunk in pieces(text, cuts):
        settled = twice.feed(chunk)
        assert at_once.read(chunk) == (settled, twice.provisional())
    assert at_once.feed("", final=True) == twice.feed("", final=True)


@pytest.mark.parametrize("before", [0, 100, 8150, 8180, 8192, 12_000, 40_000])
def test_a_needle_in_one_long_line_is_found_once(before):
    text = ("word " * 10_000)[:before] + " The secret code is: XK7M9P2Q and on " + "word " * 9000
    for chunks in ([text], pieces(text, list(range(0, len(text), 777)))):
        (anchor,) = read(chunks, ["semantic", "shapes"])
        assert text[anchor.value.start : anchor.value.end] == "XK7M9P2Q"
        assert text[anchor.label.start : anchor.label.end] == "The secret code is: "


def test_what_the_border_cuts_is_provisional():
    reader = Scanner(["semantic"])
    assert reader.feed("The secret code is: XK7M") == []
    (early,) = reader.provisional()
    assert len(early.value) == 4
    assert reader.provisional() == [early]
    (anchor,) = reader.feed("9P2Q\n")
    assert len(anchor.value) == 8
    assert reader.provisional() == []


def test_a_copy_reads_on_by_itself():
    reader = Scanner(["semantic"])
    reader.feed("The secret code is: ")
    other = reader.copy()
    assert len(reader.feed("XK7M9P2Q\n")) == 1
    assert len(other.feed("QQ81ZZ7K\n")) == 1


def test_the_scanner_holds_a_bounded_text():
    reader = Scanner(["regex"])
    for _ in range(200):
        reader.feed("word key " * 100)
        assert len(reader._text) < 15_000


HOSTILE = "a : = key: ([{< key:[ \" 1 1. /a a@ - :// a- '".split()
HOSTILE += ["key: ", "a1 ", "is ", "key: )", "+1 11 ", "A "]


def scan_hostile(size: int) -> None:
    for piece in HOSTILE:
        Scanner(["semantic", "shapes"]).feed((piece * size)[:size], final=True)
    for piece in ("a", ":", "["):
        Scanner(["semantic", "shapes"]).feed((piece * 10**6)[: 10**6], final=True)


def test_hostile_text_takes_linear_time():
    """Quadratic time on 20,000 characters would be minutes a piece, on a million for ever."""
    process = multiprocessing.get_context("fork").Process(target=scan_hostile, args=(20_000,))
    process.start()
    process.join(240)
    late = process.is_alive()
    if late:
        process.kill()
    assert not late
    assert process.exitcode == 0


@detectors
def test_values_are_in_no_repr_and_no_log(name, caplog):
    with caplog.at_level(logging.DEBUG):
        detector = DETECTORS[name]()
        anchors = detector.find(STATED)
        reader = Scanner([name])
        reader.feed(STATED)
    assert anchors
    shown = repr(anchors) + repr(detector) + repr(reader) + caplog.text
    assert not any(STATED[a.value.start : a.value.end] in shown for a in anchors)
