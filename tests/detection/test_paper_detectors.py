"""The paper's detectors: labels, where a value ends, values without a label, and how opaque they
are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from found_values import parted
from transactional_attention.detection.catalogue import DETECTORS
from transactional_attention.detection.detector import MAX_VALUE, MIN_CONFIDENCE
from transactional_attention.detection.extent import find_extent
from transactional_attention.detection.opacity import opacity
from transactional_attention.detection.scanner import Scanner

PAPER = tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))
PAPER_KEYWORDS = (
    "key code password token secret api_key API-KEY apiKey session_id authorization bearer id pin "
    "passphrase url endpoint host port path username bearer_token DB_PASSWORD clientSecret"
).split()
PAPER_KEYWORDS += ["api key", "session id", "the door code for the lab"]
SEPARATORS = [": ", "=", " = ", " is ", " is: ", " was ", " => ", ":", " was set to "]

FORMATS = [parted(text) for text in PAPER["formats"]]
NOTHING = ["", "\n", "...", '""', "''", "(", "[", "{", ")", "get_token('x')", "--- "]
SHAPES = [(rule, value) for rule, values in PAPER["shapes"].items() for value in values]
PLAIN = (
    "the something python3 sha256 ISO 3.14 1998 0x7f U+0041 HTTP/1.1 well-known ValueError".split()
)
PLAIN += r"os.path \x00\x01ab1 1e-100 %03.2f and/or 1,200".split()


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
    anchors = Scanner(["semantic", "shapes"]).feed(text, True)
    assert len(anchors) / (len(text) / 16384) < 2.0
    strong = {text[a.value.start : a.value.end] for a in anchors if a.confidence >= needle}
    assert strong <= {"37.24N, -115.81W"}  # under the label Coordinates, twice
    assert all(a.confidence >= MIN_CONFIDENCE for a in anchors)


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


@pytest.mark.parametrize("frame", ["{}", "see {} now", "see {}.", "({})", "'{}',", "x={}\n"])
@pytest.mark.parametrize(("rule", "value"), SHAPES)
def test_shapes(rule, value, frame):
    text = frame.format(value)
    (anchor,) = DETECTORS["shapes"]().find(text)
    assert text[anchor.value.start : anchor.value.end] == value
    is_moment = rule == "time" and frame.startswith("see ")  # after a word it is no stamp of a line
    assert anchor.rule == f"shape:{'moment' if is_moment else rule}"
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
