"""Detectors that read a model, over a reader that is written out here: no model is loaded."""

from __future__ import annotations

import re

import numpy as np
import pytest

from transactional_attention.detection.model_detectors import (
    BLOCK,
    TokenSpans,
    announced,
    blocks,
    bound,
)
from transactional_attention.detection.paper.embedding import (
    CONCEPTS,
    LABELS,
    WORDS,
    Embedding,
    windows,
)
from transactional_attention.detection.paper.learned import (
    CONFIDENCE,
    Learned,
    Probe,
    gelu,
    learn_rank,
    paired,
)
from transactional_attention.errors import InputError

WIDTH = 8
LAYER = np.array([1])
ANNOUNCING = {":": 4.0, " is": 0.0, " was": -0.5}


class Words:
    """Tokens are words with the space before them; a state says how surely a value follows."""

    def __init__(self):
        self.vocabulary: dict[str, int] = {}
        self.asked: list[str] = []

    def tokens(self, text):
        matches = list(re.finditer(r" ?\w+|\s|[^\w\s]", text))
        ids = [self.vocabulary.setdefault(m.group(), len(self.vocabulary)) for m in matches]
        starts, ends = [m.start() for m in matches], [m.end() for m in matches]
        return TokenSpans(*(np.array(column, np.int64) for column in (ids, starts, ends)))

    def embeddings(self, ids):
        """Words of the concepts and labels point one way, all others another."""
        near = {f" {word}" for phrase in (*CONCEPTS, *LABELS) for word in phrase.split()}
        generator = np.random.default_rng(0)
        table = generator.normal(size=(2000, WIDTH)) * 0.3
        for word, i in self.vocabulary.items():
            table[i, 0] += 3.0 if word in near else -3.0
        return table[ids].astype(np.float32)

    def hidden(self, texts, asker, layer):
        self.asked.append(asker)
        readings = []
        for text in texts:
            tokens = self.tokens(text)
            names = [text[a:b] for a, b in zip(tokens.starts, tokens.ends)]
            states = [[ANNOUNCING.get(name, -9.0), 1.0] for name in names]
            readings.append((tokens, np.array(states, np.float32)))
        return readings

    def learned_weights(self):
        """f = sigmoid(GELU(20 + state) - 20), which is sigmoid(state)."""
        inner = np.array([[1.0], [0.0], [0.0], [0.0]], np.float32)
        ones = np.ones(4, np.float32)
        return {
            "inner": inner,
            "inner_bias": np.array([20.0], np.float32),
            "outer": np.array([1.0], np.float32),
            "outer_bias": np.array([-20.0], np.float32),
            "scale": ones,
            "layer": np.array([1]),
        }


def values(text, anchors):
    return [text[a.value.start : a.value.end] for a in anchors]


@pytest.mark.parametrize("detector", [Learned(), learn_rank(), Embedding()], ids=lambda d: d.name)
def test_without_a_model_it_refuses(detector):
    with pytest.raises(InputError, match="--model"):
        detector.find("code: XK7M9P2Q")
    assert bound([detector, "shapes"], None) == (detector, "shapes")


def test_learned_takes_what_the_network_says():
    reader = Words()
    text = "the code: XK7M9P2Q\nthe hour is 4417Z\nthe hour was 5517Z\n"
    anchors = Learned().bind(reader).find(text)
    assert values(text, anchors) == ["XK7M9P2Q"]
    assert {a.confidence for a in anchors} == {CONFIDENCE}
    assert {a.share for a in anchors} == {1.0}
    assert reader.asked == ["learned"]


def test_learn_rank_has_a_lower_threshold_and_ranks_by_probability():
    text = "the code: XK7M9P2Q\nthe hour is 4417Z\nthe hour was 5517Z\n"
    anchors = learn_rank().bind(Words()).find(text)
    assert values(text, anchors) == ["XK7M9P2Q", "4417Z", "5517Z"]
    expected = [1 / (1 + np.exp(-state)) for state in (4.0, 0.0, -0.5)]
    assert [a.confidence for a in anchors] == pytest.approx(expected, abs=1e-5)
    assert [a.share for a in anchors] == [a.confidence for a in anchors]


def test_the_network_is_the_formula():
    generator = np.random.default_rng(1)
    w1, b1, w2 = (generator.normal(size=s).astype(np.float32) for s in ((5, 3), (3,), (3,)))
    scale = np.full(5, 2.0, np.float32)
    states = generator.normal(size=(4, 5)).astype(np.float32)
    predictions = Probe(w1, b1, w2, np.array([0.5], np.float32), scale, LAYER)
    predictions = predictions.probabilities(states)
    for state, p in zip(states, predictions, strict=True):
        hidden = [
            0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
            for x in (state / 2) @ w1 + b1
        ]
        assert p == pytest.approx(1 / (1 + np.exp(-(np.dot(hidden, w2) + 0.5))), abs=1e-5)
    assert gelu(np.array([0.0, 100.0, -100.0], np.float32)).tolist() == [0.0, 100.0, 0.0]


def test_a_token_is_judged_by_its_state_and_the_next_ones():
    assert paired(np.array([[1.0], [2.0], [3.0]], np.float32)).tolist() == [[1, 2], [2, 3], [3, 0]]


def test_embedding_finds_labels_that_its_concepts_are_close_to():
    reader = Words()
    for phrase in (*CONCEPTS, *LABELS, *WORDS):
        reader.tokens(f" {phrase}")
    detector = Embedding().bind(reader)
    text = "so the wifi password: XK7M9P2Q and of course the weather: 4417Z\n"
    assert values(text, detector.find(text)) == ["XK7M9P2Q"]
    assert detector.concepts is not None
    assert detector.concepts.threshold < 1.0


def test_windows_are_means_of_whole_words():
    reader = Words()
    text = "door code now"
    tokens = reader.tokens(text)
    table = np.eye(4, dtype=np.float32)
    spans, pooled = windows(text, tokens, table)
    shown = [text[a:b] for a, b in spans]
    assert shown == ["door", "code", "now", "door code", "code now", "door code now"]
    np.testing.assert_allclose(pooled[3], [0.5, 0.5, 0, 0])
    np.testing.assert_allclose(pooled[5], [1 / 3] * 3 + [0], rtol=1e-6)


def test_blocks_are_lines_and_parts_of_long_ones():
    text = "one\n\n" + "x" * (2 * BLOCK + 5) + "\nlast"
    parts = blocks(text)
    assert [text[new:end] for _, new, end in parts] == [
        "one", "x" * BLOCK, "x" * BLOCK, "x" * 5, "last",
    ]  # fmt: skip
    assert all(begin <= new for begin, new, _ in parts)
    assert parts[2][0] < parts[2][1]


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("code: AB12", "code", "AB12"),
        ('"code": "AB12"', "code", "AB12"),
        ("code = 'two words'", "code", "two words"),
        ("code is nothing", "code", None),
        ("code", "code", None),
    ],
)
def test_the_value_stands_after_the_announcement(text, label, value):
    extent = announced(text, text.index(label) + len(label))
    shown = None if extent is None else text[extent.value.start : extent.value.end]
    assert shown == value
