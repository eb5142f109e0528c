"""What one forward does with the tables and layers of a cache, from what the flow decides.

A decode step that just overwrites a slot a row is made of tensors before the first layer runs:
layers do no work of Python's own, and one graph of ``torch.compile`` serves all.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from ...errors import UnsupportedError
from ...retention.flow import RetentionFlow
from ...retention.precision import demote, lower
from ...types import Ints
from .forward import CutTime, ForwardPlan
from .layer import InPlace, RetentionLayer
from .rotary import Rotary


def plan_prompt(
    flow: RetentionFlow, count: int, by: Ints | None, *, evict: bool, late: bool = False
) -> list[ForwardPlan]:
    """A forward of ``count`` new tokens a row; the tables hold them already. ``by`` [row]: how much
    lower than their positions tokens stand; None: not at all.

    What an attention-free method keeps is known now, or when all layers have run (``late``); what
    others keep, after each layer's attention, or after the last one's when their budgets are shared
    out together. Raises UnsupportedError when the method needs scores that only passes of its own
    can give.
    """
    joint = flow.allocation is not None and flow.allocation.joint
    reads, forwards = flow.observes, []
    for table in flow.tables.values():
        forward = ForwardPlan(table, table.positions[:: table.heads, -count:], by=by)
        bounded = evict and table.budget is not None
        if bounded and reads.passes and table.observed is None:
            raise UnsupportedError(
                f"method {flow.method.name!r} needs passes of its own over the whole prompt: "
                "use prefill_whole(model, input_ids, tokenizer, retention), or `ta generate`"
            )
        # scores of passes are there already: they are shared out once, when the context is cut
        if bounded and reads and (not reads.passes or (joint and table.limits is None)):
            forward.when = CutTime.END if joint else CutTime.LAYER
        elif bounded and late:
            forward.when = CutTime.END
        elif evict:
            forward.step = flow.cut(table)
        cuts = forward.step.keep is not None or forward.when is not CutTime.NEVER
        forward.check = cuts or flow.retention.debug
        forwards.append(forward)
    return forwards


def plan_decode(flow: RetentionFlow, by: Ints | None, *, evict: bool) -> list[ForwardPlan]:
    """A forward of one generated token a row; what it measures chooses the next one's slot.
    ``by``: as ``plan_prompt``."""
    mixed = [bool(table.quantised.any()) for table in flow.tables.values()]
    steps = flow.decode(evict=evict)
    new, forwards = (flow.lengths - 1)[:, None], []
    for table, step, lowered in zip(flow.tables.values(), steps, mixed, strict=True):
        when = CutTime.NEXT if evict and flow.reads_steps and table.full else CutTime.NEVER
        debug = flow.retention.debug
        forward = ForwardPlan(table, new, step, by=by, check=debug, when=when)
        if lowered and step.slots is not None:
            forward.demoted = demote(flow, table, step.slots)
        forwards.append(forward)
    return forwards


def cut_together(
    flow: RetentionFlow, forwards: list[ForwardPlan], layers: list[RetentionLayer]
) -> None:
    """At the end of a forward: cut and lower what waited for all layers.

    Layers are cut here where the method compares their scores, and lowered where it has a part of
    what is kept in low precision: until then, a prompt's new tokens are in full precision.
    """
    if any(forward.when is CutTime.END for forward in forwards):
        for layer in layers:
            layer.hand_over()
        for forward, step in zip(forwards, flow.cut_together(), strict=True):
            forward.step = step
        for layer in layers:
            layer.cut()
    precision = flow.precision
    if precision is None:
        return
    weight_per_layer = [
        layer.weighed.double().cpu() for layer in layers if layer.weighed is not None
    ]
    weights = np.stack(weight_per_layer) if weight_per_layer else None
    steps = [forward.step for forward in forwards]
    for forward, low_slots in zip(forwards, lower(flow, precision, steps, weights), strict=True):
        forward.low = low_slots
    for layer in layers:
        layer.lower(precision.format)
        layer.weighed = None


def place(
    layers: Sequence[RetentionLayer],
    forwards: Sequence[ForwardPlan],
    rotary: Rotary | None,
    device: torch.device,
) -> Tensor | None:
    """Tell every layer what a forward does with it, and whether its step is one in place;
    ``forwards``: one a layer.

    It is where nothing has to be hidden, read, checked or kept in low precision.

    Returns the position ids [row, new] where they are not the tokens' positions, on a device.
    """
    position_ids = None if rotary is None else rotary.begin(forwards[0], device)
    made: dict[tuple[int, torch.device], InPlace] = {}
    for layer, forward in zip(layers, forwards, strict=True):
        layer.plan, layer.in_place = forward, None
        slots = forward.step.slots
        if slots is None or forward.heads > 1 or layer.observer is not None:
            continue
        if forward.padded or forward.check:
            continue
        if isinstance(layer.keys, Tensor) and isinstance(layer.values, Tensor):
            key = id(forward), layer.keys.device
            if key not in made:
                rotation = None if rotary is None else rotary.rotation(forward, key[1])
                made[key] = InPlace(torch.from_numpy(slots[:, None]).to(key[1]), rotation)
            layer.in_place = made[key]
    return position_ids
