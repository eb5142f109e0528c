"""Files of a run, of which none is half written: its last checkpoint, and what comes of it."""

from __future__ import annotations

import errno
import io
from pathlib import Path
from typing import Any

import torch

from transactional_attention.errors import InputError
from transactional_attention.files import write_whole

LAST = "last.pt"
TRAINED = ("network", "muon", "adamw", "step")


def write(path: Path, content: bytes) -> None:
    """Write a file, and its folder where there is none; raises InputError when it cannot be.

    What was there is unchanged then."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content, 0o644)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise InputError(
                f"no space left to write {path.name}: free some, then continue with --resume"
            ) from error
        raise InputError(f"cannot write {path}: {error}") from error


def save_checkpoint(folder: Path, state: dict[str, Any]) -> None:
    """Write `state` as the last checkpoint of a run; raises InputError when the disk is full."""
    content = io.BytesIO()
    torch.save(state, content)
    write(folder / LAST, content.getvalue())


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
