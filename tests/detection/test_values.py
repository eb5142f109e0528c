"""The detector of ``ta`` with the weights that ship: examples by format, contracts, its file."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from found_values import anchors_of, found, parted
from growing import assert_linear
from transactional_attention.detection.candidates import Candidate, Candidates, candidates
from transactional_attention.detection.features import BUCKETS, features
from transactional_attention.detection.forms import FORMS
from transactional_attention.detection.scanner import Scanner
from transactional_attention.detection.scorer import WEIGHTS, load_network
from transactional_attention.detection.values import Values, whole_text
from transactional_attention.errors import InputError
from transactional_attention.models.tensors import load_tensors, save_tensors

EXAMPLES = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
STATED = [(kind, text) for kind, texts in EXAMPLES["stated"].items() for text in texts]
NOTHING = [(kind, text) for kind, texts in EXAMPLES["nothing"].items() for text in texts]
PLAIN = (
    "The river rose in the night, and the road to the village was closed for a day or two. "
    "Nobody was hurt. In the morning they walked to the bridge and looked at the water.\n"
)


def every(text, inside=None):
    """The candidates of a text that begin inside it."""
    inside = inside or range(len(text))
    return candidates(text, whole_text(text), inside, load_network().boundaries)


@pytest.mark.parametrize(("kind", "marked"), STATED)
def test_what_is_stated_is_found_whole(kind, marked):
    text, value = parted(marked)
    assert value in found(PLAIN + text)


@pytest.mark.parametrize(("kind", "marked"), STATED[::3])
def test_it_is_found_in_pieces_too(kind, marked):
    text, _ = parted(marked)
    for size in (1, 7, 64):
        assert found(PLAIN + text, size) == found(PLAIN + text)


@pytest.mark.parametrize(("kind", "text"), NOTHING)
def test_what_states_nothing_has_no_value(kind, text):
    assert found(PLAIN + text) == []


def test_an_anchor_has_its_label_and_its_probability():
    text = "The secret code is: XK7M9P2Q\n"
    (anchor,) = anchors_of(text)
    assert text[anchor.label.start : anchor.label.end].strip(" :").endswith("secret code is")
    assert 0.5 <= anchor.confidence <= 1.0


@pytest.mark.parametrize("mark", [":", "?", "#"])
def test_a_mark_after_a_value_is_not_its_label(mark):
    text = f"The order id is ORD-58999{mark} and that is all.\n"
    labels = {text[a.label.start : a.label.end] for a in anchors_of(text)}
    assert labels == {"The order id is "}


def test_a_cell_has_the_header_far_above_as_its_label():
    rows = "".join(f"{i},item {i},{i * 7}\n" for i in range(400))
    text = "id,name,api_key\n" + rows + "401,last,sk-9fQ2LmZ81xTtVb04\n"
    anchors = [a for a in anchors_of(text) if text[a.value.start :].startswith("sk-9fQ2")]
    assert [text[a.label.start : a.label.end] for a in anchors] == ["api_key"]


@pytest.mark.parametrize("marked", [text for _, text in STATED[::4]])
def test_what_stands_far_before_does_not_count(marked):
    """A window of a scanner begins 320 characters before what is new in it."""
    near = "word and word again " * 17 + "\n" + parted(marked)[0]
    far = "password: QQ 77 " * 40 + near
    shift = len(far) - len(near)
    place = every(near, range(340, len(near)))
    moved = Candidates(place.begins + shift, place.ends + shift, place.proposed)
    for one, other in zip(features(near, place), features(far, moved), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "text", ["", "\x00\x00 1234\x00", "\ud800 a1b2c3", "日本語のコードは A1B2C3 です"]
)
def test_any_text_is_read(text):
    for anchor in Values(minimum=1e-6).find(text):
        assert anchor.value.end <= len(text)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([parted(t)[0] for _, t in STATED] + [PLAIN, "\n"]), max_size=8))
def test_values_do_not_overlap_but_as_parts(texts):
    text = "\n".join(texts)
    anchors = Scanner(["values"]).feed(text, final=True)
    for one, other in pairwise(anchors):
        inside = other.value.end <= one.value.end and len(other.label)
        assert one.value.end <= other.value.start or inside


def test_features_are_rows_of_the_table():
    text = parted(STATED[0][1])[0]
    places = every(text)
    rows, numbers = features(text, places)
    assert len(rows) == len(numbers) == len(places)
    assert rows.min() >= 0
    assert rows.max() < BUCKETS
    assert np.isfinite(numbers).all()


def test_rules_and_labels_count():
    text = "x: 4417\n"
    named = Candidate(3, 7, rules=("structure:pair",), words="door code")
    candidates = Candidates(np.array([3, 3]), np.array([7, 7]), {1: named})
    rows, _ = features(text, candidates)
    assert (rows[0] != rows[1]).any()


def test_forms_accept_and_reject_their_examples():
    for form in FORMS:
        pattern = form.get("chunk") or form.get("several") or ""
        for example in form.get("accept", ()):
            assert re.fullmatch(pattern, example), (form["id"], example)
        for example in form.get("reject", ()):
            assert not re.fullmatch(pattern, example), (form["id"], example)


def test_candidates_are_more_than_signs():
    text = "a=1 -- b=22 | c=333 ..."
    assert all(any(map(str.isalnum, text[c.begin : c.end])) for c in every(text))


def test_time_is_linear_in_the_text():
    corpus = "\n".join(parted(text)[0] for _, text in STATED)
    assert_linear(lambda text: Scanner(["values"]).feed(text, final=True), corpus + "\n", 8000)


def test_the_weights_are_small():
    assert WEIGHTS.stat().st_size < 5_000_000


def test_missing_weights_are_named(tmp_path):
    with pytest.raises(InputError, match=r"missing.*ta train characters"):
        Values(weights=tmp_path / "values.safetensors")


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
