"""Runs blocks, context by context; a context that a record holds is not run again.

A row keeps one mark a question, in the order of the contexts: every count is derived from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from transactional_attention.methods.registry import get_method

from .asking import Answered, Seen, run_context
from .executor import Unit
from .experiment import Context, Record, Row
from .marks import counted
from .origins import traced
from .plan import Arm, Block, cell_of

Cell = tuple[Any, ...]


def run_blocks(context: Context, blocks: Sequence[Block]) -> Record:
    """Rows of all cells, those of ``context.rows`` carried on where they stopped.

    Rows of cells that the blocks lack stay behind the others: nothing recorded is lost. A cell
    that was refused is tried again.
    """
    table = {cell_of(row): row for row in context.rows}
    refused: set[Cell] = set()  # by this run
    total = sum(block.contexts for block in blocks)
    units = _units(context, blocks, table, refused)
    for unit, answered in context.executor.results(units):
        block = blocks[unit.key[1]]
        refused |= _add(context, block, answered, table, refused)
        context.save(list(table.values()))
        context.progress(_before(blocks, unit), total)
    context.progress(total, total)
    planned = {_cell(block, arm): block.groups for block in blocks for arm in block.arms}
    ordered = (*planned, *(cell for cell in table if cell not in planned))
    rows = (_grouped(table[cell], planned.get(cell)) for cell in ordered if cell in table)
    return {"rows": list(rows)}


def _grouped(row: Row, groups: Sequence[str] | None) -> Row:
    """The row in the groups of today's plan: a sum that is new needs no new run."""
    return row if groups is None else {**row, "groups": list(groups)}


def _units(
    context: Context, blocks: Sequence[Block], table: dict[Cell, Row], refused: set[Cell]
) -> Iterator[Unit]:
    """What is missing, context by context; ``table`` and ``refused`` grow meanwhile."""
    for index, block in enumerate(blocks):
        for trial in range(block.contexts):
            missing = tuple(
                arm
                for arm in block.arms
                if (cell := _cell(block, arm)) not in refused and _lacks(table.get(cell), trial)
            )
            if missing:
                run = partial(run_context, context, block, trial)
                rows = tuple(empty_row(context, block, arm) for arm in missing)
                yield Unit(("block", index, trial), run, rows, missing)


def _before(blocks: Sequence[Block], unit: Unit) -> int:
    """Contexts up to a unit and with it."""
    _, index, trial = unit.key
    return sum(block.contexts for block in blocks[:index]) + trial + 1


def _cell(block: Block, arm: Arm) -> Cell:
    return cell_of(block.key(arm))


def _lacks(row: Row | None, trial: int) -> bool:
    """Whether a cell has yet to see a context."""
    return row is None or row["contexts"] <= trial


def _add(
    context: Context, block: Block, answered: Answered, table: dict[Cell, Row], refused: set[Cell]
) -> set[Cell]:
    """Adds one context to the rows of its arms, all of it or nothing; returns what was refused.

    A cell that an earlier context refused stays as it is: others may have been under way then.
    """
    found = {_cell(block, arm): (arm, seen) for arm, seen in answered.arms.items()}
    for cell, (arm, seen) in found.items():
        if cell not in refused:
            row = table.get(cell) or empty_row(context, block, arm)
            table[cell] = traced(_added(row, block, seen), answered.origin)
    return {cell for cell, (_, seen) in found.items() if seen.refused is not None}


def empty_row(context: Context, block: Block, arm: Arm) -> Row:
    """A cell that has seen no context yet."""
    filler = context.filler if "/" not in context.filler else "file"
    return {
        **block.key(arm),
        "saving": get_method(arm.method).saving,
        "groups": list(block.groups),
        "filler": filler,
        "contexts": 0,
        "marks": {},
        "anchors": 0,
        "max_live_tokens": 0,
        "commits": [],
        "dirty": False,
    }


def _added(row: Row, block: Block, seen: Seen) -> Row:
    """The row with one more context, or with the reason why there is none."""
    if seen.refused is not None:
        return {**row, "refused": seen.refused}
    row = {name: value for name, value in row.items() if name != "refused"}
    marks = dict(row["marks"])
    for label, found in seen.marks.items():
        marks[label] = marks.get(label, "") + found
    return {
        **row,
        "contexts": row["contexts"] + 1,
        "marks": marks,
        **counted(marks, block.answered),
        "anchors": row["anchors"] + seen.anchors,
        "max_live_tokens": max(row["max_live_tokens"], seen.max_live_tokens),
    }
