"""Cells of one sequence as llama.cpp writes them: bytes to arrays and back, some of them taken out.

The layout is internal to llama.cpp; it is that of the build in ``bindings.TESTED``. Anything else
is refused. It knows no library, no model and no retention.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...types import Ints

Rows = NDArray[np.uint8]
HEAD = 8  # bytes before the cells of a sequence that the library exports
META = 3  # of a cell: its position, the number of its sequences, the sequence
SPATIAL = 6  # with two more positions and the token before the sequence (M-RoPE)
MOST_STREAMS = MOST_SEQUENCES = 256  # of llama.cpp
TYPES = {
    **{0: (1, 4), 1: (1, 2), 30: (1, 2), 8: (32, 34)},  # f32, f16, bf16, q8_0
    **{2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 20: (32, 18)},  # of four and five bits
}
"""Of ggml that hold keys and values: numbers in a block, and its bytes."""

ROTATIONS = (0, *(1 << n for n in range(6, 11)))
"""Numbers of a head that are rotated together (Hadamard) before they are stored in few bits."""

NO_TOKEN = -1
PLAIN, Q8_0 = {0: "<f4", 1: "<f2"}, 8


class Part(NamedTuple):
    """Keys, or values, of one layer. ``head``: the bytes that stand before them and say their type.
    ``rows`` [cell, run, bytes]: one run of bytes a cell; where the library stores values
    transposed, as many runs as a value has numbers."""

    head: bytes
    rows: Rows


class OtherLayers(NamedTuple):
    """What is held whole, whichever cells stay, as it is in the bytes: cells of layers that slide,
    and the states of recurrent layers. ``newest``: the place of the newest token, in each."""

    data: bytes = b""
    sliding: int = 0  # layers
    recurrent: int = 0
    newest: tuple[int, ...] = ()


class Cells(NamedTuple):
    """``streams``: cells in each, all in one of them; ``meta`` [cell, META or SPATIAL]; ``form``:
    what stands before the parts, which are the keys of all layers, and then the values."""

    streams: tuple[int, ...]
    meta: NDArray[np.int32]
    form: bytes
    parts: tuple[Part, ...]
    beside: OtherLayers = OtherLayers()

    @property
    def layers(self) -> int:
        """How many hold these cells."""
        return int(struct.unpack("<4I", self.form)[1])

    @property
    def spatial(self) -> bool:
        """Whether a cell has several positions."""
        return self.meta.shape[1] == SPATIAL

    @property
    def rotated(self) -> bool:
        """Whether keys or values are stored rotated (``ROTATIONS``), so that queries that are not
        cannot be compared with them."""
        return any(struct.unpack("<4I", self.form)[2:])

    @property
    def places(self) -> Ints:
        """Position that llama.cpp has of the token in each cell, [cell]."""
        return self.meta[:, 0].astype(np.int64)

    def taken(self, which: Ints) -> Cells:
        """Some of the cells, by index, in that order."""
        return self.filled(self.places[which], [part.rows[which] for part in self.parts])

    def filled(self, places: Ints, rows: Sequence[Rows]) -> Cells:
        """Other cells in the same form: their places [cell], and rows [cell, ..] part by part."""
        meta = _placed(np.repeat(self.meta[:1], len(places), 0), places)
        streams = tuple(len(places) if count else 0 for count in self.streams)
        parts = tuple(
            Part(part.head, part_rows) for part, part_rows in zip(self.parts, rows, strict=True)
        )
        return Cells(streams, meta, self.form, parts, self.beside)

    def bare(self) -> Cells:
        """The same cells without ``beside``: the sliding layers' cells and recurrent states."""
        return self._replace(beside=OtherLayers())

    def rows(self) -> Rows:
        """Of each cell all keys and values after one another, [cell, bytes]."""
        return np.concatenate([part.rows.reshape(len(part.rows), -1) for part in self.parts], 1)

    def with_rows(self, places: Ints, rows: Rows) -> Cells:
        """Other cells in the same form, by what ``rows`` gives of them."""
        ends = np.cumsum([part.rows[0].size for part in self.parts])
        shapes = [(-1, *part.rows.shape[1:]) for part in self.parts]
        split = zip(np.split(rows, ends[:-1], 1), shapes, strict=True)
        return self.filled(places, [part_rows.reshape(shape) for part_rows, shape in split])

    def written(self) -> bytes:
        """The bytes again."""
        return self.spliced(b"", np.arange(len(self.meta)), ()).tobytes()

    def spliced(self, head: bytes | Rows, which: Ints, others: Sequence[Cells]) -> Rows:
        """The bytes after a ``head``: of some of the cells, by index in order, then of others; then
        what is held beside."""
        places = np.concatenate([self.places[which], *(cells.places for cells in others)])
        meta = self.filled(places, [part.rows for part in self.parts]).meta
        pieces = [np.frombuffer(head, np.uint8), _bytes(struct.pack("<I", len(self.streams)))]
        runs = [(int(run[0]), int(run[-1]) + 1) for run in _runs(which)]
        for count in self.streams:
            pieces.append(_bytes(struct.pack("<I", len(places) if count else 0)))
            if not count:
                continue
            pieces += [meta.reshape(-1).view(np.uint8), _bytes(self.form)]
            for number, (head, rows) in enumerate(self.parts):
                kept = [rows[begin:end] for begin, end in runs]
                kept += [cells.parts[number].rows for cells in others]
                pieces.append(_bytes(head))
                for run in range(rows.shape[1]):
                    pieces += [part_rows[:, run].reshape(-1) for part_rows in kept]
        return np.concatenate([*pieces, _bytes(self.beside.data)])


def _placed(meta: NDArray[np.int32], places: Ints) -> NDArray[np.int32]:
    """Cells of text at other places. The token is not told: it is for models that read it out of
    cells, which are not served, and does not belong into files."""
    meta[:, 0] = places
    if meta.shape[1] == SPATIAL:
        meta[:, 2] = meta[:, 3] = places
        meta[:, 4] = NO_TOKEN
    return meta


def _bytes(data: bytes) -> Rows:
    return np.frombuffer(data, np.uint8)


def _runs(which: Ints) -> list[Ints]:
    """Indices that follow one another, together."""
    return np.split(which, np.flatnonzero(np.diff(which) != 1) + 1) if len(which) else []


def numbers(part: Part) -> NDArray[np.float32] | None:
    """The keys, or values, of a layer [cell, width]; None for a type that is not read here."""
    (kind,), count = struct.unpack_from("<i", part.head), len(part.rows)
    rows = np.ascontiguousarray(part.rows).reshape(count, -1)
    if kind in PLAIN:
        return rows.view(PLAIN[kind]).astype(np.float32)
    return unpacked(rows, TYPES[Q8_0][0]) if kind == Q8_0 else None


def encoded(part: Part, values: NDArray[np.float32]) -> Rows:
    """Rows of keys [cell, width] in the type of a ``part`` whose numbers are plain."""
    (kind,) = struct.unpack_from("<i", part.head)
    return values.astype(PLAIN[kind]).view(np.uint8).reshape(len(values), *part.rows.shape[1:])


def packed(values: NDArray[np.float32], block: int, bits: int = 8) -> Rows:
    """Numbers [cell, n] in eight ``bits`` each, as ggml's q8_0 with blocks of ``block`` numbers: a
    scale in float16, and how many of it each number is; or in four, two neighbours to a byte;
    [cell, bytes]."""
    blocks, largest = values.reshape(len(values), -1, block), 2 ** (bits - 1) - 1
    scale = (np.abs(blocks).max(-1, keepdims=True) / largest).astype("<f2")
    whole = np.maximum(scale.astype(np.float32), np.finfo(np.float32).tiny)
    steps = np.rint(blocks / whole).clip(-largest, largest).astype(np.int8)
    if bits == 4:
        steps = (steps[..., ::2] & 15) | (steps[..., 1::2] << 4)
    return np.concatenate([scale.view(np.uint8), steps.view(np.uint8)], -1).reshape(len(values), -1)


def unpacked(rows: Rows, block: int, bits: int = 8) -> NDArray[np.float32]:
    """The numbers [cell, n] that were ``packed``."""
    blocks = rows.reshape(len(rows), -1, block * bits // 8 + 2)
    scale = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    steps = blocks[..., 2:].view(np.int8)
    if bits == 4:  # shifts of int8 keep the sign
        steps = np.stack([(steps << 4) >> 4, steps >> 4], -1).reshape(*blocks.shape[:2], block)
    return (scale * steps).reshape(len(rows), -1)


def read_cells(data: bytes | Rows, start: int) -> Cells:
    """The cells after ``start`` bytes. Raises InputError for another layout, or no cells; for two
    of them at one place, of several sequences, or whose keys or values are of several types."""
    errors = []
    for columns in (META, SPATIAL):
        reader = _Reader(memoryview(data), start, columns)  # type: ignore[arg-type]
        try:
            return reader.cells()
        except ValueError as error:
            errors.append(reader.doubt or error)
    raise InputError(f"it does not hold one sequence in the known layout: {errors[0]}") from None


class _Reader:
    def __init__(self, data: memoryview, at: int, columns: int) -> None:
        self.data, self.at, self.columns = data, at, columns
        self.doubt: Exception | None = None  # what speaks against values

    def numbers(self, form: str) -> tuple[int, ...]:
        return struct.unpack(f"<{form}", self.array(struct.calcsize(f"<{form}")).tobytes())

    def array(self, count: int) -> Rows:
        if count > len(self.data) - self.at:
            raise ValueError("it is cut off")
        array = np.frombuffer(self.data, np.uint8, count, self.at)
        self.at += count
        return array

    def cells(self) -> Cells:
        section, data, sliding, recurrent, newest = self._section(), b"", 0, 0, list[int]()
        if (window := self._window()) is not None:
            data, sliding = window.written(), window.layers
            newest.append(int(window.places.max()))
        if (begin := self.at) < len(self.data):
            recurrent, place = self._recurrent()
            data += bytes(self.data[begin:])
            newest.append(place)
        return section._replace(beside=OtherLayers(data, sliding, recurrent, tuple(newest)))

    def _window(self) -> Cells | None:
        """The cells of layers that slide, where there are such layers."""
        begin = self.at
        try:
            return self._section()
        except ValueError:
            self.at = begin
            return None

    def _section(self) -> Cells:
        """The cells of the layers that hold the same ones."""
        (num_streams,) = self.numbers("I")
        if not 1 <= num_streams <= MOST_STREAMS:
            raise ValueError("its number of streams")
        counts, cells = [], None
        for _ in range(num_streams):
            counts.append(self.numbers("I")[0])
            if counts[-1]:
                if cells is not None:
                    raise ValueError("cells in several streams")
                cells = self._stream(counts[-1])
        if cells is None:
            raise ValueError("no cells")
        return cells._replace(streams=tuple(counts))

    def _stream(self, count: int) -> Cells:
        meta = self.array(4 * self.columns * count).view("<i4").reshape(count, self.columns)
        places, sequences = meta[:, 0], np.unique(meta[:, -1])
        if (meta[:, 1] != 1).any() or len(sequences) > 1:
            raise ValueError("a cell of several sequences, or cells of several")
        if not 0 <= sequences[0] < MOST_SEQUENCES:
            raise ValueError("a sequence beyond the last")
        if places.min() < 0 or len(np.unique(places)) < count:
            raise ValueError("two cells at one place, or one before the first")
        if (meta[:, 2:-1] != places[:, None])[:, :2].any():
            raise ValueError("a cell of an image")
        begin = self.at
        transposed, layers, *rotations = self.numbers("4I")
        if transposed > 1 or not layers or not {*rotations}.issubset(ROTATIONS):
            raise ValueError("its form of values")
        form = bytes(self.data[begin : self.at])
        keys = self._parts(layers, "iQ", count)
        begin, values = self.at, list[Part]()
        try:
            values = self._parts(layers, "iII" if transposed else "iQ", count)
        except ValueError as error:  # of latent attention (MLA) keys hold them
            self.at, self.doubt = begin, error
        return Cells((), meta, form, (*keys, *values))

    def _parts(self, layers: int, form: str, count: int) -> list[Part]:
        """Keys, or values, of all layers, which are of one type."""
        kinds, parts = set(), []
        for _ in range(layers):
            begin = self.at
            kind, size, *runs = self.numbers(form)
            numbers, block = TYPES.get(kind, (1, 0))
            whole = size == block if runs else block and size % block == 0
            kinds.add(kind)
            if len(kinds) > 1 or not (size and whole and (not runs or (runs[0] and numbers == 1))):
                raise ValueError("the type of its keys or values")
            head, num_runs = bytes(self.data[begin : self.at]), runs[0] if runs else 1
            rows = self.array(count * size * num_runs).reshape(num_runs, count, size)
            parts.append(Part(head, rows.swapaxes(0, 1)))
        return parts

    def _recurrent(self) -> tuple[int, int]:
        """How many layers hold a state, up to the end of the bytes, and of which token."""
        num_states, other = 0, ValueError("bytes after its end that are no recurrent states")
        try:
            count, place, sequences, transposed, layers = self.numbers("IiIII")
            while self.at < len(self.data):
                kind, size = self.numbers("iQ")
                if kind not in PLAIN or size % TYPES[kind][1]:
                    raise other
                self.array(size)
                num_states += 1
        except ValueError:
            raise other from None
        unfit = count != 1 or place < 0 or sequences or transposed
        if (
            unfit or not num_states or num_states % 2 or num_states > 2 * layers
        ):  # two of each layer
            raise other
        return num_states // 2, place
