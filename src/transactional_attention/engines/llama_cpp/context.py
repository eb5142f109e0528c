"""Cells of keys and values in llama.cpp, and forwards over them: sequences, positions, no choices.

A cell holds a token of a sequence at a position, in all heads of the layers that attend to all that
is held. Removing one frees it for any later token. Layers that slide keep their own window, and
recurrent ones a state of all that was read. Every token is told its position; llama.cpp wants those
of a sequence without a gap between the newest cell and the next token.
"""

import weakref
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...errors import CacheStateError, InputError, UnsupportedError
from ...gguf.bindings import library
from ...retention.chunks import CHUNK
from ...types import Ints
from ..layers import Layers
from .cells import HEAD, read_cells
from .model import GgufModel
from .processor import physical_cores
from .queries import Queries

CellType = Literal["f32", "f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl"]
CELL_TYPES: dict[str, int] = {
    **{"f32": 0, "f16": 1, "bf16": 30, "q8_0": 8},
    **{"q5_1": 7, "q5_0": 6, "q4_1": 3, "q4_0": 2, "iq4_nl": 20},
}
"""Of ggml, by the names of llama-server."""
FlashAttention = Literal["auto", "on", "off"]
FLASH: dict[str, int] = {"auto": -1, "on": 1, "off": 0}
NO_ROOM = 1  # what llama_decode returns
WHOLE, BESIDE = 0, 1  # of a state: all of it, or what is held beside the cells alone (PARTIAL_ONLY)
Logits = NDArray[np.float32]


class Tokens(NamedTuple):
    """New tokens of a sequence, the first of them at a position, the others after it.

    ``wanted``: of how many of them, counted from the last, logits are asked for.
    """

    sequence: int
    ids: Sequence[int] | Ints
    start: int
    wanted: int = 1


class Context:
    """A memory of ``cells`` a sequence, or of all together where they are ``shared``; more, where
    the window of layers that slide needs them.

    Args:
        sequences: how many may live at once.
        chunk: one forward takes at most this many tokens; more are fed in several.
        cell_type: of keys and values.
        flash_attention: ``auto`` as llama.cpp chooses, but off for cells of ``f32``: it rounds to
            float16, whatever the cells hold. Values of eight bits or fewer need it.
        shared: all sequences draw on one pool of cells, in which a copy takes none.
        threads: of the processor; None: ``physical_cores``.
        queries: of which layers ``forward`` can show them; None: of none.

    Raises:
        InputError: for sizes below 1, and a memory that cannot be had.
        UnsupportedError: for a model that keeps what it read in another way than is known.
    """

    def __init__(
        self,
        model: GgufModel,
        cells: int,
        *,
        sequences: int = 1,
        chunk: int = CHUNK,
        cell_type: CellType = "f16",
        flash_attention: FlashAttention = "auto",
        shared: bool = False,
        threads: int | None = None,
        queries: Sequence[int] | None = None,
    ) -> None:
        threads = physical_cores() if threads is None else threads
        if min(cells, sequences, chunk, threads) < 1:
            raise InputError("cells, sequences, chunk and threads must be at least 1, got "
                             f"{cells}, {sequences}, {chunk} and {threads}")  # fmt: skip
        if cell_type not in CELL_TYPES:
            raise InputError(f"cell_type must be one of {', '.join(CELL_TYPES)}: {cell_type!r}")
        if flash_attention not in FLASH:
            known = ", ".join(FLASH)
            raise InputError(f"flash_attention must be one of {known}: {flash_attention!r}")
        chunk = min(chunk, cells)  # llama.cpp takes no more at once, and aborts
        if model.window:
            cells = max(cells, model.window * (sequences if shared else 1) + chunk)
        self.model, self.chunk, self.cell_type = model, chunk, cell_type
        self.flash_attention = flash_attention
        self.shared = shared
        ffi, calls, _ = library()
        given = calls.llama_context_default_params()
        given.n_ctx = cells if shared else cells * sequences
        given.n_batch = given.n_ubatch = chunk
        given.n_seq_max, given.kv_unified = sequences, shared
        given.swa_full = False  # layers that slide have cells of their own, for their window
        given.n_threads = given.n_threads_batch = threads
        given.type_k = given.type_v = CELL_TYPES[cell_type]
        exact = cell_type == "f32" and flash_attention == "auto"
        given.flash_attn_type = FLASH["off" if exact else flash_attention]
        self.queries = None if queries is None else Queries(queries, model.heads)
        if self.queries is not None:
            given.cb_eval = ffi.cast("void *", self.queries.callback)
        self.pointer = calls.llama_init_from_model(model.pointer, given)
        if self.pointer == ffi.NULL:
            raise InputError(
                f"llama.cpp cannot make {cells} cells of {model.path.name}: "
                f"{library().last_words()}"
            )
        self.cells = int(calls.llama_n_ctx_seq(self.pointer))
        self._batch = calls.llama_batch_init(chunk, 0, 1)
        self._memory = calls.llama_get_memory(self.pointer)
        self._free = list(range(sequences))
        self._closing = weakref.finalize(self, _close, self.pointer, self._batch, model)
        if self._memory == ffi.NULL:
            self._refuse("it has no cells")
        self.layers = self._layers()

    def _layers(self) -> Layers:
        """As a state of one token has them."""
        model = self.model
        if model.plain:
            return Layers(model.layers, 0, 0, model.layers)
        self.forward([Tokens(0, [0], 0)])
        try:
            cells = read_cells(self.exported(0), HEAD)
        except InputError as error:
            self._refuse(str(error))
        self.remove(0, -1, -1)
        beside = cells.beside
        if cells.spatial and not model.spatial:
            self._refuse("it reads tokens out of its cells")
        if bool(beside.sliding) != bool(model.window) or bool(beside.recurrent) != model.recurrent:
            self._refuse("all its layers slide, or none does")
        return Layers(cells.layers, beside.sliding, beside.recurrent, model.layers)

    def _refuse(self, why: str) -> NoReturn:
        self.close()
        name = self.model.architecture
        raise UnsupportedError(
            f"{self.model.path.name} ({name}) keeps what it read in a way that is not known here "
            f"({why}): run it with llama-server"
        )

    @property
    def can_shift(self) -> bool:
        """Whether keys can be shifted to other positions, without those of windows beside them;
        llama.cpp aborts where they are in bf16."""
        can_shift = library().calls.llama_memory_can_shift(self._memory)
        return bool(can_shift) and not self.model.window and self.cell_type != "bf16"

    def take_sequence(self) -> int:
        """An empty sequence of its own for the caller. Raises InputError when none is left."""
        if not self._free:
            raise InputError("all sequences of this context are in use: close one, or make more")
        return self._free.pop(0)

    def give_back(self, sequence: int) -> None:
        """Empty a sequence, for another to take it."""
        self.remove(sequence, -1, -1)
        self._free.append(sequence)

    def forward(self, parts: Sequence[Tokens], *, show: bool = False) -> list[Logits]:
        """Feed new tokens; of each part the logits [wanted, vocab]. ``show``: note their queries.
        Raises CacheStateError when there are no cells for them, or the library refuses them."""
        if self.queries is not None:
            self.queries.begin(on=show)
        fed = [
            (token, part.start + i, part.sequence, i >= len(part.ids) - part.wanted)
            for part in parts
            for i, token in enumerate(np.asarray(part.ids).tolist())
        ]
        rows: list[Logits] = []
        for first in range(0, len(fed), self.chunk):
            rows += self._feed(fed[first : first + self.chunk])
        ends = np.cumsum([min(part.wanted, len(part.ids)) for part in parts])
        empty = np.zeros((0, self.model.vocab_size), np.float32)
        return [
            np.stack(rows[end - min(p.wanted, len(p.ids)) : end]) if p.wanted else empty
            for p, end in zip(parts, ends.tolist(), strict=True)
        ]

    def _feed(self, fed: Sequence[tuple[int, int, int, bool]]) -> list[Logits]:
        ffi, calls, _ = library()
        result = self._decode(fed)
        if result == NO_ROOM:
            raise CacheStateError(
                f"the {self.cells} cells of this context are full: make one with more cells, or "
                "give a smaller budget or chunk"
            )
        if result != 0:
            raise CacheStateError(f"llama.cpp refuses these tokens (llama_decode: {result})")
        size = 4 * self.model.vocab_size
        pointers = [
            calls.llama_get_logits_ith(self.pointer, i) for i, (*_, w) in enumerate(fed) if w
        ]
        return [np.frombuffer(ffi.buffer(at, size), np.float32).copy() for at in pointers]

    def _decode(self, fed: Sequence[tuple[int, int, int, bool]]) -> int:
        """What llama_decode says of tokens: each with its position, sequence, and whether its
        logits are wanted."""
        batch = self._batch
        batch.n_tokens = len(fed)
        for i, (token, position, sequence, wanted) in enumerate(fed):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, wanted
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
        return int(library().calls.llama_decode(self.pointer, batch))

    def shift_full(self, sequence: int, position: int) -> None:
        """Shift the keys of moved cells in a full context, without a forward: llama.cpp shifts them
        before it looks for a cell for one more token, at ``position``, and then fails as it should.
        Raises CacheStateError where it finds a cell."""
        if self._decode([(0, position, sequence, False)]) != NO_ROOM:
            raise CacheStateError("llama.cpp shifted no keys: use the build that is tested")

    def shown(self, column: int, tokens: int) -> list[Logits]:
        """The query [head, dim] of each layer for token ``column`` of the ``tokens`` of the last
        forward; an empty list where queries are not recorded."""
        return [] if self.queries is None else self.queries.of(column, tokens)

    def remove(self, sequence: int, start: int, end: int) -> None:
        """Free the cells of a sequence at positions ``[start, end)``; -1: without that bound."""
        if not library().calls.llama_memory_seq_rm(self._memory, sequence, start, end):
            raise CacheStateError("llama.cpp cannot take the newest token out of recurrent layers")

    def cut(self, sequence: int, ranges: Sequence[tuple[int, int]]) -> None:
        """Free the cells at ranges of positions ``[start, end)`` before the newest; layers that
        slide keep their window."""
        newest = library().calls.llama_memory_seq_pos_max(self._memory, sequence)
        inside = max((end for _, end in ranges), default=0) > newest - self.model.window
        window = self.exported(sequence, BESIDE) if self.model.window and inside else None
        for start, end in ranges:
            self.remove(sequence, start, end)
        if window is not None:  # the library removes from it, too
            self._restore(sequence, window, BESIDE)

    def move(self, sequence: int, start: int, end: int, by: int) -> None:
        """Turn the keys at positions ``[start, end)`` to ``by`` positions later, at the next
        forward."""
        library().calls.llama_memory_seq_add(self._memory, sequence, start, end, by)

    def copy(self, source: int, target: int, start: int = -1, end: int = -1) -> None:
        """Let an empty sequence hold what another does. Where cells are shared, those at positions
        ``[start, end)`` alone, of which the other sequence may have others; -1: without that
        bound."""
        if not self.shared:  # the library would copy with the next forward, what was removed too
            return self.restore(target, self.exported(source))
        library().calls.llama_memory_seq_cp(self._memory, source, target, start, end)

    def held_bytes(self, sequence: int, which: int = WHOLE) -> int:
        """Bytes of a sequence: keys and values, and a few for each cell; and what is held beside
        them. ``which``: all of that, or what is beside alone."""
        if which == BESIDE and self.model.plain:  # the library would tell all
            return 0
        size = library().calls.llama_state_seq_get_size_ext
        return int(size(self.pointer, sequence, which))

    def exported(self, sequence: int, which: int = WHOLE) -> NDArray[np.uint8]:
        """What a sequence holds, as bytes of this build; ``which``: as ``held_bytes``."""
        ffi, calls, _ = library()
        state = np.zeros(self.held_bytes(sequence, which), np.uint8)
        place, size = ffi.from_buffer("uint8_t[]", state), len(state)
        written = calls.llama_state_seq_get_data_ext(self.pointer, place, size, sequence, which)
        return state[:written]

    def restore(self, sequence: int, state: NDArray[np.uint8]) -> None:
        """Fill a sequence, whose own cells are freed before. Raises CacheStateError for bytes of
        another model, build or type of cells, or more than there are cells."""
        self.remove(sequence, -1, -1)
        self._restore(sequence, state, WHOLE)

    def _restore(self, sequence: int, state: NDArray[np.uint8], which: int) -> None:
        ffi, calls, _ = library()
        given = np.ascontiguousarray(state)
        place, size = ffi.from_buffer("uint8_t[]", given), len(given)
        if not calls.llama_state_seq_set_data_ext(self.pointer, place, size, sequence, which):
            raise CacheStateError(
                f"llama.cpp cannot restore this state into {self.cells} cells of type "
                f"{self.cell_type}: use the model, the type and as many cells as it was saved with"
            )

    def close(self) -> None:
        """Free the memory; what it held is gone."""
        self._closing()


def _close(pointer: Any, batch: Any, model: GgufModel) -> None:
    """Free a context while its model, which is held for that, still lives."""
    calls = library().calls
    calls.llama_batch_free(batch)
    calls.llama_free(pointer)
