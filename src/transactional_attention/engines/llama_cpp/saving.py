"""A sequence between two forwards to one file, and brought back in a context of the same model.

The file is that of the transformers engine (``cache_file.py``: atomic, checked, mode 0600); keys
and values in it are the bytes of one build of llama.cpp. Text and ids are not in it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...config import Memory, Retention
from ...errors import CacheStateError, InputError
from ...retention.flow import RetentionFlow
from ...retention.saving.flow import export_flow, resume_flow
from ...retention.saving.records import Count, check, part_of, plain_retention, read, retention_of
from ...types import Ints
from .. import cache_file
from ..session_files import SavedState
from ..tokenizer_facts import check_tokenizer, tokenizer_facts
from .cells import HEAD, Cells, joined, read_cells
from .context import Context
from .segment_cells import SegmentCells
from .served import check_served
from .snapshot import Snapshot

ENGINE, STATE, PLACES, FLOW, MEMORY = "llama.cpp", "state", "places", "flow.", "memory"


class SavedCells(NamedTuple):
    """The record that ``exported`` gives."""

    engine: str
    model: dict[str, Any]
    tokenizer: dict[str, Any] | None
    retention: dict[str, Any]
    context_open: bool
    live: tuple[Count, Count]
    flow: Any


def exported(held: Snapshot, context: Context) -> tuple[cache_file.Tensors, dict[str, Any]]:
    """The tensors and the record of a saved sequence."""
    state, arrays = export_flow(held.flow)
    tensors = {f"{FLOW}{name}": array for name, array in arrays.items()}
    tensors[PLACES] = held.places
    tensors[STATE] = _without_tokens(held.cells) if context.model.spatial else held.cells
    if (waiting := _waiting(held)) is not None:
        tensors[MEMORY] = np.frombuffer(waiting.written(), np.uint8)
    return tensors, {
        "engine": ENGINE,
        "model": context.model.facts() | {"cell_type": context.cell_type},
        "tokenizer": tokenizer_facts(held.flow.tokenizer),
        "retention": plain_retention(held.flow.retention),
        "context_open": held.context_open,
        "live": held.live,
        "flow": state,
    }


def _without_tokens(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The same bytes, where cells tell their tokens."""
    written = read_cells(cells, HEAD).written()
    return np.concatenate([cells[:HEAD], np.frombuffer(written, np.uint8)])


def _waiting(held: Snapshot) -> Cells | None:
    return None if held.memory is None else held.memory.exported()


def pooled(held: Snapshot, context: Context) -> SavedState:
    """A state for ``SessionFiles``: keys at compact places are turned from state to state, so they
    are not told apart by position."""
    tensors, record = exported(held, context)
    if held.flow.retention.positions == "compact":
        return SavedState(np.zeros(0, np.int64), {}, tensors, record)
    cells = read_cells(held.cells, HEAD)
    form = np.frombuffer(cells.taken(np.zeros(1, np.int64)).written(), np.uint8)
    tensors[STATE] = np.concatenate([held.cells[:HEAD], form])
    if (waiting := _waiting(held)) is not None:  # its rows lie beside what is held, each once
        tensors[MEMORY] = waiting.places
        new = np.flatnonzero(~np.isin(waiting.places, cells.places))
        cells = joined([cells, waiting.taken(new)])
    rows = np.concatenate([part.rows.reshape(len(part.rows), -1) for part in cells.parts], 1)
    return SavedState(cells.places, {STATE: rows}, tensors, record)


def unpooled(
    path: Path, state: SavedState, context: Context, tokenizer: Any, ids: Ints
) -> Snapshot:
    """What ``pooled`` was given; ``ids``: all tokens of the session. Raises as ``load_cache``."""
    with cache_file.understanding(path):
        count = int(part_of(state.tensors, f"{FLOW}lengths", [1], np.int64)[0])
        tensors = {**state.tensors, **_whole(state)} if len(state.positions) else state.tensors
    return restored(path, tensors, state.record, context, tokenizer, ids[:count])


def _whole(state: SavedState) -> cache_file.Tensors:
    """The bytes of which ``pooled`` took the rows out, of what is held and of what waits."""
    held = part_of(state.tensors, STATE, [None], np.uint8)
    form = read_cells(held, HEAD)
    sizes = np.cumsum([part.rows[0].size for part in form.parts])
    own = part_of(state.rows, STATE, [len(state.positions), int(sizes[-1])], np.uint8)

    def written(name: str, form: Cells) -> NDArray[np.uint8]:
        wanted = part_of(state.tensors, name, [None], np.int64)
        which = np.flatnonzero(np.isin(state.positions, wanted))  # sums depend on their order
        check(len(which) == len(np.unique(wanted)), name)
        rows = [
            one.reshape(-1, *part.rows.shape[1:])
            for one, part in zip(np.split(own[which], sizes[:-1], 1), form.parts)
        ]
        return np.frombuffer(form.filled(state.positions[which], rows).written(), np.uint8)

    found = {STATE: np.concatenate([held[:HEAD], written(PLACES, form)])}
    if MEMORY in state.tensors:
        found[MEMORY] = written(MEMORY, form.bare()).copy()
    return found


def restored(
    path: Path,
    tensors: cache_file.Tensors,
    record: dict[str, Any],
    context: Context,
    tokenizer: Any,
    ids: Sequence[int] | Ints | None,
) -> Snapshot:
    """What ``exported`` gave, checked; raises as ``load_cache``."""
    with cache_file.understanding(path):
        saved = read(SavedCells, record)
        _check_model(saved.model, context, path)
        check_tokenizer(saved.tokenizer, tokenizer, path)
        retention = retention_of(saved.retention)
        check_served(retention)
        flow = RetentionFlow(retention, tokenizer, 1)
        arrays = cache_file.under(FLOW, tensors)
        given = None if ids is None else [np.asarray(ids, np.int64).reshape(-1).tolist()]
        resume_flow(flow, saved.flow, arrays, given)
        places = part_of(tensors, PLACES, [flow.table.width], np.int64)
        cells = part_of(tensors, STATE, [None], np.uint8)
        own = np.sort(flow.table.positions[0])
        check(retention.positions == "compact" or (places == own).all(), PLACES)
        held = read_cells(cells, HEAD)
        check((np.sort(held.places) == places).all(), STATE)
        check({*held.beside.newest}.issubset({int(places[-1])}), STATE)
        memory = _memory(flow, tensors)
        return Snapshot(flow, cells, places, saved.context_open, saved.live, memory)


def _memory(flow: RetentionFlow, tensors: cache_file.Tensors) -> SegmentCells | None:
    """The cells of all segments that wait. Raises ValueError where the flow knows others."""
    given = flow.retention.memory
    if not isinstance(given, Memory):
        return None
    memory, waiting = SegmentCells(given), None
    if MEMORY in tensors:
        waiting = read_cells(part_of(tensors, MEMORY, [None], np.uint8), 0)
    memory.resume(flow, waiting)
    return memory


def saved_retention(path: str | Path) -> Retention:
    """What a saved sequence was made with. Raises InputError as ``load_cache``."""
    with cache_file.understanding(path := Path(path)):
        return retention_of(read_file(path)[1].get("retention"))


def read_file(path: Path) -> tuple[cache_file.Tensors, dict[str, Any]]:
    """The tensors and the record of a file of this engine. Raises InputError for another one."""
    tensors, record = cache_file.read(path)
    if record.get("engine") != ENGINE:
        raise InputError(f"{path} was not saved by the engine {ENGINE}: load it without --engine")
    return tensors, record


def _check_model(saved: dict[str, Any], context: Context, path: Path) -> None:
    found = context.model.facts() | {"cell_type": context.cell_type}
    for name, value in found.items():
        if saved[name] != value:
            raise CacheStateError(
                f"{path} was saved with another {name} ({saved[name]}), here it is {value}: "
                "keys and values of one do not serve the other; use that one, or read the text "
                "again"
            )
