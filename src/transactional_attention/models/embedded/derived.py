"""Files derived from one model's weights: known by their checksum, found, and how to make them.

The weights of the learned detector are such a file; another model's are refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...errors import InputError
from ...laboratory import INSTALL, brought
from ...types import Arrays
from ..tensors import load_tensors, save_tensors
from . import places

if TYPE_CHECKING:
    from torch import Tensor, nn

NAME = "detector.safetensors"
PARTS = ("inner", "inner_bias", "outer", "outer_bias", "scale", "layer")
WHAT = "the weights of the learned detector"


def weights_sha256(decoder: nn.Module) -> str:
    """Checksum of a decoder's parameters: names, shapes and values.

    Values count as bfloat16, so that weights stored as that are the same in whatever type they
    were loaded; the output matrix has no part in it, nothing derived depends on it.
    """
    digest = hashlib.sha256()
    for name, weight in sorted(decoder.named_parameters()):
        digest.update(f"{name} {tuple(weight.shape)}\n".encode())
        digest.update(_bytes(weight))
    return digest.hexdigest()


def fingerprint(decoder: nn.Module) -> str:
    """What a model is known by, however its weights are stored: sizes, a checksum of its norms.

    Files of four or eight bits keep norms and biases as they were, so that all of them have the
    fingerprint of the model that they were made of; it takes no reading of the large weights.
    """
    config = decoder.config.get_text_config(decoder=True)  # type: ignore[union-attr, operator]
    sizes = config.hidden_size, config.num_hidden_layers, config.vocab_size
    digest = hashlib.sha256(f"{config.model_type} {sizes}\n".encode())
    for _, weight in vectors(decoder):
        digest.update(_bytes(weight))
    return digest.hexdigest()


def vectors(decoder: nn.Module) -> list[tuple[str, nn.Parameter]]:
    """The parameters that a fingerprint reads, by name: norms and biases."""
    return sorted((name, w) for name, w in decoder.named_parameters() if w.ndim == 1)


def _bytes(weight: Tensor) -> bytes:
    import torch  # noqa: PLC0415  (not to list what is there)

    values = weight.detach().to(torch.bfloat16).cpu().contiguous()
    return values.view(torch.int16).numpy().tobytes()


def find_file(name: str, folder: str, weights: str, made_for: Callable[[Path], str]) -> Path | None:
    """The file of a model: the one in its folder, otherwise the shipped one of its weights.

    ``folder``: where the model was loaded from; a hub name is no folder. ``made_for`` reads the
    checksum that a file was made for; whether it is the model's is not asked of its own file.
    """
    file = Path(folder) / name
    if folder and file.is_file():
        return file
    shipped = sorted(path for place in places() for path in place.glob(f"*/{name}"))
    return next((path for path in shipped if made_for(path) == weights), None)


def place_of(name: str, folder: str) -> Path:
    """Where a missing file belongs: in the model's folder, if it has one."""
    return Path(folder) / name if folder and Path(folder).is_dir() else Path(name)


def command_for(kind: str, path: Path) -> str:
    """The command that makes a file: ``kind`` is what ``ta train`` calls it."""
    model = "embedded" if path.parent.parent in places() else "MODEL"
    train = f"train them with `ta train {kind} --model {model} --out {path}`"
    return train if brought("weights") else f"{INSTALL}; where it does not bring them, {train}"


def find_detector(decoder: Any) -> dict[str, npt.NDArray[Any]]:
    """Weights for a model: those in its folder, otherwise shipped ones with its fingerprint. Raises
    InputError when there are none, or those in its folder are another model's or damaged."""
    model = fingerprint(decoder)
    folder = str(getattr(decoder, "name_or_path", "") or "")
    path = find_file(NAME, folder, model, lambda path: _load(path)[1].get("model", ""))
    if path is None:
        raise InputError(
            f"{WHAT} are missing for this model (its fingerprint starts "
            f"{model[:12]}): {_remedy(place_of(NAME, folder))}"
        )
    return read_detector(path, model)


def _load(path: Path) -> tuple[Arrays, dict[str, str]]:
    return load_tensors(path, WHAT, _remedy(path))


def read_detector(path: Path, model: str) -> dict[str, npt.NDArray[Any]]:
    """Weights in a file, for a model with that fingerprint. Raises InputError when the file is
    missing, damaged, or of another model."""
    tensors, about = _load(path)
    if set(tensors) != set(PARTS):
        raise InputError(f"{WHAT} in {path.name} lack a tensor: {_remedy(path)}")
    origin = about.get("model", "")
    if origin != model:
        raise InputError(
            f"{WHAT} in {path.name} are of another model (its fingerprint starts {origin[:12]}, "
            f"this model's {model[:12]}): {_remedy(path)}"
        )
    return {name: t if name == "layer" else t.astype(np.float32) for name, t in tensors.items()}


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
