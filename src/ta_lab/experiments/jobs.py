"""Experiments of several parts: single measurements, beside blocks of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .cells import run_blocks
from .executor import Unit
from .experiment import Context, Record, Row
from .plan import Block

NO_JUDGEMENT = "Judgement: none, a quick run."


@dataclass(frozen=True)
class Job:
    """One measurement. ``key``: names its row, ``part`` in it; ``run``: the rest of the row.

    ``timed``: it measures time or memory, and runs alone.
    """

    key: Row
    run: Callable[[], Row]
    timed: bool = False

    def row(self, context: Context) -> Row:
        """The whole row."""
        return {**self.key, **self.run(), **context.origin}


def run_parts(context: Context, jobs: Sequence[Job], blocks: Sequence[Block] = ()) -> list[Row]:
    """Rows of the blocks, then of the jobs; what ``context.rows`` holds is not run again."""
    singles = [row for row in context.rows if "part" in row]
    rows = _blocks(context, blocks, singles) if blocks else []
    found = [_recorded(job, singles) for job in jobs]
    missing = [_unit(context, job, i) for i, job in enumerate(jobs) if found[i] is None]
    done = len(jobs) - len(missing)
    for unit, row in context.executor.results(missing):
        found[unit.key[1]] = row
        singles.append(row)
        context.save([*rows, *singles])
        done += 1
        context.progress(done, len(jobs))
    return [*rows, *(row for row in found if row is not None)]


def _recorded(job: Job, rows: Iterable[Row]) -> Row | None:
    return next((row for row in rows if job.key.items() <= row.items()), None)


def _unit(context: Context, job: Job, index: int) -> Unit:
    return Unit(("job", index, 0), lambda _: job.row(context), (job.key,), timed=job.timed)


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


def is_quick(record: Record) -> bool:
    """Whether a record is of a quick run, of which nothing is judged."""
    return record.get("provenance", {}).get("arguments", {}).get("size") == "quick"


def markdown(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    found = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*found, *("| " + " | ".join(map(str, line)) + " |" for line in lines)])
