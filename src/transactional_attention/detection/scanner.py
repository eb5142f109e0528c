"""Text that arrives in pieces to anchors, each exactly once.

A value ends on its line, so lines are read when they are complete, with what stands before them
for their labels; a value of several lines is waited for (``Spanning``). A line longer than
``MAX_LINE`` is read in parts that see beyond their end. The parts depend on the text alone: however
it is split into pieces, the anchors are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from ..types import Anchor
from .ascii_digits import ascii_digits
from .clusters import winners
from .detector import (
    LOOKBACK,
    MAX_VALUE,
    Detector,
    Following,
    Spanning,
    Undivided,
    Voting,
    shifted,
)
from .frames import apart
from .refusal import admitted
from .registry import build_detectors
from .wholes import widened
from .withdrawn import standing

MAX_LINE = 8192
MAX_PART = 2 * MAX_LINE  # characters of lines that are read at once
BEFORE = 2 * LOOKBACK  # a label, and what decides whether it begins its line
BEYOND = MAX_VALUE + 2 * LOOKBACK


class Part(NamedTuple):
    """What is read at once, in indices of the held text: values that begin in ``[begin, end)``,
    with what stands up to ``seen``; ``wholes``: those of several lines."""

    begin: int
    end: int
    seen: int
    wholes: list[Undivided]


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
        found: list[Anchor] = []
        for part in self._complete(new_text, final):
            found += self._settled(self._detect([part]))
        self._forget()
        return found

    def provisional(self) -> list[Anchor]:
        """Anchors on the incomplete last line, as if the text ended here; nothing is settled."""
        return self.copy().feed("", final=True)

    def read(self, new_text: str) -> tuple[list[Anchor], list[Anchor]]:
        """What ``feed`` settles, and what is ``provisional`` then: found in one pass, if it can."""
        parts = self._complete(new_text, final=False)
        found: list[Anchor] = []
        for part in parts[:-1]:
            found += self._settled(self._detect([part]))
        ahead = list(self.copy()._parts(self._unread, final=True)) if parts else []
        together = [*parts[-1:], *(ahead if len(ahead) == 1 else [])]
        new = self._detect(together) if together else []
        border = self._origin + self._unread
        found += self._settled([anchor for anchor in new if anchor.value.start < border])
        rest = [anchor for anchor in new if anchor.value.start >= max(border, self._taken)]
        self._forget()
        return found, rest if len(together) == 2 else self.provisional()

    def _complete(self, new_text: str, final: bool) -> list[Part]:
        """The parts that can be read with the new text."""
        seen = len(self._text)
        self._text += new_text
        if not final and self._text.find("\n", seen) < 0 and self._waiting() < MAX_LINE + BEYOND:
            return []
        parts = list(self._parts(self._unread, final))
        self._unread = parts[-1].end if parts else self._unread
        return parts

    def _settled(self, new: list[Anchor]) -> list[Anchor]:
        """Anchors but for those inside values that came before them."""
        found = [anchor for anchor in new if anchor.value.start >= self._taken]
        self._taken = max([self._taken, *(anchor.value.end for anchor in new)])
        return found

    def _forget(self) -> None:
        """Let go of text that no anchor needs any more."""
        spent = max(0, self._unread - BEFORE)
        self._text = self._text[spent:]
        self._origin += spent
        self._unread -= spent

    def _waiting(self) -> int:
        return len(self._text) - self._unread

    def _parts(self, begin: int, final: bool) -> Iterator[Part]:
        """What can be read now, from an index of ``_text`` on."""
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
            yield Part(begin, end, max(end, seen) if beyond else end, wholes)
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

    def _detect(self, parts: list[Part]) -> list[Anchor]:
        """Anchors whose values begin in parts that follow one another, in absolute offsets; the
        state of the detectors is that after the first one."""
        first = max(0, parts[0].begin - BEFORE)
        window, shift = ascii_digits(self._text[first : parts[-1].seen]), self._origin + first
        found: list[Anchor] = []
        for detector, follows in zip(self.detectors, self._following, strict=True):
            found += cast(Following, detector).local(window) if follows else detector.find(window)
        found = widened(found, window)
        new, after = self._winners(parts[0], found, window, first, self.states)
        states = after
        for part in parts[1:]:
            more, states = self._winners(part, found, window, first, states)
            new += more
        self.states = after
        for voter in self._voters:
            new = voter.vote(
                new, window, range(parts[0].begin - first, parts[-1].end - first), shift
            )
        refused = [lines for part in parts for lines in part.wholes if lines.anchor is None]
        held = standing(apart(new, window, shift), window, shift)
        return admitted(held, refused, self._origin)

    def _winners(
        self, part: Part, found: list[Anchor], window: str, first: int, states: tuple
    ) -> tuple[list[Anchor], tuple]:
        """Of what was found in the window, which begins at ``first``, and of what needs its lines
        above: what wins in a part; and the states after it."""
        begin, end, shift = part.begin - first, part.end - first, self._origin + first
        # In absolute offsets: labels of cells may stand far above.
        cells = [shifted(lines.anchor, self._origin) for lines in part.wholes if lines.anchor]
        after = list(states)
        for i, detector in enumerate(self.detectors):
            if self._following[i]:
                follower = cast(Following, detector)
                new, after[i] = follower.follow(window, begin, end, shift, states[i])
                cells += new
        near = [anchor for anchor in found if begin - BEFORE <= anchor.value.start < end]
        if cells:
            every = winners([*(shifted(anchor, shift) for anchor in near), *cells])
            won = [a for a in every if begin <= a.value.start - shift < end]
        else:
            won = [shifted(a, shift) for a in winners(near) if a.value.start >= begin]
        return won, tuple(after)


def _lines_end(text: str, begin: int) -> int:
    """Where the lines from ``begin`` on that are read at once end; 0 where the first is too long or
    has no end yet. None of them is too long: such a line is read alone, whatever precedes it."""
    end = 0
    while True:
        newline = text.rfind("\n", max(begin, end), max(begin, end) + MAX_LINE)
        if newline < 0 or newline >= begin + MAX_PART:
            return end
        end = newline + 1


def _parted(detectors: list[Detector]) -> tuple[list[Detector], list[Voting]]:
    """Those that find, and those that vote after them; alone, also a voter finds."""
    voters = [detector for detector in detectors if hasattr(detector, "vote")]
    finders = [detector for detector in detectors if not hasattr(detector, "vote")]
    return (finders, cast(list[Voting], voters)) if finders else (detectors, [])


def _follows(detector: Detector) -> bool:
    """Whether a detector is ``Following``; a scanner is made for every sequence, and to ask whether
    an object is one takes as long as to read some lines."""
    return hasattr(detector, "follow")
