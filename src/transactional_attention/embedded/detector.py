"""Weights of the learned detector: found for a model, and refused when they are another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..tensors import load_tensors, save_tensors
from .derived import command_for, find_file, place_of, weights_sha256

NAME = "detector.safetensors"
PARTS = ("inner", "inner_bias", "outer", "outer_bias", "scale")
WHAT = "the weights of the learned detector"


def find_detector(decoder: Any) -> dict[str, npt.NDArray[Any]]:
    """Weights for a model: those in its folder, else shipped ones of its weights.

    Raises:
        InputError: when there are none, or those in its folder are another model's or damaged.
    """
    weights = weights_sha256(decoder)
    folder = str(getattr(decoder, "name_or_path", "") or "")
    path = find_file(NAME, folder, weights, _made_for)
    if path is None:
        raise InputError(
            f"{WHAT} are missing for this model (the sha256 of its weights starts "
            f"{weights[:12]}): {_remedy(place_of(NAME, folder))}"
        )
    return read_detector(path, weights)


def _made_for(path: Path) -> str:
    return load_tensors(path, WHAT, _remedy(path))[1].get("weights", "")


def read_detector(path: Path, weights: str) -> dict[str, npt.NDArray[Any]]:
    """Weights in a file, for a model whose weights have that checksum.

    Raises:
        InputError: when the file is missing, damaged, or of another model.
    """
    tensors, about = load_tensors(path, WHAT, _remedy(path))
    found = about.get("weights", "")
    if found != weights:
        raise InputError(
            f"{WHAT} in {path.name} are of another model (its sha256 starts {found[:12]}, this "
            f"model's {weights[:12]}): {_remedy(path)}"
        )
    if set(tensors) != set(PARTS):
        raise InputError(f"{WHAT} in {path.name} lack a tensor: {_remedy(path)}")
    return tensors


def write_detector(
    path: Path, decoder: Any, tensors: dict[str, npt.NDArray[np.float32]], **made: object
) -> None:
    """Write weights for a model; ``made``: what is said of how. InputError when it cannot be."""
    about = {"weights": weights_sha256(decoder), **{k: str(v) for k, v in made.items()}}
    save_tensors(path, tensors, about)


def _remedy(path: Path) -> str:
    return f"{command_for('detector', path)} (they are found in the model's folder)"
