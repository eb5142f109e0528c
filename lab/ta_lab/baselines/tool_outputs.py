"""Tool outputs as units of deletion: which ones a row has, who judges them, and their removal.

SideQuest (2602.22603) deletes whole tool outputs at the end of a turn. A judge is called once for
each row that holds one, and returns numbers of ``turn.outputs``, or None if it has no verdict. A
sponsored value vetoes the deletion of its own tokens; so do ranges that the caller protects, sinks
and the newest tokens. No model and no tensor appears here.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from transactional_attention.errors import InputError
from transactional_attention.retention.flow import RetentionFlow, Step
from transactional_attention.retention.sequence import SequenceState
from transactional_attention.selection.admission import ends
from transactional_attention.selection.slot_table import PADDING, SlotTable, inside
from transactional_attention.types import Bools, Ints, Span

OPENING = 60  # characters of an output by which the model is to recognise it
LIST = "These tool outputs of the conversation are still in memory:"
REQUEST = (
    "Which of them will not be needed any more? Answer with their numbers on one line, separated "
    "by commas, or with: none\nAnswer:"
)


@dataclass(frozen=True)
class ToolOutput:
    """A tool output that is still held. ``number``: 1 is the oldest of the row; it never changes.

    ``span``: its tokens. ``tokens``: how many of them may go, in the layer and kv head with the
    most.
    """

    number: int
    span: Span
    tokens: int


def output_ranges(sequence: SequenceState) -> list[Span]:
    """Token ranges of a row's tool outputs, oldest first; those that were not read completely are
    left out."""
    template = {s.span for s in sequence.ranges.sources if s.template}
    ranges: list[Span] = []  # of a tool, the template's own text around the outputs included
    for span in sorted({s.span for s in sequence.ranges.sources if s.source == "tool"}):
        if len(span) and (not ranges or span.start >= ranges[-1].end):
            ranges.append(span)
    return [s for s in ranges if s.end <= sequence.num_tokens and s not in template]


@dataclass(frozen=True)
class Lane:
    """The live tokens of one lane ordered by position, [slot]; ``free``: nothing vetoes their
    deletion."""

    slots: Ints
    positions: Ints
    free: Bools

    def goes(self, spans: Sequence[Span]) -> Bools:
        """Which tokens go if ``spans`` are deleted."""
        return inside(self.positions, spans) & self.free


def lanes_of(flow: RetentionFlow, table: SlotTable) -> list[Lane]:
    """Every lane of a table, with the vetoes of sponsorship and mandatory tokens."""
    lanes, selection = [], flow.selection
    for lane in range(len(table.rows)):
        live = table.live_slots(lane)
        offered = flow.live_tokens(table, lane, live, np.zeros(len(live)))
        held = np.logical_or(*ends(offered, selection.sinks, max(selection.recent, 1)))
        for span in offered.spans:  # whole values with closing tokens and labels
            parts = [span.value, selection.extent(span), *selection.before(span)]
            value, *beside = offered.slots_of_each(parts)
            for slots in (value, *beside) if value is not None else ():
                if slots is not None:
                    held[slots] = True
        lanes.append(Lane(live, offered.positions, ~held))
    return lanes


def held_outputs(flow: RetentionFlow) -> list[tuple[ToolOutput, ...]]:
    """The tool outputs of every row that may lose tokens, oldest first."""
    lanes = [
        (int(row), lane)
        for table in flow.tables.values()
        for row, lane in zip(table.rows, lanes_of(flow, table), strict=True)
    ]
    of_rows = []
    for row, sequence in enumerate(flow.sequences):
        of_row = [lane for other, lane in lanes if other == row]
        outputs = []
        for number, span in enumerate(output_ranges(sequence), 1):
            tokens = max(int(lane.goes([span]).sum()) for lane in of_row)
            if tokens:
                outputs.append(ToolOutput(number, span, tokens))
        of_rows.append(tuple(outputs))
    return of_rows


def delete(flow: RetentionFlow, table: SlotTable, doomed: Sequence[Sequence[Span]]) -> Step:
    """Remove the ``doomed`` ranges [row] from a table, except vetoed tokens.

    The rest keeps its order. A lane that keeps fewer tokens than the widest one is padded.
    """
    lanes = lanes_of(flow, table)
    gone = [lane.goes(doomed[row]) for row, lane in zip(table.rows, lanes, strict=True)]
    if not any(mask.any() for mask in gone):
        return Step()
    kept = [lane.slots[~mask] for lane, mask in zip(lanes, gone, strict=True)]
    for i, (lane, mask) in enumerate(zip(lanes, gone, strict=True)):
        table.positions[i, lane.slots[mask]] = PADDING
        table.held[i, lane.slots[mask]] = False
        table.voucher[i, lane.slots[mask]] = 0.0
    width = max(len(slots) for slots in kept)
    keep = np.stack([table.filled(i, slots, width) for i, slots in enumerate(kept)])
    table.take(keep)
    if table.sharp is not None:
        table.sharp = np.minimum(table.sharp, (~table.quantised).sum(1))
    return Step(keep=keep)


@dataclass(frozen=True)
class Turn:
    """The state of one row when a turn ends.

    ``outputs``: the tool outputs of which something can be deleted, oldest first. ``ask``: sends a
    request to the model in a side branch and returns its reply; the cache does not notice.
    """

    row: int
    outputs: tuple[ToolOutput, ...]
    ask: Callable[[str], str] = field(repr=False)
    sequence: SequenceState = field(repr=False)

    def text(self, output: ToolOutput) -> str:
        """The text of an output, evicted tokens included."""
        if self.sequence.text is None:
            raise InputError("this judge reads text: give the cache the model's tokenizer")
        return self.sequence.characters(output.span)


Judge = Callable[[Turn], Iterable[int] | None]


def ask_model(turn: Turn) -> list[int] | None:
    """Ask the model itself in a side branch; None if its reply is no list of such numbers.

    A reply that names any other number is not trusted at all, because what is deleted cannot come
    back.
    """
    listed = [f"{output.number}: {_opening(turn.text(output))}" for output in turn.outputs]
    reply = turn.ask("\n".join([LIST, *listed, REQUEST]))
    return read_reply(reply, turn.outputs)


def _opening(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= OPENING else f"{words[:OPENING]}..."


def read_reply(reply: str, outputs: Iterable[ToolOutput]) -> list[int] | None:
    """The numbers of a reply such as ``1, 3.`` or ``[2]``; an empty list for ``none``."""
    offered = {str(output.number): output.number for output in outputs}
    answer = reply.strip().rstrip(".").removeprefix("[").removesuffix("]").strip()
    if answer.lower() == "none":
        return []
    parts = re.split(r"\s*,\s*|\s+", answer)
    return [offered[part] for part in parts] if all(part in offered for part in parts) else None
