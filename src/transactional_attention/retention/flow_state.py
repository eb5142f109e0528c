"""What a flow must remember: to go on elsewhere, and of the text of a stream.

What it has decided so far is plain data and arrays, without text and ids; the way back fills a
fresh flow of the same retention, rows and shape.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..selection.slots import FORGOTTEN, GENERATED, PADDING, PER_SLOT, SlotTable
from ..text.token_text import TokenText
from ..types import Ints, Span
from . import sequence_state
from .flow import RetentionFlow
from .masking import masked_labels, secrets_of
from .sequence import TAIL, SequenceState
from .sequence_state import SavedSequence, check_saved
from .serialization import (
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

Arrays = dict[str, np.ndarray]
RowIds = Sequence[Sequence[int]]
PLACES = ("positions", *(name for name in PER_SLOT if name not in ("positions", "ids")))
OPTIONAL = ("observed", "limits", "sharp")
KEEP = 1 << 15  # characters from which a text forgets


def detached(flow: RetentionFlow) -> RetentionFlow:
    """As ``flow``, with tables of its own; it shares nothing that changes once ``take_rows`` was
    called."""
    other = copy.copy(flow)
    other.provisional, other.allocation = list(flow.provisional), copy.deepcopy(flow.allocation)
    other.tables = {key: replace(table) for key, table in flow.tables.items()}
    return other


class SavedTable(NamedTuple):
    """Of a table what no array says."""

    budget: Annotated[int, 1] | None
    width: Count


class SavedFlow(NamedTuple):
    """The record that ``exported`` gives."""

    rows: list[SavedSequence]
    tables: list[SavedTable]
    selected: list[SavedSelection]


def exported(flow: RetentionFlow) -> tuple[dict[str, Any], Arrays]:
    """A flow between two forwards, what was generated read."""
    arrays: Arrays = {"lengths": flow.lengths, "prompts": flow.prompts}
    rows = []
    for row, sequence in enumerate(flow.sequences):
        reported = [span for item in reported_spans(flow, row) for span in item]
        state, arrays[f"rows.{row}.wordings"] = sequence_state.exported(sequence, reported)
        rows.append(state | {"provisional": plain(flow.provisional[row])})
    tables = list(flow.tables.values())
    for index, table in enumerate(tables):
        arrays |= {f"tables.{index}.{name}": a for name, a in _arrays_of(table).items()}
    return {
        "rows": rows,
        "tables": [{"budget": table.budget, "width": table.width} for table in tables],
        "selected": [plain_selected(item) for item in flow.table.selected],
    }, arrays


def reported_spans(flow: RetentionFlow, row: int) -> list[Sequence[Any]]:
    """Spans of a row that a report shows beside those of its registry."""
    heads = flow.table.heads
    chosen = flow.table.selected[row * heads : (row + 1) * heads]
    both = [spans for item in chosen for spans in (item.admitted, item.refused)]
    return [flow.provisional[row], *both]


def _arrays_of(table: SlotTable) -> Arrays:
    """What is known of the slots; all that is zero is left out."""
    found = {name: getattr(table, name) for name in PLACES}
    found["positions"] = table.positions.astype(np.int32)
    found["generated"] = table.ids == GENERATED
    found = {name: array for name, array in found.items() if name == "positions" or array.any()}
    found["recent"] = table.recent
    optional = {name: getattr(table, name) for name in OPTIONAL}
    return found | {name: array for name, array in optional.items() if array is not None}


def resume(
    flow: RetentionFlow, record: Any, arrays: Mapping[str, np.ndarray], ids: RowIds | None
) -> None:
    """Fill a fresh flow; ``ids`` [row]: all tokens that each row has seen, if they are at hand.
    Raises InputError when ``ids`` are not those tokens; ValueError for data that ``exported`` did
    not make."""
    known = read(SavedFlow, record, "flow")
    if ids is not None and len(ids) != len(flow.sequences):
        raise InputError(f"input_ids have {len(ids)} rows, the cache has {len(flow.sequences)}")
    flow.lengths = part_of(arrays, "lengths", [len(flow.sequences)], np.int64).copy()
    known_ends = {"prompts": flow.lengths, **arrays}  # older files lack them
    flow.prompts = part_of(known_ends, "prompts", [len(flow.sequences)], np.int64).copy()
    check(((flow.prompts >= 0) & (flow.prompts <= flow.lengths)).all(), "prompts")
    longest = longest_piece(flow.tokenizer)
    for row, (sequence, state) in enumerate(zip(flow.sequences, known.rows, strict=True)):
        check_saved(state, int(flow.lengths[row]), longest)
        wordings = part_of(arrays, f"rows.{row}.wordings", [None, 4], np.int64)
        tokens = None if ids is None else ids[row]
        sequence_state.resume(sequence, state, wordings, tokens, flow.tokenizer)
        flow.provisional[row] = [] if ids is None else state.provisional
        for span in state.provisional if ids is None else ():  # no text goes on with it
            sequence.registry.add(span, None)
    for index, (table, given) in enumerate(zip(flow.tables.values(), known.tables, strict=True)):
        own_budget = given.budget == table.budget
        if flow.retention.pinned and table.budget is not None:  # what is pinned comes beside it
            own_budget = given.budget is not None and given.budget >= table.budget
        check(flow.allocation is not None or own_budget, "tables.budget")
        table.budget, prefix = given.budget, f"tables.{index}."
        own = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
        _fill(table, _checked(own, table, flow.lengths), ids)
        for row, read_ids in zip(table.rows.tolist(), table.ids):  # what is said has no frequency
            most = len(flow.sequences[row].counts)
            check(ids is None or read_ids.max(initial=GENERATED) < most, "generated")
    for item in known.selected:
        for spans in (item.admitted, item.refused):
            check_spans(spans, int(flow.lengths.max(initial=0)))
    check(len(known.selected) in (0, len(flow.table.rows)), "selected")
    flow.table.selected = [selected_of(item) for item in known.selected]


def longest_piece(tokenizer: Any) -> int:
    """Characters that a token may become, a space before it included."""
    vocabulary = {} if tokenizer is None else tokenizer.get_vocab()
    return 1 + max(map(len, vocabulary), default=0)


def _checked(own: Arrays, table: SlotTable, lengths: Ints) -> Arrays:
    """The arrays of a table, each of the type and shape that ``_arrays_of`` gives, and with
    numbers that can be. Raises ValueError for others."""
    lanes = len(table.rows)
    positions = part_of(own, "positions", [lanes, None], np.int32)
    shape, ends = positions.shape, table.lanes_of(lengths)[:, None]
    check(((positions >= PADDING) & (positions < ends)).all(), "positions")
    ordered = np.sort(positions, 1)
    twice = (np.diff(ordered, axis=1) == 0) & (ordered[:, 1:] != PADDING)
    check(not twice.any(), "positions")
    for name in {*PLACES, "generated"} & own.keys() - {"positions"}:
        found = part_of(own, name, shape, np.dtype(PER_SLOT.get(name, np.bool_)))
        check(np.isfinite(found).all(), name)
    if "observed" in own:
        found = part_of(own, "observed", shape, np.float64)
        check(np.isfinite(found[positions != PADDING]).all(), "observed")
    for name in {"recent", "limits", "sharp"} & {*own, "recent"}:
        check((part_of(own, name, [lanes], np.int64) >= 0).all(), name)
    return own


def _fill(table: SlotTable, own: Arrays, ids: RowIds | None) -> None:
    positions = own["positions"].astype(np.int64)
    table.append(positions[:: table.heads], np.full_like(positions[:: table.heads], FORGOTTEN))
    for name in PLACES:
        if name in own:
            setattr(table, name, own[name].astype(getattr(table, name).dtype))
    generated = own.get("generated", np.zeros(positions.shape, bool))
    table.ids[:] = np.where(generated, GENERATED, table.ids)
    if ids is not None:
        for lane, row in enumerate(table.rows.tolist()):
            known = np.array([*ids[row], GENERATED], np.int64)[positions[lane]]  # padding: last
            table.ids[lane] = np.where(generated[lane], GENERATED, known)
    table.recent = own["recent"].astype(np.int64)
    for name in OPTIONAL:
        setattr(table, name, own.get(name))
    table.padded = bool((table.positions == PADDING).any())


def forget_text(flow: RetentionFlow, keep: int = KEEP) -> None:
    """Let the texts of a flow forget, between two forwards, when they hold ``keep`` characters.

    All goes that nobody asks for again. Asked for again are the tokens that a table holds, the
    values and labels that are registered or reported, the headers of open tables, the ends of
    ranges that the caller named in characters, and the last characters of the text, which the
    detectors look back on.

    What it decides stays as it is. Without a budget every token is held, and nothing forgotten.
    """
    if any(table.budget is None for table in flow.tables.values()):
        return
    for row, sequence in enumerate(flow.sequences):
        text = sequence.text
        if text is None or text.num_chars - text.first < keep:
            continue
        spans = [*sequence.registry.known, *(s for part in reported_spans(flow, row) for s in part)]
        # with values that may be forgotten now
        sequence.secrets = secrets_of(sequence, labelled=True)
        sequence.labels = masked_labels(sequence, spans)
        before = max(text.first, min(sequence.scanner.start, text.num_chars - TAIL))
        text.forget(before, _needed(flow, row, sequence, text))
        found = sorted(sequence.stated)
        places = zip(found, text.tokens_for_each(found), strict=True)
        sequence.stated = {span for span, known in places if len(known)}


def _needed(flow: RetentionFlow, row: int, sequence: SequenceState, text: TokenText) -> Ints:
    """Tokens that are asked for again; some are not read yet or forgotten already."""
    tables = flow.tables.values()
    held = [table.positions[table.rows == row].reshape(-1) for table in tables]
    reported = [span for spans in reported_spans(flow, row) for span in spans]
    ranges = [part for s in [*sequence.registry.known, *reported] for part in (s.value, s.label)]
    ranges += [text.tokens_for(span) for span in sequence.scanner.header]
    ends = [p.span for p in sequence.protected if p.unit == "chars"]
    for first, last in ((s.start, s.end - 1) for s in map(text.tokens_for, ends) if len(s)):
        ranges += [Span(first, first + 2), Span(last, last + 2)]  # as ``marks_of`` counts them
    return np.unique(np.concatenate([*held, *(np.arange(s.start, s.end) for s in ranges)]))
