from itertools import islice

import numpy as np
import pytest

from ta_lab.collection import collection
from ta_lab.training import train_characters as train_characters_module
from ta_lab.training.character_data import (
    Marked,
    cases,
    examples,
    is_held_out_wording,
    joined,
    plain_texts,
    scenes,
)
from ta_lab.training.train_characters import platt, train_characters
from transactional_attention.detection.candidates import candidates
from transactional_attention.detection.scorer import load_network
from transactional_attention.detection.values import Values, whole_text
from transactional_attention.models.tensors import content_sha256, load_tensors


def every(text):
    """The candidates of a text."""
    return candidates(text, whole_text(text), range(len(text)), load_network().boundaries)


def labelled(marked):
    return examples([marked], load_network().boundaries)


def test_a_value_is_positive_and_what_overlaps_it_is_negative():
    text = "Hm. The code is 7301-QX, ok. In 1999 they left."
    value = (text.index("7301"), text.index(","))
    dataset = labelled(Marked(text, [value], [], "plain"))
    places = [one[:2] for one in every(text)]
    expected = {value: 1.0, (text.index("1999"), text.index("1999") + 4): 0.0}
    labels = dict(zip(places, dataset.labels.tolist(), strict=True))
    assert {place: labels[place] for place in expected} == expected


def test_joined_parts_have_texts_of_their_own():
    first, second = (labelled(Marked(text, [], [], "none")) for text in ("Room 12.", "At 17 Elm."))
    dataset = joined([first, second, second])
    assert len(dataset.rows) == len(first.rows) + 2 * len(second.rows)
    assert sorted(set(dataset.texts.tolist())) == [0, 1, 2]


def test_an_opaque_neighbour_in_a_statement_is_left_out():
    text = "id: 7301-QX, other: ZZ81QQ70PL, done: true"
    value = (4, 11)
    dataset = labelled(Marked(text, [value], [(0, len(text))], "formats"))
    assert len(dataset.labels) < len(every(text))
    assert dataset.labels.sum() == 1


def test_scenes_hold_their_values_and_plain_texts_none():
    made = list(scenes())
    assert len(made) == train_characters_module.SCENES
    for item in made:
        assert all(item.text[begin:end].strip() for begin, end in item.values)
        assert all(any(b <= v and w <= e for b, e in item.statements) for v, w in item.values)
        assert all(end <= len(item.text) for _, end in item.statements)
    assert len({item.family for item in made if item.values}) == 12
    assert sum(not item.values for item in made) > 300
    assert not any("<|" in item.text for item in made)
    assert not any(item.values for item in plain_texts())


def test_wordings_are_held_out_whatever_the_digits():
    verdicts = [
        is_held_out_wording(f"The {key} 1 is ", len(f"The {key} 1 is ")) for key in "abcdefghij"
    ]
    again = [
        is_held_out_wording(f"The {key} 7 is ", len(f"The {key} 7 is ")) for key in "abcdefghij"
    ]
    assert verdicts == again


def test_platt_finds_slope_and_offset():
    rng = np.random.default_rng(0)
    logits = rng.normal(size=20_000) * 12
    labels = rng.random(20_000) < 1 / (1 + np.exp(-(0.5 * logits - 1)))
    slope, offset = platt(logits.astype(np.float32), labels.astype(np.float32))
    assert slope == pytest.approx(0.5, abs=0.03)
    assert offset == pytest.approx(-1, abs=0.1)


def test_training_learns_and_repeats_itself(tmp_path, monkeypatch):
    monkeypatch.setattr(train_characters_module, "BATCH", 256)
    monkeypatch.setattr(train_characters_module, "annotated", lambda times: iter(()))
    monkeypatch.setattr(train_characters_module, "plain_texts", lambda: islice(plain_texts(), 60))
    seen = []

    def trained(name, count, epochs):
        return train_characters(
            tmp_path / name,
            count=count,
            draws=0,
            templated=count // 5,
            epochs=epochs,
            progress=lambda *step: seen.append(step),
        )

    assert trained("whole", 200, 4).recall > 0.4
    assert seen[-1][0] == seen[-1][1]
    network = load_network(tmp_path / "whole")
    assert network.table.dtype == np.int8
    anchors = Values(weights=tmp_path / "whole").find("The code is: XK7M9P2Q\n")
    assert 13 in [a.value.start for a in anchors]
    for name in ("a", "b"):
        trained(name, 20, 1)
    first, second = (load_tensors(tmp_path / name, "weights", "")[0] for name in ("a", "b"))
    assert content_sha256(first) == content_sha256(second)


def test_cases_are_those_of_the_splits_that_may_be_read():
    made = list(cases(1))
    assert {item.family for item in made} >= {"json", "prose-cue", "lang-ko", "value-free"}
    assert not any(item.family.startswith("flood") for item in made)
    measured = {case.context for case in collection("development", 0)}
    assert not measured & {item.text for item in made if item.values}
    unseen = {case.context for case in collection("test", 1)}
    assert not unseen & {item.text for item in made}
