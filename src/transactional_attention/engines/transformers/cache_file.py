"""One safetensors file with tensors and a JSON record, written whole or not at all.

The record is in the metadata beside the format, its version and a sha256 of everything. It knows
no cache. Nothing is ever unpickled.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from ...errors import DamagedError, InputError, RetentionError
from ...files import write_whole

FORMAT, VERSION = "transactional_attention.cache", 1
MAX_RECORD = 80_000_000  # bytes; safetensors refuses headers of 100 MB
BEGINNING = b'{"__metadata__":{'  # behind eight bytes of length
Tensors = dict[str, Tensor]


def write(path: Path, tensors: Tensors, record: Mapping[str, Any]) -> None:
    """Write a file that only its owner can read; one that is there stays until this is complete.
    Raises InputError when it cannot be written."""
    text = json.dumps(record, default=lambda number: number.item())  # numpy's
    if len(text) > MAX_RECORD:
        raise InputError(f"cannot save to {path}: too many values are registered for one file")
    about, own = {"format": FORMAT, "version": str(VERSION), "record": text}, _apart(tensors)
    content = save(own, {**about, "sha256": _checksum(own, about)})
    try:
        write_whole(path, content, 0o600)
    except OSError as error:
        raise InputError(
            f"cannot save to {path}: {error.strerror}; what was there is unchanged"
        ) from None


def _apart(tensors: Tensors) -> Tensors:
    """On the CPU, and none a part of another: safetensors knows no shared memory."""
    found: Tensors = {}
    taken: set[int] = set()
    for name, tensor in tensors.items():
        own = tensor.detach().cpu().contiguous()
        found[name] = own.clone() if own.untyped_storage().data_ptr() in taken else own
        taken.add(found[name].untyped_storage().data_ptr())
    return found


def read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    """The tensors, on the CPU, and the record of a file. Raises DamagedError when it is missing or
    not what was written, InputError for another kind, a newer version, and what cannot be read."""
    if not path.is_file():
        raise DamagedError(f"there is no saved cache {path}")
    try:
        with safe_open(path, framework="pt") as file:
            about = dict(file.metadata() or {})
            if about.get("format") != FORMAT:
                raise InputError(
                    f"{path} is no saved cache, but a safetensors file of another kind"
                )
            if (version := about.get("version", "")) != str(VERSION):
                raise InputError(
                    f"{path} has version {version} of the format, this release reads {VERSION}: "
                    "load it with the release that wrote it, or a newer one"
                )
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, ValueError, RuntimeError):
        raise DamagedError(
            f"{path} is no saved cache: it is cut off, damaged or of another kind"
        ) from None
    if about.pop("sha256", "") != _checksum(tensors, about):
        raise DamagedError(f"{path} is damaged (its sha256 is another): save the cache again")
    return tensors, _record(path, about.get("record", ""))


def _record(path: Path, text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise DamagedError(f"{path} is damaged (its record is none): save the cache again")
    return record


def peek(path: Path) -> Any:
    """The record of a file, unchecked and without its tensors; None for any other file."""
    try:
        with safe_open(path, framework="pt") as file:
            about = file.metadata() or {}
        own = about.get("format") == FORMAT and about.get("version") == str(VERSION)
        return json.loads(about["record"]) if own else None
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError):
        return None


def begins(path: Path) -> bool:
    """Whether a file begins as those that ``write`` makes, as far as it goes."""
    with path.open("rb") as file:
        return BEGINNING.startswith(file.read(8 + len(BEGINNING))[8:])


def under(prefix: str, tensors: Tensors) -> Tensors:
    """The tensors whose names begin with ``prefix``, without it."""
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


@contextlib.contextmanager
def understanding(path: Path) -> Iterator[None]:
    """While tensors and a record of a file are made into what they were: data that nobody wrote is
    an InputError."""
    try:
        yield
    except RetentionError:
        raise
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}): save it again") from None
    except (KeyError, TypeError, AttributeError) as error:  # in what is compared of a model
        raise InputError(f"{path} is damaged ({type(error).__name__}): save it again") from None


def _checksum(tensors: Tensors, about: Mapping[str, str]) -> str:
    """sha256 of the metadata, and of names, types, shapes and bytes of the tensors."""
    found = hashlib.sha256(json.dumps(sorted(about.items())).encode())
    for name, tensor in sorted(tensors.items()):
        found.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        if tensor.numel():
            found.update(tensor.reshape(-1).view(torch.uint8).numpy().data)
    return found.hexdigest()
