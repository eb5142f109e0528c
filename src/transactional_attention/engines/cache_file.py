"""One safetensors file with tensors and a JSON record, written whole or not at all.

The record is in the metadata beside the format, its version and a sha256 of everything. It knows
no cache, and holds tensors as arrays of numpy; bfloat16, which numpy lacks, as ``BFLOAT16``.
Nothing is ever unpickled.
"""

import contextlib
import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from ..errors import DamagedError, InputError, RetentionError
from ..files import write_whole
from ..types import Arrays

FORMAT, VERSION = "transactional_attention.cache", 1
MAX_RECORD = 80_000_000  # bytes; safetensors refuses headers of 100 MB
BEGINNING = b'{"__metadata__":{'  # after eight bytes of length
AnyTensor = TypeVar("AnyTensor")
BFLOAT16 = np.dtype([("bfloat16", "<u2")])
# By the names that safetensors has; with those of torch, which are in the checksum.
TYPES: dict[str, tuple[np.dtype[Any], str]] = {
    "F64": (np.dtype("<f8"), "torch.float64"),
    "F32": (np.dtype("<f4"), "torch.float32"),
    "F16": (np.dtype("<f2"), "torch.float16"),
    "BF16": (BFLOAT16, "torch.bfloat16"),
    "I64": (np.dtype("<i8"), "torch.int64"),
    "I32": (np.dtype("<i4"), "torch.int32"),
    "I16": (np.dtype("<i2"), "torch.int16"),
    "I8": (np.dtype("i1"), "torch.int8"),
    "U8": (np.dtype("u1"), "torch.uint8"),
    "BOOL": (np.dtype("?"), "torch.bool"),
}
NAMES = {dtype: (name, called) for name, (dtype, called) in TYPES.items()}


def write(path: Path, tensors: Arrays, record: Mapping[str, Any]) -> None:
    """Write a file that only its owner can read; one that is there stays until this is complete.
    Raises InputError when it cannot be written."""
    text = json.dumps(record, default=lambda number: number.item())  # numpy's
    if len(text) > MAX_RECORD:
        raise InputError(f"cannot save to {path}: too many values are registered for one file")
    about = {"format": FORMAT, "version": str(VERSION), "record": text}
    content = _packed(tensors, {**about, "sha256": checksum(tensors, about)})
    try:
        write_whole(path, content, 0o600)
    except OSError as error:
        raise InputError(
            f"cannot save to {path}: {error.strerror}; what was there is unchanged"
        ) from None


def _packed(tensors: Arrays, about: Mapping[str, str]) -> bytes:
    """The content of a safetensors file; wide types first, so that all are aligned."""
    header: dict[str, Any] = {"__metadata__": about}
    order, at = sorted(tensors, key=lambda name: (-tensors[name].dtype.itemsize, name)), 0
    for name in order:
        tensor, begin = tensors[name], at
        at += tensor.nbytes
        header[name] = {
            "dtype": NAMES[tensor.dtype][0],
            "shape": tensor.shape,
            "data_offsets": (begin, at),
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(_bytes(tensors[n]) for n in order)])


def _bytes(tensor: NDArray[Any]) -> memoryview:
    """The bytes of a tensor in its order, a copy only where they lie otherwise."""
    return np.ascontiguousarray(tensor).reshape(-1).view(np.uint8).data


def read(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The tensors and the record of a file. Raises DamagedError when it is missing or
    not what was written, InputError for another kind, a newer version, and what cannot be read."""
    if not path.is_file():
        raise DamagedError(f"there is no saved cache {path}")
    try:
        with safe_open(path, framework="numpy") as file:
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
        tensors = _unpacked(path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except (SafetensorError, ValueError, KeyError, RuntimeError):
        raise DamagedError(
            f"{path} is no saved cache: it is cut off, damaged or of another kind"
        ) from None
    if about.pop("sha256", "") != checksum(tensors, about):
        raise DamagedError(f"{path} is damaged (its sha256 is another): save the cache again")
    return tensors, _record(path, about.get("record", ""))


def _unpacked(path: Path) -> Arrays:
    """The tensors of a file that safetensors could open: its header fits the content. Raises
    KeyError for a type that is none of ``TYPES``."""
    tensors: Arrays = {}
    with path.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        begin = file.tell()
        header.pop("__metadata__", None)
        for name, entry in header.items():
            file.seek(begin + entry["data_offsets"][0])
            dtype, shape = TYPES[entry["dtype"]][0], entry["shape"]
            tensors[name] = np.fromfile(file, dtype, math.prod(shape)).reshape(shape)
    return tensors


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
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
        supported = about.get("format") == FORMAT and about.get("version") == str(VERSION)
        return json.loads(about["record"]) if supported else None
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError):
        return None


def begins(path: Path) -> bool:
    """Whether a file begins as those that ``write`` makes, as far as it goes."""
    with path.open("rb") as file:
        return BEGINNING.startswith(file.read(8 + len(BEGINNING))[8:])


def under(prefix: str, tensors: Mapping[str, AnyTensor]) -> dict[str, AnyTensor]:
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


def checksum(tensors: Arrays, about: Mapping[str, str]) -> str:
    """sha256 of the metadata, and of names, types, shapes and bytes of the tensors."""
    digest = hashlib.sha256(json.dumps(sorted(about.items())).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {NAMES[tensor.dtype][1]} {tensor.shape}\n".encode())
        digest.update(_bytes(tensor))
    return digest.hexdigest()
