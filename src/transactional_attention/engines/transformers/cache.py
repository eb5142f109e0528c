"""A transformers cache that holds K tokens per layer and kv head between forwards.

Used as ``model.generate(**inputs, past_key_values=RetentionCache(model, tokenizer, retention))``.
It feeds tokens to the ``RetentionFlow`` and lets its layers carry out what the flow decides. It
knows nothing of detectors, vouchers or utilities.
"""

import copy
import weakref
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from ...config import Memory, Retention, retention_from
from ...errors import UNFINISHED, CacheStateError, NumericsError
from ...inspection.report import Report, build_report
from ...methods.observation import NOTHING, Observation
from ...retention.addresses import addressed
from ...retention.flow import RetentionFlow, Step
from ...retention.saving.flow import detached, export_flow
from ...retention.saving.records import plain_retention
from ...retention.swap import Swap, memory_of
from ...selection.slot_table import PADDING, SlotTable, lanes_of_rows
from ...types import ASKED, Ints, SourceRange
from ...version import __version__
from ..tokenizer_facts import tokenizer_facts
from . import tensor_file
from .active import DrivingCache
from .arguments import cache_argument
from .cache_positions import CachePositions
from .decoder import (
    check_holds_all_heads,
    device_of_ids,
    find_decoder,
    num_processes,
    unwrapped,
    works_ahead,
)
from .fingerprint import model_facts
from .forward import ForwardPlan
from .inputs import (
    check_ids,
    check_observable,
    host_ids,
    place_tokens,
    valid_columns,
)
from .layer import RetentionLayer, build_layers
from .ledger import LedgerRecord
from .observe import Observer
from .planning import cut_together, place, plan_decode, plan_prompt
from .precision import stored_bytes
from .reading import shape_of
from .saving import export_layer
from .segment_rows import SegmentRows
from .tensor_file import Tensors

CacheType = TypeVar("CacheType", bound="RetentionCache")

UNREAD_LIMIT = 512
LATE_TOKENS = 16_384


class RetentionCache(DrivingCache):
    """At most K tokens per managed layer, chosen by ``retention``.

    Args:
        model: a decoder-only transformers model; hooks and an attention function are attached.
        tokenizer: the model's; needed by methods that read text.
        retention: budget, method and the rest, or the budget alone; default ``Retention()``.
        sources: who wrote which tokens, one list a row (``ta.encode_chat``).
        observe: what else to collect, for other methods to which ``compress`` cuts the cache
            later.

    Full-attention layers are managed; sliding-window and linear-attention layers stay as they are.

    Raises:
        UnsupportedError: for encoders, models without such a layer, and positions that cannot be
            changed.
        BudgetError: when the budget cannot hold the mandatory tokens.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        retention: Retention | int | None = None,
        *,
        sources: Sequence[Sequence[SourceRange]] | None = None,
        observe: Observation = NOTHING,
    ) -> None:
        model = unwrapped(model)
        self.observe, self.retention = observe, retention_from(retention)
        self.tokenizer = tokenizer
        self._decoder = weakref.ref(find_decoder(model))
        self.num_processes = num_processes(model)
        self._config = model.config.get_text_config(decoder=True)
        self.positions = CachePositions(self.decoder, self._config, self.retention)
        super().__init__(layers=self._build_layers())
        rows = 1 + max((item.row or 0 for item in self.retention.protected), default=0)
        flow = self.new_flow(rows)  # checks method and budgets before any model runs
        check_observable(model, flow.observes | observe, self.retention.positions)
        self._pending_sources = sources
        self._clear()
        place_tokens(model, self.positions.rotary, mixed=len(self.managed) < len(self.layers))

    def fresh(self, retention: Retention, kind: type[CacheType]) -> CacheType:
        """An empty cache of the same model for another retention, without ``observe``."""
        other = object.__new__(kind)
        vars(other).update(vars(self))
        other.retention, other.observe = retention, NOTHING
        other.positions = self.positions.fresh(retention)
        other.layers = other._build_layers()
        other._clear()
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """Between two forwards: tokenizer and model stay shared."""
        return self.clone()

    def clone(self: CacheType) -> CacheType:
        """Between two forwards: one that is as this is and shares nothing that changes; of one that
        an error broke it has the error alone."""
        other = self.fresh(self.retention, type(self))
        other.observe, other._broken = self.observe, self._broken
        other.prompt_end, other.question_end = self.prompt_end, self.question_end
        other.context_open, other.trace = self.context_open, copy.copy(self.trace)
        if self._flow is None or self._broken:
            return other
        self.read_generated()
        other.hold(self, detached(self._flow))
        for old, new in zip(self.managed, other.managed, strict=True):
            new.measured, new.weighed = old.measured, old.weighed
            new.observer = copy.copy(old.observer)
        other.memory = None if self.memory is None else self.memory.copy()
        other.ledger = copy.copy(self.ledger)
        other.take_rows(torch.arange(len(other.flow.sequences)))  # copies what is known of a row
        return other

    def hold(self, other: "RetentionCache", flow: RetentionFlow) -> None:
        """Hold what another cache of the same model holds, and go on by ``flow``."""
        self.use(flow)
        for index, (old, new) in enumerate(zip(other.layers, self.layers, strict=True)):
            if isinstance(old, RetentionLayer) and isinstance(new, RetentionLayer):
                new.hold(old.keys, old.values, old.seen)
            else:
                self.layers[index] = copy.deepcopy(old)

    def _build_layers(self) -> list[Any]:
        layers, self.managed = build_layers(self._config, self.retention.budget)
        return layers

    def new_flow(self, rows: int) -> RetentionFlow:
        """A flow that has read nothing, for this cache's model and retention."""
        shape = shape_of(self.decoder, self._config, len(self.managed), self.tokenizer)
        return RetentionFlow(self.retention, self.tokenizer, rows, shape)

    def _clear(self) -> None:
        self._flow: RetentionFlow | None = None
        self._tables: list[SlotTable] = []
        self._table_index: list[int] = []
        self._forwards: list[ForwardPlan] | None = None
        self._detect: Callable[[], None] | None = None  # what the running forward leaves to its end
        self._unread: list[Tensor] = []
        self.prompt_end, self.question_end, self.context_open = 0, 0, True
        self._broken, self.ledger = "", LedgerRecord()
        self.trace: list[list[tuple[Ints, Ints]]] | None = None
        memory, turned = self.retention.memory, None if self.positions.rotary else self.decoder
        self.memory = SegmentRows(memory, turned) if isinstance(memory, Memory) else None
        self._open_field: str | None = None  # the label that the newest token opens
        self._again: list[ForwardPlan] | None = None  # what ``feed_again`` is to run
        self._feeding = False  # it runs
        for index in addressed(len(self.managed)) if self.memory is not None else ():
            self.managed[index].asks = True

    @property
    def decoder(self) -> nn.Module:
        """The decoder that this cache belongs to."""
        if (decoder := self._decoder()) is None:
            raise CacheStateError("the model of this retention cache is gone")
        return decoder

    @property
    def flow(self) -> RetentionFlow:
        """Decisions so far; empty before the first forward."""
        if self._flow is None:
            raise CacheStateError("this retention cache has not seen a token yet")
        return self._flow

    @property
    def num_columns(self) -> int:
        """Columns of the batch seen so far, padding and evicted tokens included."""
        return self.managed[0].seen

    def stored_bytes(self) -> int:
        """Bytes behind the keys and values of the managed layers."""
        return stored_bytes(t for layer in self.managed for t in (layer.keys, layer.values))

    def pair_bytes(self) -> int:
        """Bytes of the pairs that are held, were all in full precision and none padding."""
        total = 0
        for layer in self.managed:
            if layer.table is not None:
                live = int((layer.table.positions != PADDING).sum())
                total += live * layer.token_bytes() // layer.table.heads
        return total

    def report(self, row: int = 0, *, reveal: bool = False) -> Report:
        """What is kept in ``row`` and why; the text of values only with ``reveal``."""
        self.read_generated()
        return build_report(self.flow, row, reveal=reveal)

    def set_sources(self, sources: Sequence[Sequence[SourceRange]]) -> None:
        """Who wrote which tokens of what follows, one list a row."""
        if self._flow is None:
            self._pending_sources = sources
        else:
            self._flow.set_sources(sources)

    def expect_prompt(self, end: int, question_end: int | None = None) -> None:
        """Columns before ``end`` are prompt, however few of them a forward carries. The forward
        that reads up to ``question_end``, by default all but the last, asks (memory)."""
        self.prompt_end, self.context_open = end, True
        self.question_end = end - 1 if question_end is None else question_end

    # one forward: begin -> layers update, attend, settle -> end

    def begin(
        self,
        decoder: nn.Module,
        ids: Tensor | None,
        mask: Tensor | None,
        positions: Tensor | None = None,
    ) -> Tensor | None:
        """Read the new tokens and decide; returns position ids when they are ours to give."""
        if not self._feeding:
            self.check_usable(decoder)
        self._open_field = None
        ids = check_ids(ids)
        start, (rows, count) = self.managed[0].seen, ids.shape
        if self.positions.switch is not None:
            self.positions.follow(start, count, positions)
        flow = self._flow
        if flow is None or len(flow.sequences) != rows:
            flow = self._start_flow(rows)
        if self._feeding:
            self._forwards, self._again = self._again, None
        elif count > 1 or start < self.prompt_end or start == 0:
            self._read_prompt(ids, mask, final=start + count >= self.prompt_end)
        else:
            self._decode_step(flow, ids)
        assert self._forwards is not None
        forwards = [self._forwards[index] for index in self._table_index]  # one a layer
        if self.trace is not None:
            self.trace.append([(f.positions.copy(), f.new.copy()) for f in forwards])
        return place(self.managed, forwards, self.positions.rotary, ids.device)

    def feed(self, ids: Tensor, positions: Tensor, mask: Tensor | None = None) -> Any:
        """Run the decoder on new tokens [row, new], and give its output; ``mask`` [row, column]
        covers all so far."""
        device = device_of_ids(self.decoder)
        return self.decoder(
            input_ids=ids.to(device),
            attention_mask=None if mask is None else mask.to(device),
            position_ids=positions.to(device),
            **cache_argument(self),
            use_cache=True,
        )

    def feed_again(self, ids: Ints) -> Tensor:
        """Run the decoder on the newest tokens once more, which ``reads_again`` let go; their
        states [1, token, width]. Until it is through, the cache serves no other forward."""
        end = int(self.flow.lengths[0])
        positions = torch.arange(end - len(ids), end)[None]
        self._feeding = True
        try:
            return self.feed(torch.from_numpy(ids)[None], positions).last_hidden_state
        finally:
            self._feeding = False

    def check_usable(self, decoder: nn.Module) -> None:
        """Raise CacheStateError when it belongs to another model, or an error broke it."""
        if self._decoder() is not decoder:
            raise CacheStateError("this retention cache belongs to another model: make a new one")
        if self._broken:
            raise CacheStateError(f"this retention cache cannot go on: {self._broken}")

    def _start_flow(self, rows: int) -> RetentionFlow:
        """The flow of a first forward. Raises CacheStateError when there is one for other rows."""
        if self._flow is not None:
            raise CacheStateError(
                f"this retention cache holds {len(self._flow.sequences)} rows, the input has {rows}"
            )
        flow = self.new_flow(rows)
        if self._pending_sources is not None:
            flow.set_sources(self._pending_sources)
            self._pending_sources = None
        self.use(flow)
        return flow

    def use(self, flow: RetentionFlow) -> None:
        """Let a flow decide; its tables must fit what the layers hold."""
        self._flow, self._tables = flow, list(flow.tables.values())
        wanted = (
            self.observe if (observation := flow.observes).passes else observation | self.observe
        )
        observed, rotary = bool(wanted), self.positions.rotary
        tables = flow.layer_tables(len(self.managed))
        self._table_index = [self._tables.index(table) for table in tables]
        for layer, table in zip(self.managed, tables, strict=True):
            layer.table, layer.flow, layer.rotary = table, flow, rotary
            layer.observer = Observer(wanted, rotary, self.decoder) if observed else None

    def _read_prompt(self, ids: Tensor, mask: Tensor | None, *, final: bool) -> None:
        start = self.num_columns
        count, tokens = ids.shape[1], host_ids(ids, self._config)
        valid = valid_columns(mask, count, self.flow.lengths, final=final)
        lengths = self.flow.lengths + valid.sum(1)
        self.positions.check(self.flow, lengths, count, self.managed[0].num_slots)
        self._broken = UNFINISHED
        self.read_generated()
        if late := self._reads_late(ids):
            self.flow.append(tokens, valid)
            self._detect = partial(self.flow.detect, tokens, valid, final=final)
        else:
            asks = start + count >= self.question_end
            self._exchange(self.flow.read(tokens, valid, final=final, asks=asks))
        evict = self.retention.ledger == "strict" or self.context_open
        if final:
            self.context_open = False
        by = self.positions.lowered_by(self.flow.lengths)
        self._forwards = plan_prompt(self.flow, count, by, evict=evict, late=late)

    def _reads_late(self, ids: Tensor) -> bool:
        """Whether the text is read while the device computes, and layers are cut after the last.

        Until then all layers hold all new tokens, which many would make dear."""
        watched = any(layer.observer is not None for layer in self.managed)
        few = works_ahead(self.decoder) and ids.numel() <= LATE_TOKENS
        return few and not watched and self.flow.reads_late

    def _exchange(self, moved: Swap | None) -> None:
        """Before a forward: rows leave for the host, and others come back."""
        if moved is not None:
            assert self.memory is not None
            self.memory.exchange(self.flow, self.managed, moved)

    def reads_again(self) -> Ints | None:
        """After the forward of a generated token, with a memory: where it opens a field, what the
        model looks for comes back; the ids that ``feed_again`` is then to run, or None."""
        field, self._open_field = self._open_field, None
        if field is None or self.memory is None or len(self.managed) < len(self.layers):
            return None
        flow = self.flow
        wanted = memory_of(flow.sequences[0]).by_field(field, self.memory.scores(0, self.managed))
        if not flow.lacks(0, wanted):
            return None
        tail = flow.tail()
        self._broken = UNFINISHED
        self._cut(partial(flow.without_tail, tail))
        self._exchange(flow.bring([wanted], ASKED, tail))
        flow.append_again(tail)
        table, by = flow.table, self.positions.lowered_by(flow.lengths)
        self._again = [ForwardPlan(table, table.positions[:, -tail:], by=by)]
        for layer in self.managed:
            layer.seen -= tail
        return flow.sequences[0].ids.array[-tail:].astype(np.int64)

    def _decode_step(self, flow: RetentionFlow, ids: Tensor) -> None:
        lengths, positions = flow.lengths + 1, self.positions
        positions.check(flow, lengths, 1, self.managed[0].num_slots)
        self._broken = UNFINISHED
        self._unread.append(ids[:, 0])
        if flow.reads_steps:
            for layer in self.managed:
                layer.hand_over()
        if self.memory is not None:  # the text is read at every step: it may open a field
            self.read_generated()
            self._open_field = flow.open_field()
        evict = self.retention.ledger == "strict"
        by = None if positions.rotary is None else positions.lowered_by(lengths)
        self._forwards = plan_decode(flow, by, evict=evict)
        if self.memory is not None:  # before its slot is overwritten
            (forward,) = self._forwards
            self.memory.take(flow, self.managed, forward.step.leaving)
            forward.step = replace(forward.step, leaving=())
        if self.retention.detect_in_generated or len(self._unread) >= UNREAD_LIMIT:
            self.read_generated()

    def read_generated(self) -> None:
        """Tell the rows' texts which tokens were generated since the last call. Until then their
        ids stay on the device, so that decoding need not wait for them."""
        if not self._unread:
            return
        rows, self._unread = torch.stack(self._unread, 1).tolist(), []
        self.flow.read_generated(rows)

    def end(self, *, finished: bool) -> None:
        """Keep the ledger, refuse keys that are not finite; a forward that raised stays broken."""
        assert self._forwards is not None and self._flow is not None
        forwards, seen = self._forwards, self.managed[0].seen
        if finished and self._detect is not None:
            self._detect()
        self._detect = None
        skipped = any(layer.pending or layer.seen != seen for layer in self.managed)
        if finished and not skipped:
            cut_together(self._flow, forwards, self.managed)
            if self.memory is not None:
                self.store_left(forwards)
        self._forwards = None
        for layer in self.managed:
            layer.plan = None
        if skipped or not finished:
            return
        flags = [flag for forward in forwards for flag in forward.finite]
        if flags and not bool(torch.stack([flag.to(flags[0].device) for flag in flags]).all()):
            self._broken = "its keys are not finite"
            raise NumericsError("the model produced NaN or infinite keys: check weights and dtype")
        within = max(forward.positions.shape[1] for forward in forwards)
        self.ledger.note([self._tables[index] for index in self._table_index], within)
        self._broken = ""

    def store_left(self, forwards: Sequence[ForwardPlan]) -> None:
        """Take what layers copied into the memory, which there is."""
        assert self.memory is not None
        (forward,) = forwards
        self.memory.collect(self.flow, self.managed, forward.step.leaving)

    def hand_out(self, forwards: list[ForwardPlan] | None) -> None:
        """Tell every layer what is done with its table where the decoder does not run, or that it
        is done."""
        self._forwards = forwards
        for layer, index in zip(self.managed, self._table_index, strict=True):
            layer.plan = None if forwards is None else forwards[index]

    def exported(self) -> tuple[Tensors, dict[str, Any]]:
        """All that ``save`` writes: tensors, and a record. Raises CacheStateError and
        UnsupportedError as ``save``."""
        check_holds_all_heads(self.num_processes)
        self.check_usable(self.decoder)
        flow = self.flow
        self.read_generated()
        state, arrays = export_flow(flow)
        tensors = {f"flow.{name}": torch.from_numpy(array) for name, array in arrays.items()}
        if self.memory is not None:
            tensors |= {f"memory.{name}": part for name, part in self.memory.exported().items()}
        layers = []
        for index, layer in enumerate(self.layers):
            held, about = export_layer(layer)
            tensors |= {f"layers.{index}.{name}": tensor for name, tensor in held.items()}
            layers.append(about)
        record = {
            "package": __version__,
            "model": model_facts(self.decoder),
            "tokenizer": tokenizer_facts(self.tokenizer),
            "retention": plain_retention(self.retention),
            "observe": asdict(self.observe),
            "rows": len(flow.sequences),
            "columns": self.num_columns,
            "long_factors": self.positions.long_factors,
            "prompt_end": self.prompt_end,
            "context_open": self.context_open,
            "ledger": asdict(self.ledger),
            "flow": state,
            "layers": layers,
        }
        return tensors, record

    def save(self, path: str | Path) -> None:
        """Write all that is held and decided to one safetensors file, for ``load_cache``.

        A file that is there stays until the new one is complete; its mode is 0600. ``trace`` is not
        saved. Raises CacheStateError before the first token, or when an error broke the cache;
        UnsupportedError with layers other than full attention and sliding windows, under tensor
        parallel, and with offloaded weights; InputError when the file cannot be written.
        """
        tensor_file.write(Path(path), *self.exported())

    def evict(self, plan: Callable[[SlotTable], Step]) -> None:
        """Between two forwards: let ``plan`` change every table, and cut its layers as it says.

        When that fails half way, the cache cannot go on.
        """
        self._broken = UNFINISHED
        self._cut(plan)
        self._broken = ""

    def _cut(self, plan: Callable[[SlotTable], Step]) -> None:
        for layer in self.managed:
            layer.hand_over()
        self.hand_out(
            [
                ForwardPlan(table, table.positions[:: table.heads, :0], plan(table))
                for table in self._tables
            ]
        )
        for layer in self.managed:
            layer.cut()
        self.hand_out(None)

    def reset(self) -> None:
        """Forget every token; the cache can be used for a new sequence."""
        super().reset()
        self._clear()

    # rows of a batch: all that is held of a row goes together

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Repeat every row ``repeats`` times."""
        if self._flow is not None:
            self.take_rows(torch.arange(len(self._flow.sequences)).repeat_interleave(repeats))

    def take_rows(self, rows: Tensor) -> None:
        """Reorder, repeat or drop rows; a cache that saw no token has none."""
        if self._flow is None:
            return
        self.read_generated()
        for layer in self.layers:
            if isinstance(layer, RetentionLayer):
                layer.select_rows(rows)
            else:
                layer.reorder_cache(rows)  # type: ignore[arg-type]
        index = rows.cpu().numpy()
        self._flow.take_rows(index)
        if self.memory is not None:
            self.memory.take_rows(index)
        if self.trace is not None:
            self.trace = [
                [
                    (held[lanes_of_rows(index, len(held) // len(new))], new[index])
                    for held, new in step
                ]
                for step in self.trace
            ]

    reorder_cache = batch_select_indices = take_rows  # type: ignore[assignment]

    def crop(self, *args: Any, **kwargs: Any) -> None:
        """Refused: what was evicted cannot come back."""
        self.managed[0].crop()

    activate_past_recording = crop  # asked for before tokens that may be rolled back
