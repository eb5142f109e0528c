"""A transformers cache that holds K tokens per layer and kv head between forwards.

Used as ``model.generate(**inputs, past_key_values=RetentionCache(model, tokenizer, retention))``.
It feeds tokens to the ``RetentionFlow`` and lets its layers carry out what the flow decides. It
knows nothing of detectors, vouchers or utilities.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

from ...config import Retention
from ...errors import CacheStateError, InputError, NumericsError, PositionsError, UnsupportedError
from ...report import Report, build_report
from ...retention import RetentionFlow, Step
from ...types import SourceRange
from ...utility import Ints
from .forward import TableForward
from .layer import RetentionLayer
from .ledger import LedgerRecord, stored_bytes
from .rotary import LlamaRotary
from .session import attach

UNREAD_LIMIT = 512


class RetentionCache(Cache):
    """At most K tokens per managed layer, chosen by ``retention``.

    Args:
        model: a decoder-only transformers model; hooks and an attention function are attached.
        tokenizer: the model's; needed by methods that read text.
        retention: budget, method and the rest; default ``Retention()``.
        sources: who wrote which tokens, one list a row (``ta.encode_chat``).

    Full-attention layers are managed; sliding-window and linear-attention layers stay as they are.

    Raises:
        UnsupportedError: for encoders, models without such a layer, and positions that cannot be
            compacted.
        BudgetError: when the budget cannot hold the mandatory tokens.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any = None,
        retention: Retention | None = None,
        *,
        sources: Sequence[Sequence[SourceRange]] | None = None,
    ) -> None:
        self.retention = retention if retention is not None else Retention()
        self.tokenizer = tokenizer
        self._decoder = weakref.ref(attach(model))
        self._config = model.config.get_text_config(decoder=True)
        compact = self.retention.positions == "compact"
        self.rotary = LlamaRotary(self.decoder) if compact else None
        super().__init__(layers=self._build_layers())
        self._new_flow(rows=1)  # checks method and budgets before any model runs
        self._pending_sources = list(sources) if sources is not None else None
        self._clear()

    def _build_layers(self) -> list[Any]:
        layers: list[Any] = list(DynamicCache(config=self._config).layers)
        if not layers:  # transformers 4.57 builds them lazily for plain models
            layers = [DynamicLayer() for _ in range(self._config.num_hidden_layers)]
        managed = [i for i, layer in enumerate(layers) if type(layer) is DynamicLayer]
        if not managed:
            raise UnsupportedError(
                f"{self._config.model_type} has no full-attention layer: there is nothing to bound"
            )
        for order, index in enumerate(managed):
            layers[index] = RetentionLayer(self, order)
        budget = self.retention.budget
        if isinstance(budget, tuple) and len(budget) != len(managed):
            raise InputError(f"budget has {len(budget)} entries for {len(managed)} managed layers")
        return layers

    def _new_flow(self, rows: int) -> RetentionFlow:
        return RetentionFlow(self.retention, self.tokenizer, rows)

    def _clear(self) -> None:
        self._flow: RetentionFlow | None = None
        self._forwards: dict[int, TableForward] | None = None
        self._unread: list[torch.Tensor] = []
        self._prompt_end = 0
        self._context_open = True
        self._broken = ""
        self.ledger = LedgerRecord()
        self.trace: list[list[tuple[Ints, Ints]]] | None = None

    # what engines and callers ask

    @property
    def decoder(self) -> nn.Module:
        """The decoder that this cache belongs to."""
        decoder = self._decoder()
        if decoder is None:
            raise CacheStateError("the model of this retention cache is gone")
        return decoder

    @property
    def flow(self) -> RetentionFlow:
        """Decisions so far; empty before the first forward."""
        if self._flow is None:
            raise CacheStateError("this retention cache has not seen a token yet")
        return self._flow

    @property
    def managed(self) -> list[RetentionLayer]:
        """Layers that hold at most K tokens."""
        return [layer for layer in self.layers if isinstance(layer, RetentionLayer)]

    @property
    def num_columns(self) -> int:
        """Columns of the batch seen so far, padding and evicted tokens included."""
        return self.managed[0].seen

    def stored_bytes(self) -> int:
        """Bytes behind the keys and values of the managed layers."""
        return stored_bytes(t for layer in self.managed for t in (layer.keys, layer.values))

    def report(self, row: int = 0, *, reveal: bool = False) -> Report:
        """What is kept in ``row`` and why; the text of values only with ``reveal``."""
        self._read_generated()
        return build_report(self.flow, row, reveal=reveal)

    def set_sources(self, sources: Sequence[Sequence[SourceRange]]) -> None:
        """Who wrote which tokens of what follows, one list a row."""
        if self._flow is None:
            self._pending_sources = [*(self._pending_sources or []), *sources]
        else:
            self._flow.set_sources(sources)

    def expect_prompt(self, end: int) -> None:
        """Columns before ``end`` are prompt, however few of them a forward carries."""
        self._prompt_end, self._context_open = end, True

    # one forward: begin -> layers update, attend, settle -> end

    def begin(
        self,
        decoder: nn.Module,
        ids: torch.Tensor | None,
        embeds: torch.Tensor | None,
        mask: torch.Tensor | None,
    ) -> torch.Tensor | None:
        """Read the new tokens and decide; returns position ids when they are ours to give."""
        self._check_usable(decoder)
        new = ids if ids is not None else embeds
        if new is None or new.shape[1] == 0:
            raise InputError("the prompt is empty: give at least one token")
        start, count = self.num_columns, new.shape[1]
        self._start_flow(rows=new.shape[0])
        prompt = count > 1 or start < self._prompt_end or start == 0
        self._check_positions(start + count, count, prompt)
        self._broken = "an earlier forward did not finish"
        if prompt:
            self._read_prompt(ids, mask, new.shape[:2], final=start + count >= self._prompt_end)
        else:
            self._decode_step(ids)
        self._trace()
        return self._position_ids(new.device) if self.rotary is not None else None

    def _check_usable(self, decoder: nn.Module) -> None:
        if self._decoder() is not decoder:
            raise CacheStateError("this retention cache belongs to another model: make a new one")
        if self._broken:
            raise CacheStateError(f"this retention cache cannot go on: {self._broken}")

    def _start_flow(self, rows: int) -> None:
        if self._flow is None:
            self._flow = self._new_flow(rows)
            if self._pending_sources is not None:
                self._flow.set_sources(self._pending_sources)
        elif len(self._flow.sequences) != rows:
            raise CacheStateError(
                f"this retention cache holds {len(self._flow.sequences)} rows, the input has {rows}"
            )

    def _check_positions(self, end: int, count: int, prompt: bool) -> None:
        limit = getattr(self._config, "max_position_embeddings", None)
        if limit is None or not prompt:
            return
        if self.rotary is None and end > limit:
            raise PositionsError(
                f"{end} tokens outgrow the model's {limit} positions: use --positions compact "
                "(Retention(positions='compact')) and a bounded prefill chunk"
            )
        held = self.managed[0].num_slots() + count
        if self.rotary is not None and held > limit:
            raise PositionsError(
                f"{held} live tokens outgrow the model's {limit} positions: "
                "prefill in smaller chunks (ta.prefill, --chunk)"
            )

    def _read_prompt(
        self, ids: torch.Tensor | None, mask: torch.Tensor | None, shape: Any, *, final: bool
    ) -> None:
        if ids is None:
            raise InputError("inputs_embeds carry no token ids: pass input_ids")
        self._read_generated()
        valid = _valid_columns(mask, shape)
        self.flow.read(ids.cpu().numpy(), valid, final=final)
        if final and not self.flow.lengths.all():
            raise InputError("a row of the batch is all padding: every row needs a token")
        evict = self.retention.ledger == "strict" or self._context_open
        if final:
            self._context_open = False
        forwards = {}
        for table in self.flow.tables.values():
            positions = table.positions
            ranks = table.ranks() if self.rotary is not None else None
            step = self.flow.cut(table) if evict else Step()
            new = positions[:, -shape[1] :]
            forwards[id(table)] = forward = TableForward(step, positions, new, ranks)
            forward.check = step.keep is not None or self.retention.debug
        self._forwards = forwards

    def _decode_step(self, ids: torch.Tensor | None) -> None:
        if ids is not None:
            self._unread.append(ids[:, 0])
        steps = self.flow.decode(evict=self.retention.ledger == "strict")
        new = (self.flow.lengths - 1)[:, None]
        forwards = {}
        for table in self.flow.tables.values():
            ranks = table.ranks() if self.rotary is not None else None
            forward = TableForward(steps[id(table)], table.positions, new, ranks)
            forward.check = self.retention.debug
            forwards[id(table)] = forward
        self._forwards = forwards
        if self.retention.detect_in_generated or len(self._unread) >= UNREAD_LIMIT:
            self._read_generated()

    def _read_generated(self) -> None:
        """Bring the ids of generated tokens to the host, where texts keep their offsets."""
        if not self._unread:
            return
        rows = torch.stack(self._unread, 1).tolist()
        self._unread = []
        self.flow.read_generated(rows)

    def _position_ids(self, device: torch.device) -> torch.Tensor:
        forward = self.forward_of(0)
        return torch.from_numpy(forward.new_ranks()).to(device)

    def end(self) -> None:
        """Settle what attention did not reach, keep the ledger, refuse keys that are not finite."""
        forwards, self._forwards = self._forwards, None
        assert forwards is not None
        if any(layer.pending or layer.seen != self.num_columns for layer in self.managed):
            return  # the forward raised: `_broken` stays
        finite = [flag for forward in forwards.values() for flag in forward.finite]
        if finite and not bool(torch.stack([flag.cpu() for flag in finite]).all()):
            self._broken = "its keys are not finite"
            raise NumericsError("the model produced NaN or infinite keys: check weights and dtype")
        within = max(forward.positions.shape[1] for forward in forwards.values())
        self.ledger.note(max(table.width for table in self.flow.tables.values()), within)
        self._broken = ""

    def forward_of(self, managed_index: int) -> TableForward:
        """The running forward's record of a managed layer's table."""
        if self._forwards is None:
            raise CacheStateError(
                "this retention cache is used without its hooks: they were removed, or the model "
                "was copied or compiled after the cache was made; make a new RetentionCache"
            )
        return self._forwards[id(self.flow.table_of(managed_index))]

    def forward_overwrites(self, managed_index: int) -> bool:
        """Whether the running forward writes its token into a slot instead of adding one."""
        return self._forwards is not None and self.forward_of(managed_index).step.slots is not None

    def _trace(self) -> None:
        """Note what each managed layer's queries may see, for references and ``--trace``."""
        if self.trace is not None:
            forwards = [self.forward_of(i) for i in range(len(self.managed))]
            self.trace.append([(f.positions.copy(), f.new.copy()) for f in forwards])

    # rows: beams, batch selection, forks

    def reorder_cache(self, beam_idx: torch.Tensor) -> None:
        """Follow a beam search: row i becomes a copy of row ``beam_idx[i]``."""
        self._take_rows(beam_idx)

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Repeat every row ``repeats`` times."""
        rows = torch.arange(len(self.flow.sequences)).repeat_interleave(repeats)
        self._take_rows(rows)

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep only the rows of ``indices``."""
        self._take_rows(indices)

    def _take_rows(self, rows: torch.Tensor) -> None:
        if self._flow is None:
            return
        self._read_generated()
        for layer in self.layers:
            if isinstance(layer, RetentionLayer):
                layer.select_rows(rows)
            else:
                layer.reorder_cache(rows)
        self._flow.take_rows(rows.cpu().numpy())
        if self.trace is not None:
            index = rows.cpu().numpy()
            self.trace = [[(held[index], new[index]) for held, new in step] for step in self.trace]

    def crop(self, *args: Any, **kwargs: Any) -> None:
        """Refused: what was evicted cannot come back."""
        self.managed[0].crop()

    def reset(self) -> None:
        """Forget every token; the cache can be used for a new sequence."""
        super().reset()
        self._clear()


def _valid_columns(mask: torch.Tensor | None, shape: tuple[int, int]) -> np.ndarray:
    """Which of the new columns hold tokens, [row, new]; the mask covers all columns so far."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    if mask.ndim != 2 or mask.shape[1] < shape[1]:
        raise UnsupportedError(
            f"retention needs a 2D attention mask over the sequence, got shape {tuple(mask.shape)}"
        )
    return mask[:, -shape[1] :].bool().cpu().numpy()
