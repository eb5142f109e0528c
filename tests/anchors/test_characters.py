"""The character-level detector with the weights that ship: what it finds, and its file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transactional_attention.detection.character_features import BUCKETS, features
from transactional_attention.detection.characters import (
    MOST,
    SURE,
    VOTE,
    WEIGHTS,
    Characters,
    load_network,
)
ENSEMBLE = ("values",)

from found_values import anchors_of, found
from transactional_attention.detection.character_spans import MIN_LENGTH, spans
from transactional_attention.detection.scanner import Scanner
from transactional_attention.errors import InputError
from transactional_attention.models.tensors import load_tensors, save_tensors

STATED = [
    ("The door code is XK7M9P2Q and lunch was late.", "XK7M9P2Q"),
    ("api_key: sk-9fQ2LmZ81xTt\n", "sk-9fQ2LmZ81xTt"),
    ('{"session_id": "b7d0e6a1c3f94e58"}', "b7d0e6a1c3f94e58"),
    ("export REDIS_PASSWORD='pL93xWq77zRt'\n", "pL93xWq77zRt"),
    (
        "X-Request-Id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\r\n",
        "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    ),
    ("El código de acceso es QX77-LM20.", "QX77-LM20"),
    ("Der Türcode lautet 48213077.", "48213077"),
]
PLAIN = (
    "The river rose in the night, and the road to the village was closed for a day or two. "
    "Nobody was hurt. In the morning they walked to the bridge and looked at the water.\n"
)


@pytest.mark.parametrize(("text", "value"), STATED)
def test_stated_values_are_found_whole(text, value):
    found = Characters().find(PLAIN + text)
    assert value in [(PLAIN + text)[a.value.start : a.value.end] for a in found]


def test_plain_text_has_no_values():
    assert Characters().find(PLAIN * 20) == []


def test_an_anchor_has_its_label_and_confidence():
    text = "The secret code is: XK7M9P2Q\n"
    (anchor,) = Characters().find(text)
    assert text[anchor.label.start : anchor.label.end] == "The secret code is: "
    assert anchor.rule == "characters"
    assert 0.5 <= anchor.confidence <= 1.0


def test_a_part_of_an_address_leaves_the_whole_alone():
    text = "endpoint = 'http://raven.lab.example:5484/indigo/trj6xyxg'\n"
    found = Scanner(["structure", "shapes", "characters"]).feed(text, final=True)
    assert "http://raven.lab.example:5484/indigo/trj6xyxg" in [
        text[a.value.start : a.value.end] for a in found
    ]


LINES = st.lists(
    st.sampled_from([text for text, _ in STATED] + [PLAIN, "\n", "x" * 500, "a: b, c=1 | d\n"]),
    min_size=1,
    max_size=12,
).map("\n".join)


@settings(max_examples=25)
@given(LINES, st.integers(1, 999))
def test_any_split_gives_the_same_anchors(text, size):
    whole = Scanner(["characters"]).feed(text, final=True)
    reader, found = Scanner(["characters"]), []
    for at in range(0, len(text), size):
        found += reader.feed(text[at : at + size])
    assert found + reader.feed("", final=True) == whole


@pytest.mark.parametrize("text", [text for text, _ in STATED])
def test_what_stands_far_before_does_not_count(text):
    """A window of a scanner begins 320 characters before what is new in it."""
    near = "word and word again " * 17 + "\n" + text
    place = [(b, e) for b, e in spans(near) if b > 340]
    far = "password: QQ 77 " * 40 + near
    moved = [(b + len(far) - len(near), e + len(far) - len(near)) for b, e in place]
    for one, other in zip(features(near, place), features(far, moved), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "text", ["", "\x00\x00 1234\x00", "\ud800 a1b2c3", "日本語のコードは A1B2C3 です"]
)
def test_any_text_is_read(text):
    for anchor in Characters(minimum=0.0).find(text):
        assert anchor.value.end <= len(text)


def test_features_are_rows_of_the_table():
    places = spans(STATED[0][0])
    rows, numbers = features(STATED[0][0], places)
    assert len(rows) == len(numbers) == len(places)
    assert rows.min() >= 0
    assert rows.max() < BUCKETS
    assert np.isfinite(numbers).all()


def test_candidates_cover_the_values():
    for text, value in STATED:
        assert value in [text[begin:end] for begin, end in spans(text)]
    assert all(end - begin >= MIN_LENGTH for begin, end in spans("a=1 b=22 c=333"))


def test_the_weights_are_small():
    assert WEIGHTS.stat().st_size < 2_000_000


def test_missing_weights_are_named(tmp_path):
    with pytest.raises(InputError, match=r"missing.*ta train characters"):
        Characters(weights=tmp_path / "characters.safetensors")


@pytest.mark.parametrize("at", [40, -100])
def test_damaged_weights_are_refused(tmp_path, at):
    data = bytearray(WEIGHTS.read_bytes())
    data[at] ^= 0xFF
    path = tmp_path / "damaged.safetensors"
    path.write_bytes(data)
    with pytest.raises(InputError, match="ta train characters"):
        load_network(path)


@pytest.mark.parametrize("change", ["fewer", "shape"])
def test_other_tensors_are_refused(tmp_path, change):
    tensors, about = load_tensors(WEIGHTS, "weights", "")
    if change == "fewer":
        del tensors["outer"]
    else:
        tensors["table"] = tensors["table"][:100].copy()
    save_tensors(tmp_path / "other.safetensors", tensors, about)
    with pytest.raises(InputError, match="ta train characters"):
        load_network(tmp_path / "other.safetensors")


DOUBTFUL = "See past_key_values=cache and README.md, then O7VI1PS6 beside it. "
RULES = [name for name in ENSEMBLE if name != "characters"]


def confidences(names: Sequence[str], text: str) -> dict[str, float]:
    """By value."""
    found = Scanner(names).feed(text, final=True)
    return {text[a.value.start : a.value.end]: a.confidence for a in found}


@pytest.mark.parametrize("line", [*(text for text, _ in STATED), DOUBTFUL])
def test_beside_other_detectors_it_votes_on_what_they_doubt(line):
    rules, voted = confidences(RULES, PLAIN + line), confidences(ENSEMBLE, PLAIN + line)
    for value, confidence in rules.items():
        assert abs(voted[value] - confidence) <= (VOTE * MOST if confidence < SURE else 0)


LEFT = "The landlady whispered 7174 down the stairs, and they remembered it.\n"


def test_what_rules_leave_it_finds():
    assert "7174" not in confidences(RULES, PLAIN + LEFT)
    (anchor,) = anchors_of(PLAIN + LEFT)
    assert (PLAIN + LEFT)[anchor.value.start : anchor.value.end] == "7174"
    assert anchor.rule == "characters"


@pytest.mark.parametrize(
    "line",
    [
        "[09:15:44.311] ok",
        "The bridge of 1894 was closed.",
        "call_id = 'fc_8d7f6a5b'",
        "password: <your-password-1>",
    ],
)
def test_what_rules_refuse_it_does_not_find(line):
    rules, voted = confidences(RULES, PLAIN + line), confidences(ENSEMBLE, PLAIN + line)
    assert voted.keys() == rules.keys()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("We met on 19 March at one of the bars.", "19 March"),
        ("The threshold is 0.5 metres, as before.", "0.5 metres"),
    ],
)
def test_some_of_what_it_takes_for_values_is_none(line, value):
    """Known mistakes: a text that tells somebody the like says the same."""
    assert value in found(PLAIN + line)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("El tren de mi hermana sale de Atocha a las 18:40, así que vamos antes.", "18:40"),
        ("姑姑的火车下午3点25分到站，别忘了去接。", "下午3点25分"),
        ("母から伝言です。新幹線は午後6時45分に着くそうです。", "午後6時45分"),
        (
            "Jana: und das WLAN-Passwort?\nTim: ja, Kieselstein_605, mit Unterstrich",
            "Kieselstein_605",
        ),
        ("The pumps in the field report to mq-raven.lan:6031 as of today.", "mq-raven.lan:6031"),
    ],
)
def test_what_people_tell_is_found_without_a_label(text, value):
    anchors = Scanner(ENSEMBLE).feed(PLAIN + text + "\n" + PLAIN, True)
    whole = PLAIN + text
    begin = whole.index(value)
    assert any(
        a.value.start <= begin and begin + len(value) <= a.value.end <= begin + len(value) + 8
        for a in anchors
    )


@settings(max_examples=25)
@given(LINES, st.integers(1, 999))
def test_any_split_gives_the_same_anchors_beside_others(text, size):
    whole = Scanner(ENSEMBLE).feed(text + LEFT, True)
    reader, found = Scanner(ENSEMBLE), []
    for at in range(0, len(text + LEFT), size):
        found += reader.feed((text + LEFT)[at : at + size])
    assert found + reader.feed("", final=True) == whole


@settings(max_examples=25)
@given(LINES)
def test_what_it_finds_beside_others_overlaps_none_of_them(text):
    found = Scanner(ENSEMBLE).feed(text + LEFT, True)
    own = [a.value for a in found if a.rule == "characters"]
    others = [a.value for a in found if a.rule != "characters"]
    assert not any(one.overlaps(other) for one in own for other in others)


def test_what_rules_doubt_becomes_more_and_less_sure():
    rules, voted = confidences(RULES, DOUBTFUL), confidences(ENSEMBLE, DOUBTFUL)
    assert voted["O7VI1PS6"] > rules["O7VI1PS6"]
    assert voted["cache"] < rules["cache"]
    assert voted["README.md"] < rules["README.md"]
