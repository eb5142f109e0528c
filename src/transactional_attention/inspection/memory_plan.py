"""What a memory holds after one read of a text: it promises no value, and loses none."""

from collections import Counter
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any

from ..config import Memory, Retention
from ..errors import InputError
from ..selection.guarantee import Certificate
from .plan import UNFIT, PlannedValue, Rendered, TextView, read_and_cut
from .report import reasons

WAITS = "its line waits on the host, and comes back when it is asked for"


@dataclass(frozen=True)
class MemoryPlan:
    """What is in the cache when a text has been read once, and what waits.

    ``held``: tokens by why they are there (``report.reasons``). ``values``: each "held" or
    "waits". ``pinned``: tokens beside the budget; ``waiting``: segments of the text on the host.
    """

    method: str
    budget: int
    tokens: int
    pinned: int
    waiting: int
    held: dict[str, int]
    values: tuple[PlannedValue, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def plan_memory(
    text: str | Rendered, tokenizer: Any, retention: Retention, *, reveal: bool = False
) -> MemoryPlan:
    """What a retention with a memory holds of a prompt. Raises InputError for one without;
    UnsupportedError for one that a memory does not serve."""
    if not isinstance(retention.memory, Memory):
        raise InputError("the retention has no memory: give Retention(memory=True)")
    flow = read_and_cut(text, tokenizer, retention)
    sequence, why, view = flow.sequences[0], reasons(flow, 0), TextView(text, flow, reveal)
    assert sequence.memory is not None and flow.table.budget is not None
    values = []
    floods = (span for span, reason in sequence.registry.excluded if reason in UNFIT)
    for span in sorted([*sequence.registry.spans, *floods], key=attrgetter("value")):
        kept = all(token in why for token in span.value)
        planned = replace(view.value(Certificate(span, "at risk", 0, (), kept)), least=None)
        named = len(span.label) > 0 and all(token in why for token in span.label)
        if kept:
            values.append(replace(planned, status="held", labelled=named))
        else:
            values.append(replace(planned, status="waits", why=WAITS))
    return MemoryPlan(
        method=retention.method,
        budget=flow.table.budget - flow.num_pinned,
        tokens=sequence.num_tokens,
        pinned=flow.num_pinned,
        waiting=len(sequence.memory.waiting()),
        held=dict(Counter(reason for reason, _ in why.values())),
        values=tuple(values),
    )
