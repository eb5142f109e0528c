"""What a detector of anchors is. It reads text and knows no tokens, models or caches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ..types import Anchor, Span

LOOKBACK = 160
"""Characters before a value that may hold its label."""

MAX_VALUE = 4096
"""Characters of a value: what is longer is cut here, so that no text costs quadratic time."""

MIN_CONFIDENCE = 0.5
"""Below this an anchor is not emitted. Of 1,620 generated statements in 27 wordings 99.9% stay at
0.5 and 98.7% at 0.55; Python's documentation topics give 0.9 and 0.5 anchors in 16 KB (2.3 at
0.3), the docstrings of its library, full of addresses and paths, 5.5 and 3.6."""


class Detector(Protocol):
    """Finds anchors in a text."""

    @property
    def name(self) -> str:
        """What methods and rules call it."""
        ...

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors that begin at or after the character ``start``, in the order of their values.

        The result depends on at most ``LOOKBACK`` characters before a value, on the value, and on
        the rest of its line: so a text may be read in pieces (but see ``Spanning``).
        """
        ...


@runtime_checkable
class Following(Detector, Protocol):
    """A detector that also knows what stands far above: the header of a table."""

    def local(self, text: str) -> list[Anchor]:
        """What ``find`` finds without it."""
        ...

    def follow(
        self, text: str, begin: int, end: int, origin: int, state: Any
    ) -> tuple[list[Anchor], Any]:
        """Anchors of ``text[begin:end]`` that need the state, and the state after it.

        ``text`` begins at the offset ``origin`` of the whole text; the anchors are in its offsets.
        The first state is None; a state is never changed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Undivided:
    """Lines of a text that belong together, from the character ``first`` to ``stop``, which is None
    while the text so far does not tell where they end; ``anchor``: the value that they hold.

    Without a value they are refused: nothing behind ``body`` in them is one that they do not name
    themselves, or at all where they are parts of one value (``sealed``). ``rest``: what the
    detector must know where they go on behind ``stop``.
    """

    first: int
    stop: int | None
    anchor: Anchor | None
    body: int = 0
    sealed: bool = False
    rest: Any = None


@runtime_checkable
class Spanning(Detector, Protocol):
    """A detector some of whose values take several lines; ``find`` finds them as well, the other
    methods of a detector do not."""

    def spanning(
        self, text: str, begin: int, end: int, *, final: bool, rest: Any = None
    ) -> Iterator[Undivided]:
        """Values of several lines whose first line begins in ``text[begin:end]``, in order, as the
        whole ``text`` tells them; the first one that is not known to end is the last.

        ``final``: the text ends where ``text`` does. ``rest``: that of lines which go on at
        ``begin``.
        """
        ...


@runtime_checkable
class Voting(Detector, Protocol):
    """A detector that, beside others, speaks last: of what they doubt, and of what they left."""

    def vote(self, anchors: list[Anchor], text: str, inside: range, origin: int) -> list[Anchor]:
        """The anchors, some of them more or less confident, and others that overlap none of them.

        ``text`` begins at the offset ``origin`` of the whole text; the anchors' values lie in it
        and are in offsets of the whole. Those of the others begin in ``text`` at one of ``inside``.
        """
        ...


GUESSING, EVEN = "characters", 0.5
"""The detector that also guesses, and its confidence at even odds."""


def is_guess(anchor: Anchor) -> bool:
    """Whether the network over characters holds for a value what it thinks is rather none."""
    return anchor.rule == GUESSING and anchor.confidence < EVEN


def shifted(anchor: Anchor, by: int) -> Anchor:
    """The same anchor in a text in which it stands ``by`` characters further on."""
    if not by:
        return anchor
    label = Span(anchor.label.start + by, anchor.label.end + by)
    value = Span(anchor.value.start + by, anchor.value.end + by)
    return anchor._replace(label=label, value=value)
