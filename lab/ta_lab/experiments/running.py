"""Runs blocks, context by context, and single measurements; what a record holds is not rerun."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from transactional_attention.errors import RetentionError
from transactional_attention.methods.registry import get_method
from transactional_attention.models.embedded import SHIPPED, load_embedded

from ..cases.cases import Case
from ..cases.encoding import encode_case
from ..cases.runner import CaseRunner, Outcome, TextRunner, observed_by
from . import beside
from .experiment import NARROWING, Context, Experiment, Record, Row
from .marks import counted, mark, origins
from .plan import SEEDS_APART, Arm, Block, Cell, cell_of, narrowed, with_controls


def traced(row: Row, origin: Row) -> Row:
    """The row with the commit of this run beside those of earlier ones; dirty if any run was."""
    return {**row, **origins([row, origin])}


Asked = list[Outcome] | RetentionError
"""What became of an arm, question by question, or why it cannot be asked."""
_PATH = re.compile(r"(?:/[^\s/`]+)+/([^\s/`]+)")  # a record names no folder of the machine


def run_context(
    context: Context, block: Block, trial: int, arms: Sequence[Arm]
) -> tuple[list[Case], list[Asked]]:
    """Reads the context of a trial once, and asks its questions under every arm."""
    named = block.tokenizer
    tokenizer = _loaded(context, block)[1] if named is None else context.tokenizers[named]()
    cases = block.make(tokenizer, trial)
    seed = context.seed * SEEDS_APART + trial
    if block.answered and named is None:
        return cases, _answers(block, cases, arms, seed, _loaded(context, block))
    encoded = encode_case(tokenizer, cases[0])
    shape = context.shape if named is None and block.model is None else None
    return cases, _retention(block, cases, arms, seed, TextRunner(tokenizer, encoded, shape))


def _loaded(context: Context, block: Block) -> tuple[Any, Any]:
    """The model of a block and its tokenizer."""
    return context.loaded if block.model is None else _shipped(block.model)


_shipped = lru_cache(maxsize=1)(lambda name: load_embedded(SHIPPED[name]))


def _answers(
    block: Block, cases: Sequence[Case], arms: Sequence[Arm], seed: int, loaded: tuple[Any, Any]
) -> list[Asked]:
    """Questions of one context: a prefill for all of them, or one each where they are visible.

    What chat models say is read to its end, since they may say more than the answer."""
    model, tokenizer = loaded
    observe = observed_by(arm.retention(cases[0], 0) for arm in arms)

    def runner(case: Case) -> CaseRunner:
        return CaseRunner(model, tokenizer, case, block.protocol, observe)

    first, hidden = runner(cases[0]), block.protocol == "hidden"
    arm_outcomes: list[Asked] = [[] for _ in arms]
    for case in cases:
        one = first if case is cases[0] else first.asking(case) if hidden else runner(case)
        asked = [arm.retention(case, seed) for arm in arms]
        outcomes = one.run_each(asked, whole=first.encoded.chat)
        for i, outcome in enumerate(outcomes):
            arm_outcomes[i] = _with_outcome(arm_outcomes[i], outcome, _asked(case))
    return arm_outcomes


def _with_outcome(results: Asked, outcome: Outcome | RetentionError, index: int | None) -> Asked:
    """The outcomes of an arm with one more; one that cannot be asked has none."""
    if isinstance(results, RetentionError):
        return results
    if isinstance(outcome, RetentionError):
        return outcome
    return [*results, outcome if index is None else replace(outcome, retained=outcome.whole[index])]


def _retention(
    block: Block, cases: Sequence[Case], arms: Sequence[Arm], seed: int, runner: TextRunner
) -> list[Asked]:
    """What is kept of a context: every value of it, or each one that is asked for by itself."""
    values = [_asked(case) for case in cases] if block.slots else [None]
    arm_outcomes: list[Asked] = []
    for arm in arms:
        outcome: Outcome | RetentionError
        try:
            outcome = runner.run(arm.retention(cases[0], seed))
        except RetentionError as error:
            outcome = error
        one: Asked = []
        for value in values:
            one = _with_outcome(one, outcome, value)
        arm_outcomes.append(one)
    return arm_outcomes


def _asked(case: Case) -> int | None:
    """Which critical value is the answer; None where the answer is more than one value."""
    texts = [case.context[value.start : value.end] for value in case.critical]
    return texts.index(case.answer) if case.answer in texts else None


def case_experiment(
    name: str,
    place: str,
    summary: str,
    blocks: Callable[[Context], Sequence[Block]],
    *,
    tables: Callable[[Record], str] = beside.tables,
    controls: bool = True,
    options: tuple[str, ...] = NARROWING,
) -> Experiment:
    """Runs blocks, with controls if not told otherwise; its cells stand beside the paper's figures
    of that name."""

    def run(context: Context) -> Record:
        experiment_blocks = blocks(context)
        whole = with_controls(context, experiment_blocks) if controls else experiment_blocks
        return run_blocks(context, narrowed(context, whole))

    return Experiment(name, place, summary, run, tables, options, blocks)


def run_blocks(context: Context, blocks: Sequence[Block]) -> Record:
    """Rows of all cells, those of ``context.rows`` carried on where they stopped.

    Rows of cells that the blocks lack stay after the others: nothing recorded is lost. A cell
    that was refused is tried again."""
    table = {cell_of(row): row for row in context.rows}
    refused: set[Cell] = set()  # by this run
    done, total = 0, sum(block.contexts for block in blocks)
    for block in blocks:
        for trial in range(block.contexts):
            done += 1
            missing = [
                arm
                for arm in block.arms
                if (cell := block.cell(arm)) not in refused
                and (cell not in table or table[cell]["contexts"] <= trial)
            ]
            if not missing:
                continue
            cases, asked = run_context(context, block, trial, missing)
            for arm, outcomes in zip(missing, asked, strict=True):
                cell = block.cell(arm)
                row = table.get(cell) or empty_row(context, block, arm)
                table[cell] = traced(_added(row, block, cases, outcomes), context.origin)
                if isinstance(outcomes, RetentionError):
                    refused.add(cell)
            context.save(list(table.values()))
            context.progress(done, total)
    context.progress(total, total)
    planned = {block.cell(arm): block.groups for block in blocks for arm in block.arms}
    ordered = (*planned, *(cell for cell in table if cell not in planned))
    rows = [
        table[cell] | ({"groups": list(planned[cell])} if cell in planned else {})
        for cell in ordered
        if cell in table
    ]  # in the groups of today's plan: a sum that is new needs no new run
    return {"rows": rows}


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


def _added(row: Row, block: Block, cases: Sequence[Case], outcomes: Asked) -> Row:
    """The row with one more context, or with the reason why there is none."""
    if isinstance(outcomes, RetentionError):
        return {**row, "refused": _PATH.sub("\\1", str(outcomes))}
    row = {name: value for name, value in row.items() if name != "refused"}
    marks = dict(row["marks"])
    for case, outcome in zip(cases, outcomes, strict=False):
        label = case.critical[_asked(case) or 0].label if block.slots else ""
        marks[label] = marks.get(label, "") + mark(outcome)
    live = [outcome.max_live_tokens for outcome in outcomes]
    return {
        **row,
        "contexts": row["contexts"] + 1,
        "marks": marks,
        **counted(marks, block.answered),
        "anchors": row["anchors"] + sum(outcome.anchors for outcome in outcomes),
        "max_live_tokens": max(row["max_live_tokens"], *live),
    }


@dataclass(frozen=True)
class Job:
    """One measurement. ``key``: names its row, ``part`` in it; ``run``: the rest of the row."""

    key: Row
    run: Callable[[], Row]


def run_parts(context: Context, jobs: Sequence[Job], blocks: Sequence[Block] = ()) -> list[Row]:
    """Rows of the blocks, then of the jobs; what ``context.rows`` holds is not run again."""
    singles = [row for row in context.rows if "part" in row]
    rows = _blocks(context, blocks, singles) if blocks else []
    job_rows = [next((r for r in singles if job.key.items() <= r.items()), None) for job in jobs]
    missing = [i for i, row in enumerate(job_rows) if row is None]
    for done, i in enumerate(missing, 1 + len(jobs) - len(missing)):
        row = {**jobs[i].key, **jobs[i].run(), **context.origin}
        job_rows[i] = row
        singles.append(row)
        context.save([*rows, *singles])
        context.progress(done, len(jobs))
    return [*rows, *(row for row in job_rows if row is not None)]


def _blocks(context: Context, blocks: Sequence[Block], singles: list[Row]) -> list[Row]:
    inner = replace(
        context,
        load=lambda: context.loaded,
        rows=[row for row in context.rows if "part" not in row],
        save=lambda rows: context.save([*rows, *singles]),
    )
    return run_blocks(inner, blocks)["rows"]


def own_folder(data: Path | None, name: str) -> Path | None:
    """A folder of this name inside ``data`` where there is one, so that one folder serves all."""
    return data / name if data is not None and (data / name).is_dir() else data
