"""Weights of the learned detector: found for a model, and refused when they are another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..tensors import load_tensors, save_tensors
from .gates import weights_sha256
from .loading import WEIGHTS

NAME = "detector.safetensors"
PARTS = ("inner", "inner_bias", "outer", "outer_bias", "scale")
WHAT = "the weights of the learned detector"


def find_detector(decoder: Any) -> dict[str, npt.NDArray[Any]]:
    """Weights for a model: those in its folder, else shipped ones of its weights.

    Raises:
        InputError: when there are none, or those in its folder are another model's or damaged.
    """
    weights = weights_sha256(decoder)
    source = str(getattr(decoder, "name_or_path", "") or "")
    own = Path(source) / NAME
    if source and own.is_file():
        return read_detector(own, weights)
    for path in sorted(WEIGHTS.glob(f"*/{NAME}")):
        if load_tensors(path, WHAT, _remedy(path))[1].get("weights") == weights:
            return read_detector(path, weights)
    raise InputError(
        f"{WHAT} are missing for this model (the sha256 of its weights starts {weights[:12]}): "
        f"{_remedy(own if source and Path(source).is_dir() else Path(NAME))}"
    )


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
    model = "embedded" if path.parent.parent == WEIGHTS else "MODEL"
    return (
        f"train them with `ta train detector --model {model} --out {path}` "
        "(they are found in the model's folder)"
    )
