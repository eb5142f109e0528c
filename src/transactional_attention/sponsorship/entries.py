"""Sponsored spans with what was claimed of them, and those of them whose values wait in a vault."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, KeysView
from dataclasses import dataclass
from itertools import product

from ..types import Span, SponsoredSpan
from .claims import Claim
from .supersession import REMEMBERED
from .trust import TRUST

FORM, NAME, SAME = "form", "name", "same value"
"""What entries have in common."""


@dataclass(slots=True)
class Entry:
    """A sponsored span with its claim. ``gap``: characters to the nearest claim of its wording.

    ``crowded``: its source had said too much by then. ``faded``: its protection ended by decay.
    ``replaced``: a later claim stands in its place, True where that one says so by its label.
    ``replaces``: values that this one replaces, once it has been ``judged``: what it takes back is
    decided when it is said, for good.
    """

    span: SponsoredSpan
    claim: Claim
    budget: float
    gap: int = 0
    crowded: bool = False
    asked: bool = False
    faded: bool = False
    judged: bool = False
    replaced: bool | None = None
    replaces: tuple[Span, ...] = ()


class Waiting:
    """Entries of values that wait in a vault, thousands of them: what is held is compared with
    those alone that say the same value, bear the same name or look alike, nearest in the text, of
    each source."""

    def __init__(self) -> None:
        self._entries: dict[Span, Entry] = {}
        self._alike: dict[Hashable, list[Entry]] = {}  # in the order of the text

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    @property
    def values(self) -> KeysView[Span]:
        """Their values."""
        return self._entries.keys()

    def get(self, value: Span) -> Entry | None:
        """The entry of a value."""
        return self._entries.get(value)

    def add(self, entry: Entry) -> None:
        """Take one in whose value left."""
        self._entries[entry.span.value] = entry
        for key in _keys(entry.claim):
            alike = self._alike.setdefault((key, entry.span.source), [])
            alike.insert(bisect_left(alike, entry.claim.place, key=_place), entry)

    def pop(self, value: Span) -> Entry | None:
        """Let one go, if it is there."""
        entry = self._entries.pop(value, None)
        if entry is not None:
            for key in _keys(entry.claim):
                alike = self._alike[key, entry.span.source]
                alike[:] = [other for other in alike if other is not entry]
                if not alike:
                    del self._alike[key, entry.span.source]
        return entry

    def near(self, entries: Iterable[Entry]) -> list[Entry]:
        """Those that the given ones have to be compared with: earlier ones, as claims replace what
        was said before them, and all that say the same. A name was compared when it was judged."""
        if not self._entries:
            return []
        found: dict[int, Entry] = {}
        for entry in entries:
            for key, source in product(_keys(entry.claim), TRUST):
                kind, alike = key[0], self._alike.get((key, source))
                if alike is None or (kind == NAME and entry.judged):
                    continue
                at = bisect_left(alike, entry.claim.place, key=_place)
                last = at + REMEMBERED if kind == SAME else at
                found |= {id(other): other for other in alike[max(0, at - REMEMBERED) : last]}
        return list(found.values())


def _keys(claim: Claim) -> Iterator[tuple[str, Hashable]]:
    yield FORM, claim.form
    if claim.words:
        yield NAME, frozenset(claim.words.split())
    if claim.value:
        yield SAME, claim.value


def _place(entry: Entry) -> int:
    return entry.claim.place
