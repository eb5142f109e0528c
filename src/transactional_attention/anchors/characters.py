"""Characters: values found by a small network over characters; it needs no tokenizer and no model.

Candidates (``character_spans``) become hashed n-grams of the value and its surroundings
(``character_features``); the network adds their rows of a table, and two small layers say how
likely it is that somebody states a value there. Trained by ``ta train characters`` on the project's
generators, calibrated on wordings that were held out. Confidence is 0.5 at even odds.

Beside other detectors it votes: where they are in doubt, its log odds move their confidence, and
what they leave alone it finds. As one more that finds everywhere it lost values that they keep
(docs/detection.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..tensors import load_tensors
from ..types import Anchor, Span
from .character_features import BUCKETS, features
from .character_spans import chunks, spans
from .competition import strongest
from .detector import LOOKBACK, shifted
from .ensemble import CONFIDENCE
from .labels import find_label
from .weighing import is_refused

WEIGHTS = Path(__file__).parent / "weights" / "characters.safetensors"
REMEDY = "reinstall transactional-attention, or train it anew: ta train characters --out FILE"
BATCH = 128  # candidates that are in work at once: their rows fit into a cache of the processor
ALONE, BESIDE = 0.1, 0.5
"""Probability from which it finds a value. Of 1,824 values in templates that it was not trained
on it found 94% at 0.1 and 89% at 0.5, and 87% and 92% of what it found were values; but in texts
without any it found 67 and 28 things, and beside other detectors every one takes a place."""
SURE = 0.75  # rules that are this confident are not put to the vote
MOST = 7.0  # log odds of a vote
VOTE = 0.2 / CONFIDENCE  # of its log odds, on the scale of confidences
EVEN, STEP = 0.5, 1 / 12  # confidence of even odds, and what each log odds adds
_START = attrgetter("value.start")
_PATH = re.compile(r"/[^\s\"'`<>]*")  # read backwards
_CLOSERS = "\"'`“«「 \t"

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Network:
    """The trained numbers: a table in 8 bits with a scale a column, two layers, the calibration.

    ``table`` [BUCKETS, width], ``scale`` [width], ``numbers`` [NUMBERS, width], ``bias`` [width],
    ``inner`` [width, width], ``inner_bias`` [width], ``outer`` [width], ``platt`` [2].
    """

    table: npt.NDArray[np.int8]
    scale: Floats
    numbers: Floats
    bias: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    platt: Floats

    def __post_init__(self) -> None:
        width = self.scale.size
        shapes = (self.table.shape, self.inner.shape, self.outer.shape, self.platt.shape)
        if shapes != ((BUCKETS, width), (width, width), (width,), (2,)):
            raise InputError(f"the weights of the character detector have other shapes: {REMEDY}")

    def logits(self, rows: npt.NDArray[np.int64], numbers: Floats) -> Doubles:
        """What the network says of candidates [candidate], before calibration."""
        parts = [
            self._forward(rows[at : at + BATCH], numbers[at : at + BATCH])
            for at in range(0, len(rows), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _forward(self, rows: npt.NDArray[np.int64], numbers: Floats) -> Doubles:
        # In float64: how many candidates are read at once must not show in six decimals.
        numbers = numbers.astype(np.float64)
        # One feature of all candidates after another, so that long rows of numbers are added.
        table_rows = np.take(self.table, rows.T, axis=0)
        total = np.add.reduce(table_rows, axis=0, dtype=np.int16).astype(np.float64)
        hidden = np.maximum(total * self.scale + numbers @ self.numbers + self.bias, 0)
        hidden = np.maximum(hidden @ self.inner + self.inner_bias, 0)
        return hidden @ self.outer

    def probabilities(self, rows: npt.NDArray[np.int64], numbers: Floats) -> Doubles:
        """Calibrated probabilities [candidate] (Platt scaling)."""
        return _chances(self.margins(rows, numbers))

    def margins(self, rows: npt.NDArray[np.int64], numbers: Floats) -> Doubles:
        """Calibrated log odds [candidate], to six decimals."""
        slope, offset = self.platt
        return np.round(slope * self.logits(rows, numbers) + offset, 6)


class Characters:
    """Values by their characters and those around them, in any language and format."""

    name = "characters"

    def __init__(self, minimum: float = ALONE, weights: Path = WEIGHTS) -> None:
        """Raises InputError when the weights are missing or damaged."""
        self.minimum = minimum
        self.network = load_network(weights)

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors that begin at or after ``start`` (see ``Detector``)."""
        places = [place for place in spans(text) if place[0] >= start]
        if not places:
            return []
        margins = self.network.margins(*features(text, places))
        found = self._found(text, places, margins, self.minimum)
        return [anchor for anchor in found if anchor.label.start >= start]

    def vote(self, anchors: list[Anchor], text: str, inside: range, origin: int) -> list[Anchor]:
        """Doubtful anchors with its own opinion of their values, and its own (see ``Voting``)."""
        asked = [i for i, anchor in enumerate(anchors) if anchor.confidence < SURE]
        left = _left(anchors, text, inside, origin)
        values = [anchors[i].value for i in asked]
        places = [(value.start - origin, value.end - origin) for value in values] + left
        if not places:
            return anchors
        margins = self.network.margins(*features(text, places))
        voted = list(anchors)
        for i, margin in zip(asked, np.clip(margins, -MOST, MOST).tolist(), strict=False):
            confidence = _bounded(anchors[i].confidence + VOTE * margin)
            voted[i] = anchors[i]._replace(confidence=confidence)
        found = self._found(text, left, margins[len(asked) :], BESIDE)
        more = [shifted(anchor, origin) for anchor in found if not is_refused(text, anchor.value)]
        return sorted(voted + more, key=_START) if more else voted

    @staticmethod
    def _found(
        text: str, places: list[tuple[int, int]], margins: Doubles, minimum: float
    ) -> list[Anchor]:
        """Anchors of what is likely enough."""
        kept = np.flatnonzero(_chances(margins) >= minimum).tolist()
        sure = np.clip(EVEN + STEP * margins, 0.0, 1.0).tolist()
        return strongest(_anchor(text, *places[i], sure[i]) for i in kept)


def _chances(margins: Doubles) -> Doubles:
    chances: Doubles = np.exp(-np.logaddexp(0.0, -margins))
    return np.round(chances, 6)


def _left(anchors: list[Anchor], text: str, inside: range, origin: int) -> list[tuple[int, int]]:
    """Chunks of a text that overlap the value of no anchor."""
    taken = bytearray(len(text))
    for anchor in anchors:
        begin, end = max(0, anchor.value.start - origin), anchor.value.end - origin
        taken[begin:end] = b"\1" * (end - begin)
    return [
        (begin, end)
        for begin, end in chunks(text)
        if begin in inside and taken.find(1, begin, end) < 0
    ]


def _bounded(confidence: float) -> float:
    return min(1.0, max(0.0, confidence))


def _anchor(text: str, begin: int, end: int, confidence: float) -> Anchor:
    """The anchor of a value: the words that announce it, if ``labels`` knows them.

    The last part of an address has what stands before it as its label: so it does not compete with
    the whole address (``competition``).
    """
    before = text[max(0, begin - LOOKBACK) : begin].rstrip(_CLOSERS + ":=|>")
    label = find_label(text, begin - (min(begin, LOOKBACK) - len(before)))
    start = begin if label is None else label.start
    if label is None and text[begin - 1 : begin] == "/":
        path = _PATH.match(text[max(0, begin - LOOKBACK) : begin][::-1])
        start = begin - (path.end() if path else 0)
    quoted = text[begin - 1 : begin] in tuple(_CLOSERS[:-2])
    return Anchor(Span(start, begin), Span(begin, end), confidence, "characters", quoted)


@lru_cache(maxsize=2)
def load_network(path: Path = WEIGHTS) -> Network:
    """The trained network; raises InputError when its file is missing, damaged or another one."""
    tensors, _ = load_tensors(path, "the weights of the character detector", REMEDY)
    try:
        return Network(**tensors)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"the weights of the character detector lack a tensor: {REMEDY}") from None
