"""A flow as plain data and arrays, without its text and token ids, and back.

The way back fills a fresh flow of the same retention, rows and shape.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from ...errors import InputError
from ...selection.slot_table import FORGOTTEN, GENERATED, PADDING, PER_SLOT, SlotTable
from ...text.pieces import longest_entry
from ...types import Arrays, Ints
from ..flow import RetentionFlow
from .records import (
    Count,
    SavedSelection,
    check,
    check_spans,
    part_of,
    plain,
    plain_selected,
    read,
    selected_of,
)
from .sequence import SavedSequence, beyond_text, check_saved, export_sequence, resume_sequence

RowIds = Sequence[Sequence[int]]
PLACES = ("positions", *(name for name in PER_SLOT if name not in ("positions", "ids")))
OPTIONAL = ("observed", "limits", "sharp")
FILE_NAMES = {"held": "hold", "quantised": "low"}
"""Arrays of a table that a file has under an older name."""


def detached(flow: RetentionFlow) -> RetentionFlow:
    """A copy with tables of its own. Call ``take_rows`` on it, or on the original, before either
    reads on: until then both share their sequences."""
    other = copy.copy(flow)
    other.provisional, other.allocation = list(flow.provisional), copy.deepcopy(flow.allocation)
    other.tables = {key: replace(table) for key, table in flow.tables.items()}
    return other


class SavedTable(NamedTuple):
    """What a file says of a table beside its arrays."""

    budget: Annotated[int, 1] | None
    width: Count


class SavedFlow(NamedTuple):
    """The record that ``export_flow`` gives."""

    rows: list[SavedSequence]
    tables: list[SavedTable]
    selected: list[SavedSelection]


def export_flow(flow: RetentionFlow) -> tuple[dict[str, Any], Arrays]:
    """The record and the arrays of a flow between two forwards; its generated tokens must have been
    read."""
    arrays: Arrays = {"lengths": flow.lengths, "prompts": flow.prompts}
    rows = []
    for row, sequence in enumerate(flow.sequences):
        reported = [span for item in reported_spans(flow, row) for span in item]
        state, arrays[f"rows.{row}.wordings"] = export_sequence(sequence, reported)
        rows.append(state | {"provisional": plain(flow.provisional[row])})
    tables = list(flow.tables.values())
    for index, table in enumerate(tables):
        held = _arrays_of(table).items()
        arrays |= {f"tables.{index}.{FILE_NAMES.get(name, name)}": array for name, array in held}
    return {
        "rows": rows,
        "tables": [{"budget": table.budget, "width": table.width} for table in tables],
        "selected": [plain_selected(item) for item in flow.table.selected],
    }, arrays


def reported_spans(flow: RetentionFlow, row: int) -> list[Sequence[Any]]:
    """Spans of a row that a report shows in addition to those of its registry."""
    heads = flow.table.heads
    selected = flow.table.selected[row * heads : (row + 1) * heads]
    offered = [spans for item in selected for spans in (item.admitted, item.refused)]
    return [flow.provisional[row], *offered]


def _arrays_of(table: SlotTable) -> Arrays:
    """The arrays of a table by name; those that are all zero are left out."""
    arrays = {name: getattr(table, name) for name in PLACES}
    arrays["positions"] = table.positions.astype(np.int32)
    arrays["generated"] = table.ids == GENERATED
    arrays = {name: array for name, array in arrays.items() if name == "positions" or array.any()}
    arrays["recent"] = table.recent
    optional = {name: getattr(table, name) for name in OPTIONAL}
    return arrays | {name: array for name, array in optional.items() if array is not None}


def resume_flow(
    flow: RetentionFlow, record: Any, arrays: Mapping[str, np.ndarray], ids: RowIds | None
) -> None:
    """Fill a fresh flow.

    Args:
        ids: all tokens that each row has seen [row][token], if the caller has them.

    Raises:
        InputError: ``ids`` are not those tokens.
        ValueError: ``export_flow`` did not make this record and these arrays.
    """
    saved = read(SavedFlow, record, "flow")
    if ids is not None and len(ids) != len(flow.sequences):
        raise InputError(f"input_ids have {len(ids)} rows, the cache has {len(flow.sequences)}")
    flow.lengths = part_of(arrays, "lengths", [len(flow.sequences)], np.int64).copy()
    ends = {"prompts": flow.lengths, **arrays}  # older files lack "prompts"
    flow.prompts = part_of(ends, "prompts", [len(flow.sequences)], np.int64).copy()
    check(((flow.prompts >= 0) & (flow.prompts <= flow.lengths)).all(), "prompts")
    longest, beyond = longest_piece(flow.tokenizer), beyond_text(flow.retention)
    for row, (sequence, state) in enumerate(zip(flow.sequences, saved.rows, strict=True)):
        check_saved(state, int(flow.lengths[row]), longest, beyond)
        wordings = part_of(arrays, f"rows.{row}.wordings", [None, 4], np.int64)
        tokens = None if ids is None else ids[row]
        resume_sequence(sequence, state, wordings, tokens, flow.tokenizer)
        flow.provisional[row] = [] if ids is None else state.provisional
        for span in state.provisional if ids is None else ():  # no text will complete them
            sequence.registry.add(span, None)
    for index, (table, given) in enumerate(zip(flow.tables.values(), saved.tables, strict=True)):
        fits = given.budget == table.budget
        if flow.retention.pinned and table.budget is not None:  # pinned tokens come on top of it
            fits = given.budget is not None and given.budget >= table.budget
        check(flow.allocation is not None or fits, "tables.budget")
        table.budget, prefix = given.budget, f"tables.{index}."
        held = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
        for name, in_file in FILE_NAMES.items():
            held |= {name: held.pop(in_file)} if in_file in held else {}
        _fill(table, _checked(held, table, flow.lengths), ids)
        for row, read_ids in zip(table.rows.tolist(), table.ids):
            most = len(flow.sequences[row].ids.counts)  # generated tokens are not counted
            check(ids is None or read_ids.max(initial=GENERATED) < most, "generated")
    for item in saved.selected:
        for spans in (item.admitted, item.refused):
            check_spans(spans, int(flow.lengths.max(initial=0)), beyond)
    check(len(saved.selected) in (0, len(flow.table.rows)), "selected")
    flow.table.selected = [selected_of(item) for item in saved.selected]


def longest_piece(tokenizer: Any) -> int:
    """Most characters that one token may decode to, with a space before it."""
    return 1 if tokenizer is None else 1 + longest_entry(tokenizer)


def _checked(arrays: Arrays, table: SlotTable, lengths: Ints) -> Arrays:
    """The arrays of a table. Raises ValueError for types and shapes that ``_arrays_of`` does not
    give, and for numbers that are out of range."""
    lanes = len(table.rows)
    positions = part_of(arrays, "positions", [lanes, None], np.int32)
    shape, ends = positions.shape, table.lanes_of(lengths)[:, None]
    check(((positions >= PADDING) & (positions < ends)).all(), "positions")
    ordered = np.sort(positions, 1)
    twice = (np.diff(ordered, axis=1) == 0) & (ordered[:, 1:] != PADDING)
    check(not twice.any(), "positions")
    for name in {*PLACES, "generated"} & arrays.keys() - {"positions"}:
        array = part_of(arrays, name, shape, np.dtype(PER_SLOT.get(name, np.bool_)))
        check(np.isfinite(array).all(), name)
    if "observed" in arrays:
        scores = part_of(arrays, "observed", shape, np.float64)
        check(np.isfinite(scores[positions != PADDING]).all(), "observed")
    for name in {"recent", "limits", "sharp"} & {*arrays, "recent"}:
        check((part_of(arrays, name, [lanes], np.int64) >= 0).all(), name)
    return arrays


def _fill(table: SlotTable, arrays: Arrays, ids: RowIds | None) -> None:
    positions = arrays["positions"].astype(np.int64)
    table.append(positions[:: table.heads], np.full_like(positions[:: table.heads], FORGOTTEN))
    for name in PLACES:
        if name in arrays:
            setattr(table, name, arrays[name].astype(getattr(table, name).dtype))
    generated = arrays.get("generated", np.zeros(positions.shape, bool))
    table.ids[:] = np.where(generated, GENERATED, table.ids)
    if ids is not None:
        for lane, row in enumerate(table.rows.tolist()):
            # padding, -1, takes the last
            known = np.array([*ids[row], GENERATED], np.int64)[positions[lane]]
            table.ids[lane] = np.where(generated[lane], GENERATED, known)
    table.recent = arrays["recent"].astype(np.int64)
    for name in OPTIONAL:
        setattr(table, name, arrays.get(name))
    table.padded = bool((table.positions == PADDING).any())
