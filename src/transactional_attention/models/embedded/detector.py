"""Weights of the learned detector: found for a model, and refused when they are another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import InputError
from ..tensors import load_tensors, save_tensors
from .derived import command_for, find_file, fingerprint, place_of

NAME = "detector.safetensors"
PARTS = ("inner", "inner_bias", "outer", "outer_bias", "scale", "layer")
WHAT = "the weights of the learned detector"


def find_detector(decoder: Any) -> dict[str, npt.NDArray[Any]]:
    """Weights for a model: those in its folder, else shipped ones with its fingerprint.

    Raises:
        InputError: when there are none, or those in its folder are another model's or damaged.
    """
    model = fingerprint(decoder)
    folder = str(getattr(decoder, "name_or_path", "") or "")
    path = find_file(NAME, folder, model, _made_for)
    if path is None:
        raise InputError(
            f"{WHAT} are missing for this model (its fingerprint starts "
            f"{model[:12]}): {_remedy(place_of(NAME, folder))}"
        )
    return read_detector(path, model)


def _made_for(path: Path) -> str:
    return load_tensors(path, WHAT, _remedy(path))[1].get("model", "")


def read_detector(path: Path, model: str) -> dict[str, npt.NDArray[Any]]:
    """Weights in a file, for a model with that fingerprint.

    Raises:
        InputError: when the file is missing, damaged, or of another model.
    """
    tensors, about = load_tensors(path, WHAT, _remedy(path))
    if set(tensors) != set(PARTS):
        raise InputError(f"{WHAT} in {path.name} lack a tensor: {_remedy(path)}")
    found = about.get("model", "")
    if found != model:
        raise InputError(
            f"{WHAT} in {path.name} are of another model (its fingerprint starts {found[:12]}, "
            f"this model's {model[:12]}): {_remedy(path)}"
        )
    whole = ("layer",)
    return {name: t if name in whole else t.astype(np.float32) for name, t in tensors.items()}


def write_detector(
    path: Path, decoder: Any, tensors: dict[str, npt.NDArray[Any]], **made: object
) -> None:
    """Write weights for a model; ``made``: what is said of how. InputError when it cannot be.

    The large matrix is stored in half precision, which moves no probability by more than 0.001.
    """
    about = {"model": fingerprint(decoder), **{k: str(v) for k, v in made.items()}}
    save_tensors(path, {**tensors, "inner": tensors["inner"].astype(np.float16)}, about)


def _remedy(path: Path) -> str:
    return f"{command_for('detector', path)} (they are found in the model's folder)"
