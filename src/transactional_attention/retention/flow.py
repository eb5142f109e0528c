"""The whole flow, to be read top to bottom: tokens, anchors, vouchers, utility, selection.

``RetentionFlow`` makes the decisions for a batch. An engine feeds it tokens and carries out its
``Step``: which slots to keep, or which slot the next token overwrites. No tensor, model or cache
appears here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..config import Retention, Unit
from ..errors import BudgetError, InputError, NumericsError
from ..methods.floors import RaisedAllocation
from ..methods.method import Shape
from ..methods.registry import Method, get_method
from ..methods.scorers import Scorer, TokenView
from ..selection.admission import LiveTokens
from ..selection.segments import SegmentSelection
from ..selection.selection import Selected
from ..selection.slot_table import FORGOTTEN, GENERATED, PADDING, SlotTable, inside
from ..types import QUESTION, Bools, Floats, Ints, SourceRange, Span, SponsoredSpan
from . import swap, trace
from .layout import (
    build_selection,
    build_tables,
    check_fits,
    check_served,
    layer_budgets,
    layer_key,
)
from .presets import PRESETS
from .sequence import SequenceState
from .swap import HeldRows, Swap, TokenMove


@dataclass(frozen=True)
class Step:
    """What an engine does with one table in one forward; arrays are on the host.

    ``slots`` [lane]: write the new token there, before attention. ``keep`` [lane, kept]: after
    attention keep these of (held + new). Neither: keep everything. Lanes as in ``SlotTable``.
    ``leaving``: rows to copy to the host before anything is cut or overwritten.
    """

    slots: Ints | None = None
    keep: Ints | None = None
    leaving: Sequence[TokenMove] = ()


class RetentionFlow:
    """Decisions for the rows of one batch.

    Attention-free methods decide once for all layers of a budget. For other methods an engine sets
    ``table.observed`` of each layer's table to what the scorer measured, before ``cut`` and before
    ``decode``. ``shape`` tells how many tables and lanes there are.
    """

    def __init__(
        self, retention: Retention, tokenizer, rows: int, shape: Shape | None = None
    ) -> None:
        self.retention, self.tokenizer, self.shape = retention, tokenizer, shape
        self.method: Method = get_method(retention.method)
        self.scorer: Scorer = self.method.scorer(retention)
        self.observes = observes = self.scorer.observes
        self.reads_steps = bool(observes) and not observes.passes  # layers, at every decode step
        self.precision = self.method.precision_for(retention)
        self.selection = build_selection(retention, self.method)
        given = tokenizer, retention, self.method.detectors_for(retention, shape)
        self.sequences = [SequenceState(*given, row) for row in range(rows)]
        self.lengths: Ints = np.zeros(rows, np.int64)
        self.prompts: Ints = np.zeros(rows, np.int64)  # where the last prompt ended
        self.preset = PRESETS[retention.preset]
        self.reads_anchors = self.preset.reads_anchors(self.method)
        self.provisional: list[list[SponsoredSpan]] = [[] for _ in range(rows)]
        self.tables = build_tables(retention, self.method, self.scorer, rows, shape)
        factory = self.method.allocation
        self.allocation = None if factory is None else RaisedAllocation(factory(retention))
        check_fits(self.tables.values(), self.selection.mandatory, retention, rows)
        check_served(retention, self.method)

    @property
    def table(self) -> SlotTable:
        """The first layer's table: the only one if all layers and heads share a budget."""
        return next(iter(self.tables.values()))

    @property
    def num_pinned(self) -> int:
        """Tokens held beside K, in the row that has most."""
        if not self.retention.pinned:
            return 0
        return max(sequence.num_pinned() for sequence in self.sequences)

    def table_of(self, layer: int) -> SlotTable:
        """The table of a managed layer (counted from 0)."""
        if layer_key(layer) in self.tables:
            return self.tables[layer_key(layer)]
        budget = self.retention.budget
        if self.method.unlimited or budget is None:
            return self.tables[None]
        return self.tables[budget[layer] if isinstance(budget, tuple) else budget]

    def layer_tables(self, layers: int) -> list[SlotTable]:
        """The table of each of ``layers`` managed layers."""
        return [self.table_of(layer) for layer in range(layers)]

    def set_sources(self, sources: Sequence[Sequence[SourceRange]]) -> None:
        """Who wrote which tokens: one list per row, added to what is known."""
        if len(sources) != len(self.sequences):
            raise InputError(
                f"sources name {len(sources)} rows, the batch has {len(self.sequences)} "
                "(every beam and returned sequence is a row)"
            )
        for sequence, ranges in zip(self.sequences, sources, strict=True):
            sequence.ranges.sources.extend(ranges)

    # tokens -> anchors -> spans

    def read(self, ids: Ints, valid: Bools, *, final: bool, asks: bool = True) -> Swap | None:
        """Read prompt tokens [row, new]: detect, register, and add them to every table.

        ``final``: they end the prompt. ``asks``: they are the end of the prompt, or all of it but
        the last token, so a memory looks for what they ask for. Returns what the engine has to put
        back before its forward.
        """
        self.detect(ids, valid, final=final)
        moved = None
        if self.retention.memory is not None and asks:
            moved = self.bring(swap.asked_by_words(self.rows, final=final), QUESTION)
        self.append(ids, valid)
        return moved

    @property
    def reads_late(self) -> bool:
        """Whether ``append`` may come before ``detect``, with ``cut`` after both: then only the cut
        depends on the text."""
        reads = self.observes or self.method.reads_model or self.method.whole_prompt
        return not (reads or self.allocation or self.retention.memory)

    def detect(self, ids: Ints, valid: Bools, *, final: bool) -> None:
        """The slow half of ``read``: find the values in the text of the new tokens."""
        if self.method.whole_prompt and not final:
            raise InputError(
                f"method {self.method.name!r} needs the whole prompt at once: do not use chunks"
            )
        # values that lost a token are sponsored no longer, so registries stay as small as K
        if self.preset.whole and self.lengths.any():
            for row, sequence in enumerate(self.sequences):
                sequence.registry.drop_missing(partial(self._whole_in, row))
        for row, sequence in enumerate(self.sequences):
            self.provisional[row] = sequence.read(ids[row][valid[row]], final=final)

    def append(self, ids: Ints, valid: Bools) -> None:
        """The other half of ``read``: add the new tokens to every table, until it is cut."""
        order = self.lengths[:, None] + np.cumsum(valid, 1) - 1
        positions = np.where(valid, order, PADDING)
        self.lengths = self.prompts = self.lengths + valid.sum(1)
        for table in self.tables.values():
            table.append(positions, np.where(valid, ids, GENERATED))
        self._allocate()

    def open_field(self) -> str | None:
        """The label of the field that the newest generated text opens (``"ticket": "``); for one
        row."""
        (sequence, *others) = self.sequences
        if others or sequence.memory is None or sequence.text is None:
            return None
        text = sequence.text
        new = text.scan_text(max(sequence.heard, text.first))
        sequence.heard = text.num_chars
        return sequence.memory.opened(new)

    @property
    def rows(self) -> HeldRows:
        """What is held of every row, for a memory."""
        return HeldRows(self.sequences, self.table, self.lengths, self.selection.sinks)

    def lacks(self, row: int, wanted: Sequence[int]) -> bool:
        """Whether any of the ``wanted`` segments would come back."""
        return swap.lacks(self.rows, row, wanted)

    def bring(self, wanted: Sequence[Sequence[int]], by: str, reserve: int = 0) -> Swap | None:
        """Put back the segments that the rows want (see ``swap.bring``), and select anew what is
        held before the window."""
        moved = swap.bring(self.rows, wanted, by, reserve)
        if moved is not None:
            self.reselect(self.table)
        return moved

    def tail(self) -> int:
        """How many generated tokens are read again after a segment came back.

        They are in the window, their ids are known, and none of them belongs to a segment that
        waits or reaches out of the window, because such a segment may lose its place and leaves as
        a whole.
        """
        end, sequence = int(self.lengths[0]), self.sequences[0]
        state = swap.memory_of(sequence)
        assert sequence.text is not None
        known = max(int(self.prompts[0]), sequence.lost.num_tokens)
        window = swap.window_start(self.rows, 0)
        state.take(sequence.text, sequence.ranges)
        begin = max(known, window, state.border, end - state.given.again)
        number = state.number_at(begin)
        if number < len(state.segments) and state.segments[number].tokens.start < window:
            begin = max(begin, state.segments[number].tokens.end)
        return max(1, end - begin)

    def without_tail(self, count: int, table: SlotTable) -> Step:
        """Drop the newest ``count`` tokens of the only row, which will be read again."""
        keep = np.flatnonzero(table.positions[0] < int(self.lengths[0]) - count)[None]
        table.take(keep)
        return Step(keep=keep)

    def append_again(self, count: int) -> None:
        """Add the newest ``count`` tokens of the only row again, and select anew what is held
        before the window."""
        end = int(self.lengths[0])
        positions = np.arange(end - count, end)[None]
        self.table.append(positions, np.full_like(positions, GENERATED))
        if self.table.budget is not None:
            self.reselect(self.table)

    def read_generated(self, row_ids: Sequence[Sequence[int]]) -> None:
        """Add generated ids to the texts; the tables have their slots already."""
        for row, ids in enumerate(row_ids):
            self.provisional[row] = self.sequences[row].read_generated(ids)
        if self.retention.detect_in_generated:
            for table in self.tables.values():
                self.reselect(table)

    def _allocate(self) -> None:
        """Set the layers' budgets for the tokens seen so far, if the method splits K or tokens are
        pinned beside it."""
        if self.retention.pinned and self.table.budget is not None:
            self.table.budget = self.retention.budgets()[0] + self.num_pinned
        given = layer_budgets(self.retention.budgets(), len(self.tables))
        if self.allocation is None or not given:
            return
        spans = [(s.explicit(), self.sponsored(row)) for row, s in enumerate(self.sequences)]
        self.allocation.prepare(self.selection, spans, self.lengths, min(given))
        split = self.allocation.by_row(given, self.lengths)
        for table, budgets in zip(self.tables.values(), split.T, strict=True):
            table.budget = int(budgets.max())
            if self.allocation.by_length:
                alike = bool((budgets == table.budget).all())
                table.limits = None if alike else table.lanes_of(budgets)

    # utility -> selection

    def cut(self, table: SlotTable) -> Step:
        """Choose what a table keeps after this forward, and what it holds until the next cut."""
        if table.budget is None:
            return Step()
        scores = self.cut_scores(table)
        if self.allocation is not None and self.allocation.ragged and not self.allocation.joint:
            split = table.width > table.budget
            table.limits = self.allocation.heads(table, scores) if split else None
        evicts = table.width > table.least
        keep = self._select_lanes(table, scores)
        trace.note(self.tables, table, scores, keep if evicts else None)
        if not evicts:
            return Step()
        gone = () if self.retention.memory is None else swap.leaving(self.rows, keep)
        table.take(keep)
        return Step(keep=keep, leaving=gone)

    def reselect(self, table: SlotTable) -> None:
        """Select again what a table must hold, without cutting."""
        self._select_lanes(table, self.cut_scores(table))

    def cut_together(self) -> list[Step]:
        """Cut all layers at once, so that an allocation can compare their scores first."""
        tables = list(self.tables.values())
        if self.allocation is not None:
            split = self.allocation.together(tables, [self.cut_scores(t) for t in tables])
            for table, limits in zip(tables, split, strict=True):
                table.limits = np.asarray(limits)
        return [self.cut(table) for table in tables]

    def cut_scores(self, table: SlotTable) -> Floats:
        """Base utility [lane, slot] at a cut; values at padding are not used.

        Also updates anchor status and frequency in the table.
        """
        for lane, row in enumerate(table.rows):
            sequence, positions, ids = self.sequences[row], table.positions[lane], table.ids[lane]
            if self.reads_anchors:
                table.anchor[lane] = np.isin(positions, sequence.registry.anchor_positions())
            known = sequence.ids.frequency(ids)
            table.frequency[lane] = np.where(ids == FORGOTTEN, table.frequency[lane], known)
        return self.base_utility(table)

    def base_utility(self, table: SlotTable) -> Floats:
        """The scorer's utility of the tokens in the table, [lane, slot]."""
        lengths, rows = table.lanes_of(self.lengths)[:, None], table.rows[:, None]
        known = table.anchor, table.frequency, rows, table.observed
        base = self.scorer.score(TokenView(table.positions, lengths, *known))
        if table.observed is not None and not np.isfinite(base[table.positions != PADDING]).all():
            raise NumericsError(f"method {self.method.name!r} measured scores that are not finite")
        return base

    def _select_lanes(self, table: SlotTable, scores: Floats) -> Ints:
        """Select in every lane by ``scores`` [lane, slot]. Marks in the table what must be held,
        and returns the slots to keep, [lane, kept]."""
        limits, ranked = table.limits, self.preset.utility(self.method, scores)
        if limits is None:
            limits = np.full(len(ranked), table.capacity)
        chosen = [self._select(table, i, ranked[i], int(limits[i])) for i in range(len(ranked))]
        table.selected = [selected for selected, _ in chosen]
        least = 1 if self.method.newest else 0
        table.recent = np.array([max(selected.recent, least) for selected, _ in chosen])
        width = min(table.capacity, table.width)
        return np.stack([table.filled(i, slots, width) for i, (_, slots) in enumerate(chosen)])

    def _select(
        self, table: SlotTable, lane: int, scores: Floats, budget: int
    ) -> tuple[Selected, Ints]:
        live = table.live_slots(lane)
        offered = self.live_tokens(table, lane, live, scores[live])
        selected = self.selection.select(offered, budget)
        explicit = self.sequences[table.rows[lane]].explicit()
        needed = [span for span, required in explicit if required]
        if any(span in selected.refused for span in needed):
            tokens = len({t for s in needed for t in s.value})
            raise BudgetError(
                f"budget {budget} is too small for the {tokens} protected tokens: "
                f"it needs at least {tokens + 2}"
            )
        table.voucher[lane, live] = offered.voucher
        table.held[lane] = False
        table.held[lane, live] = selected.held
        return selected, live[selected.keep]

    def live_tokens(self, table: SlotTable, lane: int, live: Ints, scores: Floats) -> LiveTokens:
        """The slots ``live`` of a lane, ordered by position, with scores [slot] and sponsored
        spans."""
        row = int(table.rows[lane])
        sequence, positions = self.sequences[row], table.positions[lane, live]
        spans = [span for span, _ in sequence.explicit()]
        voucher = np.zeros(len(live))
        sponsored = self.sponsored(row)
        if sponsored:
            spans += [s for s in sponsored if table.holds(row, s.value)]
            seen = table.observed if self.method.weighted else None
            shared = None if seen is None else seen[lane, live]
            voucher = self.preset.vouchers(sequence.registry, positions, shared)
        pieces: list[list[Span]] = []
        if sequence.memory is not None:
            spans += sequence.memory.asked_spans()
            spans.sort(key=lambda span: span.rank, reverse=True)
            pieces = [sequence.memory.around(self.selection.extent(span)) for span in spans]
        return LiveTokens(positions, int(self.lengths[row]), scores, voucher, spans, pieces)

    def sponsored(self, row: int) -> list[SponsoredSpan]:
        """Detected values that a row may hold."""
        if not (self.method.sponsors and self.retention.sponsorship.strength):
            return []
        return [*self.provisional[row], *self.sequences[row].registry.spans]

    # decoding: one new token a row, one victim a row

    def decode(self, *, evict: bool) -> list[Step]:
        """Read one generated token per row. A full table names the slot that it overwrites.

        Returns one step per table, in order. The ids of generated tokens stay on the device.
        """
        gone: Sequence[TokenMove] = ()
        if evict and self.retention.memory is not None:
            gone = swap.leaving_next(self.rows)
        self.lengths = self.lengths + 1
        steps = []
        for table in self.tables.values():
            if evict and table.full:
                slots = self._victims(table)
                table.overwrite(slots, table.lanes_of(self.lengths - 1))
                steps.append(Step(slots=slots, leaving=gone))
            else:
                table.append(
                    (self.lengths - 1)[:, None], np.full((len(self.lengths), 1), GENERATED)
                )
                steps.append(Step())
        registries, tables = (s.registry for s in self.sequences), self.tables.values()
        released = self.preset.age(self.retention.sponsorship, registries, tables)
        for row, spans in enumerate(released):
            self.let_go(row, spans)
        return steps

    def _victims(self, table: SlotTable) -> Ints:
        """The slot [lane] that gives way: padding if a lane has room, otherwise the least useful
        token."""
        if isinstance(self.selection, SegmentSelection):  # the window ends with the oldest token
            scores = table.positions.astype(np.float64)
        else:
            scores = self.preset.utility(self.method, self.base_utility(table))
        if table.padded:
            padding = table.positions == PADDING
            limits = table.width if table.limits is None else table.limits
            room = (~padding).sum(1) < limits
            scores = np.where(padding, np.where(room, -np.inf, np.inf)[:, None], scores)
        recent = table.is_recent(self.lengths)
        return self.selection.victim(scores, table.voucher, table.held, recent)

    # what ends while tokens are held

    def _whole_in(self, row: int, spans: Sequence[SponsoredSpan]) -> list[bool]:
        """For each span, whether some layer and kv head still holds all of it."""
        starts = np.array([span.value.start for span in spans], np.int64)
        ends = np.array([span.value.end for span in spans], np.int64)
        whole = np.zeros(len(spans), bool)
        for table in self.tables.values():
            for positions in np.sort(table.positions[table.rows == row], 1):
                held = np.searchsorted(positions, ends) - np.searchsorted(positions, starts)
                whole |= held == ends - starts
        return whole.tolist()

    def release(self, start: int, end: int, *, unit: Unit = "chars", row: int = 0) -> int:
        """End the protection of the values in ``[start, end)``, whether the caller named them or
        they were detected; returns how many there were. Their tokens stay while their utility keeps
        them."""
        released = self.sequences[row].release(Span(start, end), unit)
        self.let_go(row, released)
        return len(released)

    def let_go(self, row: int, released: Sequence[SponsoredSpan]) -> None:
        """Stop holding released values: their tokens may give way at the next step.

        Tokens that other spans hold too stay held, and so do the sinks.
        """
        if not released:
            return
        others = [span for span, _ in self.sequences[row].explicit()] + self.sponsored(row)
        mine, kept = self._covered(released), self._covered(others)
        for table in self.tables.values():
            of_row = table.rows == row
            positions = table.positions[of_row]
            free = inside(positions, mine) & ~inside(positions, kept)
            free &= (positions >= self.selection.sinks) & (positions != PADDING)
            table.held[of_row] &= ~free

    def _covered(self, spans: Iterable[SponsoredSpan]) -> list[Span]:
        """Positions of values with their closing tokens, and of their labels."""
        extent, before = self.selection.extent, self.selection.before
        return [part for span in spans for part in (extent(span), *before(span))]

    # rows and forks

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows (beams, batch selection)."""
        self.sequences = [self.sequences[row].copy() for row in rows]
        self.provisional = [self.provisional[row] for row in rows]
        self.lengths, self.prompts = self.lengths[rows], self.prompts[rows]
        for table in self.tables.values():
            table.take_rows(rows)

    def forked(self, retention: Retention) -> RetentionFlow:
        """A flow for another retention over the same tokens, before any cut."""
        (source,) = self.tables.values()
        flow = RetentionFlow(retention, self.tokenizer, len(self.sequences), self.shape)
        found_by = flow.method.detectors_for(retention, self.shape)
        flow.sequences = [
            sequence.forked(retention, found_by, row) for row, sequence in enumerate(self.sequences)
        ]
        flow.lengths = flow.prompts = self.lengths.copy()
        for table in flow.tables.values():
            table.append(source.positions, source.ids)
        flow._allocate()
        return flow
