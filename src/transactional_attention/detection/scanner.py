"""Text that arrives in pieces to anchors, each exactly once.

A value ends on its line, so a line is read when it is complete, with the text before it for labels.
For a value of several lines the scanner waits (``blocks``). A line longer than ``MAX_LINE`` is read
in parts that look beyond their end. The parts depend on the text only: however it is split into
pieces, the anchors are the same.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ..types import Anchor, Span
from .candidates import Proposal, proposal_of
from .catalogue import build_detectors
from .competition import winners
from .detector import LOOKBACK, MAX_VALUE, Detector, MultilineBlock, shifted
from .formats.block_rest import BlockRest
from .formats.blocks import blocks
from .formats.tables import Table, follow
from .patterns import Patterns
from .plain_text import plain
from .values import Values, local

MAX_LINE = 8192
MAX_PART = 2 * MAX_LINE  # characters of lines that are read at once
BEFORE = 2 * LOOKBACK  # a label, and what decides whether it begins its line
BEYOND = MAX_VALUE + 2 * LOOKBACK


class TextPart(NamedTuple):
    """What is read at once, in indices of the held text: values that begin in ``[begin, end)``,
    with the text up to ``seen``. ``wholes``: values of several lines."""

    begin: int
    end: int
    seen: int
    wholes: list[MultilineBlock]


class Scanner:
    """Detectors over a growing text: O(new text) per call, at most about 13,000 characters held."""

    def __init__(self, detectors: Sequence[str | Detector]) -> None:
        built = build_detectors(detectors)
        self._values = next((d for d in built if isinstance(d, Values)), None)
        self._patterns = [d for d in built if isinstance(d, Patterns)]
        self._others = [d for d in built if not isinstance(d, (Values, Patterns))]
        self._text = ""  # what is unread, and BEFORE characters before it
        self._unread = 0  # index in `_text`
        self._origin = 0  # offset of `_text` in the whole text
        self.table: Table | None = None  # that is open where the unread text begins
        self._rest: BlockRest | None = (
            None  # of a refused block that goes on where the unread text begins
        )
        self.sealed: list[Span] = []  # see ``read``
        self._taken = 0  # offset in the whole text where the last anchor's value ended

    def copy(self) -> Scanner:
        """An independent scanner in the same state. Detectors are shared, because they have no
        state."""
        return copy.copy(self)

    def resume(self, before: str, end: int) -> None:
        """Go on after ``before``, which ends at offset ``end`` of the whole text. It is read for
        labels only; its values are known."""
        self._text, self._unread, self._origin = before, len(before), end - len(before)
        self._taken = end

    @property
    def start(self) -> int:
        """Offset of the first character that future anchors may read."""
        return self._origin

    @property
    def unread(self) -> list[Span]:
        """The incomplete last line, if a value too long to be kept (``sealed``) continues in it."""
        if self._rest is None or not self._rest.sealed:
            return []
        return [Span(self._origin + self._unread, self._origin + len(self._text))]

    @property
    def header(self) -> list[Span]:
        """Labels, in characters, of a table that is still open: they may stand far above."""
        return [] if self.table is None else [span for span, _ in self.table.columns]

    def feed(self, new_text: str, final: bool = False) -> list[Anchor]:
        """Anchors that the new text settles, in absolute offsets, ordered by value.

        ``final``: the text ends here, so an incomplete last line is read as well.
        """
        anchors: list[Anchor] = []
        for part in self._complete(new_text, final):
            anchors += self._settled(self._detect([part]))
        self._forget()
        return anchors

    def provisional(self) -> list[Anchor]:
        """Anchors of the incomplete last line, as if the text ended here. Nothing is settled."""
        return self.copy().feed("", final=True)

    def read(self, new_text: str) -> tuple[list[Anchor], list[Anchor]]:
        """What ``feed`` settles, and what is ``provisional`` then; found in one pass if possible.

        Afterwards ``sealed`` has the new lines, in characters of the whole text, that are parts of
        a value that is too long.
        """
        self.sealed = []
        parts = self._complete(new_text, final=False)
        settled: list[Anchor] = []
        for part in parts[:-1]:
            settled += self._settled(self._detect([part]))
        ahead = list(self.copy()._parts(self._unread, final=True)) if parts else []
        together = [*parts[-1:], *(ahead if len(ahead) == 1 else [])]
        new = self._detect(together) if together else []
        border = self._origin + self._unread
        settled += self._settled([anchor for anchor in new if anchor.value.start < border])
        rest = [anchor for anchor in new if anchor.value.start >= max(border, self._taken)]
        self._forget()
        return settled, rest if len(together) == 2 else self.provisional()

    def _complete(self, new_text: str, final: bool) -> list[TextPart]:
        """The parts that can be read with the new text."""
        seen = len(self._text)
        self._text += new_text
        waiting = len(self._text) - self._unread
        if not final and self._text.find("\n", seen) < 0 and waiting < MAX_LINE + BEYOND:
            return []
        parts = list(self._parts(self._unread, final))
        self._unread = parts[-1].end if parts else self._unread
        return parts

    def _settled(self, new: list[Anchor]) -> list[Anchor]:
        """The anchors, except those inside values that came before them."""
        settled = [anchor for anchor in new if anchor.value.start >= self._taken]
        self._taken = max([self._taken, *(anchor.value.end for anchor in new)])
        return settled

    def _forget(self) -> None:
        """Drop text that no anchor needs any more."""
        spent = max(0, self._unread - BEFORE)
        self._text = self._text[spent:]
        self._origin += spent
        self._unread -= spent

    def _parts(self, begin: int, final: bool) -> Iterator[TextPart]:
        """What can be read now, from index ``begin`` of ``_text``."""
        text, size = self._text, len(self._text)
        while begin < size:
            end = seen = _lines_end(text, begin)
            if not end:
                limit = min(size, begin + MAX_LINE + BEYOND)
                newline = text.find("\n", begin + MAX_LINE, limit)
                if newline < 0 and not final and size < begin + MAX_LINE + BEYOND:
                    return
                end = min(size, begin + MAX_LINE)
                seen = newline + 1 if newline >= 0 else limit
            beyond = seen - end
            wholes, end = self._wholes(begin, end, final)
            if end == begin:
                return
            yield TextPart(begin, end, max(end, seen) if beyond else end, wholes)
            begin = end

    def _wholes(self, begin: int, end: int, final: bool) -> tuple[list[MultilineBlock], int]:
        """The values of several lines that begin in a part, and where the part ends: never inside
        one. It ends at its begin if it must wait for the rest of one."""
        blocks_read: list[MultilineBlock] = []
        rest, self._rest = self._rest, None
        if self._values is None:
            return blocks_read, end
        for lines in blocks(self._text, begin, end, final=final, rest=rest):
            if lines.first >= end:
                break
            # what the line above says is read without the block, as where it arrives alone
            above = lines.anchor is not None and lines.anchor.label.start < lines.first
            if lines.stop is None or (lines.first > begin and (above or lines.stop > end)):
                return blocks_read, lines.first
            blocks_read.append(lines)
            if lines.anchor is None and lines.sealed:
                sealed = Span(self._origin + lines.first, self._origin + lines.stop)
                self.sealed = [*self.sealed, sealed]
            if lines.rest is not None:
                self._rest = lines.rest
                return blocks_read, lines.stop
            end = max(end, lines.stop)
        return blocks_read, end

    def _detect(self, parts: list[TextPart]) -> list[Anchor]:
        """Anchors whose values begin in consecutive parts, in absolute offsets. The open table
        afterwards is that after the first part."""
        first = max(0, parts[0].begin - BEFORE)
        window, shift = plain(self._text[first : parts[-1].seen]), self._origin + first
        inside = range(parts[0].begin - first, parts[-1].end - first)
        near = [
            anchor
            for detector in self._others
            for anchor in detector.find(window)
            if inside.start - BEFORE <= anchor.value.start < inside.stop
        ]
        anchors = [shifted(a, shift) for a in winners(near) if a.value.start in inside]
        if self._values is not None:
            proposals = [*local(window), *self._of_lines(parts, window, first)]
            chosen = self._values.choose(window, proposals, inside, shift)
            anchors = winners([*anchors, *chosen]) if anchors else chosen
        for patterns in self._patterns:
            anchors = patterns.vote(anchors, window, inside, shift)
        refused = [lines for part in parts for lines in part.wholes if lines.anchor is None]
        return _admitted(anchors, refused, self._origin)

    def _of_lines(self, parts: list[TextPart], window: str, first: int) -> Iterator[Proposal]:
        """Proposals of tables and of values of several lines, in characters of the window."""
        table, after = self.table, None
        for number, part in enumerate(parts):
            begin, end = part.begin - first, part.end - first
            cells, table = follow(window, begin, end, self._origin + first, table)
            after = table if number == 0 else after
            yield from cells
            for lines in part.wholes:
                if lines.anchor is not None:
                    yield proposal_of(lines.anchor, first)
        self.table = after


class PrecomputedScanner:
    """The anchors of a text that is known in advance: found once and handed out as the text is
    read. A value is handed out whole as soon as it has begun."""

    def __init__(self, detectors: Sequence[str | Detector], text: str) -> None:
        scanner = Scanner(detectors)
        self._text, self._anchors = text, scanner.feed(text, final=True)
        self.sealed, self.unread = scanner.sealed, list[Span]()
        self._seen = self._settled = 0  # characters, and anchors
        self.header: list[Span] = []

    def copy(self) -> PrecomputedScanner:
        """An independent one in the same state."""
        return copy.copy(self)

    @property
    def start(self) -> int:
        """Offset of the first character that future anchors may read."""
        waiting = self._anchors[self._settled : self._settled + 1]
        return max(0, min([self._seen, *(a.value.start for a in waiting)]) - BEFORE)

    def read(self, new_text: str) -> tuple[list[Anchor], list[Anchor]]:
        """As ``Scanner.read``, but for ``sealed``: what was computed has every value whole."""
        self._seen += len(new_text)
        end = self._seen
        if end < len(self._text):
            end = self._text.rfind("\n", 0, end) + 1
        open_ended = self._anchors[self._settled :]
        settled = list(takewhile(lambda anchor: anchor.value.end <= end, open_ended))
        self._settled += len(settled)
        return settled, [a for a in open_ended[len(settled) :] if a.value.start < self._seen]


def _admitted(
    anchors: Iterable[Anchor], refused: Sequence[MultilineBlock], shift: int
) -> list[Anchor]:
    """The anchors, except those inside refused lines. What the lines name themselves, such as a
    setting in a script, stays a value, unless the lines are parts of one value.

    ``shift``: offset of the lines' text in the anchors' text.
    """
    if not refused:
        return list(anchors)
    return [a for a in anchors if not any(_is_refused(a, lines, shift) for lines in refused)]


def _is_refused(anchor: Anchor, lines: MultilineBlock, shift: int) -> bool:
    first, stop = lines.body + shift, (lines.stop or lines.body) + shift
    if not first <= anchor.value.start < stop:
        return False
    return lines.sealed or not first <= anchor.label.start < anchor.label.end


def _lines_end(text: str, begin: int) -> int:
    """Where the lines that are read at once end; 0 if the first line is too long or not complete. A
    line that is too long is read alone, whatever precedes it."""
    end = 0
    while True:
        newline = text.rfind("\n", max(begin, end), max(begin, end) + MAX_LINE)
        if newline < 0 or newline >= begin + MAX_PART:
            return end
        end = newline + 1
