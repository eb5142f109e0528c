"""Segments that leave the window for the host, and segments that come back when they are asked for.

This only decides. An engine copies the rows of what leaves, then writes the rows of what comes
back. A flow with a memory has one table, whose lanes are the rows of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..selection.slot_table import GENERATED, PADDING, PER_SLOT, SlotTable, inside
from ..types import ASKED, Bools, Floats, Ints
from .memory import MemoryState
from .questions import asking_text
from .sequence import SequenceState

LEAST_ROOM = 8  # tokens of room for which no other segment is looked at
HELD = 1e12  # above every position


@dataclass(frozen=True)
class TokenMove:
    """Tokens of a row that leave or come back together: their positions, in order, and the slots
    that hold them."""

    row: int
    positions: Ints
    slots: Ints


@dataclass(frozen=True)
class Swap:
    """What an engine does between two forwards: copy the rows that are ``leaving``, add ``grown``
    empty slots, write the rows that are ``returning``."""

    leaving: Sequence[TokenMove]
    grown: int
    returning: Sequence[TokenMove]


@dataclass(frozen=True)
class HeldRows:
    """What a swap decides on: the sequences of a batch, the table of what is held of them, their
    ``lengths`` [row] in tokens, and how many ``sinks`` stay."""

    sequences: Sequence[SequenceState]
    table: SlotTable
    lengths: Ints
    sinks: int


def memory_of(sequence: SequenceState) -> MemoryState:
    """The memory of a sequence whose retention has one."""
    assert sequence.memory is not None
    return sequence.memory


def by_segment(starts: Iterable[int], positions: Ints) -> Iterator[tuple[int, Ints]]:
    """Positions [token], in order, of segments that begin at ``starts``: for each segment its start
    and those of the positions that lie in it."""
    begins = np.array(sorted(starts), np.int64)
    which = begins.searchsorted(positions, side="right") - 1
    for number in np.unique(which):
        yield int(begins[number]), positions[which == number]


def leaving(rows: HeldRows, keep: Ints | None) -> list[TokenMove]:
    """Segments that lose a token; ``keep`` [lane, kept]: the slots that stay."""
    table, moves = rows.table, []
    for row in range(len(rows.sequences)):
        gone = np.ones(table.width, bool)
        if keep is not None:
            gone[keep[row]] = False
        positions = table.positions[row, gone]
        moves += _left(rows, row, int(positions.max(initial=-1)))
    return moves


def leaving_next(rows: HeldRows) -> list[TokenMove]:
    """Segments that the next generated token begins to displace, if the table is full."""
    table, moves = rows.table, list[TokenMove]()
    if not table.full:
        return moves
    for row in range(len(rows.sequences)):
        positions = table.positions[row]
        free = positions[~table.held[row] & (positions != PADDING)]
        moves += _left(rows, row, int(free.min()) if len(free) else -1)
    return moves


def _left(rows: HeldRows, row: int, last: int, reserve: int = 0) -> list[TokenMove]:
    """Segments that begin to wait: all up to the one with the token ``last``. ``reserve``: number
    of newest tokens that are not held now and will be read again."""
    state, table = memory_of(rows.sequences[row]), rows.table
    sequence = rows.sequences[row]
    text, border = sequence.text, state.num_waiting
    assert text is not None
    if border < len(state.segments) and last < state.segments[border].tokens.start:
        return []
    if not state.segments or last >= state.segments[-1].tokens.end:
        state.take(text, sequence.ranges)
    while not state.segments or last >= state.segments[-1].tokens.end:
        before = len(state.segments)
        state.close(text, sequence.ranges, int(rows.lengths[row]) - reserve)
        if len(state.segments) == before:
            break
    order = table.live_slots(row)
    positions = table.positions[row, order]
    named = [span.value for span, _ in sequence.explicit()]
    moves = []
    while border < len(state.segments) and state.segments[border].tokens.start <= last:
        tokens = state.segments[border].tokens
        first, end = positions.searchsorted([tokens.start, tokens.end]).tolist()
        whole = end - first == len(tokens)
        if not whole or any(s.start <= tokens.start and tokens.end <= s.end for s in named):
            state.lost.add(border)  # it is always held, or was never there as a whole
        else:
            moves.append(TokenMove(row, positions[first:end], order[first:end]))
        border += 1
    state.num_waiting = border
    return moves


def asked_by_words(rows: HeldRows, *, final: bool) -> list[list[int]]:
    """The segments that the end of each row's prompt asks for, before its last tokens are appended.
    ``final``: generated text comes next."""
    wanted = []
    for row, sequence in enumerate(rows.sequences):
        state, text = memory_of(rows.sequences[row]), sequence.text
        assert text is not None
        question, question_tokens = asking_text(text, sequence.ranges, sequence.heard)
        if final:
            sequence.heard = text.num_chars
            state.begin(text, sequence.heard)
        wanted.append(state.by_words(question, question_tokens))
    return wanted


def lacks(rows: HeldRows, row: int, wanted: Sequence[int]) -> bool:
    """Whether any of the ``wanted`` segments would come back."""
    held = rows.table.positions[row]
    segments = memory_of(rows.sequences[row]).segments
    tokens = (segments[number].tokens for number in _chosen(rows, row, wanted, ASKED))
    return any(int(inside(held, [span]).sum()) < len(span) for span in tokens)


def bring(
    rows: HeldRows, wanted: Sequence[Sequence[int]], by: str, reserve: int = 0
) -> Swap | None:
    """Put back what the rows want, best first, while the memory has room.

    The caller then selects anew. The newest tokens outside that room stay. Of the rest, tokens of
    segments that nobody asked for go first, then segments asked for longest ago. None if everything
    wanted is held.
    """
    table = rows.table
    if table.budget is None:
        return None
    chosen = [_chosen(rows, row, numbers, by, reserve) for row, numbers in enumerate(wanted)]
    back: list[Ints] = []
    for row, numbers in enumerate(chosen):
        state = memory_of(rows.sequences[row])
        state.note(numbers, by)
        tokens = [np.arange(s.start, s.end) for s in (state.segments[n].tokens for n in numbers)]
        positions_wanted = np.concatenate([np.zeros(0, np.int64), *tokens])
        back.append(np.setdiff1d(positions_wanted, table.positions[row]))
    if not any(map(len, back)):
        return None
    room = max(table.budget - table.width - reserve, 0)
    empty = (table.positions == PADDING).sum(1)
    grown = min(
        room,
        max(len(taken) - e for taken, e in zip(back, empty.tolist(), strict=True)),
    )
    if grown > 0:
        shape = len(table.positions), grown
        table.append(np.full(shape, PADDING), np.full(shape, GENERATED))
    gone: list[TokenMove] = []
    returning: list[TokenMove] = []
    for row, positions in enumerate(back):
        slots = np.argsort(_worth(rows, row, chosen[row], by), kind="stable")[: len(positions)]
        last = int(table.positions[row, slots].max(initial=-1))
        gone += _left(rows, row, last, reserve)
        if len(positions):
            _fill(rows, row, slots, positions)
            returning.append(TokenMove(row, positions, slots))
    return Swap(gone, max(grown, 0), returning)


def _fill(rows: HeldRows, row: int, slots: Ints, positions: Ints) -> None:
    """Enter in the table what is put back."""
    table, sequence = rows.table, rows.sequences[row]
    known, ids = inside(positions, sequence.ids.counted), sequence.ids.array
    for name in PER_SLOT:
        getattr(table, name)[row, slots] = 0
    table.positions[row, slots] = positions
    table.ids[row, slots] = np.where(known, ids[positions], GENERATED)
    table.note_padding()


def _chosen(
    rows: HeldRows, row: int, wanted: Sequence[int], by: str, reserve: int = 0
) -> list[int]:
    """The segments that get the memory's room, best first. Those in the window need none; sinks and
    named ranges use part of it."""
    state, table, chosen = memory_of(rows.sequences[row]), rows.table, list[int]()
    assert table.budget is not None
    slots = max(table.budget - reserve, table.width)
    there = table.positions[row, _stays(rows, row, by)]
    left = min(state.room(by), slots - len(there))
    for number in wanted:
        tokens = state.segments[number].tokens
        size = len(tokens) - int(inside(there, [tokens]).sum())
        if size > left:
            continue
        left -= size
        chosen.append(number)
        if left < LEAST_ROOM:
            break
    return chosen


def _stays(rows: HeldRows, row: int, by: str) -> Bools:
    """Which slots no segment takes, [slot]: named ranges, the sinks and the newest tokens."""
    positions = rows.table.positions[row]
    stay = inside(positions, [span.value for span, _ in rows.sequences[row].explicit()])
    stay |= (positions < rows.sinks) | (positions >= window_start(rows, row, by))
    return stay & (positions != PADDING)


def window_start(rows: HeldRows, row: int, by: str = ASKED) -> int:
    """The first token of the window when the memory uses all of its room."""
    state = memory_of(rows.sequences[row])
    return max(0, int(rows.lengths[row]) - (state.budget - state.room(by)))


def _worth(rows: HeldRows, row: int, chosen: Sequence[int], by: str) -> Floats:
    """Which slots make room first, [slot]: empty ones, tokens of no requested segment and of the
    end of the window by age, then segments asked for longest ago. Never named ranges, the sinks,
    what is chosen, or the newest tokens."""
    state, positions = memory_of(rows.sequences[row]), rows.table.positions[row]
    worth = positions.astype(np.float64)
    for number, asked in state.asked.items():
        worth[inside(positions, [state.segments[number].tokens])] = HELD * asked.when
    worth[inside(positions, [state.segments[n].tokens for n in chosen])] = np.inf
    worth[_stays(rows, row, by)] = np.inf
    worth[positions == PADDING] = -np.inf
    return worth
