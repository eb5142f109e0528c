"""A memory that is told where the next argument stands: the limit of a perfect ranking."""

from __future__ import annotations

from collections.abc import Sequence

from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.memory import MemoryState
from transactional_attention.types import Floats, Span

LABEL = "told"


class ToldMemory(MemoryState):
    """Brings back the segments with ``statements``, if there are any, at the next generated token,
    in place of what its text asks for."""

    statements: Sequence[Span] = ()

    def opened(self, text: str) -> str | None:
        """As if a field were opened."""
        label = super().opened(text)
        return LABEL if self.statements else label

    def by_field(self, label: str, scores: Floats | None = None) -> list[int]:
        """Those that state it, the latest first."""
        if not self.statements:
            return super().by_field(label, scores)
        segments: dict[int, None] = {}
        for span in reversed(self.statements):
            numbers = range(self.number_at(span.start), self.number_at(span.end - 1) + 1)
            segments |= dict.fromkeys(n for n in numbers if self.waits(n))
        return list(segments)


def tell(flow: RetentionFlow, statements: Sequence[Span]) -> None:
    """Tell a flow of one row with a memory what states the token after the next one; nothing:
    it looks for itself."""
    (sequence,) = flow.sequences
    if not isinstance(sequence.memory, ToldMemory):
        memory = object.__new__(ToldMemory)  # its own state goes on
        memory.__dict__ = vars(sequence.memory)
        sequence.memory = memory
    sequence.memory.statements = statements
