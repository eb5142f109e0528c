"""What one forward does with every table of a cache, from what the flow decides."""

from __future__ import annotations

from ...errors import UnsupportedError
from ...retention import RetentionFlow, Step
from .forward import TableForward, When
from .layer import RetentionLayer


def plan_prompt(
    flow: RetentionFlow, count: int, *, evict: bool, compact: bool, debug: bool
) -> list[TableForward]:
    """A forward of ``count`` new tokens a row; the tables hold them already.

    What an attention-free method keeps is known now; what others keep, after each layer's
    attention, or after the last one's when their budgets are shared out together.

    Raises:
        UnsupportedError: when the method needs scores that only passes of its own can give.
    """
    joint = flow.allocation is not None and flow.allocation.joint
    forwards = []
    for table in flow.tables.values():
        positions, padded = table.positions, table.padded
        ranks = table.ranks() if compact else None
        step, when = Step(), When.NEVER
        if evict and table.budget is not None and flow.scorer.observes.passes:
            if table.observed is None:
                raise UnsupportedError(
                    f"method {flow.method.name!r} needs passes of its own: prefill an unlimited "
                    "cache, then compress() it with their scores"
                )
            if joint and table.limits is None:  # shared out once, when the context is cut
                when = When.END
            else:
                step = flow.cut(table)
        elif evict and table.budget is not None and flow.scorer.observes:
            when = When.END if joint else When.LAYER
        elif evict:
            step = flow.cut(table)
        forward = TableForward(
            step,
            table,
            positions[:: table.heads, -count:],
            positions=positions,
            padded=padded,
            ranks=ranks,
            check=step.keep is not None or when is not When.NEVER or debug,
            when=when,
        )
        forwards.append(forward)
    return forwards


def plan_decode(
    flow: RetentionFlow, *, evict: bool, compact: bool, debug: bool
) -> list[TableForward]:
    """A forward of one generated token a row; what it measures chooses the next one's slot."""
    steps = flow.decode(evict=evict)
    new = (flow.lengths - 1)[:, None]
    reads = evict and flow.scorer.observes and not flow.scorer.observes.passes
    return [
        TableForward(
            step,
            table,
            new,
            positions=table.positions,
            padded=table.padded,
            ranks=table.ranks() if compact else None,
            check=debug,
            when=When.NEXT if reads and table.full else When.NEVER,
        )
        for table, step in zip(flow.tables.values(), steps, strict=True)
    ]


def cut_together(
    flow: RetentionFlow, forwards: list[TableForward], layers: list[RetentionLayer]
) -> None:
    """Cut all layers at the end of a forward, where the method compares their scores."""
    if not any(forward.when is When.END for forward in forwards):
        return
    for layer in layers:
        layer.hand_over()
    for forward, step in zip(forwards, flow.cut_together(), strict=True):
        forward.step = step
    for layer in layers:
        layer.cut()
