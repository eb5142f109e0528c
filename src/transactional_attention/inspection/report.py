"""Why each token is kept: positions, reasons, rules and labels; values only when revealed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..selection.slots import PADDING, SlotTable
from ..types import Span, SponsoredSpan

if TYPE_CHECKING:
    from ..retention.flow import RetentionFlow
    from ..retention.recall_state import Back


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
    tokens that gave way to a value. ``recalled``: values that came back, as they did, each with the
    words that asked for it; ``waiting``: values that are on the host, in so many ``waiting_bytes``.
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

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        budget = "no limit" if self.budget is None else f"K={self.budget}"
        head = (
            f"{self.method} ({self.preset}), {budget}: {self.tokens_kept} of {self.tokens_seen} "
            f"tokens kept, {self.anchors} anchors"
        )
        lines = [head, *(_line(item) for item in self.kept)]
        lines += [f"{_line(item)}  does not fit" for item in self.refused]
        lines += [f"{_line(item)}  asked by {', '.join(item.words)}" for item in self.recalled]
        if self.waiting:
            lines.append(f"  {self.waiting} values wait on the host, {self.waiting_bytes:,} bytes")
        if self.yielded:
            lines.append(f"  {self.yielded} mandatory tokens gave way to a value")
        return "\n".join(lines)


def _line(item: KeptRange) -> str:
    parts = [f"  [{item.start}, {item.end})".ljust(16), item.reason.ljust(10)]
    if item.rule:
        parts.append(f"{item.rule} {item.confidence:.2f}")
    if item.label:
        parts.append(repr(item.label))
    if item.text is not None:
        parts.append(f"= {item.text!r}")
    return " ".join(parts).rstrip()


def _shown(flow: RetentionFlow, row: int) -> tuple[SlotTable, int]:
    """The table and the lane that stand for a row."""
    table = flow.table
    return table, row * table.heads


def reasons(flow: RetentionFlow, row: int) -> dict[int, tuple[str, SponsoredSpan | None]]:
    """Position to (reason, span): sink, sponsored, closing, label, recent or utility.

    Where layers and kv heads differ, those of the first layer and its first head.
    """
    table, lane = _shown(flow, row)
    positions = sorted(int(p) for p in table.positions[lane] if p != PADDING)
    length = int(flow.lengths[row])
    selected = flow.selected.get(id(table))
    recent = selected[lane].recent if selected else 0
    found: dict[int, tuple[str, SponsoredSpan | None]] = {}
    admitted = selected[lane].admitted if selected else ()
    for span in reversed(admitted):
        for part in flow.selection.before(span):
            found |= dict.fromkeys(range(part.start, part.end), ("label", span))
    for span in reversed(admitted):
        extent = flow.selection.extent(span)
        found |= dict.fromkeys(range(span.value.end, extent.end), ("closing", span))
    for span in reversed(admitted):
        found |= dict.fromkeys(range(span.value.start, span.value.end), ("sponsored", span))
    sinks = flow.selection.sinks
    result = {}
    for p in positions:
        plain = "sink" if p < sinks else "recent" if p >= length - recent else "utility"
        result[p] = found.get(p, (plain, None))
    return result


def build_report(flow: RetentionFlow, row: int, *, reveal: bool) -> Report:
    """Describe one row of the first table, and of its first kv head where heads differ."""
    table, lane = _shown(flow, row)
    selected = flow.selected.get(id(table))
    why = reasons(flow, row)
    groups: list[KeptRange] = []
    for position, (reason, span) in why.items():
        previous = groups[-1] if groups else None
        item = _range(flow, row, Span(position, position + 1), reason, span, reveal)
        if (
            previous is not None
            and previous.end == position
            and (previous.reason, previous.rule) == (item.reason, item.rule)
        ):
            whole = Span(previous.start, position + 1)
            groups[-1] = _range(flow, row, whole, reason, span, reveal)
        else:
            groups.append(item)
    refused = (*selected[lane].refused, *flow.sequences[row].registry.over_cap) if selected else ()
    return Report(
        method=flow.retention.method,
        preset=flow.retention.preset,
        budget=table.budget,
        tokens_seen=int(flow.lengths[row]),
        tokens_kept=int(np.sum(table.positions[lane] != PADDING)),
        kept=tuple(groups),
        refused=tuple(_range(flow, row, s.value, "refused", s, reveal) for s in refused),
        anchors=len(flow.sequences[row].registry.spans),
        yielded=selected[lane].yielded if selected else 0,
        **_recalled(flow, row, reveal),
    )


def _recalled(flow: RetentionFlow, row: int, reveal: bool) -> dict[str, Any]:
    """What a report says of recall; nothing without it."""
    state = flow.sequences[row].recall
    if state is None:
        return {}
    ranges = [
        replace(_range(flow, row, back.value, "recalled", back, reveal), words=back.words)
        for back in state.back
    ]
    book = state.book
    return {
        "recalled": tuple(ranges),
        "waiting": len(state.stored),
        "waiting_bytes": book.num_bytes,
    }


def _range(
    flow: RetentionFlow,
    row: int,
    tokens: Span,
    reason: str,
    span: SponsoredSpan | Back | None,
    reveal: bool,
) -> KeptRange:
    sequence = flow.sequences[row]
    label = sequence.characters(span.label).strip() if span is not None else ""
    return KeptRange(
        start=tokens.start,
        end=tokens.end,
        reason=reason,
        rule=span.rule if span is not None else "",
        confidence=span.confidence if span is not None else None,
        label=label,
        text=sequence.characters(tokens) if reveal else None,
    )
