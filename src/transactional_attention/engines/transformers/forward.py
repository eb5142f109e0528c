"""What one forward does with the tables and layers of a cache, from what the flow decides.

Layers that share a table share its record, so an index or a mask reaches the device once a forward
and not once a layer. A decode step that just overwrites a slot a row is made of tensors before the
first layer runs: layers do no work of Python's own, and one graph of ``torch.compile`` serves all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from ...errors import UnsupportedError
from ...methods.observation import visible
from ...retention.flow import RetentionFlow, Step
from ...retention.precision import demote, lower
from ...selection.slot_table import SlotTable
from ...types import Bools, Ints
from .precision import MixedStates, States, write

if TYPE_CHECKING:
    from .layer import RetentionLayer
    from .rotary import Rotary, Rotation


class CutTime(Enum):
    """What a scorer's reading of a layer is for.

    ``LAYER``: it cuts the layer at once, and the step is known only then. ``END``: all layers are
    cut after the last one. ``NEXT``: it chooses what the next generated token overwrites.
    """

    NEVER, LAYER, END, NEXT = range(4)


class ForwardPlan:
    """One forward over one table as it is before any cut; lanes as in ``SlotTable``.

    ``positions`` [lane, slot]: all tokens that attention sees, held ones first and then the new
    ones, or in slot order when the new token overwrites a slot. ``new`` [row, new]: the positions
    of the new tokens. ``places``: where each token stands, if not at its own position.
    ``padded``: some of ``positions`` is padding. ``check``: look for keys that are not finite.
    ``when``: what the scorer's reading of the layer, after attention, is for. ``demoted`` [lane]:
    slots that turn low for new tokens in full precision; ``low`` [lane, slot]: slots to hold in low
    precision when the forward ends, None for no change.
    """

    def __init__(
        self,
        table: SlotTable,
        new: Ints,
        step: Step | None = None,
        *,
        by: Ints | None = None,
        check: bool = False,
        when: CutTime = CutTime.NEVER,
    ) -> None:
        self.table, self.new, self.step = table, new, step or Step()
        self.positions, self.padded, self.heads = table.positions, table.padded, table.heads
        self.places = None if by is None else table.places(by[table.rows])
        self.check, self.when = check, when
        self.demoted = self.step.slots
        self.low: Bools | None = None
        self.finite: list[Tensor] = []
        self._on_device: dict[Any, Any] = {}

    def by_head(self, array: np.ndarray) -> np.ndarray:
        """Lanes [lane, slot] as [row, kv_head, slot], or [row, 1, slot] when all heads agree."""
        lanes = array.reshape(-1, self.heads, array.shape[1])
        alike = self.heads == 1 or (lanes == lanes[:, :1]).all()
        return lanes[:, :1] if alike else lanes

    def slot_positions(self, device: torch.device) -> Tensor:
        """Positions of the visible tokens [row, kv_head or 1, slot] on a device."""
        return self._tensor("positions", lambda: self.by_head(self.positions), device)

    def asking(self, device: torch.device) -> Tensor:
        """Positions of the new tokens [row, new] on a device."""
        return self._tensor("new", lambda: self.new, device)

    def _tensor(self, name: str, make: Callable[[], np.ndarray], device: torch.device) -> Tensor:
        if (name, device) not in self._on_device:
            array = np.ascontiguousarray(make())
            self._on_device[name, device] = torch.from_numpy(array).to(device)
        return self._on_device[name, device]

    def place_tensors(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """Places of the visible [row, kv_head or 1, slot] and of the new tokens [row, 1, new]."""
        assert self.places is not None
        places = self.places
        visible = self._tensor("places", lambda: self.by_head(places), device)
        return visible, self._tensor("new_places", self.new_places, device)[:, None]

    def new_places(self) -> Ints:
        """Places of the new tokens [row, new]: their position ids, if not their own positions."""
        assert self.places is not None
        if self.step.slots is not None:
            places = self.places[np.arange(len(self.places)), self.step.slots][:, None]
        else:
            places = self.places[:, -self.new.shape[1] :]
        return places[:: self.heads]  # as many tokens are live in every head of a row

    def write(self, buffer: States, new: Tensor) -> None:
        """Overwrite one slot a lane in place; ``new`` [row, kv_head, 1, head_dim]."""
        demoted = self._lanes("demoted", self.demoted, buffer.device)
        write(buffer, self.slot_index(buffer.device), demoted, new)

    def _lanes(self, name: str, lanes: Ints | None, device: torch.device) -> Tensor:
        """Slots [lane, ...] as [row, kv_head or 1, ...] on a device."""
        assert lanes is not None
        shape = -1, self.heads, *lanes.shape[1:]
        return self._tensor(name, lambda: lanes.reshape(shape), device)

    def slot_index(self, device: torch.device) -> Tensor:
        """The slots that are overwritten, [row, kv_head or 1]."""
        return self._lanes("slots", self.step.slots, device)

    def low_slots(self, device: torch.device) -> Tensor | None:
        """The slots to hold in low precision, [row, kv_head or 1, slot]."""
        low = self.low
        return None if low is None else self._tensor("low", lambda: self.by_head(low), device)

    def take(self, states: Any) -> Any:
        """Keep the chosen slots of [row, kv_head or more, slot, ...], a tensor or ``MixedStates``.

        ``index_select`` for one lane (paper, section 3.2), otherwise gather along the sequence.
        """
        index = self._lanes("keep", self.step.keep, states.device)
        if isinstance(states, MixedStates):
            return states.take(index)
        if index.shape[:2] == (1, 1):
            return states.index_select(2, index[0, 0])
        rows, heads, *rest = states.shape
        if self.heads > heads:  # shared by the heads so far
            states = states.expand(rows, self.heads, *rest)
        index = index.view(*index.shape, *[1] * (states.ndim - 3))
        return states.gather(2, index.expand(-1, states.shape[1], -1, *states.shape[3:]))

    def mask(self, num_queries: int, window: int | None, device: torch.device) -> Any:
        """None where nothing has to be hidden, a ``CausalBias`` for a chunk, otherwise a bool mask.

        Bool masks are [row, kv_head or 1, query, slot]. A decode step of an unpadded batch, and a
        prefill of one, need no tensor: the first sees everything, the second is ``is_causal``.
        """
        num_slots = self.positions.shape[1]
        if not self.padded and window is None:
            if num_queries == 1 or num_queries == num_slots:
                return None
            from torch.nn.attention.bias import causal_lower_right  # noqa: PLC0415  (slow)

            return causal_lower_right(num_queries, num_slots)
        key = ("mask", window, device)
        if key not in self._on_device:
            self._on_device[key] = self._bool_mask(num_queries, window, device)
        return self._on_device[key]

    def _bool_mask(self, num_queries: int, window: int | None, device: torch.device) -> Tensor:
        mask = visible(self.slot_positions(device), self.asking(device), window)
        if num_queries > 1:  # a padding query sees itself: an empty row would turn into NaN
            start = self.positions.shape[1] - num_queries
            own = torch.arange(num_queries, device=device)
            mask[:, :, own, start + own] = True
        return mask


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
    rule = flow.precision
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


@dataclass(frozen=True)
class InPlace:
    """``slots`` [row, 1]: where the new tokens go. ``rotation``: of stored keys."""

    slots: Tensor
    rotation: Rotation | None

    def update(
        self, held: tuple[Tensor, Tensor], new: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Write new keys and values [row, kv_head, 1, head_dim]; returns all that is seen."""
        (keys, values), (key, value) = held, new
        if self.rotation is not None:
            key = self.rotation.undo(key)
        write(keys, self.slots, self.slots, key)
        write(values, self.slots, self.slots, value)
        return keys if self.rotation is None else self.rotation.apply(keys), values


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
    ranks = None if rotary is None else rotary.begin(forwards[0], device)
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
    return ranks
