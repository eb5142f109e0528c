"""Rows of values that left a cache: their keys and values of every managed layer, on the host.

How they are held, ``rows`` knows. Which values leave and come back, the flow says
(``retention.exchange``).
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor, nn

from ...config import Recalling
from ...errors import InputError
from ...retention.exchange import Exchange, Moved, recall_of
from ...retention.flow import RetentionFlow
from ...retention.recall_state import RecallState
from ...retention.serialization import check
from ...types import Ints
from . import cache_file
from .cache_file import Tensors, under
from .layer import RetentionLayer
from .rows import CENTRE, RowFormat

NOTHING = np.zeros(0, np.int64)


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


def put_back(
    form: RowFormat, layers: Sequence[RetentionLayer], moved: Exchange, blocks: Sequence[Block]
) -> None:
    """Write what returns into the layers, which grow as it says; ``blocks``: its rows."""
    for layer in layers:
        layer.grow(moved.grown)
    for item, block in zip(moved.returning, blocks, strict=True):
        slots = torch.from_numpy(item.slots)
        keys, values = form.read(block.rows, block.positions)
        for layer, key, value in zip(layers, keys, values, strict=True):
            layer.put(item.row, slots, key, value)


class Vault:
    """Rows by row of the batch and position, as ``given`` says: values of one line share its
    tokens. Which positions a value has there, the flow knows (``RecallState.stored``). ``decoder``:
    what turned the keys of the layers; None where they are held without rotation. Raises InputError
    when its folder cannot be written to."""

    def __init__(self, given: Recalling, decoder: nn.Module | None) -> None:
        self.given, self.rows = given, RowFormat(given.storage, decoder)
        self._blocks: list[list[Block]] = []  # by row of the batch; none holds what another does
        self._counts: list[int] = []  # values, by row

    @property
    def num_bytes(self) -> int:
        """Bytes of all rows."""
        return sum(block.num_bytes for blocks in self._blocks for block in blocks)

    def copy(self) -> Vault:
        """An independent one; tensors are never written to."""
        other = copy.copy(self)
        other.rows = copy.copy(self.rows)
        other._blocks = [list(blocks) for blocks in self._blocks]
        other._counts = list(self._counts)
        return other

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows of the batch."""
        if self._blocks:
            self._blocks = [list(self._blocks[row]) for row in rows.tolist()]
            self._counts = [self._counts[row] for row in rows.tolist()]

    def exported(self, flow: RetentionFlow) -> Tensors:
        """Its rows by row of the batch and part, [layer, kv_head, token, ...]: the tokens of all
        values that the flow knows, in order and each once."""
        found = self.rows.exported()
        for row in range(len(self._blocks)):
            positions = _positions(recall_of(flow, row))
            if len(positions):
                rows = self._gathered(row, positions).rows
                found |= {f"{row}.{name}": part for name, part in rows.items()}
        return found

    def resume(
        self, flow: RetentionFlow, tensors: Tensors, layers: Sequence[RetentionLayer]
    ) -> None:
        """Take in what ``exported`` gave of these layers; ``flow`` knows which tokens they are of.
        Raises InputError where they are not as many, ValueError where they are held in another
        way."""
        self._grow(len(flow.sequences))
        self.rows.resume(tensors, layers)
        if tensors and self.rows.form is not None and CENTRE not in tensors:
            raise InputError(
                "the cache was saved by an older build, whose vault held keys as they were turned: "
                "read the text again"
            )
        for row in range(len(flow.sequences)):
            state = recall_of(flow, row)
            rows = {k: part.clone() for k, part in under(f"{row}.", tensors).items()}
            check(bool(rows) == bool(state.stored), f"vault.{row}")
            if rows:
                positions, size = _positions(state), self.rows.check(rows, layers)
                if size != len(positions):
                    raise InputError(
                        f"the cache was saved by another build: its vault has {size} "
                        f"tokens of {len(positions)}; read the text again"
                    )
                self._blocks[row] = [self._placed(Block(positions, rows))]
                self._counts[row] = len(state.stored)

    def exchange(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], moved: Exchange
    ) -> None:
        """Before a forward: take in what leaves, and put back what returns."""
        # a full vault lets go of rows for what leaves
        back = [self._gathered(item.row, item.positions) for item in moved.returning]
        self.store(flow, moved.leaving, [layer.rows_of(moved.leaving) for layer in layers])
        put_back(self.rows, layers, moved, back)

    def collect(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], leaving: Sequence[Moved]
    ) -> None:
        """At the end of a forward: take in what its layers have copied."""
        self.store(flow, leaving, [layer.left for layer in layers])
        for layer in layers:
            layer.left = {}

    def store(
        self,
        flow: RetentionFlow,
        leaving: Sequence[Moved],
        copies: Sequence[dict[int, tuple[Tensor, Tensor]]],
    ) -> None:
        """Take in values; ``copies`` [layer]: as ``RetentionLayer.rows_of`` gives them."""
        self._grow(len(flow.sequences))
        for row in range(len(flow.sequences)):
            mine, state = [item for item in leaving if item.row == row], recall_of(flow, row)
            if not mine and len(state.stored) == self._counts[row]:
                continue
            held = np.concatenate([NOTHING, *(block.positions for block in self._blocks[row])])
            every = np.concatenate([NOTHING, *(item.positions for item in mine)])
            positions, first = np.unique(every, return_index=True)
            new = ~np.isin(positions, held)
            if new.any():
                columns = torch.from_numpy(first[new])
                both = zip(*(own[row] for own in copies), strict=True)
                keys, values = (torch.stack(one)[:, :, columns] for one in both)
                own = positions[new]
                rows = self.rows.held(keys, values, own)
                self._blocks[row].append(self._placed(Block(own, rows)))
            self._settle(row, state, mine, positions[new])

    def _grow(self, rows: int) -> None:
        self._blocks += [[] for _ in range(rows - len(self._blocks))]
        self._counts += [0] * (rows - len(self._counts))

    def _settle(self, row: int, state: RecallState, added: Sequence[Moved], new: Ints) -> None:
        """Tell the flow what the values that were ``added`` cost, the first one that holds a token
        that is ``new``; and let go of tokens that no value needs which it still knows."""
        number = self._counts[row] + len(added)
        costs = self._costs(row, [item.positions for item in added], new)
        state.leave([item.value for item in added], costs)
        while len(state.stored) < number:
            number, needed = len(state.stored), _positions(state)
            self._blocks[row] = [
                block if len(own) == len(block.positions) else self._placed(block.of(own))
                for block in self._blocks[row]
                if len(own := np.intersect1d(block.positions, needed, assume_unique=True))
            ]
            costs = self._costs(row, list(state.stored.values()), needed)
            state.leave(list(state.stored), costs)
        self._counts[row] = number

    def _costs(self, row: int, values: Sequence[Ints], counted: Ints) -> list[int]:
        """Bytes of values [value][token]: of their tokens that are ``counted`` and that no value
        before them has."""
        if not self._blocks[row] or not values:
            return [0] * len(values)
        positions, first = np.unique(np.concatenate(values), return_index=True)
        owners = np.repeat(np.arange(len(values)), [len(own) for own in values])
        tokens = np.bincount(owners[first[np.isin(positions, counted)]], minlength=len(values))
        block = self._blocks[row][0]
        size = block.num_bytes // len(block.positions)
        return [size * number for number in tokens.tolist()]

    def _gathered(self, row: int, positions: Ints) -> Block:
        """The rows of some tokens, in their order."""
        found = []
        for block in self._blocks[row]:
            if block.positions[0] <= positions[-1] and positions[0] <= block.positions[-1]:
                own = np.intersect1d(block.positions, positions, assume_unique=True)
                if len(own):
                    found.append(block.of(own))
        if len(found) == 1:
            return found[0]
        order = torch.from_numpy(np.argsort(np.concatenate([b.positions for b in found])))
        rows = {
            name: torch.cat([block.rows[name] for block in found], 2)[:, :, order]
            for name in found[0].rows
        }
        return Block(positions, rows)

    def _placed(self, block: Block) -> Block:
        """The block where it is to lie: in memory, or in a mapped file that goes with it."""
        if self.given.folder is None:
            return block
        path = Path(self.given.folder) / f"{uuid4().hex}.safetensors"
        cache_file.write(path, block.rows, {"vault": len(block.positions)})
        with safe_open(path, framework="pt") as mapped:
            placed = Block(block.positions, {name: mapped.get_tensor(name) for name in block.rows})
        weakref.finalize(placed, path.unlink, missing_ok=True)
        return placed


def _positions(state: RecallState) -> Ints:
    """Tokens of all values that a row's vault holds, in order."""
    return np.unique(np.concatenate([NOTHING, *state.stored.values()]))
