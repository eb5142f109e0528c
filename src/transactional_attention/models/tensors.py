"""Files of trained numbers: safetensors that carry the sha256 of what they hold."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from ..errors import InputError
from ..files import write_whole
from ..types import Arrays

CONTENT = "content_sha256"


def content_sha256(tensors: Mapping[str, npt.NDArray[Any]]) -> str:
    """Checksum of the names, types, shapes and bytes of tensors, in the order of their names."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        digest.update(f"{name} {tensor.dtype} {tensor.shape}\n".encode())
        digest.update(tensor.tobytes())
    return digest.hexdigest()


def save_tensors(path: Path, tensors: Arrays, about: Mapping[str, str]) -> None:
    """Write tensors, what is said about them, and their checksum. Raises InputError when the file
    cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, save(tensors, {**about, CONTENT: content_sha256(tensors)}), 0o644)
    except (OSError, SafetensorError) as error:
        raise InputError(f"cannot write {path}: {error}") from None


def load_tensors(path: Path, what: str, remedy: str) -> tuple[Arrays, dict[str, str]]:
    """The tensors of a file, and what is said about them; ``what`` and ``remedy`` are for errors.
    Raises InputError when the file is missing, cannot be read, or is not what was written."""
    if not path.is_file():
        raise InputError(f"{what} are missing ({path.name}): {remedy}")
    try:
        with safe_open(path, framework="numpy") as file:
            about = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError, ValueError) as error:
        raise InputError(f"{what} cannot be read ({path.name}, {error}): {remedy}") from None
    if about.pop(CONTENT, "") != content_sha256(tensors):
        raise InputError(f"{what} are damaged ({path.name}, its sha256 is another): {remedy}")
    return tensors, about
