"""Labelled values: the paper's list, its two sentences, and the formats people write."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from found_values import parted
from transactional_attention.detection.detector import MIN_CONFIDENCE
from transactional_attention.detection.registry import DETECTORS
from transactional_attention.detection.scanner import Scanner

PAPER_KEYWORDS = (
    "key code password token secret api_key API-KEY apiKey session_id authorization bearer id pin "
    "passphrase url endpoint host port path username bearer_token DB_PASSWORD clientSecret"
).split()
PAPER_KEYWORDS += ["api key", "session id", "the door code for the lab"]
SEPARATORS = [": ", "=", " = ", " is ", " is: ", " was ", " => ", ":", " was set to "]

PAPER = tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))
FORMATS = [parted(text) for text in PAPER["formats"]]


def values(detector: str, text: str) -> list[str]:
    return [text[a.value.start : a.value.end] for a in DETECTORS[detector]().find(text)]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize("keyword", PAPER_KEYWORDS)
def test_keywords_with_every_separator(keyword, separator):
    text = f"Some words.\n{keyword}{separator}XK7M9P2Q and more."
    (anchor,) = DETECTORS["regex"]().find(text)
    assert text[anchor.value.start : anchor.value.end] == "XK7M9P2Q"
    label = text[anchor.label.start : anchor.label.end]
    assert label == keyword + separator
    assert anchor.label.end == anchor.value.start


@pytest.mark.parametrize("detector", ["regex", "semantic"])
@pytest.mark.parametrize(("text", "value"), FORMATS)
def test_formats(detector, text, value):
    assert value in values(detector, text)


@pytest.mark.parametrize("detector", ["regex", "semantic", "shapes"])
@pytest.mark.parametrize("text", PAPER["silent"])
def test_no_value_no_anchor(detector, text):
    assert values(detector, text) == []


def test_label_covers_the_words_of_the_announcement():
    text = "We met. The door code is: 44XY17."
    (anchor,) = DETECTORS["regex"]().find(text)
    assert text[anchor.label.start : anchor.label.end] == "The door code is: "


def test_a_word_after_code_is_no_code():
    find = DETECTORS["regex"]().find
    assert find("code: XK7M9P2Q")[0].confidence > 0.9
    assert find("code: the body") == []


@pytest.mark.parametrize(("text", "value"), [*map(parted, PAPER["semantic"])])
def test_semantic_adds_verbs_keywords_and_unknown_labels(text, value):
    assert value in values("semantic", text) and value not in values("regex", text)


def test_semantic_is_a_superset_of_regex():
    for text, _ in FORMATS:
        assert set(values("regex", text)) <= set(values("semantic", text))


def test_english_prose_gives_few_and_weak_anchors():
    topics = pytest.importorskip("pydoc_data.topics").topics
    text = "\n".join(topics.values())
    needle = DETECTORS["regex"]().find("The secret code is: XK7M9P2Q")[0].confidence
    found = Scanner(["semantic", "shapes"]).feed(text, True)
    assert len(found) / (len(text) / 16384) < 2.0
    strong = {text[a.value.start : a.value.end] for a in found if a.confidence >= needle}
    assert strong <= {"37.24N, -115.81W"}  # under the label Coordinates, twice
    assert all(a.confidence >= MIN_CONFIDENCE for a in found)
