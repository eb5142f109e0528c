"""Runs blocks, context by context; a context that a record holds is not run again.

A row keeps one mark a question, in the order of the contexts: every count is derived from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...config import Retention
from ...engines.transformers import RetentionCache
from ...engines.transformers.reading import model_shape
from ...errors import RetentionError
from ...layout import Shape, observed_by
from ...methods import get_method
from ...slots import PADDING
from ..cases import Case
from ..provenance import revision
from ..runner import CaseRunner, Outcome, TextRunner, encode_case
from .experiment import Context, Record, Row
from .marks import counted, mark
from .plan import SEEDS_APART, Arm, Block, cell_of

_PATH = re.compile(r"(?:/[^\s/`]+)+/([^\s/`]+)")  # a record names no folder of the machine


Cell = tuple[Any, ...]


class SlotRunner(CaseRunner):
    """A runner that notes which values every layer and head held whole at the cut."""

    whole: tuple[bool, ...] = ()

    def compress(self, retention: Retention) -> RetentionCache:
        """As ever; ``whole`` then has one answer for each critical value."""
        cache = super().compress(retention)
        tables = cache.flow.tables.values()
        lanes = [set(lane.tolist()) - {PADDING} for table in tables for lane in table.positions]
        self.whole = tuple(
            all(set(range(v.start, v.end)) <= lane for lane in lanes) for v in self.encoded.values
        )
        return cache


@dataclass
class Reading:
    """What a block is read with; ``model`` None where no model runs. ``origin``: of the code."""

    model: Any
    tokenizer: Any
    origin: Row
    shape: Shape | None = None


def run_blocks(context: Context, blocks: Sequence[Block]) -> Record:
    """Rows of all cells, those of ``context.rows`` carried on where they stopped.

    Rows of cells that the blocks lack stay behind the others: nothing recorded is lost. A cell
    that was refused is tried again.
    """
    table = {cell_of(row): row for row in context.rows}
    refused: set[Cell] = set()  # by this run
    total, done, origin = sum(block.contexts for block in blocks), 0, revision()
    for block in blocks:
        reading: Reading | None = None
        for trial in range(block.contexts):
            missing = [
                arm
                for arm in block.arms
                if (cell := _cell(block, arm)) not in refused and _lacks(table.get(cell), trial)
            ]
            if missing:
                reading = reading or _reading(context, block, origin)
                refused |= _run_context(context, block, trial, missing, reading, table)
                context.save(list(table.values()))
            done += 1
            context.progress(done, total)
    planned = {_cell(block, arm): None for block in blocks for arm in block.arms}
    return {"rows": [table[cell] for cell in (*planned, *(c for c in table if c not in planned))]}


def _cell(block: Block, arm: Arm) -> Cell:
    return cell_of(block.key(arm))


def _lacks(row: Row | None, trial: int) -> bool:
    """Whether a cell has yet to see a context."""
    return row is None or row["contexts"] <= trial


def _reading(context: Context, block: Block, origin: Row) -> Reading:
    if block.tokenizer is not None:
        return Reading(None, context.tokenizers[block.tokenizer](), origin)
    model, tokenizer = context.loaded
    shape = model_shape(model, tokenizer)
    return Reading(model if block.answered else None, tokenizer, origin, shape)


def _run_context(
    context: Context,
    block: Block,
    trial: int,
    arms: Sequence[Arm],
    reading: Reading,
    table: dict[Cell, Row],
) -> set[Cell]:
    """Adds one context to the rows of the arms, all of it or nothing; returns what was refused."""
    cases = block.make(reading.tokenizer, trial)
    seed = context.seed * SEEDS_APART + trial
    ask = _answers(block, cases, arms, reading) if reading.model else _retention(cases, reading)
    found: dict[Arm, list[Outcome] | RetentionError] = {}
    for arm in arms:
        try:
            found[arm] = list(ask(arm, seed))
        except RetentionError as error:
            found[arm] = error
    for arm, outcomes in found.items():
        row = table.get(_cell(block, arm)) or empty_row(context, block, arm)
        table[_cell(block, arm)] = _traced(_added(row, block, cases, outcomes), reading.origin)
    return {_cell(block, arm) for arm in found if isinstance(found[arm], RetentionError)}


def _answers(block: Block, cases: Sequence[Case], arms: Sequence[Arm], reading: Reading) -> Any:
    """Questions of one context: a prefill for all of them, or one each where they are visible."""
    model, tokenizer = reading.model, reading.tokenizer
    observe = observed_by(arm.retention(cases[0], 0) for arm in arms)

    def runner(case: Case) -> SlotRunner:
        return SlotRunner(model, tokenizer, case, block.protocol, observe)

    first = runner(cases[0])
    hidden = block.protocol == "hidden"
    runners = [first, *(first.asking(c) if hidden else runner(c) for c in cases[1:])]

    def ask(arm: Arm, seed: int) -> Iterator[Outcome]:
        for case, one in zip(cases, runners, strict=True):
            outcome = one.run(arm.retention(case, seed))
            index = _asked(case)
            yield outcome if index is None else replace(outcome, retained=one.whole[index])  # type: ignore[attr-defined]

    return ask


def _retention(cases: Sequence[Case], reading: Reading) -> Any:
    """What is kept of a context; every value of it must be."""
    encoded = encode_case(reading.tokenizer, cases[0])
    runner = TextRunner(reading.tokenizer, encoded, reading.shape)

    def ask(arm: Arm, seed: int) -> Iterator[Outcome]:
        yield runner.run(arm.retention(cases[0], seed))

    return ask


def _asked(case: Case) -> int | None:
    """Which critical value is the answer; None where the answer is more than one value."""
    texts = [case.context[value.start : value.end] for value in case.critical]
    return texts.index(case.answer) if case.answer in texts else None


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


def _added(
    row: Row, block: Block, cases: Sequence[Case], outcomes: list[Outcome] | RetentionError
) -> Row:
    """The row with one more context, or with the reason why there is none."""
    if isinstance(outcomes, RetentionError):
        return {**row, "refused": _PATH.sub("\\1", str(outcomes))}
    row = {name: value for name, value in row.items() if name != "refused"}
    marks = dict(row["marks"])
    for case, outcome in zip(cases, outcomes, strict=False):
        label = case.critical[_asked(case) or 0].label if block.slots else ""
        marks[label] = marks.get(label, "") + mark(outcome.retained, outcome.correct)
    return {
        **row,
        "contexts": row["contexts"] + 1,
        "marks": marks,
        **counted(marks, block.answered),
        "anchors": row["anchors"] + sum(outcome.anchors for outcome in outcomes),
        "max_live_tokens": max(row["max_live_tokens"], *(o.max_live_tokens for o in outcomes)),
    }


def _traced(row: Row, origin: Row) -> Row:
    """The row with the commit of this run beside those of earlier ones; dirty if any run was."""
    commits = [*dict.fromkeys([*row["commits"], origin["commit"]])]
    return {**row, "commits": commits, "dirty": row["dirty"] or origin["dirty"]}
