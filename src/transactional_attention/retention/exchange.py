"""Which values leave a table for the vault, and which come back from it and into which slots.

It decides alone: an engine copies the rows of what leaves, then writes those of what comes back.
What recalls has one table, whose lanes are the rows of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..recall.entries import Entry
from ..recall.recall import Recalled
from ..selection.selection import guarded
from ..selection.slots import GENERATED, PADDING, PER_SLOT, inside
from ..types import Bools, Floats, Ints, Span, SponsoredSpan
from .requests import is_present

if TYPE_CHECKING:
    from .flow import RetentionFlow
    from .recall_state import RecallState

HELD = 2e9  # above recent tokens, for what gives way last


@dataclass(frozen=True)
class Moved:
    """Tokens of a value of a row: their positions, in order, and the slots that hold them."""

    row: int
    value: Span
    positions: Ints
    slots: Ints


@dataclass(frozen=True)
class Exchange:
    """Before a forward: copy the rows that are ``leaving``, add ``grown`` empty slots, write the
    rows that are ``returning``."""

    leaving: Sequence[Moved]
    grown: int
    returning: Sequence[Moved]


class Chosen(NamedTuple):
    """A value that a row asks for: what of its entry fits, and positions to put back."""

    item: Recalled
    entry: Entry
    positions: Ints


def recall_of(flow: RetentionFlow, row: int) -> RecallState:
    """What a row recalls; the flow's retention must."""
    state = flow.sequences[row].recall
    assert state is not None
    return state


def leaving(flow: RetentionFlow, stays: Bools) -> list[Moved]:
    """Values that the vault lacks, of which a token does not stay until the next cut, [row, slot]:
    of the value, its label or its line.

    Notes which positions of them the vault holds from now on.
    """
    table, found = flow.table, []
    for row in range(len(flow.sequences)):
        state, order = recall_of(flow, row), table.live_slots(row)
        positions = table.positions[row, order]
        for entry in state.book.live:
            first, last = positions.searchsorted([entry.value.start, entry.value.end]).tolist()
            if last - first < len(entry.value):
                continue
            taken = np.flatnonzero(np.isin(positions, entry.positions))
            if stays[row, order[taken]].all():
                continue
            moved = Moved(row, entry.value, positions[taken], order[taken])
            state.stored[entry.value] = moved.positions
            found.append(moved)
    return found


def exchange(flow: RetentionFlow, wanted: Sequence[Sequence[Recalled]]) -> Exchange | None:
    """Let what the rows ask for be sponsored, alone, and put back what of it is not held.

    Called before new tokens are appended. Values that are not asked for leave: a model takes one of
    them for another. Then the least useful tokens make room: no more are held than K, or than
    before where that is more. None where nothing moves.
    """
    table = flow.table
    if table.budget is None:
        return None
    chosen = [_chosen(flow, row, items) for row, items in enumerate(wanted)]
    needed = [sum(len(one.positions) for one in items) for items in chosen]
    stay = [
        _named(flow, row) | {p for one in items for p in one.entry.positions}
        for row, items in enumerate(chosen)
    ]
    before = [sequence.registry.lines for sequence in flow.sequences]
    for row, items in enumerate(chosen):
        values, state = [one.entry.value for one in items], recall_of(flow, row)
        flow.sequences[row].registry.ask(values, state.lines_among(values))
    others = [_others(flow, row, stay[row], before[row]) for row in range(len(wanted))]
    if not any(needed) and not any(map(len, others)):
        return None
    gone = leaving(flow, np.zeros(table.positions.shape, bool))
    for row, slots in enumerate(others):
        fill(flow, row, slots, np.full(len(slots), PADDING))
    empty = (table.positions == PADDING).sum(1)
    room = max(table.budget - table.width, 0)
    grown = min(room, max(n - e for n, e in zip(needed, empty.tolist(), strict=True)))
    if grown > 0:
        shape = len(table.positions), grown
        table.append(np.full(shape, PADDING), np.full(shape, GENERATED))
    worth = _worth(flow, stay)
    back: list[Moved] = []
    for row, items in enumerate(chosen):
        positions = np.concatenate([one.positions for one in items] or [np.zeros(0, np.int64)])
        slots = np.argsort(worth[row], kind="stable")[: len(positions)]
        fill(flow, row, slots, positions)
        for item, entry, own in items:
            if len(own):
                back.append(Moved(row, entry.value, own, slots[: len(own)]))
                recall_of(flow, row).came_back(item, int(flow.lengths[row]))
            slots = slots[len(own) :]
    flow.hold(table)
    return Exchange(gone, max(grown, 0), back)


def _others(flow: RetentionFlow, row: int, stay: set[int], lines: Sequence[SponsoredSpan]) -> Ints:
    """The slots of values that a row does not ask for, with their labels, and of ``lines`` that it
    asked for before, where it asks for some; never sinks, nor positions that ``stay``."""
    sequence = flow.sequences[row]
    if not sequence.registry.asked:
        return np.zeros(0, np.int64)
    spans = [s for s in (*sequence.registry.spans, *lines) if not is_present(sequence, s)]
    positions = flow.table.positions[row]
    mine = [*stay, *range(flow.selection.sinks)]
    found = inside(positions, flow.covered(spans)) & ~np.isin(positions, mine)
    return np.flatnonzero(found)


def room_for(tokens: int, kept: int) -> int:
    """The smallest K at which a value's tokens can be put back beside ``kept`` ones that stay."""
    return tokens + kept + 1


def _chosen(flow: RetentionFlow, row: int, wanted: Iterable[Recalled]) -> list[Chosen]:
    """What a row asks for, as far as it fits.

    What is best for a part of the text shares K: all with their labels, without which a model does
    not know them apart, alone where that is too long, then with their lines; under the strict
    ledger, where K holds the text, at most half of it, as all others do, unless one is alone.
    """
    budget = flow.table.budget
    assert budget is not None
    state, held = recall_of(flow, row), set(flow.table.positions[row].tolist())
    length = int(flow.lengths[row])
    kept = len({p for p in held if 0 <= p < flow.selection.sinks} | _named(flow, row))
    waits: dict[Span, set[int]] = {}
    items = []
    for item in wanted:
        value = item.entry.value
        waits[value] = set(map(int, state.stored.get(value, ())))
        if waits[value] or held.issuperset(p for p in value if p < length):
            items.append(item)
    firsts = [item for item in items if item.first]
    half = budget // 2
    shared = half if flow.retention.ledger == "strict" else budget
    picked: dict[Span, tuple[Entry, set[int]]] = {}
    for group, most in ((firsts, shared), *(([i], half) for i in items if not i.first)):
        entries = [item.entry for item in group]
        # lazily, as the first round picks: no value gives up the label that it has
        left = (entry.alone() for entry in entries if entry.value not in picked)
        for entry in chain(map(Entry.labelled, entries), left, entries):
            others = [tokens for value, (_, tokens) in picked.items() if value != entry.value]
            known = held | waits[entry.value]
            tokens = {p for p in entry.positions if p in known or p >= length}
            both = tokens.union(*others)
            if room_for(len(both), kept) <= budget and (not others or len(both) <= most):
                picked[entry.value] = entry, tokens
    found: list[Chosen] = []
    for item in items:
        if item.entry.value in picked:
            entry, tokens = picked[item.entry.value]
            new = sorted(tokens & waits[entry.value] - held)
            found.append(Chosen(item, entry, np.array(new, np.int64)))
            held |= tokens
    return found


def _named(flow: RetentionFlow, row: int) -> set[int]:
    spans = [span.value for span, _ in flow.sequences[row].explicit()]
    return {p for span in spans for p in span}


def _worth(flow: RetentionFlow, stay: Sequence[set[int]]) -> Floats:
    """Which slots make room first, [row, slot]: empty ones, tokens by utility, recent ones, values
    by rank; never sinks, nor positions that ``stay``."""
    table = flow.table
    recent = table.is_recent(flow.lengths)
    worth = guarded(flow.base_utility(table), np.zeros_like(recent), recent)
    worth[table.hold] = HELD
    for row, sequence in enumerate(flow.sequences):
        own, positions = worth[row], table.positions[row]
        ranked = sorted(sequence.registry.spans, key=lambda span: span.rank)
        for place, span in enumerate(ranked):
            own[inside(positions, [flow.selection.extent(span)])] = HELD + place
        own[np.isin(positions, [*stay[row]]) | (positions < flow.selection.sinks)] = np.inf
        own[positions == PADDING] = -np.inf
    return worth


def fill(flow: RetentionFlow, row: int, slots: Ints, positions: Ints) -> None:
    """Describe in the table what is put back, or that slots are empty."""
    table, sequence = flow.table, flow.sequences[row]
    known, ids = inside(positions, sequence.counted), sequence.ids.array
    for name in PER_SLOT:
        getattr(table, name)[row, slots] = 0
    table.positions[row, slots] = positions
    table.ids[row, slots] = np.where(known, ids[positions], GENERATED)
    table.note_padding()
