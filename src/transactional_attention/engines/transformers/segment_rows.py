"""Segments that left a cache: their rows of every managed layer, on the host, and their addresses.

Addresses are mean keys (``retention.addresses``). Which segments leave and come back, the flow says
(``retention.swap``).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from ...config import Memory
from ...retention.addresses import Addresses, LayerQuery, addressed, shares
from ...retention.flow import RetentionFlow
from ...retention.saving.records import check, part_of
from ...retention.swap import Swap, TokenMove, by_segment, memory_of
from ...types import Floats, Ints
from ..cache_file import under
from .layer import RetentionLayer
from .rows import PairFormat
from .tensor_file import Tensors

ADDRESSES = "addresses"


@dataclass(frozen=True, eq=False)
class Block:
    """Tokens that left at once: ``positions`` [token], in order, and what is held of them, each
    [layer, kv_head, token, ...]: ``keys.0``, ``values.0``, and where these are bits their scales,
    ``keys.1`` and ``values.1``."""

    positions: Ints
    rows: Tensors

    @property
    def num_bytes(self) -> int:
        """Of the tensors."""
        return sum(part.nbytes for part in self.rows.values())

    def of(self, positions: Ints) -> Block:
        """Some of its tokens, in an order of their own."""
        columns = torch.from_numpy(np.searchsorted(self.positions, positions))
        return Block(positions, {name: part[:, :, columns] for name, part in self.rows.items()})


class SegmentRows:
    """Rows and addresses by row of the batch and the first token of a segment.

    ``decoder``: what turned the keys of the layers; None where they are held without rotation.
    """

    def __init__(self, given: Memory, decoder: nn.Module | None) -> None:
        self.given, self.format = given, PairFormat(given.storage, decoder)
        self._blocks: list[dict[int, Block]] = []
        self._addresses: list[Addresses] = []  # [layer, kv_head, head_dim]

    def copy(self) -> SegmentRows:
        """An independent one; tensors are never written to."""
        other = copy.copy(self)
        other.format = copy.copy(self.format)
        other._blocks = [dict(entry) for entry in self._blocks]
        other._addresses = [entry.copy() for entry in self._addresses]
        return other

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows of the batch."""
        if self._blocks:
            self._blocks = [dict(self._blocks[row]) for row in rows.tolist()]
            self._addresses = [self._addresses[row].copy() for row in rows.tolist()]

    @property
    def num_bytes(self) -> int:
        """Bytes of all rows."""
        return sum(block.num_bytes for blocks in self._blocks for block in blocks.values())

    def exported(self) -> Tensors:
        """By row of the batch and part the rows of all segments that wait, in order, [layer,
        kv_head, token, ...], and their addresses [segment, layer, kv_head, head_dim]."""
        tensors = self.format.exported()
        for row, (blocks, addresses) in enumerate(zip(self._blocks, self._addresses, strict=True)):
            if starts := sorted(blocks):
                positions = np.concatenate([blocks[start].positions for start in starts])
                parts = self._gathered(row, positions).rows
                parts = {**parts, ADDRESSES: torch.from_numpy(addresses.means.copy())}
                tensors |= {f"{row}.{name}": part for name, part in parts.items()}
        return tensors

    def resume(
        self, flow: RetentionFlow, tensors: Tensors, layers: Sequence[RetentionLayer]
    ) -> None:
        """Take in what ``exported`` gave of these layers; ``flow`` knows the segments. Raises
        ValueError where they are others, or held in another way."""
        self.format.resume(tensors, layers)
        keys, _ = layers[0].states()
        shape = (len(addressed(len(layers))), keys.shape[1], keys.shape[3])
        for row in range(len(flow.sequences)):
            state, parts = memory_of(flow.sequences[row]), under(f"{row}.", tensors)
            spans = [state.segments[number].tokens for number in state.waiting()]
            self._blocks.append({})
            self._addresses.append(Addresses())
            check(bool(parts) == bool(spans), f"memory.{row}")
            if not spans:
                continue
            means = part_of(parts, ADDRESSES, (len(spans), *shape), torch.float32)
            check(means.isfinite().all(), ADDRESSES)
            rows = {name: part for name, part in parts.items() if name != ADDRESSES}
            sizes = [len(span) for span in spans]
            check(self.format.check(rows, layers) == sum(sizes), f"memory.{row}")
            split = {name: part.split(sizes, 2) for name, part in rows.items()}
            for number, span in enumerate(spans):
                segment_rows = {name: part[number].clone() for name, part in split.items()}
                self._blocks[row][span.start] = Block(np.arange(span.start, span.end), segment_rows)
                self._addresses[row].add(span.start, means[number].numpy())
            state.num_bytes = sum(block.num_bytes for block in self._blocks[row].values())

    def exchange(self, flow: RetentionFlow, layers: Sequence[RetentionLayer], moved: Swap) -> None:
        """Between two forwards: take in what leaves, and put back what returns."""
        back = [self._gathered(item.row, item.positions) for item in moved.returning]
        self.take(flow, layers, moved.leaving)
        for layer in layers:
            layer.grow(moved.grown)
        for item, block in zip(moved.returning, back, strict=True):
            slots = torch.from_numpy(item.slots)
            keys, values = self.format.read(block.rows, block.positions)
            for layer, key, value in zip(layers, keys, values, strict=True):
                layer.put(item.row, slots, key, value)

    def take(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], leaving: Sequence[TokenMove]
    ) -> None:
        """Between two forwards: copy what leaves."""
        if leaving:
            self._store(flow, leaving, [layer.rows_of(leaving) for layer in layers])

    def collect(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], leaving: Sequence[TokenMove]
    ) -> None:
        """At the end of a forward: take in what its layers have copied."""
        if leaving:
            self._store(flow, leaving, [layer.left for layer in layers])
        for layer in layers:
            layer.left = {}

    def _store(
        self,
        flow: RetentionFlow,
        leaving: Sequence[TokenMove],
        copies: Sequence[Mapping[int, tuple[Tensor, Tensor]]],
    ) -> None:
        """Take in segments; ``copies`` [layer]: as ``RetentionLayer.rows_of`` gives them."""
        while len(self._blocks) < len(flow.sequences):
            self._blocks.append({})
            self._addresses.append(Addresses())
        for row in range(len(flow.sequences)):
            mine = [item for item in leaving if item.row == row]
            if not mine:
                continue
            keys, values = (
                torch.stack(part) for part in zip(*(section[row] for section in copies))
            )
            chosen = keys[addressed(len(keys))].float()
            at = 0
            for item in mine:
                section = slice(at, at := at + len(item.positions))
                rows = self.format.held(keys[:, :, section], values[:, :, section], item.positions)
                block = Block(item.positions, rows)
                start = int(item.positions[0])
                self._blocks[row][start] = block
                self._addresses[row].add(start, chosen[:, :, section].mean(2).cpu().numpy())
                memory_of(flow.sequences[row]).num_bytes += block.num_bytes
            memory_of(flow.sequences[row]).keep_within(self.given.limit, partial(self._drop, row))

    def _drop(self, row: int, start: int) -> int:
        self._addresses[row].drop(start)
        return self._blocks[row].pop(start).num_bytes

    def _gathered(self, row: int, positions: Ints) -> Block:
        """The rows of some tokens, in their order."""
        blocks = self._blocks[row]
        segment_blocks = [
            block
            if len(segment_positions) == len((block := blocks[start]).positions)
            else block.of(segment_positions)
            for start, segment_positions in by_segment(blocks, positions)
        ]
        rows: Tensors = {
            name: torch.cat([block.rows[name] for block in segment_blocks], 2)
            for name in segment_blocks[0].rows
        }
        return Block(positions, rows)

    def scores(self, row: int, layers: Sequence[RetentionLayer]) -> Floats:
        """What the newest token looks at, of segments that wait, in order: as ``shares``."""
        addresses = self._addresses[row] if row < len(self._addresses) else Addresses()
        if not addresses.starts:
            return np.zeros(0)
        looks = []
        for place, index in enumerate(addressed(len(layers))):
            layer = layers[index]
            if layer.query is not None and layer.keys is not None:
                query = layer.query[row, :, -1].float().cpu() * layer.scale
                keys = layer.states()[0][row].float().cpu()
                looks.append(LayerQuery(query.numpy(), keys.numpy(), addresses.of_layer(place)))
        sizes = [len(self._blocks[row][start].positions) for start in addresses.starts]
        return shares(looks, np.array(sizes))
