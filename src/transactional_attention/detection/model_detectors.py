"""Detectors that read a model: what they ask of it, and where the value of an anchor begins.

A method names such a detector without a model, and an engine that has one binds it (``bound``).
Without a model it refuses to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..types import Anchor, Floats32, Span
from .detector import Detector
from .extent import Extent, find_extent
from .labels import find_label

BLOCK, OVERLAP = 1024, 160  # characters of a line that are read at once, and read again before them

_GAP = re.compile(r"[\"'`*)\]]{0,3}[ \t]{0,8}(?:(?:[:=|：＝]|=>|->|→)[ \t]{0,8})?(?:\n[ \t]{0,8})?")
_PLAIN = re.compile(r"[^\W\d_A-Z]?[^\W\d_A-Z]*[.,;:!?]*")


@dataclass(frozen=True)
class TokenSpans:
    """Tokens of a text: ids, and the half-open character spans that they cover, [token] each."""

    ids: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


class Reader(Protocol):
    """A model that reads text for detectors."""

    def embeddings(self, ids: npt.NDArray[np.int64]) -> Floats32:
        """Input embeddings of tokens, [token, width]."""
        ...

    def tokens(self, text: str) -> TokenSpans:
        """The tokens of a text, without special ones."""
        ...

    def hidden(
        self, texts: Sequence[str], asker: str, layer: int
    ) -> list[tuple[TokenSpans, Floats32]]:
        """Tokens of texts, and their hidden states after ``layer`` layers, [token, width].

        This is a forward of its own; its cost is recorded for the ``asker``.
        """
        ...

    def learned_weights(self) -> dict[str, npt.NDArray[Any]]:
        """Weights of the learned detector that was trained for this model.

        Raises:
            InputError: when there are none, or they are of another model or damaged.
        """
        ...


class ReadsModel(Detector, Protocol):
    """A detector that needs a model; ``trained``: it also needs weights trained for that model."""

    trained: bool

    def bind(self, reader: Reader) -> Detector:
        """The detector with a model. Raises InputError if weights for it are missing."""
        ...


def bound(detectors: Iterable[str | Detector], reader: Reader | None) -> tuple[str | Detector, ...]:
    """The detectors; those that need a model are bound to it."""
    if reader is None:
        return tuple(detectors)
    return tuple(d.bind(reader) if reads_model(d) else d for d in detectors)


def reads_model(detector: str | Detector) -> TypeGuard[ReadsModel]:
    """Whether a detector needs a model. An ``isinstance`` of a protocol takes far longer."""
    return hasattr(detector, "bind")


def unbound(name: str) -> InputError:
    """The error for a detector that was asked to read without a model."""
    return InputError(
        f"detector {name!r} reads a model: give --model (a tokenizer alone is not enough), "
        "or use a method that reads text alone"
    )


def blocks(text: str) -> list[tuple[int, int, int]]:
    """Lines of a text in parts: begin, begin of what is new, end. Blank lines are left out.

    A part depends on its line alone, so that a text may be read in pieces.
    """
    parts, begin = [], 0
    for line in text.split("\n"):
        at, end = begin, begin + len(line)
        while at < end and line.strip():
            stop = min(end, at + BLOCK)
            parts.append((max(begin, at - OVERLAP), at, stop))
            at = stop
        begin = end + 1
    return parts


def announced(text: str, end: int) -> Extent | None:
    """The value after an announcement that ends at ``end``, unless a plain word follows."""
    gap = _GAP.match(text, end)
    at = gap.end() if gap else end
    extent = find_extent(text, at, sentence=True)
    if extent is None:
        return None
    value = text[extent.value.start : extent.value.end]
    if not extent.quoted and (_PLAIN.fullmatch(value) or len(value) < 2):
        return None
    return extent


def anchor_of(
    text: str, start: int, end: int, confidence: float, rule: str, share: float = 1.0
) -> Anchor | None:
    """The anchor of an announcement ``[start, end)``, whose label may begin before it; None if no
    value follows."""
    extent = announced(text, end)
    if extent is None:
        return None
    label = find_label(text, end)
    first = start if label is None else min(label.start, start)
    value, delimited = extent.value, extent.delimited
    return Anchor(Span(first, end), value, confidence, rule, delimited, share=share)
