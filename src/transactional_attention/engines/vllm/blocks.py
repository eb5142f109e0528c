"""Which blocks of a request stay: the flow's decisions in whole blocks, a function of its ids.

A block of ``size`` tokens is one for all layers and kv heads. The first one stays, the newest full
one, all that admitted values touch while they fit, and the one that is being written, beside the
blocks of the budget. Cuts come after every ``chunk`` tokens of the prompt, at its end, and whenever
generated tokens have filled a block: whatever else is in a batch, and when a request is computed
anew, the same tokens see the same blocks. Nothing here knows vLLM.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...config import Retention
from ...detection.scanner import PrecomputedScanner
from ...retention.flow import RetentionFlow
from ...selection.admission import LiveTokens
from ...selection.selection import Selected, SpanSelection
from ...selection.slot_table import GENERATED, SlotTable
from ...types import Floats, Ints, Span, SponsoredSpan

LEAST = 2  # blocks: the first and the newest full one


@dataclass(frozen=True)
class _Units(SpanSelection):
    """Admission where a slot is a block: closing tokens and labels are in the spans already."""

    def extent(self, span: SponsoredSpan) -> Span:
        return span.value

    def before(self, span: SponsoredSpan) -> tuple[Span, ...]:
        return (span.label,)


@dataclass(frozen=True)
class BlockSelection(SpanSelection):
    """``SpanSelection`` that keeps or frees whole blocks of ``size`` tokens."""

    size: int = 16

    def select(self, candidates: LiveTokens, budget: int) -> Selected:
        """Keep ``budget // size`` full blocks, and the one that the next token is written to."""
        blocks, slots, counts = np.unique(
            candidates.positions // self.size, return_inverse=True, return_counts=True
        )
        newest = candidates.length // self.size
        worth: Floats = np.bincount(slots, candidates.utility).astype(float) / counts
        if blocks[-1] < newest:
            blocks, worth = np.append(blocks, newest), np.append(worth, 0.0)
        offered = [self._in_blocks(span) for span in candidates.spans]
        choices = replace(self.choices, ends_may_yield=False)
        units = _Units(sinks=1, recent=2, doubtful=1, unlikely=1, choices=choices)
        selected = units.select(
            LiveTokens(blocks, newest + 1, worth, np.zeros(len(blocks)), offered),
            budget // self.size + 1,
        )
        tokens = dict(zip(map(id, offered), candidates.spans, strict=True))
        admitted, refused = (
            tuple(tokens[id(span)] for span in spans)
            for spans in (selected.admitted, selected.refused)
        )
        return Selected(selected.keep[slots], selected.held[slots], self.size, admitted, refused)

    def _in_blocks(self, span: SponsoredSpan) -> SponsoredSpan:
        value, label = self._touched(self.extent(span)), self._touched(span.label)
        return span._replace(value=value, label=label)

    def _touched(self, span: Span) -> Span:
        return Span(span.start // self.size, -(-span.end // self.size)) if len(span) else span


@dataclass(frozen=True)
class BlockBudget:
    """K of a retention in whole blocks of ``size`` tokens; a prompt is cut every ``chunk``."""

    retention: Retention
    size: int
    chunk: int

    @property
    def blocks(self) -> int:
        """Full blocks that a cut leaves: K rounded up, two at least."""
        return max(LEAST, -(-min(self.retention.budgets()) // self.size))

    @property
    def most(self) -> int:
        """The most blocks that a request holds, in a chunk: beside those the one being
        written."""
        return self.blocks + 1 + -(-self.chunk // self.size)

    def border(self, done: int, prompt: int) -> int:
        """Where the next cut is due after ``done`` tokens of a request."""
        if done < prompt:
            return min((done // self.chunk + 1) * self.chunk, prompt)
        return (done // self.size + 1) * self.size


class BlockFlow:
    """The blocks of one request, from its ids.

    ``freed``: blocks that left. ``values``: held whole, and refused at some cut for want of room.

    Args:
        tokenizer: the model's, of transformers.

    Raises:
        UnsupportedError: see ``supported.check_served``.
    """

    def __init__(self, budget: BlockBudget, tokenizer: Any) -> None:
        self.budget, self.tokenizer = budget, tokenizer
        self._foreseen: PrecomputedScanner | None = None
        self.restart()

    def foresee(self, ids: Sequence[int]) -> None:
        """Look for the values of a whole prompt, once, before any of it is computed."""
        self._foreseen = self.flow.sequences[0].foreseen(np.asarray(ids, np.int64))
        self._scan_foreseen()

    def _scan_foreseen(self) -> None:
        if self._foreseen is not None:
            self.flow.sequences[0].scan.scanner = self._foreseen.copy()

    def restart(self) -> None:
        """Forget all: the request is computed anew."""
        budget, self.done, self.freed = self.budget, 0, 0
        retention = replace(budget.retention, budget=budget.blocks * budget.size)
        self.flow = RetentionFlow(retention, self.tokenizer, 1)
        known = {f.name: getattr(self.flow.selection, f.name) for f in fields(SpanSelection)}
        self.values, self._refused = (0, 0), set[int]()  # where values begin
        self.flow.selection = BlockSelection(**known, size=budget.size)
        self._scan_foreseen()

    @property
    def table(self) -> SlotTable:
        """Tokens that are held."""
        return self.flow.table

    @property
    def held(self) -> Ints:
        """Indices of the blocks that hold a token, in order."""
        return np.unique(self.table.positions[0] // self.budget.size)

    def advance(self, ids: Sequence[int], done: int, prompt: int) -> list[int]:
        """Blocks that leave when the first ``done`` of ``ids`` are computed; the others are held.

        ``prompt``: how many of ``ids`` the request came with. Raises BudgetError when what must be
        kept does not fit.
        """
        gone: list[int] = []
        if self._foreseen is None:
            self.foresee(ids[:prompt])
        while (border := self.budget.border(self.done, prompt)) <= done:
            self._read(
                ids[self.done : border], final=border == prompt, generated=self.done >= prompt
            )
            self.done, before = border, self.held
            full = self.budget.blocks * self.budget.size
            self.table.limits = np.array([full + border % self.budget.size])
            if self.done <= prompt or self.table.width > self.table.capacity:
                self.flow.cut(self.table)
                self._count()
            gone += np.setdiff1d(before, self.held).tolist()
        self.freed += len(gone)
        return gone

    def _count(self) -> None:
        (chosen,) = self.table.selected
        held = {span.value.start for span in chosen.admitted}
        self._refused |= {span.value.start for span in chosen.refused}
        self.values = len(held), len(self._refused - held)

    def _read(self, ids: Sequence[int], *, final: bool, generated: bool) -> None:
        if not generated:
            new = np.asarray(ids, np.int64)[None]
            self.flow.read(new, np.ones(new.shape, bool), final=final)
            return
        new = self.done + np.arange(len(ids))  # no text: what is generated holds no value
        self.table.append(new[None], np.full((1, len(ids)), GENERATED))
        self.flow.lengths = self.flow.lengths + len(ids)
