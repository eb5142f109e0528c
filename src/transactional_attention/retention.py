"""The whole flow, to be read top to bottom: tokens, anchors, vouchers, utility, selection.

``RetentionFlow`` holds what is decided for a batch; an engine feeds it tokens and carries out its
``Step``: which slots to keep, or which slot the next token overwrites. No tensor, no model and no
cache appears here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .config import Retention
from .errors import BudgetError, InputError
from .methods import Method, get_method
from .scorers import Scorer, TokenView
from .selection import Candidates, PartitionSelection, Selected, SpanSelection
from .sequence import SequenceState
from .slots import GENERATED, PADDING, SlotTable
from .types import SourceRange, SponsoredSpan
from .utility import Ints

# Measured (docs/measurements.md): one sink is needed, more made no difference.
DEFAULT_SINKS, DEFAULT_RECENT = 1, 4
PAPER_SINKS, PAPER_RECENT = 1, 2
AUDIT_SINKS = 4


@dataclass(frozen=True)
class Step:
    """What an engine does with one table in one forward; arrays are on the host.

    ``slots`` [row]: write the new token there, before attention. ``keep`` [row, kept]: after
    attention keep these of (held + new). Neither: keep everything.
    """

    slots: Ints | None = None
    keep: Ints | None = None


class RetentionFlow:
    """Decisions for the rows of one batch: one table a distinct budget, shared by its layers."""

    def __init__(self, retention: Retention, tokenizer, rows: int) -> None:
        self.retention, self.tokenizer = retention, tokenizer
        self.method: Method = get_method(retention.method)
        self.scorer: Scorer = self.method.scorer(retention)
        self.selection = build_selection(retention, self.method)
        detectors = self.method.detectors_for(retention)
        self.sequences = [SequenceState(tokenizer, retention, detectors, r) for r in range(rows)]
        self.lengths: Ints = np.zeros(rows, np.int64)
        self._rows: Ints = np.arange(rows)[:, None]
        self.provisional: list[list[SponsoredSpan]] = [[] for _ in range(rows)]
        self.selected: dict[int, list[Selected]] = {}
        budgets: Sequence[int | None] = retention.budgets() or (None,)
        if self.method.unlimited:
            budgets = (None,)
        self.tables = {budget: SlotTable.empty(budget, rows) for budget in budgets}
        for budget in self.tables:
            check_budget(budget, self.selection.mandatory, retention)
        for item in retention.protected:
            if item.row is not None and not 0 <= item.row < rows:
                raise InputError(f"a range of row {item.row} is protected, there are {rows} rows")

    def table_of(self, layer: int) -> SlotTable:
        """The table that a managed layer (counted from 0) shares."""
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

    def read(self, ids: Ints, valid: NDArray[np.bool_], *, final: bool) -> None:
        """Take prompt tokens [row, new] in: detect, register, and add them to every table."""
        for row, sequence in enumerate(self.sequences):
            tokens = ids[row][valid[row]].tolist()
            self.provisional[row] = sequence.read(tokens, final=final)
        self._append(ids, valid)

    def read_generated(self, row_ids: Sequence[Sequence[int]]) -> None:
        """Tell the texts what was generated; the slots are there already."""
        for row, ids in enumerate(row_ids):
            self.provisional[row] = self.sequences[row].read_generated(ids)
        if self.retention.detect_in_generated:
            for table in self.tables.values():
                self._hold(table)

    def _append(self, ids: Ints, valid: NDArray[np.bool_]) -> None:
        order = self.lengths[:, None] + np.cumsum(valid, 1) - 1
        positions = np.where(valid, order, PADDING)
        self.lengths = self.lengths + valid.sum(1)
        for table in self.tables.values():
            table.append(positions, np.where(valid, ids, GENERATED))

    # utility -> selection

    def cut(self, table: SlotTable) -> Step:
        """Choose what a table keeps after this forward, and what it holds until the next cut."""
        if table.budget is None:
            return Step()
        keep = self._hold(table)
        if table.width <= table.budget:
            return Step()
        table.take(keep)
        return Step(keep=keep)

    def _hold(self, table: SlotTable) -> Ints:
        """Select in every row: marks what must be held, returns the slots to keep."""
        chosen = [self._select(table, row) for row in range(len(self.sequences))]
        self.selected[id(table)] = [selected for selected, _ in chosen]
        table.recent = np.array([max(selected.recent, 1) for selected, _ in chosen])
        return np.stack([slots for _, slots in chosen])

    def _select(self, table: SlotTable, row: int) -> tuple[Selected, Ints]:
        sequence, positions = self.sequences[row], table.positions[row]
        order = np.argsort(positions, kind="stable")
        padding = int((positions == PADDING).sum())
        live = order[padding:]
        if self.retention.preset == "paper":  # by default labels are admitted as spans instead
            table.anchor[row] = np.isin(positions, sequence.registry.anchor_positions())
        table.frequency[row] = sequence.frequency(table.ids[row])
        candidates = self._candidates(table, row, live)
        budget = table.budget if table.budget is not None else table.width
        selected = self.selection.select(candidates, budget)
        self._check_required(sequence, selected, budget)
        table.voucher[row, live] = candidates.voucher
        table.hold[row] = False
        table.hold[row, live] = selected.hold
        kept = live[selected.keep]
        fill = min(budget, table.width) - len(kept)
        return selected, np.concatenate([order[:padding][padding - fill :], kept])

    def _candidates(self, table: SlotTable, row: int, live: Ints) -> Candidates:
        sequence, positions = self.sequences[row], table.positions[row, live]
        registry, length = sequence.registry, int(self.lengths[row])
        view = TokenView(
            positions,
            length,
            table.anchor[row, live],
            table.frequency[row, live],
            row,
        )
        explicit = [span for span, _ in sequence.explicit()]
        spans = [*explicit, *self.provisional[row], *registry.spans]
        voucher = registry.vouchers(positions)
        return Candidates(positions, length, self.scorer.score(view), voucher, spans)

    def _check_required(self, sequence: SequenceState, selected: Selected, budget: int) -> None:
        needed = [span for span, required in sequence.explicit() if required]
        missing = [span for span in needed if span in selected.refused]
        if missing:
            tokens = len({t for s in needed for t in range(s.value.start, s.value.end)})
            raise BudgetError(
                f"budget {budget} is too small for the {tokens} protected tokens: "
                f"it needs at least {tokens + 2}"
            )

    # decoding: one new token a row, one victim a row

    def decode(self, *, evict: bool) -> list[Step]:
        """Take one generated token a row in; a full table gives the slot that it overwrites.

        Returns a step for each table, in order. The ids of generated tokens stay on the device.
        """
        self.lengths = self.lengths + 1
        steps = []
        for table in self.tables.values():
            if evict and table.full:
                slots = self._victims(table)
                table.overwrite(slots, self.lengths - 1)
                steps.append(Step(slots=slots))
            else:
                table.append(
                    (self.lengths - 1)[:, None], np.full((len(self.lengths), 1), GENERATED)
                )
                steps.append(Step())
        if self.retention.preset == "paper":
            self._decay()
        return steps

    def _victims(self, table: SlotTable) -> Ints:
        length = self.lengths[:, None]
        view = TokenView(table.positions, length, table.anchor, table.frequency, self._rows)
        score = self.scorer.score(view)
        if table.padded:
            score = np.where(table.positions == PADDING, -np.inf, score)
        recent = table.positions >= length - table.recent[:, None]
        return self.selection.victim(score, table.voucher, table.hold, recent)

    def _decay(self) -> None:
        """B <- 0.9 B (paper, algorithm 1, line 10), on the registries and on the slots."""
        for sequence in self.sequences:
            sequence.registry.decay()
        for table in self.tables.values():
            table.voucher *= self.retention.sponsorship.step_decay

    # rows and forks

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows (beams, batch selection)."""
        self.sequences = [self.sequences[row].copy() for row in rows]
        self.provisional = [self.provisional[row] for row in rows]
        self.lengths = self.lengths[rows]
        self._rows = np.arange(len(rows))[:, None]
        for key, selected in self.selected.items():
            self.selected[key] = [selected[row] for row in rows]
        for table in self.tables.values():
            table.take_rows(rows)

    def forked(self, retention: Retention) -> RetentionFlow:
        """A flow for another retention over the same tokens, before any cut."""
        (source,) = self.tables.values()
        flow = RetentionFlow(retention, self.tokenizer, len(self.sequences))
        flow.sequences = [
            sequence.forked(retention, flow.method.detectors_for(retention), row)
            for row, sequence in enumerate(self.sequences)
        ]
        flow.lengths = self.lengths.copy()
        for table in flow.tables.values():
            table.append(source.positions, source.ids)
        return flow


def build_selection(retention: Retention, method: Method) -> SpanSelection | PartitionSelection:
    """The selection of a method under a preset, with the caller's sinks and recent tokens."""
    paper = retention.preset == "paper" and bool(method.detectors)
    sinks, recent = (PAPER_SINKS, PAPER_RECENT) if paper else (DEFAULT_SINKS, DEFAULT_RECENT)
    if paper and retention.partition == "audit":
        sinks = AUDIT_SINKS
    sinks = next(v for v in (retention.sinks, method.sinks, sinks) if v is not None)
    recent = next(v for v in (retention.recent, method.recent, recent) if v is not None)
    if not paper:
        return SpanSelection(sinks, recent)
    return PartitionSelection(sinks, recent, retention.partition)


def check_budget(budget: int | None, mandatory: int, retention: Retention) -> None:
    """Refuse a budget that cannot hold the mandatory tokens."""
    if budget is not None and budget < mandatory:
        raise BudgetError(
            f"budget {budget} is smaller than the {mandatory} tokens that {retention.method!r} "
            "always keeps: raise the budget, or lower sinks and recent"
        )


__all__ = ["RetentionFlow", "Step", "build_selection"]
