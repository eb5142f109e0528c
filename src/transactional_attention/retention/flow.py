"""The whole flow, to be read top to bottom: tokens, anchors, vouchers, utility, selection.

``RetentionFlow`` holds what is decided for a batch; an engine feeds it tokens and carries out its
``Step``: which slots to keep, or which slot the next token overwrites. No tensor, no model and no
cache appears here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..config import Retention, Unit
from ..errors import InputError
from ..methods.allocation.floors import Raised
from ..methods.method import Shape
from ..methods.registry import Method, get_method
from ..methods.scorers import Scorer
from ..selection.selection import Selected
from ..selection.slots import GENERATED, PADDING, SlotTable
from ..types import Bools, Ints, SourceRange, Span, SponsoredSpan
from . import choosing, lifetime
from . import trace as watching
from .layout import build_selection, build_tables, check_fits, layer_budgets, layer_key
from .sequence import SequenceState


@dataclass(frozen=True)
class Step:
    """What an engine does with one table in one forward; arrays are on the host.

    ``slots`` [lane]: write the new token there, before attention. ``keep`` [lane, kept]: after
    attention keep these of (held + new). Neither: keep everything. Lanes as in ``SlotTable``.
    """

    slots: Ints | None = None
    keep: Ints | None = None


class RetentionFlow:
    """Decisions for the rows of one batch.

    Attention-free methods decide once for all layers of a budget. For others an engine sets
    ``table.observed`` of each layer's table to what the scorer measured, before ``cut`` and before
    ``decode``; ``shape`` tells how many tables and lanes there are.
    """

    def __init__(
        self, retention: Retention, tokenizer, rows: int, shape: Shape | None = None
    ) -> None:
        self.retention, self.tokenizer, self.shape = retention, tokenizer, shape
        self.method: Method = get_method(retention.method)
        self.scorer: Scorer = self.method.scorer(retention)
        self.selection = build_selection(retention, self.method)
        given = tokenizer, retention, self.method.detectors_for(retention, shape)
        self.sequences = [SequenceState(*given, row, self.method.place) for row in range(rows)]
        self.lengths: Ints = np.zeros(rows, np.int64)
        # by default labels are admitted as spans; the scorer below a twin knows nothing of anchors
        self.reads_anchors = retention.preset == "paper" and not self.method.twin
        self.provisional: list[list[SponsoredSpan]] = [[] for _ in range(rows)]
        self.selected: dict[int, list[Selected]] = {}
        self.tables = build_tables(retention, self.method, rows, shape)
        factory = self.method.allocation
        self.allocation = None if factory is None else Raised(factory(retention))
        check_fits(self.tables.values(), self.selection.mandatory, retention, rows)

    def table_of(self, layer: int) -> SlotTable:
        """The table of a managed layer (counted from 0)."""
        if layer_key(layer) in self.tables:
            return self.tables[layer_key(layer)]
        budget = self.retention.budget
        if self.method.unlimited or budget is None:
            return self.tables[None]
        return self.tables[budget[layer] if isinstance(budget, tuple) else budget]

    def set_sources(self, sources: Sequence[Sequence[SourceRange]]) -> None:
        """Who wrote which tokens, one list a row, added to what is known."""
        if len(sources) != len(self.sequences):
            raise InputError(
                f"sources name {len(sources)} rows, the batch has {len(self.sequences)} "
                "(every beam and returned sequence is a row)"
            )
        for sequence, ranges in zip(self.sequences, sources, strict=True):
            sequence.sources.extend(ranges)

    # tokens -> anchors -> spans

    def read(self, ids: Ints, valid: Bools, *, final: bool) -> None:
        """Take prompt tokens [row, new] in: detect, register, and add them to every table."""
        if self.method.whole_prompt and not final:
            raise InputError(
                f"method {self.method.name!r} needs the whole prompt at once: do not use chunks"
            )
        lifetime.forget_evicted(self)
        for row, sequence in enumerate(self.sequences):
            self.provisional[row] = sequence.read(ids[row][valid[row]], final=final)
        self._append(ids, valid)
        self._allocate()

    def read_generated(self, row_ids: Sequence[Sequence[int]]) -> None:
        """Tell the texts what was generated; the slots are there already."""
        for row, ids in enumerate(row_ids):
            self.provisional[row] = self.sequences[row].read_generated(ids)
        if self.retention.detect_in_generated:
            for table in self.tables.values():
                choosing.hold(self, table, choosing.cut_scores(self, table))

    def _append(self, ids: Ints, valid: Bools) -> None:
        order = self.lengths[:, None] + np.cumsum(valid, 1) - 1
        positions = np.where(valid, order, PADDING)
        self.lengths = self.lengths + valid.sum(1)
        for table in self.tables.values():
            table.append(positions, np.where(valid, ids, GENERATED))

    def _allocate(self) -> None:
        """Budgets of the layers for the tokens seen so far, where the method splits K."""
        given = layer_budgets(self.retention.budgets(), len(self.tables))
        if self.allocation is None or not given:
            return
        spans = [(s.explicit(), self.sponsored(row)) for row, s in enumerate(self.sequences)]
        self.allocation.prepare(self.selection, spans, self.lengths, min(given))
        split = self.allocation.layers(given, int(self.lengths.max()))
        for table, budget in zip(self.tables.values(), split, strict=True):
            table.budget = int(budget)

    # utility -> selection

    def cut(self, table: SlotTable) -> Step:
        """Choose what a table keeps after this forward, and what it holds until the next cut."""
        if table.budget is None:
            return Step()
        scores = choosing.cut_scores(self, table)
        if self.allocation is not None and not self.allocation.joint:
            split = table.width > table.budget
            table.limits = self.allocation.heads(table, scores) if split else None
        evicts = table.width > table.least
        keep = choosing.hold(self, table, scores)
        watching.note(self, table, scores, keep if evicts else None)
        if not evicts:
            return Step()
        table.take(keep)
        return Step(keep=keep)

    def cut_together(self) -> list[Step]:
        """Cut all layers at once, for an allocation that compares their scores."""
        assert self.allocation is not None
        tables = list(self.tables.values())
        split = self.allocation.together(tables, [choosing.cut_scores(self, t) for t in tables])
        for table, limits in zip(tables, split, strict=True):
            table.limits = np.asarray(limits)
        return [self.cut(table) for table in tables]

    def sponsored(self, row: int) -> list[SponsoredSpan]:
        """Detected values that a row may hold."""
        if not (self.method.sponsors and self.retention.sponsorship.strength):
            return []
        return [*self.provisional[row], *self.sequences[row].registry.spans]

    # decoding: one new token a row, one victim a row

    def decode(self, *, evict: bool) -> list[Step]:
        """Take one generated token a row in; a full table gives the slot that it overwrites.

        Returns a step for each table, in order. The ids of generated tokens stay on the device.
        """
        self.lengths = self.lengths + 1
        steps = []
        for table in self.tables.values():
            if evict and table.full:
                slots = choosing.victims(self, table)
                table.overwrite(slots, table.lanes_of(self.lengths - 1))
                steps.append(Step(slots=slots))
            else:
                table.append(
                    (self.lengths - 1)[:, None], np.full((len(self.lengths), 1), GENERATED)
                )
                steps.append(Step())
        lifetime.step(self)
        return steps

    def release(self, start: int, end: int, *, unit: Unit = "chars", row: int = 0) -> int:
        """End the protection of the values in ``[start, end)``; returns how many it were.

        Named by the caller or detected; their tokens stay as long as their utility keeps them.
        """
        return lifetime.release(self, row, Span(start, end), unit)

    # rows and forks

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows (beams, batch selection)."""
        self.sequences = [self.sequences[row].copy() for row in rows]
        self.provisional = [self.provisional[row] for row in rows]
        self.lengths = self.lengths[rows]
        for table in self.tables.values():
            if id(table) in self.selected:
                lanes, of_row = self.selected[id(table)], range(table.heads)
                chosen = [lanes[row * table.heads + head] for row in rows for head in of_row]
                self.selected[id(table)] = chosen
            table.take_rows(rows)

    def forked(self, retention: Retention) -> RetentionFlow:
        """A flow for another retention over the same tokens, before any cut."""
        (source,) = self.tables.values()
        flow = RetentionFlow(retention, self.tokenizer, len(self.sequences), self.shape)
        found_by = flow.method.detectors_for(retention, self.shape)
        flow.sequences = [
            sequence.forked(retention, found_by, row, flow.method.place)
            for row, sequence in enumerate(self.sequences)
        ]
        flow.lengths = self.lengths.copy()
        for table in flow.tables.values():
            table.append(source.positions, source.ids)
        flow._allocate()
        return flow
