"""Characters: values found by a small network over characters; it needs no tokenizer and no model.

Candidates (``character_spans``) become hashed n-grams of the value and its surroundings
(``character_features``); the network adds their rows of a table, and two small layers say how
likely it is that somebody states a value there. Trained by ``ta train characters`` on the project's
generators, calibrated on wordings that were held out. Confidence is 0.5 at even odds.

Beside other detectors it votes: where they are in doubt, its log odds move their confidence, a
clearly likelier span takes the place of a part that they found, and what they leave alone it finds.
As one more that finds everywhere it lost values that they keep (docs/detection.md).
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
from ..models.tensors import load_tensors
from ..types import Anchor, Span
from .character_features import BUCKETS, features
from .character_spans import chunks, spans
from .competition import strongest
from .demonstrations import lessened
from .detector import EVEN, GUESSING, LOOKBACK, shifted
from .ensemble import CONFIDENCE
from .labels import find_label
from .opacity import opacity
from .weighing import is_counted, is_refused

WEIGHTS = Path(__file__).parent / "weights" / "characters.safetensors"
REMEDY = "reinstall transactional-attention, or train it anew: ta train characters --out FILE"
BATCH = 128  # candidates that are in work at once: their rows fit into a cache of the processor
ALONE, BESIDE = 0.1, 0.2
"""Probability from which it finds a value. Beside others what it finds under even odds is a guess:
it stands behind everything that is rather a value than none (``trust.doubtful``)."""
SURE = 0.75  # rules that are this confident are not put to the vote
MOST = 7.0  # log odds of a vote
CLEARLY = 1.0  # log odds by which a span of its own must be likelier than what rules made of it
VOTE = 0.2 / CONFIDENCE  # of its log odds, on the scale of confidences
STEP = 1 / 12  # what each log odds adds to the confidence of even odds
WIDER = STEP * 1.5  # by how much a wider span may be less sure than a part of it
STATED = EVEN + STEP * 1.5  # confidence of 82%, from which also a count is taken for a value
NEAR = 16  # characters before a value that say what it is
DULL = 0.5  # opacity below which the value of a key is a name of everybody
SHORTEST = 3  # characters of a count that somebody may state
_START = attrgetter("value.start")
_IS_READ = re.compile(r"[\"'`]? ?[:=](?! )|[\"'`]? [:=]|[\"'`]? ?-[ \t]*(?:\n|\Z)")  # backwards
_DENIED = re.compile(r"[\s\"'`“‘]{1,3}(?:to[nN]|t[’']nsi)(?!\w)")  # backwards
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

    name = GUESSING

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
        asked = [anchor for anchor in anchors if anchor.confidence < SURE]
        sure = [anchor.value for anchor in anchors if anchor.confidence >= SURE]
        values = [(a.value.start - origin, a.value.end - origin) for a in asked]
        left = sorted(_left(sure, text, inside, origin) - set(values))
        places = values + left
        if not places:
            return anchors
        margins = self.network.margins(*features(text, places))
        likely = lessened(self._found(text, left, margins[len(asked) :], BESIDE), text)
        own = [shifted(a, origin) for a in likely if not _is_none(text, a)]
        opinion = dict(zip(places, margins.tolist()))
        wider, replaced = _wider(text, own, asked, opinion, origin)
        voted = [a for a in anchors if a.confidence >= SURE]
        for anchor, value in zip(asked, values):
            if anchor.value not in replaced:
                more = VOTE * min(MOST, max(-MOST, opinion[value]))
                voted.append(anchor._replace(confidence=_bounded(anchor.confidence + more)))
        return sorted(voted + wider, key=_START)

    @staticmethod
    def _found(
        text: str, places: list[tuple[int, int]], margins: Doubles, minimum: float
    ) -> list[Anchor]:
        """Anchors of what is likely enough."""
        kept = np.flatnonzero(_chances(margins) >= minimum).tolist()
        sure = np.clip(EVEN + STEP * margins, 0.0, 1.0).tolist()
        widest = _widest([(*places[i], sure[i]) for i in kept])
        return strongest(_anchor(text, *found) for found in widest)


def _widest(found: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Spans without those that another one holds which is little less likely: half a value is worth
    nothing, and a word too many costs a token."""
    kept: list[tuple[int, int, float]] = []
    around: list[tuple[int, int, float]] = []  # those that may hold the next one
    for begin, end, sure in sorted(found, key=lambda span: (span[0], -span[1])):
        around = [span for span in around if span[1] > begin]
        if not any(last >= end and more >= sure - WIDER for _, last, more in around):
            kept.append((begin, end, sure))
        around.append((begin, end, sure))
    return kept


def _chances(margins: Doubles) -> Doubles:
    chances: Doubles = np.exp(-np.logaddexp(0.0, -margins))
    return np.round(chances, 6)


def _is_none(text: str, found: Anchor) -> bool:
    """Whether its find is surely no value. Of counts and years it must be sure, and of plain names
    that rules read as the value of a key; words without a digit and other such values are no
    guesses."""
    start, end = found.value.start, found.value.end
    value = text[start:end]
    if is_counted(value) and (found.confidence < STATED or len(value) < SHORTEST):
        return True
    before = text[max(0, start - NEAR) : start][::-1]
    words = " " in value and value.replace(" ", "").isalpha()
    read = _IS_READ.match(before) is not None
    if found.confidence < (STATED if read and opacity(value) < DULL else EVEN) and (words or read):
        return True
    return _DENIED.match(before) is not None or is_refused(text, found.value)


def _left(taken: list[Span], text: str, inside: range, origin: int) -> set[tuple[int, int]]:
    """Chunks of a text that overlap none of the taken values."""
    marks = bytearray(len(text))
    for value in taken:
        begin, end = max(0, value.start - origin), value.end - origin
        marks[begin:end] = b"\1" * (end - begin)
    return {
        (begin, end)
        for begin, end in chunks(text, marks)
        if begin in inside and marks.find(1, begin, end) < 0
    }


def _wider(
    text: str,
    own: list[Anchor],
    asked: list[Anchor],
    opinion: dict[tuple[int, int], float],
    origin: int,
) -> tuple[list[Anchor], set[Span]]:
    """Its own finds, but of those that overlap doubtful anchors only what holds their values and is
    clearly likelier; and the values of the anchors that give way."""
    kept, replaced = [], set()
    for found in own:
        overlapping = [anchor for anchor in asked if anchor.value.overlaps(found.value)]
        if any(
            text[a.value.start - origin - 1 : a.value.start - origin] == "=" for a in overlapping
        ):
            continue  # where a value begins behind its key is known
        rivals = [anchor.value for anchor in overlapping]
        margin = opinion[found.value.start - origin, found.value.end - origin]
        if all(
            found.value.start <= v.start
            and v.end <= found.value.end
            and margin > opinion[v.start - origin, v.end - origin] + CLEARLY
            for v in rivals
        ):
            kept.append(found)
            replaced.update(rivals)
    return kept, replaced


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
    return Anchor(Span(start, begin), Span(begin, end), confidence, GUESSING, quoted)


@lru_cache(maxsize=2)
def load_network(path: Path = WEIGHTS) -> Network:
    """The trained network; raises InputError when its file is missing, damaged or another one."""
    tensors, _ = load_tensors(path, "the weights of the character detector", REMEDY)
    try:
        return Network(**tensors)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"the weights of the character detector lack a tensor: {REMEDY}") from None
