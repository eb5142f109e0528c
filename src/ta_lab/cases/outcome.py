"""What one method did with one case: values kept, tokens held, the answer."""

from __future__ import annotations

from dataclasses import dataclass

from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.slots import PADDING

from .encoding import EncodedCase


@dataclass(frozen=True)
class Outcome:
    """What one method did with one case. ``kept``: positions held when the question arrives.

    ``whole``: of each critical value, whether every layer and kv head held all of it;
    ``retained``: of all of them. ``max_live_tokens``: in the layer and kv head that held most;
    ``mean_live_tokens``: over all of them. ``stored_bytes``: of keys and values when the question
    arrives; ``pair_bytes``: what as many pairs take in full precision, without padding.
    ``pass_tokens`` and ``pass_seconds`` (of the process's time): what passes of the method's own
    cost. Budgets of a case share passes, each is told their whole cost. ``deleted_tokens``: of
    tool outputs, by a judge. ``correct``, ``wrapped``, ``contains``: see ``metrics.Verdict``.
    """

    kept: list[int]
    retained: bool
    protected_tokens: int
    anchors: int
    max_live_tokens: int
    mean_live_tokens: float = 0.0
    stored_bytes: int = 0
    pair_bytes: int = 0
    answer: str = ""
    pass_tokens: int = 0
    pass_seconds: float = 0.0
    deleted_tokens: int = 0
    correct: bool = False
    wrapped: bool = False
    contains: bool = False
    whole: tuple[bool, ...] = ()


def outcome_of(flow: RetentionFlow, encoded: EncodedCase, max_live: int) -> Outcome:
    """``kept``: held by some kv head of some layer."""
    lanes = [set(lane.tolist()) for table in flow.tables.values() for lane in table.positions]
    held = {p for lane in lanes for p in lane if p != PADDING and p < len(encoded.ids)}
    selected = flow.selected.get(id(next(iter(flow.tables.values()))))
    admitted = selected[0].admitted if selected else ()
    extents = [flow.selection.extent(span) for span in admitted]
    protected = {p for extent in extents for p in range(extent.start, extent.end)} & held
    values = [set(range(v.start, v.end)) for v in encoded.values]
    whole = tuple(all(value <= lane for lane in lanes) for value in values)
    return Outcome(
        kept=sorted(held),
        whole=whole,
        retained=all(whole),
        protected_tokens=len(protected),
        anchors=len(flow.sequences[0].registry.spans),
        max_live_tokens=max_live,
    )
