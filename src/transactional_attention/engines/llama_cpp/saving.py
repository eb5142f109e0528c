"""A sequence between two forwards to one file, and brought back in a context of the same model.

The file is that of the transformers engine (``cache_file.py``: atomic, checked, mode 0600); keys
and values in it are the bytes of one build of llama.cpp. Text and ids are not in it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...config import Memory, Retention
from ...errors import CacheStateError, InputError
from ...retention.flow import RetentionFlow
from ...retention.saving.flow import export_flow, resume_flow
from ...retention.saving.records import Count, check, part_of, plain_retention, read, retention_of
from ...types import Arrays, Ints
from .. import cache_file
from ..session_files import Pool, SavedState
from ..tokenizer_facts import check_tokenizer, tokenizer_facts
from .cells import HEAD, Cells, Rows, read_cells
from .context import Context
from .rows import RowFormat
from .segment_cells import SegmentCells
from .shared_cells import SharedCells
from .snapshot import Snapshot
from .supported import check_served

ENGINE, STATE, PLACES, FLOW, MEMORY = "llama.cpp", "state", "places", "flow.", "memory"
LEFT = "left"  # places where segments left
ORDER, ROWS = "order", "rows"  # of cells, in a session's files
SHIFTED = "turned."  # cells whose keys are not at their tokens' positions, as files name them


class SavedCells(NamedTuple):
    """The record that ``exported`` gives."""

    engine: str
    model: dict[str, Any]
    tokenizer: dict[str, Any] | None
    retention: dict[str, Any]
    context_open: bool
    live: tuple[Count, Count]
    flow: Any


def exported(held: Snapshot, context: Context) -> tuple[Arrays, dict[str, Any]]:
    """The tensors and the record of a saved sequence."""
    tensors, record = _beside(held, context)
    tensors[STATE] = held.cells.exported()
    if held.memory is not None and (waiting := held.memory.exported()) is not None:
        tensors[MEMORY] = waiting
    return tensors, record


def _beside(held: Snapshot, context: Context) -> tuple[Arrays, dict[str, Any]]:
    """The same without keys and values."""
    state, arrays = export_flow(held.flow)
    tensors = {f"{FLOW}{name}": array for name, array in arrays.items()}
    tensors[PLACES] = held.places
    if held.memory is not None:
        tensors[LEFT] = held.memory.places
    return tensors, {
        "engine": ENGINE,
        "model": context.model.facts() | {"cell_type": context.cell_type},
        "tokenizer": tokenizer_facts(held.flow.tokenizer),
        "retention": plain_retention(held.flow.retention),
        "context_open": held.context_open,
        "live": held.live,
        "flow": state,
    }


def pooled(held: Snapshot, context: Context) -> SavedState:
    """A state for ``SessionFiles``. Keys that are not at their tokens' positions are shifted from
    state to state, so they belong to this one. What came back out of the memory is in its rows
    already."""
    tensors, record = _beside(held, context)
    cells, pools = held.cells, dict[str, Pool]()
    tensors[STATE] = cells.first()
    tensors[ORDER] = cells.places
    positions = np.sort(held.flow.table.positions[0])
    positions = positions[held.places.searchsorted(cells.places)]
    rows = np.stack(cells.rows)
    shifted = positions != cells.places
    if cells.form.rotated and shifted.any():  # moves round the keys of the others, too
        shifted[:] = True
    pool_mask = ~shifted
    if held.memory is not None and (waiting := held.memory.exported()) is not None:
        pools[MEMORY] = Pool(held.memory.positions, {ROWS: waiting})
        back = np.flatnonzero(pool_mask & np.isin(positions, held.memory.positions))
        back = back[np.argsort(positions[back])]
        at = 0
        for some in held.memory.at(positions[back]):
            for row in some.rows():
                pool_mask[back[at]] = not np.array_equal(row, rows[back[at]])
                at += 1
    if pool_mask.any():
        pools[STATE] = Pool(positions[pool_mask], {ROWS: rows[pool_mask]})
    if shifted.any():
        tensors |= {f"{SHIFTED}{PLACES}": cells.places[shifted], f"{SHIFTED}{ROWS}": rows[shifted]}
    return SavedState(pools, tensors, record)


def unpooled(
    path: Path, state: SavedState, context: Context, tokenizer: Any, ids: Ints
) -> Snapshot:
    """What ``pooled`` was given; ``ids``: all tokens of the session. Raises as ``load_cache``."""
    with cache_file.understanding(path):
        count = int(part_of(state.tensors, f"{FLOW}lengths", [1], np.int64)[0])
        tensors = {**state.tensors, **_whole(state)} if ORDER in state.tensors else state.tensors
    return restored(path, tensors, state.record, context, tokenizer, ids[:count])


def _whole(state: SavedState) -> Arrays:
    """The two tensors whose rows ``pooled`` moved to pools or beside them: the held cells
    (``STATE``) and, if there are any, the waiting rows (``MEMORY``)."""
    first = part_of(state.tensors, STATE, [None], np.uint8)
    form = read_cells(first, HEAD)
    order = part_of(state.tensors, ORDER, [None], np.int64)  # sums depend on it
    tensors, rows = Arrays(), np.zeros((len(order), form.rows().shape[1]), np.uint8)
    left = np.ones(len(order), bool)

    def enter(places: Ints, new_rows: Rows) -> None:
        at = np.argsort(places)
        mine = left & np.isin(order, places)
        rows[mine] = new_rows[at[np.searchsorted(places, order[mine], sorter=at)]]
        left[mine] = False

    if f"{SHIFTED}{ROWS}" in state.tensors:
        places = part_of(state.tensors, f"{SHIFTED}{PLACES}", [None], np.int64)
        shape = [len(places), rows.shape[1]]
        enter(places, part_of(state.tensors, f"{SHIFTED}{ROWS}", shape, np.uint8))
    if (held := state.pools.get(STATE)) is not None:
        enter(held.positions, part_of(held.rows, ROWS, [None, rows.shape[1]], np.uint8))
    if (waiting := state.pools.get(MEMORY)) is not None:
        memory = retention_of(state.record["retention"]).memory
        kept = RowFormat(memory.storage if isinstance(memory, Memory) else None, form)
        tensors[MEMORY] = part_of(waiting.rows, ROWS, [None, kept.num_bytes], np.uint8)
        back = np.isin(waiting.positions, order[left])
        if back.any():
            places = waiting.positions[back]
            enter(places, kept.read(places, tensors[MEMORY][back]).rows())
    check(not left.any(), STATE)
    cells = form.with_rows(order, rows)
    return tensors | {STATE: cells.spliced(first[:HEAD], np.arange(len(order)), ())}


def restored(
    path: Path,
    tensors: Arrays,
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
        cells = SharedCells.of(part_of(tensors, STATE, [None], np.uint8))
        positions = np.sort(flow.table.positions[0])
        original = retention.positions == "original"
        check((places == positions).all() if original else (np.diff(places) > 0).all(), PLACES)
        check((places <= positions).all(), PLACES)
        check(np.array_equal(np.sort(cells.places), places), STATE)
        check({*cells.form.beside.newest}.issubset({int(places[-1])}), STATE)
        memory = _memory(flow, tensors, cells.form, context.model.kv_heads)
        return Snapshot(flow, cells, places, saved.context_open, saved.live, memory)


def _memory(
    flow: RetentionFlow, tensors: Arrays, form: Cells, kv_heads: int
) -> SegmentCells | None:
    """The rows of all segments that wait, of cells in a ``form``. Raises ValueError where the flow
    knows others."""
    given = flow.retention.memory
    if not isinstance(given, Memory):
        return None
    memory, rows = SegmentCells(given, kv_heads), np.zeros((0, 0), np.uint8)
    if MEMORY in tensors:
        rows = part_of(tensors, MEMORY, [None, None], np.uint8)
    left = part_of(tensors, LEFT, [None], np.int64) if LEFT in tensors else None
    memory.resume(flow, form, rows, left)
    return memory


def saved_retention(path: str | Path) -> Retention:
    """What a saved sequence was made with. Raises InputError as ``load_cache``."""
    with cache_file.understanding(path := Path(path)):
        return retention_of(read_file(path)[1].get("retention"))


def read_file(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The tensors and the record of a file of this engine. Raises InputError for another one."""
    tensors, record = cache_file.read(path)
    if record.get("engine") != ENGINE:
        raise InputError(f"{path} is not of the engine {ENGINE}: give --engine transformers")
    return tensors, record


def _check_model(saved: dict[str, Any], context: Context, path: Path) -> None:
    facts = context.model.facts() | {"cell_type": context.cell_type}
    for name, value in facts.items():
        if saved[name] != value:
            raise CacheStateError(
                f"{path} was saved with another {name} ({saved[name]}), here it is {value}: "
                "keys and values of one do not serve the other; use that one, or read the text "
                "again"
            )
