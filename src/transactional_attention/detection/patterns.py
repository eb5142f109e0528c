"""Values that the caller describes by regular expressions.

They are matched by google-re2 (extra ``re2``), whose time is linear in the text for every pattern.
With ``re`` one bad pattern could stop a server for years.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import InputError, UnsupportedError, install_extra
from ..types import Anchor, Span
from .decode import CHARACTERS
from .detector import MAX_VALUE, is_guess

CONFIDENCE = 1.0  # the caller says so


def check_patterns(patterns: Sequence[str]) -> tuple[str, ...]:
    """The patterns, after checking that all of them can be matched.

    Raises:
       InputError: a string in place of a list, or a pattern that RE2 does not take.
       UnsupportedError: google-re2 is missing.
    """
    if isinstance(patterns, str):
        raise InputError("patterns takes a list of regular expressions, got one string")
    Patterns(patterns)
    return tuple(patterns)


class Patterns:
    """Whatever matches one of the patterns is a value, and no other rule can take that away.

    A pattern sees one line: ``^`` and ``$`` are its ends, and no match goes beyond it. The value is
    the group ``value`` if the pattern has one, otherwise the whole match. A group ``label`` is its
    label.
    """

    name = "patterns"

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = tuple(patterns)
        self._compiled = [_compiled(pattern, number) for number, pattern in enumerate(patterns, 1)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Patterns) and self.patterns == other.patterns

    def __hash__(self) -> int:
        return hash(self.patterns)

    def find(self, text: str) -> list[Anchor]:
        """Anchors of the matches (see ``Detector``)."""
        return self.vote([], text, range(len(text)), 0)

    def vote(self, anchors: list[Anchor], text: str, inside: range, origin: int) -> list[Anchor]:
        """The anchors, together with those of the patterns.

        If a match lies inside a value, such as a ticket in an address, the whole value stays and
        gets the pattern's rule. Values that overlap a match otherwise are joined with it.
        """
        text = text if text.isascii() else text.encode("utf-8", "replace").decode()
        for number, pattern in enumerate(self._compiled, 1):
            matches = _matches(pattern, text, inside, origin)
            anchors = _with_all(anchors, matches, f"pattern:{number}")
        return sorted(anchors, key=lambda anchor: (anchor.value.start, -anchor.value.end))


def _matches(
    pattern: Any, text: str, inside: range, origin: int
) -> Iterator[tuple[Span, Span | None]]:
    """Value and label of each match whose value begins ``inside``; ascending and disjoint."""
    value, label = (pattern.groupindex.get(name, 0) for name in ("value", "label"))
    for match in pattern.finditer(text):
        begin, end = match.span(value)
        if 0 < end - begin <= MAX_VALUE and begin in inside:
            first, last = match.span(label) if label else (0, 0)
            named = Span(first + origin, last + origin) if first < last else None
            yield Span(begin + origin, end + origin), named


def _with_all(
    anchors: list[Anchor], matches: Iterable[tuple[Span, Span | None]], rule: str
) -> list[Anchor]:
    """The anchors with those of one pattern's matches. A match is compared only with anchors
    ``near`` it: they begin before its end and end after the previous matches."""
    later = deque(sorted(anchors, key=lambda anchor: anchor.value.start))
    near: list[Anchor] = []
    done: list[Anchor] = []
    for value, label in matches:
        while later and later[0].value.start < value.end:
            near.append(later.popleft())
        done += [anchor for anchor in near if anchor.value.end <= value.start]
        near = [anchor for anchor in near if anchor.value.end > value.start]
        near = _with(near, value, label, rule)
    return [*done, *near, *later]


def _with(anchors: list[Anchor], value: Span, label: Span | None, rule: str) -> list[Anchor]:
    """The anchors with one for a match, which absorbs those that it overlaps. Guesses of the
    network, and its finds inside the match, give way."""
    anchors = [a for a in anchors if not (a.value.overlaps(value) and _gives_way(a, value))]
    holding = [a for a in anchors if a.value.start <= value.start and value.end <= a.value.end]
    met = [a for a in anchors if a.value.start < value.end and value.start < a.value.end]
    taken = [min(holding, key=lambda anchor: len(anchor.value))] if holding else met
    labels = [anchor.label for anchor in taken if len(anchor.label)]
    whole = Span(
        min([value.start, *(anchor.value.start for anchor in taken)]),
        max([value.end, *(anchor.value.end for anchor in taken)]),
    )
    label = label or (labels[0] if labels else Span(whole.start, whole.start))
    left = [anchor for anchor in anchors if not any(anchor is one for one in taken)]
    return [*left, Anchor(label, whole, CONFIDENCE, rule, True)]


def _gives_way(anchor: Anchor, value: Span) -> bool:
    held = anchor.value.start <= value.start and value.end <= anchor.value.end
    return is_guess(anchor) or (anchor.rule == CHARACTERS and not held)


def _compiled(pattern: str, number: int) -> Any:
    try:
        import re2  # noqa: PLC0415  (an extra)
    except ImportError:
        raise UnsupportedError(f"patterns need google-re2: {install_extra('re2')}") from None
    if not isinstance(pattern, str) or not pattern:
        raise InputError(f"pattern {number} is no regular expression: give some text")
    options = re2.Options()
    options.never_nl = True
    options.log_errors = False
    try:
        return re2.compile(f"(?m:{pattern})", options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace").partition(":")[0]  # then it quotes
        raise InputError(
            f"pattern {number} is none that RE2 matches ({reason}); it knows no look-around and no "
            "references back"
        ) from None
