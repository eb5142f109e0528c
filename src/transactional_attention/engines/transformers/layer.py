"""One layer of a retention cache: the keys and values of at most K tokens, and nothing else.

What is kept is decided elsewhere; a layer writes, hands out and cuts tensors. Unless positions are
``original``, keys are stored without rotation and rotated to their places when read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import transformers
from torch import Tensor, nn
from transformers.cache_utils import CacheLayerMixin, DynamicCache, DynamicLayer

from ...errors import CacheStateError, InputError, UnsupportedError
from ..layers import Layers
from .active import active
from .arguments import versions
from .forward import CutTime
from .precision import States, append, lower, read, write

if TYPE_CHECKING:
    from ...config import Format
    from ...methods.observation import AttentionRule
    from ...retention.flow import RetentionFlow
    from ...retention.swap import TokenMove
    from ...selection.slot_table import SlotTable
    from .forward import ForwardPlan
    from .observe import Observer
    from .rotary import Rotary, Rotation


# Layers of a state instead of keys: older transformers gave them caches of each model's own.
WITHOUT_KEYS = frozenset({"conv", "linear_attention", "mamba"})


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


class RetentionLayer(CacheLayerMixin):
    """Keys and values [batch, kv_head, slot, head_dim] of one layer.

    ``seen`` counts columns of the sequence, padding included: it drives positions and masks of
    transformers. Slots follow the layer's ``SlotTable``. From its cache it has ``flow``, which
    decides, and ``rotary``, which turns keys; for a forward ``plan``, and ``in_place``, where all
    that is done is to overwrite a slot a row.
    """

    is_sliding = False
    is_compileable = False
    is_croppable = False
    supports_early_init = False
    keys: States | None  # type: ignore[assignment]
    values: States | None  # type: ignore[assignment]
    flow: RetentionFlow
    rotary: Rotary | None
    plan: ForwardPlan | None
    in_place: InPlace | None
    table: SlotTable | None
    observer: Observer | None
    measured: Tensor | None
    weighed: Tensor | None
    left: dict[int, tuple[Tensor, Tensor]]
    query: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.asks, self.scale = False, 0.0
        self.reset()

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor | None = None) -> None:
        """Take dtype and device from the first keys (transformers 4.57 passes keys only)."""
        values = key_states if value_states is None else value_states
        self.dtype, self.device = key_states.dtype, key_states.device
        self.keys, self.values = key_states[..., :0, :], values[..., :0, :]
        self.is_initialized = True

    def hold(self, keys: States | None, values: States | None, seen: int) -> None:
        """Hold keys and values of another layer, or of a file, after ``seen`` columns."""
        assert keys is not None and values is not None
        self.lazy_initialization(read(keys), read(values))
        self.keys, self.values, self.seen = keys, values, seen

    def states(self) -> tuple[Tensor, Tensor]:
        """All keys and values that are held, in the dtype of the model."""
        if self.keys is None or self.values is None:
            raise CacheStateError("a cache that has seen no token cannot be compressed")
        return read(self.keys), read(self.values)

    @property
    def forward(self) -> ForwardPlan:
        """What the running forward does with this layer's table."""
        if self.plan is None:
            raise CacheStateError(
                "this retention cache is used without its hooks: they were removed, or the model "
                f"was copied or compiled after the cache was made; make a new RetentionCache "
                f"({versions()})"
            )
        return self.plan

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Add new tokens and return all that this forward may see, new ones included."""
        if self.in_place is not None:
            held: Any = (self.keys, self.values)
            seen = self.in_place.update(held, (key_states, value_states))
        else:
            seen = self._add(key_states, value_states)
        self.seen += key_states.shape[-2]
        self.pending = True
        return seen

    def _add(self, key_states: Tensor, value_states: Tensor) -> tuple[Tensor, Tensor]:
        forward, rotary = self.forward, self.rotary
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        assert self.keys is not None and self.values is not None
        if forward.check:  # noted without waiting for the device
            forward.finite.append(torch.isfinite(key_states).all())
        stored = key_states if rotary is None else rotary.undo(key_states, forward)
        if forward.step.slots is not None:
            forward.write(self.keys, stored)
            forward.write(self.values, value_states)
        else:
            self.keys, self.values = append(self.keys, stored), append(self.values, value_states)
        keys, values = self.states()
        return keys if rotary is None else rotary.apply(keys, forward), values

    def settle(self, query: Tensor, key: Tensor, value: Tensor, rule: AttentionRule) -> None:
        """Evict what this forward gave up; called right after the layer's attention.

        Query, key and value are what attention saw; only scorers that read layers look at them.
        """
        in_place, self.in_place, self.pending = self.in_place, None, False
        if self.asks:
            self._keep_query(query, rule)
        if in_place is None:
            self._observe_and_cut(query, key, value, rule)

    def _keep_query(self, query: Tensor, rule: AttentionRule) -> None:
        newest, rotary = query[:, :, -1:].detach(), self.rotary
        self.query = newest.clone() if rotary is None else rotary.undo(newest, self.forward)
        self.scale = rule.scale

    # Apart from ``settle``: graphs stay out of here (``hooks.py``), and the wrapper for that costs
    # time and would break the graph of a step in place, which has nothing to do here.
    def _observe_and_cut(
        self, query: Tensor, key: Tensor, value: Tensor, rule: AttentionRule
    ) -> None:
        if self.observer is not None:
            self.observer.update(query, key, rule, self.forward)
            self._measure(key, value)
        self.cut()

    def _measure(
        self, keys: Tensor, values: Tensor, measured: Tensor | None = None
    ) -> Tensor | None:
        """Let the scorer read the layer, and cut by it when the step waits for that.

        Returns what it measured, or ``measured`` before.
        """
        forward, observer = self.forward, self.observer
        if forward.when is CutTime.NEVER or self.flow.observes.passes:
            return measured
        if forward.heads not in (1, keys.shape[1]):
            raise UnsupportedError(
                f"a layer has {keys.shape[1]} kv heads where the configuration says {forward.heads}"
            )
        assert observer is not None
        with torch.no_grad():
            seen, rule = observer.seen(keys, values, forward), self.flow.precision
            self.measured = measured = (
                self.flow.scorer.measure(seen) if measured is None else measured
            )
            if rule is not None and forward.when is not CutTime.NEXT:
                self.weighed = rule.weigh(seen)
        if forward.when is CutTime.LAYER:
            self.hand_over()
            forward.step = self.flow.cut(forward.table)
        return measured

    def hand_over(self) -> None:
        """Give the table what was measured; this waits for the device."""
        if self.measured is not None and self.table is not None:
            lanes = self.measured.flatten(0, 1)
            self.table.observed = lanes.to("cpu", torch.float64, copy=True).numpy()
            self.measured = None

    def cut(self) -> None:
        """Keep the slots that the step names; what leaves for the host is copied before."""
        forward = self.forward
        if forward.step.leaving:
            self.left = self.rows_of(forward.step.leaving)
        if forward.step.keep is not None:
            assert self.keys is not None and self.values is not None
            self.keys, self.values = forward.take(self.keys), forward.take(self.values)
            if self.observer is not None:
                self.observer.take(forward)

    def rows_of(self, moved: Sequence[TokenMove]) -> dict[int, tuple[Tensor, Tensor]]:
        """Copies on the host of keys and values [kv_head, token, head_dim] of what leaves, by row
        of the batch: its segments one after the other."""
        (keys, values), copies = self.states(), {}
        for row in {item.row for item in moved}:
            slots = np.concatenate([item.slots for item in moved if item.row == row])
            index = torch.from_numpy(slots).to(keys.device)
            copies[row] = keys[row][:, index].cpu(), values[row][:, index].cpu()
        return copies

    def grow(self, count: int) -> None:
        """Add empty slots, which are written before they are read, or are padding."""
        if count and isinstance(self.keys, Tensor) and isinstance(self.values, Tensor):
            empty = [
                states.new_zeros(*states.shape[:2], count, states.shape[3])
                for states in (self.keys, self.values)
            ]
            self.keys, self.values = (append(a, b) for a, b in zip((self.keys, self.values), empty))

    def put(self, row: int, slots: Tensor, key: Tensor, value: Tensor) -> None:
        """Write keys and values [kv_head, token, head_dim] of tokens that come back into slots."""
        for name, new in (("keys", key), ("values", value)):
            states = getattr(self, name).clone()  # a copy of the cache may share it
            new_states = new.to(states.device, states.dtype)
            states[row].index_copy_(1, slots.to(states.device), new_states)
            setattr(self, name, states)

    def lower(self, form: Format) -> None:
        """Hold in low precision the slots that the forward names."""
        if self.keys is None or self.values is None:
            return
        slots = self.forward.low_slots(self.keys.device)
        if slots is not None:
            self.keys, self.values = lower(self.keys, slots, form), lower(self.values, slots, form)

    def adopt(self, other: RetentionLayer, measured: Tensor | None = None) -> Tensor | None:
        """Take another layer's tokens over, let the scorer read them, and cut.

        Returns what the scorer measured of them; ``measured``: that of an earlier call.
        """
        keys, values = other.states()
        self.hold(keys, values, other.seen)
        if self.observer is not None:
            self.observer.adopt(other.observer)
            seen = keys if self.rotary is None else self.rotary.apply(keys, self.forward)
            measured = self._measure(seen, values, measured)
        self.cut()
        return measured

    def mask(self, num_queries: int, window: int | None) -> Tensor | None:
        """What attention must hide in this forward (see ``ForwardPlan.mask``): nothing where a
        slot is overwritten, but for a window."""
        assert self.keys is not None
        return self.forward.mask(num_queries, window, self.keys.device)

    def token_bytes(self) -> int:
        """Bytes of a token's key and value in all heads, in full precision; 0 before the first."""
        if self.keys is None or self.values is None:
            return 0
        width = self.keys.shape[3] + self.values.shape[3]
        return self.keys.shape[1] * width * self.dtype.itemsize

    def num_slots(self) -> int:
        """Slots held between forwards."""
        return 0 if self.keys is None else self.keys.shape[-2]

    def get_seq_length(self, *args: Any) -> int:
        """Columns seen, evicted ones included: positions go on counting."""
        return self.seen

    def get_mask_sizes(self, query_length: int | Tensor) -> tuple[int, int]:
        """(columns that attention sees, the column at which they start); must stay pure."""
        queries = query_length if isinstance(query_length, int) else query_length.shape[0]
        overwrites = self.in_place or (self.plan is not None and self.plan.step.slots is not None)
        held = 0 if self.keys is None else self.keys.shape[-2]
        visible = held + (0 if overwrites else queries)
        return visible, self.seen + queries - visible

    def get_max_cache_shape(self) -> int:
        """No static shape; transformers from 5.17 asks by the other name."""
        return -1

    get_max_length = get_max_cache_shape

    def reset(self) -> None:
        """Forget everything."""
        self.keys = self.values = None
        self.is_initialized, self.seen, self.pending = False, 0, False
        self.table = self.observer = self.measured = self.weighed = self.in_place = None
        self.plan = None
        self.query = None
        self.left = {}

    def crop(self, *args: Any) -> None:
        """Refused: what was evicted cannot come back."""
        raise UnsupportedError(
            "a retention cache cannot be rolled back, as assisted and prompt-lookup decoding do"
        )

    def select_rows(self, rows: Tensor) -> None:
        """Reorder, repeat or drop batch rows; the slot tables follow in the cache."""
        if self.keys is not None and self.values is not None:
            rows = rows.to(self.keys.device)
            self.keys = self.keys.index_select(0, rows)
            self.values = self.values.index_select(0, rows)
        if self.measured is not None:
            self.measured = self.measured.index_select(0, rows.to(self.measured.device))
        if self.observer is not None:
            self.observer.select_rows(rows)


def build_layers(
    config: Any, budget: int | tuple[int, ...] | None
) -> tuple[list[Any], list[RetentionLayer]]:
    """The layers of a cache, full-attention ones managed, and the managed ones alone. Raises
    UnsupportedError when there is no full-attention layer, or when this transformers keeps layers
    without keys elsewhere; InputError when per-layer budgets do not match the managed layers."""
    layers: list[Any] = list(DynamicCache(config=config).layers)
    if not layers:  # transformers 4.57 builds them lazily for plain models
        layers = [DynamicLayer() for _ in range(config.num_hidden_layers)]
    indices = [i for i, layer in enumerate(layers) if type(layer) is DynamicLayer]
    kinds = getattr(config, "layer_types", None) or []
    if other := WITHOUT_KEYS.intersection(kinds[i] for i in indices if i < len(kinds)):
        raise UnsupportedError(
            f"{config.model_type} has layers of kind {', '.join(sorted(other))}, which caches of "
            f"transformers {transformers.__version__} do not hold: take a newer transformers"
        )
    if not indices:
        raise UnsupportedError(
            f"{config.model_type} has no full-attention layer: there is nothing to bound"
        )
    if isinstance(budget, tuple) and len(budget) != len(indices):
        raise InputError(f"budget has {len(budget)} entries for {len(indices)} managed layers")
    managed = [RetentionLayer() for _ in indices]
    for layer, index in zip(managed, indices, strict=True):
        layers[index] = layer
    return layers, managed


def counted(layers: Sequence[Any]) -> Layers:
    """What ``build_layers`` made of a cache's layers."""
    others = [layer for layer in layers if not isinstance(layer, RetentionLayer)]
    sliding = sum(bool(layer.is_sliding) for layer in others)
    managed = len(layers) - len(others)
    return Layers(managed, sliding, len(others) - sliding, len(layers))


def managed_layer(module: nn.Module) -> RetentionLayer | None:
    """The layer of the active retention cache that an attention module works on, if it is one."""
    cache, index = active(), getattr(module, "layer_idx", None)
    if cache is None or index is None or index >= len(cache.layers):
        return None
    layer = cache.layers[index]
    return layer if isinstance(layer, RetentionLayer) else None
