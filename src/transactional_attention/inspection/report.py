"""Why each token is kept: positions, reasons, rules and labels; values only if revealed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..retention.masking import masked_labels
from ..selection.slot_table import PADDING
from ..types import ASKED, CALLER, QUESTION, Span, SponsoredSpan

CAME_BACK = "recalled"
MOST_RECALLED = 512  # segments that a report shows
BY = {QUESTION: "the words of the question", ASKED: "an open field, or an earlier question"}

Reasons = dict[int, tuple[str, SponsoredSpan | None]]

if TYPE_CHECKING:
    from ..retention.flow import RetentionFlow
    from ..retention.memory import MemoryState
    from ..retention.sequence import SequenceState


@dataclass(frozen=True)
class KeptRange:
    """Neighbouring tokens ``[start, end)`` that are kept for the same reason."""

    start: int
    end: int
    reason: str
    rule: str = ""
    confidence: float | None = None
    label: str = ""
    text: str | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What one row of a cache keeps.

    ``refused``: values that did not fit, as token ranges with their rule. ``yielded``: mandatory
    tokens that gave way to a value. ``recalled``: segments of the text that came back (memory),
    latest first, at most 512, each with what asked for it. ``waiting``: number of segments on the
    host, ``waiting_bytes`` their size. ``pinned``: tokens held beside the budget.
    """

    method: str
    preset: str
    budget: int | None
    tokens_seen: int
    tokens_kept: int
    kept: tuple[KeptRange, ...]
    refused: tuple[KeptRange, ...]
    anchors: int
    yielded: int
    recalled: tuple[KeptRange, ...] = ()
    waiting: int = 0
    waiting_bytes: int = 0
    pinned: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        budget = "no limit" if self.budget is None else f"K={self.budget}"
        budget += f" and {self.pinned} pinned" if self.pinned else ""
        head = (
            f"{self.method} ({self.preset}), {budget}: {self.tokens_kept} of {self.tokens_seen} "
            f"tokens kept, {self.anchors} anchors"
        )
        lines = [head, *(_line(item) for item in self.kept)]
        lines += [f"{_line(item)}  does not fit" for item in self.refused]
        lines += [f"{_line(item)}  asked by {', '.join(item.words)}" for item in self.recalled]
        if self.waiting:
            waiting = f"  {self.waiting} segments wait on the host, {self.waiting_bytes:,} bytes"
            lines.append(waiting)
        if self.yielded:
            lines.append(f"  {self.yielded} mandatory tokens gave way to a value")
        return "\n".join(lines)


def _line(item: KeptRange) -> str:
    parts = [f"  [{item.start}, {item.end})".ljust(16), item.reason.ljust(10)]
    if item.rule and item.confidence is not None:
        parts.append(f"{item.rule} {item.confidence:.2f}")
    if item.label:
        parts.append(repr(item.label))
    if item.text is not None:
        parts.append(f"= {item.text!r}")
    return " ".join(parts).rstrip()


def reasons(flow: RetentionFlow, row: int) -> Reasons:
    """Position to (reason, span). Reasons: pinned, sink, sponsored, closing, label, recent or
    utility; with a memory also segment (around a value) and recalled, and everything else is
    recent.

    If layers and kv heads differ, those of the first layer and its first head.
    """
    table, lane = flow.table, row * flow.table.heads
    positions = sorted(int(p) for p in table.positions[lane] if p != PADDING)
    length = int(flow.lengths[row])
    selected = table.selected
    recent = selected[lane].recent if selected else 0
    by_position: Reasons = {}
    admitted = selected[lane].admitted if selected else ()
    sequence, memory = flow.sequences[row], flow.sequences[row].memory
    for span in reversed(admitted if memory is not None else ()):
        assert memory is not None
        for part in memory.around(flow.selection.extent(span)):
            by_position |= dict.fromkeys(part, ("segment", span))
    for span in reversed(admitted):
        for part in flow.selection.before(span):
            by_position |= dict.fromkeys(part, ("label", span))
    for span in reversed(admitted):
        extent = flow.selection.extent(span)
        by_position |= dict.fromkeys(range(span.value.end, extent.end), ("closing", span))
    for span in reversed(admitted):
        by_position |= dict.fromkeys(span.value, (_reason(span, pins=memory is not None), span))
    pinned = (
        section.span
        for section in sequence.ranges.sources
        if section.source in sequence.retention.pinned
    )
    by_position |= {
        p: ("pinned", by_position.get(p, (None, None))[1]) for section in pinned for p in section
    }
    sinks = flow.selection.sinks
    result = {}
    for p in positions:
        newest = memory is not None or p >= length - recent
        plain = "sink" if p < sinks else "recent" if newest else "utility"
        result[p] = by_position.get(p, (plain, None))
    return result


def _reason(span: SponsoredSpan, *, pins: bool) -> str:
    """``pins``: a range that the caller names is pinned."""
    if span.rule in (ASKED, QUESTION):
        return CAME_BACK
    return "pinned" if pins and span.rule == CALLER else "sponsored"


def build_report(flow: RetentionFlow, row: int, *, reveal: bool) -> Report:
    """The report of one row: of the first table, and of its first kv head if heads differ."""
    table, lane = flow.table, row * flow.table.heads
    selected = table.selected
    runs: list[tuple[int, int, str, SponsoredSpan | None]] = []
    for position, (reason, span) in reasons(flow, row).items():
        start = position
        if runs and runs[-1][1:3] == (position, reason) and _rule(runs[-1][3]) == _rule(span):
            start = runs.pop()[0]
        runs.append((start, position + 1, reason, span))
    sequence = flow.sequences[row]
    refused = (*selected[lane].refused, *sequence.registry.over_cap) if selected else ()
    shown = [*(span for *_, span in runs if span is not None), *refused]
    labels = None if reveal else masked_labels(sequence, shown)
    return Report(
        method=flow.retention.method,
        preset=flow.retention.preset,
        budget=None if table.budget is None else table.budget - flow.num_pinned,
        pinned=flow.num_pinned,
        tokens_seen=int(flow.lengths[row]),
        tokens_kept=int(np.sum(table.positions[lane] != PADDING)),
        kept=tuple(_range(sequence, Span(a, b), why, s, labels) for a, b, why, s in runs),
        refused=tuple(_range(sequence, s.value, "refused", s, labels) for s in refused),
        anchors=len(sequence.registry.spans),
        yielded=selected[lane].yielded if selected else 0,
        **_remembered(sequence, sequence.memory, reveal=reveal),
    )


def _remembered(
    sequence: SequenceState, memory: MemoryState | None, *, reveal: bool
) -> dict[str, Any]:
    """The part of a report about the memory; empty without one."""
    if memory is None:
        return {}
    ranges = [
        KeptRange(
            span.value.start,
            span.value.end,
            CAME_BACK,
            span.rule,
            text=sequence.characters(span.value) if reveal else None,
            words=(BY[span.rule],),
        )
        for span in memory.asked_spans()[:MOST_RECALLED]
    ]
    waiting = {"waiting": len(memory.waiting()), "waiting_bytes": memory.num_bytes}
    return {"recalled": tuple(ranges), **waiting}


def _rule(span: SponsoredSpan | None) -> str:
    return span.rule if span is not None else ""


def _range(
    sequence: SequenceState,
    tokens: Span,
    reason: str,
    span: SponsoredSpan | None,
    labels: dict[Span, str] | None,
) -> KeptRange:
    """``labels``: as they may be shown; None reveals labels and values."""
    label = ""
    if span is not None:
        label = sequence.characters(span.label) if labels is None else labels.get(span.label, "")
    return KeptRange(
        start=tokens.start,
        end=tokens.end,
        reason=reason,
        rule=_rule(span),
        confidence=span.confidence if span is not None else None,
        label=label.strip(),
        text=sequence.characters(tokens) if labels is None else None,
    )
