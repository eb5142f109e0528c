"""What detectors have read of a sequence's text, and where values stand in it."""

from __future__ import annotations

import copy
from collections.abc import Sequence

from ..detection.detector import Detector
from ..detection.scanner import PrecomputedScanner, Scanner
from ..text.token_text import TokenText
from ..types import Anchor, Span

TAIL = 512  # characters that a prompt after generated text looks back on, for its labels
ScannedAnchors = tuple[list[Anchor], list[Anchor]]  # settled, and open at the end of the text


class Scan:
    """The detectors' way through one text.

    ``began``: the character where the scanner began. ``resumes``: generated text came after what it
    has read, so the next prompt is read as a new text. ``border``: tokens of values on an
    incomplete line, which the next text may continue. ``stated``: characters of every value that
    was ever found; ``open``: of those that may continue.
    """

    def __init__(self, detectors: Sequence[str | Detector]) -> None:
        self.detectors = tuple(detectors)
        self.scanner: Scanner | PrecomputedScanner = Scanner(self.detectors)
        self.began, self.resumes = 0, False
        self.border: list[Span] = []
        self.stated, self.open = set[Span](), list[Span]()
        self._window = (0, "")  # what anchors are read from: its first character, and the text

    def copy(self) -> Scan:
        """An independent scan of the same text."""
        other = copy.copy(self)
        other.scanner, other.border = self.scanner.copy(), list(self.border)
        other.stated, other.open = set(self.stated), list(self.open)
        return other

    def read(self, text: TokenText, before: int) -> ScannedAnchors:
        """Read what was added to a text after the character ``before``."""
        start = min(self.scanner.start, before)
        self._window = start, text.scan_text(start)
        return self._noted(self.scanner.read(self._window[1][before - start :]))

    def adopt(self, scanner: Scanner, anchors: ScannedAnchors, text: str) -> ScannedAnchors:
        """Take over what a scanner has found in the whole of a text."""
        self.scanner, self._window = scanner.copy(), (0, text)
        return self._noted(anchors)

    def _noted(self, anchors: ScannedAnchors) -> ScannedAnchors:
        settled, open_ended = anchors
        self.stated.update(self.scanner.sealed)
        self.stated.update(anchor.value for anchor in settled)
        self.open = [*(anchor.value for anchor in open_ended), *self.scanner.unread]
        return anchors

    def begin(self, before: str, at: int) -> None:
        """Look for anchors from the character ``at`` on; ``before``: the text before it."""
        self.scanner = scanner = Scanner(self.detectors)
        self.began, self.resumes = at, False
        if at:
            scanner.resume(before, at)

    def skip(self, text: TokenText) -> None:
        """Go on at the end of a text. What the model generated may announce a value, but holds
        none."""
        end = text.num_chars
        self.begin(text.scan_text(max(0, end - TAIL)), end)
        self.stated.update(self.open)
        self.border = []

    def look_again(self, text: TokenText) -> list[Anchor]:
        """Read a text again from where the scanner began. Everything in it is known, except the
        anchors returned: they were not settled before, and are now that the text comes at once."""
        start = max(0, self.began - TAIL)
        self._window = start, text.scan_text(start)
        content = self._window[1]
        self.begin(content[: self.began - start], self.began)
        settled, _ = self.scanner.read(content[self.began - start :])
        tokens = text.tokens_for_each([anchor.value for anchor in settled])
        self.border = [value for value in self.border if value not in tokens]
        new = [anchor for anchor in settled if anchor.value not in self.stated]
        self.stated.update(anchor.value for anchor in new)
        return new

    def excerpt(self, text: TokenText | None, start: int, end: int) -> str:
        """Characters of what was read last, or of a header far above it."""
        first, content = self._window
        if start >= first:
            return content[start - first : end - first]
        if text is not None:
            return text.scan_text(start)[: end - start]
        return content[: max(end - first, 0)]
