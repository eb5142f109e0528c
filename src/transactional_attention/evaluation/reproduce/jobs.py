"""Experiments of several parts: single measurements, beside blocks of cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..provenance import revision
from .cells import run_blocks
from .experiment import Context, Record, Row
from .plan import Block

NO_JUDGEMENT = "Judgement: none, a quick run."


@dataclass(frozen=True)
class Job:
    """One measurement. ``key``: names its row, ``part`` in it; ``run``: the rest of the row."""

    key: Row
    run: Callable[[], Row]


def run_parts(context: Context, jobs: Sequence[Job], blocks: Sequence[Block] = ()) -> list[Row]:
    """Rows of the blocks, then of the jobs; what ``context.rows`` holds is not run again."""
    singles = [row for row in context.rows if "part" in row]
    rows = _blocks(context, blocks, singles) if blocks else []
    for done, job in enumerate(jobs, 1):
        found = next((row for row in singles if job.key.items() <= row.items()), None)
        if found is None:
            found = {**job.key, **job.run(), **revision()}
            singles.append(found)
            context.save([*rows, *singles])
        rows.append(found)
        context.progress(done, len(jobs))
    return rows


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
