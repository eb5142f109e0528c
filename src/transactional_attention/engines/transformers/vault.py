"""Rows of values that left a cache: their keys and values of every managed layer, on the host.

Rows are as the layers hold them, so those of compact caches are without rotation. Which values
leave and come back, the flow says (``retention.exchange``).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import numpy as np
import torch
from safetensors import safe_open
from torch import Tensor

from ...config import Recalling
from ...retention.exchange import Exchange, Moved, recall_of
from ...retention.flow import RetentionFlow
from ...types import Ints, Span
from . import cache_file
from .cache_file import Tensors
from .layer import RetentionLayer
from .precision import dequantise, quantise

PARTS = ("keys", "values")


class _File:
    """A file that is there as long as rows lie in it."""

    def __init__(self, path: Path) -> None:
        self.gone = weakref.finalize(self, path.unlink, missing_ok=True)


class Rows(NamedTuple):
    """A value's tokens: ``positions`` [token], and [layer, kv_head, token, head_dim] of keys and of
    values, each one tensor, or bits with their scale; ``file``: where they lie, if in one."""

    positions: Ints
    keys: tuple[Tensor, ...]
    values: tuple[Tensor, ...]
    file: _File | None = None

    @property
    def num_bytes(self) -> int:
        """Of the tensors."""
        return sum(t.numel() * t.element_size() for t in (*self.keys, *self.values))


class Vault:
    """Rows by row of the batch and value, as ``given`` says.

    Raises:
        InputError: when its folder cannot be written to.
    """

    def __init__(self, given: Recalling) -> None:
        self.given, self.form = given, given.storage
        self._rows: list[dict[Span, Rows]] = []

    @property
    def num_bytes(self) -> int:
        """Bytes of all rows."""
        return sum(rows.num_bytes for held in self._rows for rows in held.values())

    def rows(self, row: int, value: Span) -> Rows:
        """What is held of a value."""
        return self._rows[row][value]

    def copy(self) -> Vault:
        """An independent one; tensors are never written to."""
        other = Vault(self.given)
        other._rows = [dict(held) for held in self._rows]
        return other

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows of the batch."""
        if self._rows:
            self._rows = [dict(self._rows[row]) for row in rows.tolist()]

    def exported(self, flow: RetentionFlow) -> Tensors:
        """Its rows by row of the batch and part, [layer, kv_head, token, ...]: values one after
        another, as the flow knows them."""
        found: Tensors = {}
        for row, held in enumerate(self._rows):
            stored = [held[value] for value in recall_of(flow, row).stored]
            for name in PARTS:
                parts = zip(*(getattr(rows, name) for rows in stored), strict=True)
                found |= {f"{row}.{name}.{i}": torch.cat(p, 2) for i, p in enumerate(parts)}
        return found

    def resume(self, flow: RetentionFlow, tensors: Tensors) -> None:
        """Take in what ``exported`` gave; ``flow`` knows which tokens they are of."""
        for row in range(len(flow.sequences)):
            stored = recall_of(flow, row).stored
            sizes = [len(at) for at in stored.values()]
            parts: dict[str, list[tuple[Tensor, ...]]] = {name: [()] * len(sizes) for name in PARTS}
            for key in sorted(tensors):
                at, name, _ = key.split(".")
                if int(at) == row:
                    split = tensors[key].split(sizes, 2)
                    parts[name] = [(*a, b.clone()) for a, b in zip(parts[name], split, strict=True)]
            both = zip(stored.items(), parts["keys"], parts["values"], strict=True)
            rows = [Rows(at, keys, values) for (_, at), keys, values in both]
            self._rows.append(dict(zip(stored, self._placed(rows), strict=True)))

    def exchange(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], moved: Exchange
    ) -> None:
        """Before a forward: take in what leaves, and put back what returns."""
        self.store(flow, moved.leaving, [layer.rows_of(moved.leaving) for layer in layers])
        for layer in layers:
            layer.grow(moved.grown)
        for item in moved.returning:
            rows = self._rows[item.row][item.value]
            columns = torch.from_numpy(np.searchsorted(rows.positions, item.positions))
            slots = torch.from_numpy(item.slots)
            keys, values = (self._read(getattr(rows, name)) for name in PARTS)
            for layer, key, value in zip(layers, keys, values, strict=True):
                layer.put(item.row, slots, key[:, columns], value[:, columns])

    def collect(
        self, flow: RetentionFlow, layers: Sequence[RetentionLayer], leaving: Sequence[Moved]
    ) -> None:
        """At the end of a forward: take in what its layers have copied."""
        self.store(flow, leaving, [layer.left for layer in layers])
        for layer in layers:
            layer.left = []

    def store(
        self,
        flow: RetentionFlow,
        leaving: Sequence[Moved],
        copies: Sequence[Sequence[tuple[Tensor, Tensor]]],
    ) -> None:
        """Take in values; ``copies`` [layer][value]: keys and values [kv_head, token, head_dim]."""
        if not leaving:
            return
        self._rows += [{} for _ in range(len(flow.sequences) - len(self._rows))]
        rows = []
        for number, item in enumerate(leaving):
            keys, values = (
                torch.stack([layer[number][part] for layer in copies]) for part in (0, 1)
            )
            rows.append(Rows(item.positions, self._held(keys), self._held(values)))
        for item, own in zip(leaving, self._placed(rows), strict=True):
            self._rows[item.row][item.value] = own
        for row, held in enumerate(self._rows):
            state, new = recall_of(flow, row), [m.value for m in leaving if m.row == row]
            state.leave(new, [held[value].num_bytes for value in new])
            self._rows[row] = {value: held[value] for value in held if value in state.stored}

    def _placed(self, rows: Sequence[Rows]) -> Sequence[Rows]:
        """The rows where they are to lie: in memory, or in a file that is mapped into it."""
        if self.given.folder is None or not rows:
            return rows
        path = Path(self.given.folder) / f"{uuid4().hex}.safetensors"
        tensors = {
            f"{number}.{name}.{part}": tensor
            for number, own in enumerate(rows)
            for name in PARTS
            for part, tensor in enumerate(getattr(own, name))
        }
        cache_file.write(path, tensors, {"vault": len(rows)})
        file = _File(path)
        with safe_open(path, framework="pt") as mapped:
            found = {name: mapped.get_tensor(name) for name in tensors}

        def parts(number: int, name: str) -> tuple[Tensor, ...]:
            count = len(getattr(rows[number], name))
            return tuple(found[f"{number}.{name}.{part}"] for part in range(count))

        return [
            Rows(row.positions, parts(number, "keys"), parts(number, "values"), file)
            for number, row in enumerate(rows)
        ]

    def _held(self, states: Tensor) -> tuple[Tensor, ...]:
        return (states,) if self.form is None else quantise(states, self.form)

    def _read(self, part: tuple[Tensor, ...]) -> Tensor:
        if self.form is None:
            return part[0]
        bits, scale = part
        return dequantise(bits, scale, self.form)
