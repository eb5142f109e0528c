"""Text that arrives in pieces to anchors, each exactly once.

A value ends on its line, so lines are read when they are complete, with what stands before them
for their labels; a value of several lines is waited for (``Spanning``). A line longer than
``MAX_LINE`` is read in parts that see beyond their end. The parts depend on the text alone: however
it is split into pieces, the anchors are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from ..types import Anchor
from .clusters import winners
from .detector import LOOKBACK, MAX_VALUE, Detector, Following, Spanning, Undivided, Voting, shifted
from .frames import apart
from .refusal import admitted
from .registry import build_detectors
from .wholes import widened
from .withdrawn import standing

MAX_LINE = 8192
BEFORE = 2 * LOOKBACK  # a label, and what decides whether it begins its line
BEYOND = MAX_VALUE + 2 * LOOKBACK


class Scanner:
    """Detectors over a growing text: O(new text) a call, at most about 13,000 characters held."""

    def __init__(self, detectors: Sequence[str | Detector]) -> None:
        self.detectors, self._voters = _parted(build_detectors(detectors))
        self._following = [_follows(detector) for detector in self.detectors]
        self._spanning = [cast(Spanning, d) for d in self.detectors if hasattr(d, "spanning")]
        self._text = ""  # what is unread, and BEFORE characters before it
        self._unread = 0  # index in `_text`
        self._origin = 0  # offset of `_text` in the whole text
        self.states: tuple = (None,) * len(self.detectors)  # see ``Following``
        self._rest: Any = None  # of a refused block that goes on where the unread text begins
        self._taken = 0  # offset in the whole text where the last anchor's value ended

    def copy(self) -> Scanner:
        """An independent scanner in the same state; detectors are shared, they have none."""
        other = object.__new__(Scanner)
        other.__dict__.update(self.__dict__)
        return other

    def resume(self, before: str, end: int) -> None:
        """Go on after ``before``, which ends at the offset ``end`` of the whole text: it is read
        for labels, and its own values are settled."""
        self._text, self._unread, self._origin = before, len(before), end - len(before)
        self._taken = end

    @property
    def start(self) -> int:
        """Offset of the first character that anchors found from now on may read."""
        return self._origin

    def feed(self, new_text: str, final: bool = False) -> list[Anchor]:
        """Anchors that the new text settles, in absolute offsets and in the order of their values.

        ``final``: the text ends here, so what waits for the rest of its line is read as well.
        """
        seen = len(self._text)
        self._text += new_text
        if not final and self._text.find("\n", seen) < 0 and self._waiting() < MAX_LINE + BEYOND:
            return []
        found: list[Anchor] = []
        for begin, end, window_end, wholes in self._parts(final):
            new = self._detect(begin, end, window_end, wholes)
            found += [anchor for anchor in new if anchor.value.start >= self._taken]
            self._taken = max([self._taken, *(anchor.value.end for anchor in new)])
            self._unread = end
        spent = max(0, self._unread - BEFORE)
        self._text = self._text[spent:]
        self._origin += spent
        self._unread -= spent
        return found

    def provisional(self) -> list[Anchor]:
        """Anchors on the incomplete last line, as if the text ended here; nothing is settled."""
        return self.copy().feed("", final=True)

    def _waiting(self) -> int:
        return len(self._text) - self._unread

    def _parts(self, final: bool) -> Iterator[tuple[int, int, int, list[Undivided]]]:
        """What can be read now as (begin, end, end of the window), in indices of ``_text``, and the
        values of several lines in it."""
        text, begin, size = self._text, self._unread, len(self._text)
        while begin < size:
            newline = text.rfind("\n", begin, begin + MAX_LINE)
            end = newline + 1
            window_end = end
            if newline < 0:
                limit = min(size, begin + MAX_LINE + BEYOND)
                newline = text.find("\n", begin + MAX_LINE, limit)
                if newline < 0 and not final and size < begin + MAX_LINE + BEYOND:
                    return
                end = min(size, begin + MAX_LINE)
                window_end = newline + 1 if newline >= 0 else limit
            beyond = window_end - end
            wholes, end = self._wholes(begin, end, final)
            if end == begin:
                return
            yield begin, end, max(end, window_end) if beyond else end, wholes
            begin = end

    def _wholes(self, begin: int, end: int, final: bool) -> tuple[list[Undivided], int]:
        """The values of several lines that begin in a part, and where the part ends: inside none.
        At its begin when it must wait for the rest of one."""
        found: list[Undivided] = []
        rest, self._rest = self._rest, None
        for detector in self._spanning:
            for lines in detector.spanning(self._text, begin, end, final=final, rest=rest):
                if lines.first >= end:
                    break
                if lines.stop is None or (lines.stop > end and lines.first > begin):
                    return found, lines.first
                found.append(lines)
                if lines.rest is not None:
                    self._rest = lines.rest
                    return found, lines.stop
                end = max(end, lines.stop)
        return found, end

    def _detect(
        self, begin: int, end: int, window_end: int, wholes: list[Undivided]
    ) -> list[Anchor]:
        """Anchors whose values begin in ``_text[begin:end]``, in absolute offsets, among them
        those of ``wholes``, of several lines."""
        first = max(0, begin - BEFORE)
        window, shift = self._text[first:window_end], self._origin + first
        inside = range(begin - first, end - first)
        found: list[Anchor] = []
        # In absolute offsets: labels of cells may stand far above.
        cells = [shifted(lines.anchor, self._origin) for lines in wholes if lines.anchor]
        states = list(self.states)
        for i, detector in enumerate(self.detectors):
            if self._following[i]:
                follower = cast(Following, detector)
                new, states[i] = follower.follow(
                    window, inside.start, inside.stop, shift, states[i]
                )
                cells += new
                found += follower.local(window)
            else:
                found += detector.find(window)
        self.states = tuple(states)
        found = widened(found, window)
        if cells:
            every = winners([*(shifted(anchor, shift) for anchor in found), *cells])
            new = [a for a in every if a.value.start - shift in inside]
        else:
            new = [shifted(a, shift) for a in winners(found) if a.value.start in inside]
        for voter in self._voters:
            new = voter.vote(new, window, inside, shift)
        refused = [lines for lines in wholes if lines.anchor is None]
        held = standing(apart(new, window, shift), window, shift)
        return admitted(held, refused, self._origin)


def _parted(detectors: list[Detector]) -> tuple[list[Detector], list[Voting]]:
    """Those that find, and those that vote after them; alone, also a voter finds."""
    voters = [detector for detector in detectors if hasattr(detector, "vote")]
    finders = [detector for detector in detectors if not hasattr(detector, "vote")]
    return (finders, cast(list[Voting], voters)) if finders else (detectors, [])


def _follows(detector: Detector) -> bool:
    """Whether a detector is ``Following``; a scanner is made for every sequence, and to ask whether
    an object is one takes as long as to read some lines."""
    return hasattr(detector, "follow")
