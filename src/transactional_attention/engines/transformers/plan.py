"""What one forward does with every table of a cache, from what the flow decides."""

from __future__ import annotations

import numpy as np

from ...errors import UnsupportedError
from ...retention.flow import RetentionFlow, Step
from ...retention.precision import demote, lower, precision_of
from ...selection.slots import SlotTable
from ...types import Ints
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
                    f"method {flow.method.name!r} needs passes of its own over the whole prompt: "
                    "use prefill_whole(model, input_ids, tokenizer, retention), or `ta generate`"
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
    mixed = [bool(table.low.any()) for table in flow.tables.values()]
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
            demoted=_demoted(flow, table, step) if lowered else step.slots,
        )
        for table, step, lowered in zip(flow.tables.values(), steps, mixed, strict=True)
    ]


def _demoted(flow: RetentionFlow, table: SlotTable, step: Step) -> Ints | None:
    """Slots that turn low for a generated token (see ``precision.demote``)."""
    return None if step.slots is None else demote(flow, table, step.slots)


def cut_together(
    flow: RetentionFlow, forwards: list[TableForward], layers: list[RetentionLayer]
) -> None:
    """At the end of a forward: cut and lower what waited for all layers.

    Layers are cut here where the method compares their scores, and lowered where it has a part of
    what is kept in low precision: until then, a prompt's new tokens are in full precision.
    """
    if any(forward.when is When.END for forward in forwards):
        for layer in layers:
            layer.hand_over()
        for forward, step in zip(forwards, flow.cut_together(), strict=True):
            forward.step = step
        for layer in layers:
            layer.cut()
    _lower(flow, forwards, layers)


def _lower(flow: RetentionFlow, forwards: list[TableForward], layers: list[RetentionLayer]) -> None:
    rule = precision_of(flow)
    if rule is None:
        return
    weighed = [layer.weighed.double().cpu() for layer in layers if layer.weighed is not None]
    weights = np.stack(weighed) if weighed else None
    steps = [forward.step for forward in forwards]
    for forward, low in zip(forwards, lower(flow, rule, steps, weights), strict=True):
        forward.low = low
    for layer in layers:
        layer.lower(rule.format)
        layer.weighed = None
