"""Tool outputs as units of deletion: which ones a row has, what may go of them, and their removal.

SideQuest (2602.22603) deletes whole tool outputs at the end of a turn. A sponsored value vetoes
the deletion of its own tokens, and so do ranges that the caller protects, sinks and the newest
tokens. No model, no tensor and no judge appears here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..selection.admission import Candidates, ends
from ..selection.slots import PADDING, SlotTable
from ..types import Bools, Ints, Span
from .choosing import candidates
from .flow import RetentionFlow, Step
from .sequence import SequenceState


@dataclass(frozen=True)
class ToolOutput:
    """A tool output that is still held. ``number``: 1 is the oldest of the row; it never changes.

    ``span``: its tokens. ``tokens``: how many of them may go, in the layer and kv head that holds
    the most.
    """

    number: int
    span: Span
    tokens: int


def tool_ranges(sequence: SequenceState) -> list[Span]:
    """Token ranges whose source is a tool, template text around the outputs included, in order."""
    ranges: list[Span] = []
    for span in sorted({s.span for s in sequence.sources if s.source == "tool"}):
        if len(span) and (not ranges or span.start >= ranges[-1].end):
            ranges.append(span)
    return ranges


def output_ranges(sequence: SequenceState) -> list[Span]:
    """Token ranges of a row's tool outputs, oldest first; what was not read whole is left out."""
    template = {s.span for s in sequence.sources if s.template}
    read = sequence.num_tokens
    return [s for s in tool_ranges(sequence) if s.end <= read and s not in template]


@dataclass(frozen=True)
class Lane:
    """The live tokens of one lane in order of position, [slot]; ``free``: nothing vetoes them."""

    slots: Ints
    positions: Ints
    free: Bools

    def goes(self, spans: Sequence[Span]) -> Bools:
        """Which tokens go when ``spans`` are deleted."""
        inside = np.zeros(len(self.slots), bool)
        for span in spans:
            inside |= (self.positions >= span.start) & (self.positions < span.end)
        return inside & self.free


def lanes_of(flow: RetentionFlow, table: SlotTable) -> list[Lane]:
    """Every lane of a table, with what sponsorship and the mandatory tokens veto."""
    lanes = []
    for lane in range(len(table.rows)):
        positions = table.positions[lane]
        order = np.argsort(positions, kind="stable")
        live = order[int((positions == PADDING).sum()) :]
        offered = candidates(flow, table, lane, live, np.zeros(len(live)))
        lanes.append(Lane(live, positions[live], _free(flow, offered)))
    return lanes


def _free(flow: RetentionFlow, offered: Candidates) -> Bools:
    """All but the ends and whole values with closing tokens and labels; what was cut is free."""
    newest = max(flow.selection.recent, 1)
    held = np.logical_or(*ends(offered, flow.selection.sinks, newest))
    for span in offered.spans:
        parts = [span.value, flow.selection.extent(span), *flow.selection.before(span)]
        value, *beside = offered.slots_of_each(parts)
        for slots in (value, *beside) if value is not None else ():
            if slots is not None:
                held[slots] = True
    return ~held


def held_outputs(flow: RetentionFlow) -> list[tuple[ToolOutput, ...]]:
    """The tool outputs of every row of which something may go, oldest first."""
    lanes = [
        (int(row), lane)
        for table in flow.tables.values()
        for row, lane in zip(table.rows, lanes_of(flow, table), strict=True)
    ]
    found = []
    for row, sequence in enumerate(flow.sequences):
        of_row = [lane for other, lane in lanes if other == row]
        outputs = []
        for number, span in enumerate(output_ranges(sequence), 1):
            tokens = max(int(lane.goes([span]).sum()) for lane in of_row)
            if tokens:
                outputs.append(ToolOutput(number, span, tokens))
        found.append(tuple(outputs))
    return found


def delete(flow: RetentionFlow, table: SlotTable, doomed: Sequence[Sequence[Span]]) -> Step:
    """Take ``doomed`` ranges [row] out of a table, vetoed tokens apart.

    What is left keeps its order; a lane that keeps fewer tokens than the widest one is padded.
    """
    lanes = lanes_of(flow, table)
    gone = [lane.goes(doomed[row]) for row, lane in zip(table.rows, lanes, strict=True)]
    if not any(mask.any() for mask in gone):
        return Step()
    kept = [lane.slots[~mask] for lane, mask in zip(lanes, gone, strict=True)]
    for i, (lane, mask) in enumerate(zip(lanes, gone, strict=True)):
        table.positions[i, lane.slots[mask]] = PADDING
        table.hold[i, lane.slots[mask]] = False
        table.voucher[i, lane.slots[mask]] = 0.0
    width = max(len(slots) for slots in kept)
    keep = np.stack([table.filled(i, slots, width) for i, slots in enumerate(kept)])
    table.take(keep)
    if table.sharp is not None:
        table.sharp = np.minimum(table.sharp, (~table.low).sum(1))
    return Step(keep=keep)
