"""Runs the cells of ``ceilings``: one prefill a context serves its questions and its readings."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.inspection.provenance import revision

from ..cases.outcome import Outcome
from ..cases.runner import CaseRunner
from ..cases.sweep import counts
from ..generators import make
from ..generators.placing import Setting
from .ceilings import DEPTHS, CellKey, Group, Reading, Row, key_of


@dataclass(frozen=True)
class Sample:
    """How many questions a cell asks, and of what. ``trials`` are spread over the depths."""

    trials: int = 100
    seed: int = 0
    filler: str = "pydoc"


def measure(
    model: Any,
    tokenizer: Any,
    groups: Sequence[Group],
    sample: Sample,
    rows: list[Row],
    *,
    save: Callable[[list[Row]], None] = lambda rows: None,
    progress: Callable[[float], None] = lambda done: None,
) -> list[Row]:
    """``rows`` of an earlier run and those of the cells that it lacks.

    ``save`` is called with all rows after each group, ``progress`` with the share of a group that
    one context was.
    """
    rows, origin = list(rows), revision()
    for group in groups:
        finished = {key_of(row) for row in rows}
        missing = [reading for reading in group.readings if group.key(reading) not in finished]
        if not missing:
            progress(1.0)
            continue
        measured = _measure_group(model, tokenizer, group, missing, sample, progress)
        rows += [row | origin for row in measured]
        save(rows)
    return rows


def _measure_group(
    model: Any,
    tokenizer: Any,
    group: Group,
    readings: Sequence[Reading],
    sample: Sample,
    progress: Callable[[float], None],
) -> list[Row]:
    outcomes: dict[Reading, list[list[Outcome]]] = {reading: [] for reading in readings}
    started, asked, trial = time.perf_counter(), 0, 0
    while asked < sample.trials:
        depth = DEPTHS[trial % len(DEPTHS)]
        seed = sample.seed * 100_003 + trial // len(DEPTHS)
        setting = Setting(group.tokens, depth, seed, sample.filler, group.variant)
        cases = make(group.task, tokenizer, setting)
        first = CaseRunner(model, tokenizer, cases[0], "hidden")
        runners = [first, *(first.asking(case) for case in cases[1:])]
        asked_of = [
            Retention(reading.budget, reading.method, ledger=reading.ledger, seed=seed)  # type: ignore[arg-type]
            for reading in readings
        ]
        answered = [runner.run_all(asked_of) for runner in runners]
        for reading, found in zip(readings, zip(*answered, strict=True), strict=True):
            outcomes[reading].append(list(found))
        progress(min(len(cases), sample.trials - asked) / sample.trials)
        asked, trial = asked + len(cases), trial + 1
    seconds = round(time.perf_counter() - started, 1)
    return [_row(group, reading, outcomes[reading], sample, seconds) for reading in readings]


def _row(
    group: Group, reading: Reading, contexts: list[list[Outcome]], sample: Sample, seconds: float
) -> Row:
    """Counts of a cell; ``seconds`` are those of its whole group."""
    outcomes = [outcome for context in contexts for outcome in context]
    key: CellKey = group.key(reading)
    names = ("task", "variant", "tokens", "method", "budget", "ledger")
    return {
        **dict(zip(names, key, strict=True)),
        "filler": sample.filler if "/" not in sample.filler else "file",
        **counts(
            trials=len(outcomes),
            correct=sum(o.correct for o in outcomes),
            retained=sum(o.retained for o in outcomes),
            wrapped=sum(o.wrapped for o in outcomes),
            contains=sum(o.contains for o in outcomes),
            contexts=len(contexts),
            all_correct=sum(all(o.correct for o in context) for context in contexts),
        ),
        "seconds": seconds,
    }
