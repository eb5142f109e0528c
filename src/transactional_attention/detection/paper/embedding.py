"""Embedding: words whose input embeddings are close to those of words that announce values.

TA-Fast-Embedding (paper, section 5.4): windows of up to ``WINDOW`` words, mean-pooled, are compared
by cosine with mean-pooled concept phrases; no forward is run. The paper gives neither its phrases
nor its threshold. Here the phrases are English, and the threshold is the one that best separates
(F1) English labels from English words that announce nothing. Other languages are not considered.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ...types import Anchor, Floats32
from ..competition import strongest
from ..model_detectors import Reader, TokenSpans, anchor_of, blocks, unbound

WINDOW = 3  # words of a window

_PHRASES = tomllib.loads((Path(__file__).parents[1] / "embedding.toml").read_text(encoding="utf-8"))
CONCEPTS, LABELS, WORDS = (
    [phrase.strip() for phrase in _PHRASES[name].split(",")]
    for name in ("concepts", "labels", "words")
)


@dataclass(frozen=True, eq=False)
class Concepts:
    """Unit vectors of the concept phrases [phrase, width], and the cosine from which a window is
    close."""

    vectors: Floats32
    threshold: float

    def closeness(self, pooled: Floats32) -> Floats32:
        """The largest cosine with a concept [window] of pooled embeddings [window, width]."""
        return (_unit(pooled) @ self.vectors.T).max(1)


@dataclass(frozen=True)
class Embedding:
    """Anchors after windows that are close to a concept."""

    trained: ClassVar[bool] = False
    name: str = "embedding"
    reader: Reader | None = None
    concepts: Concepts | None = field(default=None, compare=False)

    def bind(self, reader: Reader) -> Embedding:
        """The detector for a model; its threshold is chosen here."""
        return replace(self, reader=reader, concepts=concepts_of(reader))

    def find(self, text: str) -> list[Anchor]:
        """Anchors after windows that are close enough (see ``Detector``).

        Raises:
            InputError: when it is not bound to a model.
        """
        if self.reader is None or self.concepts is None:
            raise unbound(self.name)
        anchors, parts = [], blocks(text)
        read = _embedded(self.reader, [text[begin:end] for begin, _, end in parts])
        for (begin, new, end), (tokens, vectors) in zip(parts, read, strict=True):
            spans, pooled = windows(text[begin:end], tokens, vectors)
            if not len(spans):
                continue
            close = self.concepts.closeness(pooled)
            for i in np.flatnonzero(close >= self.concepts.threshold).tolist():
                first, last = (int(place) + begin for place in spans[i])
                if last > new:
                    confidence = min(float(close[i]), 1.0)
                    anchors.append(anchor_of(text, first, last, confidence, self.name))
        return strongest(a for a in anchors if a is not None)


def concepts_of(reader: Reader) -> Concepts:
    """The concepts in a model's embeddings, and the threshold with the best F1 in English."""
    vectors = _unit(_phrases(reader, CONCEPTS))
    concepts = Concepts(vectors, 1.0)
    labels = concepts.closeness(_phrases(reader, LABELS))
    words = concepts.closeness(_phrases(reader, WORDS))
    scores = np.unique(np.concatenate([labels, words]))
    hits = (labels[None] >= scores[:, None]).sum(1)
    false = (words[None] >= scores[:, None]).sum(1)
    best = int(np.argmax(2 * hits / (hits + false + len(labels))))
    return Concepts(vectors, float(scores[best]))


def windows(
    text: str, tokens: TokenSpans, vectors: Floats32
) -> tuple[npt.NDArray[np.int64], Floats32]:
    """Runs of one to ``WINDOW`` words: their characters [window, 2], the means of their tokens'
    vectors [token, width]."""
    words, width = _words(text, tokens), vectors.shape[1]
    if not words:
        return np.zeros((0, 2), np.int64), np.zeros((0, width), np.float32)
    totals = np.concatenate([np.zeros((1, width)), np.cumsum(vectors, 0, dtype=np.float64)])
    first, last = np.array(words).T
    spans, pooled = [], []
    for size in range(1, WINDOW + 1):
        begin, end = first[: len(first) - size + 1], last[size - 1 :]
        starts = tokens.starts[begin]
        starts = starts + np.array([text[i : i + 1].isspace() for i in starts.tolist()], np.int64)
        spans.append(np.stack([starts, tokens.ends[end - 1]], 1))
        pooled.append((totals[end] - totals[begin]) / (end - begin)[:, None])
    return np.concatenate(spans), np.concatenate(pooled).astype(np.float32)


def _words(text: str, tokens: TokenSpans) -> list[tuple[int, int]]:
    """Half-open ranges of the tokens that are pieces of one word of letters."""
    words: list[tuple[int, int]] = []
    for i, (start, end) in enumerate(zip(tokens.starts.tolist(), tokens.ends.tolist())):
        piece = text[start:end]
        if not piece.strip(" _-").isalpha():
            continue
        joined = bool(words) and words[-1][1] == i and not piece.startswith((" ", "_", "-"))
        if joined:
            words[-1] = (words[-1][0], i + 1)
        else:
            words.append((i, i + 1))
    return words


def _embedded(reader: Reader, texts: Sequence[str]) -> Iterator[tuple[TokenSpans, Floats32]]:
    """Tokens of texts and their embeddings [token, width]. The model is asked once, for all
    distinct ids together, because each call may move its weights to a device."""
    split = [reader.tokens(text) for text in texts]
    ids = np.unique(np.concatenate([np.zeros(0, np.int64), *(tokens.ids for tokens in split)]))
    table = reader.embeddings(ids)
    for tokens in split:
        yield tokens, table[np.searchsorted(ids, tokens.ids)]


def _phrases(reader: Reader, phrases: list[str]) -> Floats32:
    """Mean embeddings of phrases as they stand after a space, [phrase, width]."""
    read = _embedded(reader, [f" {phrase}" for phrase in phrases])
    return np.stack([vectors.mean(0) for _, vectors in read])


def _unit(vectors: Floats32) -> Floats32:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
