"""Which values leave a table for the vault, and which come back from it and into which slots.

It decides alone: an engine copies the rows of what leaves, then writes those of what comes back.
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
from ..selection.slots import GENERATED, PADDING, PER_SLOT, SlotTable, inside
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


def leaving(flow: RetentionFlow, table: SlotTable, stays: Bools) -> list[Moved]:
    """Values that the vault lacks, of which a token does not stay until the next cut, [lane, slot]:
    of the value, its label or its line.

    Notes which positions of them the vault holds from now on.
    """
    found = []
    for lane, row in enumerate(table.rows.tolist()):
        state, order = recall_of(flow, row), table.live_slots(lane)
        positions = table.positions[lane, order]
        for entry in state.book.live:
            first, last = positions.searchsorted([entry.value.start, entry.value.end]).tolist()
            if last - first < len(entry.value):
                continue
            taken = np.flatnonzero(np.isin(positions, entry.positions))
            if stays[lane, order[taken]].all():
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
    chosen = [_chosen(flow, table, lane, items) for lane, items in enumerate(wanted)]
    needed = [sum(len(one.positions) for one in items) for items in chosen]
    stay = [
        _named(flow, row) | {p for one in items for p in one.entry.positions}
        for row, items in enumerate(chosen)
    ]
    before = [sequence.registry.lines for sequence in flow.sequences]
    for row, items in enumerate(chosen):
        values, state = [one.entry.value for one in items], recall_of(flow, row)
        flow.sequences[row].registry.ask(values, state.lines_among(values))
    others = [
        _others(flow, table, lane, mine, lines)
        for lane, (mine, lines) in enumerate(zip(stay, before, strict=True))
    ]
    if not any(needed) and not any(map(len, others)):
        return None
    gone = leaving(flow, table, np.zeros(table.positions.shape, bool))
    for lane, slots in enumerate(others):
        _fill(flow, table, lane, slots, np.full(len(slots), PADDING))
    empty = (table.positions == PADDING).sum(1)
    room = max(table.budget - table.width, 0)
    grown = min(room, max(n - e for n, e in zip(needed, empty.tolist(), strict=True)))
    if grown > 0:
        shape = len(table.positions), grown
        table.append(np.full(shape, PADDING), np.full(shape, GENERATED))
    worth = _worth(flow, table, stay)
    back: list[Moved] = []
    for lane, items in enumerate(chosen):
        positions = np.concatenate([one.positions for one in items] or [np.zeros(0, np.int64)])
        slots = np.argsort(worth[lane], kind="stable")[: len(positions)]
        _fill(flow, table, lane, slots, positions)
        for item, entry, own in items:
            if len(own):
                back.append(Moved(lane, entry.value, own, slots[: len(own)]))
                recall_of(flow, lane).came_back(item, int(flow.lengths[lane]))
            slots = slots[len(own) :]
    flow.hold(table)
    return Exchange(gone, max(grown, 0), back)


def _others(
    flow: RetentionFlow, table: SlotTable, lane: int, stay: set[int], lines: Sequence[SponsoredSpan]
) -> Ints:
    """The slots of values that a row does not ask for, with their labels, and of ``lines`` that it
    asked for before, where it asks for some; never sinks, nor positions that ``stay``."""
    sequence = flow.sequences[lane]
    if not sequence.registry.asked:
        return np.zeros(0, np.int64)
    spans = [s for s in (*sequence.registry.spans, *lines) if not is_present(sequence, s)]
    positions = table.positions[lane]
    mine = [*stay, *range(flow.selection.sinks)]
    found = inside(positions, flow.covered(spans)) & ~np.isin(positions, mine)
    return np.flatnonzero(found)


def room_for(tokens: int, kept: int) -> int:
    """The smallest K at which a value's tokens can be put back beside ``kept`` ones that stay."""
    return tokens + kept + 1


def _chosen(
    flow: RetentionFlow, table: SlotTable, lane: int, wanted: Iterable[Recalled]
) -> list[Chosen]:
    """What a row asks for, as far as it fits.

    What is best for a part of the text shares K: all with their labels, without which a model does
    not know them apart, alone where that is too long, then with their lines; under the strict
    ledger, where K holds the text, at most half of it, as all others do, unless one is alone.
    """
    assert table.budget is not None
    state, held = recall_of(flow, lane), set(table.positions[lane].tolist())
    length = int(flow.lengths[lane])
    kept = len({p for p in held if 0 <= p < flow.selection.sinks} | _named(flow, lane))

    waits: dict[Span, set[int]] = {}
    items = []
    for item in wanted:
        value = item.entry.value
        waits[value] = set(map(int, state.stored.get(value, ())))
        if waits[value] or held.issuperset(p for p in value if p < length):
            items.append(item)
    firsts = [item for item in items if item.first]
    half = table.budget // 2
    shared = half if flow.retention.ledger == "strict" else table.budget
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
            if room_for(len(both), kept) <= table.budget and (not others or len(both) <= most):
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


def _worth(flow: RetentionFlow, table: SlotTable, stay: Sequence[set[int]]) -> Floats:
    """Which slots make room first, [lane, slot]: empty ones, tokens by utility, recent ones, values
    by rank; never sinks, nor positions that ``stay``."""
    recent = table.is_recent(flow.lengths)
    worth = guarded(flow.base_utility(table), np.zeros_like(recent), recent)
    for lane, row in enumerate(table.rows.tolist()):
        positions, registry = table.positions[lane], flow.sequences[row].registry
        worth[lane, table.hold[lane]] = HELD
        ranked = sorted(registry.spans, key=lambda span: span.rank)
        for place, span in enumerate(ranked):
            worth[lane, inside(positions, [flow.selection.extent(span)])] = HELD + place
        mine = np.isin(positions, [*stay[lane]]) | (positions < flow.selection.sinks)
        worth[lane, mine] = np.inf
        worth[lane, positions == PADDING] = -np.inf
    return worth


def _fill(flow: RetentionFlow, table: SlotTable, lane: int, slots: Ints, positions: Ints) -> None:
    """Describe in a table what is put back, or that slots are empty."""
    sequence = flow.sequences[int(table.rows[lane])]
    known, ids = inside(positions, sequence.counted), sequence.ids.array
    for name in PER_SLOT:
        getattr(table, name)[lane, slots] = 0
    table.positions[lane, slots] = positions
    table.ids[lane, slots] = np.where(known, ids[positions], GENERATED)
    table.note_padding()
