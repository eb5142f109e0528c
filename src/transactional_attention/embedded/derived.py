"""Files derived from one model's weights: known by their checksum, found, and how to make them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from .loading import WEIGHTS


def weights_sha256(decoder: nn.Module) -> str:
    """Checksum of a decoder's parameters: names, shapes and values.

    Values count as bfloat16, so that weights stored as that are the same in whatever type they
    were loaded; the output matrix has no part in it, nothing derived depends on it.
    """
    digest = hashlib.sha256()
    for name, weight in sorted(decoder.named_parameters()):
        digest.update(f"{name} {tuple(weight.shape)}\n".encode())
        values = weight.detach().to(torch.bfloat16).cpu().contiguous()
        digest.update(values.view(torch.int16).numpy().tobytes())
    return digest.hexdigest()


def find_file(name: str, folder: str, weights: str, made_for: Callable[[Path], str]) -> Path | None:
    """The file of a model: the one in its folder, else the shipped one of its weights.

    ``folder``: where the model was loaded from; a hub name is no folder. ``made_for`` reads the
    checksum that a file was made for; whether it is the model's is not asked of its own file.
    """
    own = Path(folder) / name
    if folder and own.is_file():
        return own
    shipped = sorted(WEIGHTS.glob(f"*/{name}"))
    return next((path for path in shipped if made_for(path) == weights), None)


def place_of(name: str, folder: str) -> Path:
    """Where a missing file belongs: in the model's folder, if it has one."""
    return Path(folder) / name if folder and Path(folder).is_dir() else Path(name)


def command_for(kind: str, path: Path) -> str:
    """The command that makes a file: ``kind`` is what ``ta train`` calls it."""
    model = "embedded" if path.parent.parent == WEIGHTS else "MODEL"
    return f"train them with `ta train {kind} --model {model} --out {path}`"
