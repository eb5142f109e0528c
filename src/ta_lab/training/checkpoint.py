"""Runs that stop and resume anywhere: steps, a log, checkpoints of which none is half written."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from transactional_attention.errors import InputError

LAST, CORPUS, LOG = "last.pt", "corpus.txt", "log.jsonl"
TRAINED = ("network", "muon", "adamw", "step")


def run_steps(
    trainer: Any, folder: Path, deadline: float, report: Callable[[str], None], every: int
) -> bool:
    """Train until the steps are done (True) or `deadline` (monotonic seconds) is over (False).

    A line of the log every so many steps, with the means over them, a checkpoint every five lines.
    """
    recent: list[Any] = []
    while trainer.step < trainer.steps:
        recent.append(asdict(trainer.train_step()))
        last = trainer.step == trainer.steps
        stop = last or time.monotonic() > deadline
        if trainer.step % every == 0 or stop:
            record = trainer.told()
            for name in recent[0]:
                values = [figures[name] for figures in recent if figures[name] is not None]
                if values:
                    record[name] = round(sum(values) / len(values), 4)
            append_log(folder / LOG, record)
            report(" ".join(f"{name} {value}" for name, value in record.items()))
            recent = []
        if trainer.step % (5 * every) == 0 or stop:
            save_checkpoint(folder, trainer.state())
        if stop:
            return last
    return True


def save_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    """Write `state` as the last checkpoint of a run; raises InputError when the disk is full."""
    write_atomically(folder / LAST, lambda path: torch.save(state, path))


def write_atomically(path: Path, write: Any) -> None:
    """Call `write(temporary path)`, then move the file to `path`.

    Raises InputError when no space is left; the file that was there stays as it was."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        write(temporary)
        os.replace(temporary, path)
    except (OSError, RuntimeError) as error:
        temporary.unlink(missing_ok=True)
        # torch reports a failed write as RuntimeError without an errno.
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        if full or (isinstance(error, RuntimeError) and "write" in str(error)):
            raise InputError(
                f"no space left to write {path.name}: free some, then continue with --resume"
            ) from error
        raise


def load_checkpoint(folder: Path) -> dict[str, Any]:
    """The last checkpoint of a run; InputError when it is missing or damaged."""
    path = folder / LAST
    if not path.is_file():
        raise InputError(f"no {LAST} to resume in {folder}: start without --resume")
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds for a damaged file
        raise InputError(
            f"{path} is damaged: put a copy in its place or start again without --resume"
        ) from error
    if not isinstance(state, dict) or not set(TRAINED) <= set(state):
        raise InputError(f"{path} is no checkpoint of this training: start without --resume")
    return state


def append_log(path: Path, record: dict[str, Any]) -> None:
    """Append one JSON line to a log."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, separators=(",", ":")) + "\n")
