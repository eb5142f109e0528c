"""A file of a cache (``engines/cache_file.py``) with tensors of torch in place of arrays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ...types import Arrays
from .. import cache_file

Tensors = dict[str, Tensor]


def write(path: Path, tensors: Tensors, record: Mapping[str, Any]) -> None:
    """Write tensors, copied to the CPU where they are elsewhere, and a record that JSON can hold to
    one file. Raises InputError when the file cannot be written or the record is too large."""
    cache_file.write(path, arrays_of(tensors), record)


def read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    """The tensors, on the CPU, and the record. Raises as ``cache_file.read``."""
    arrays, record = cache_file.read(path)
    return tensors_of(arrays), record


def arrays_of(tensors: Tensors) -> Arrays:
    """Tensors as a file takes them; those on the CPU share their memory."""
    arrays: Arrays = {}
    for name, tensor in tensors.items():
        host_tensor = tensor.detach().cpu().contiguous()
        if host_tensor.dtype is torch.bfloat16:
            arrays[name] = host_tensor.view(torch.int16).numpy().view(cache_file.BFLOAT16)
        else:
            arrays[name] = host_tensor.numpy()
    return arrays


def tensors_of(arrays: Arrays) -> Tensors:
    """What ``arrays_of`` was given, on the CPU; the memory is that of the arrays."""
    tensors: Tensors = {}
    for name, array in arrays.items():
        if array.dtype == cache_file.BFLOAT16:
            tensors[name] = torch.from_numpy(array.view("<i2")).view(torch.bfloat16)
        else:
            tensors[name] = torch.from_numpy(array)
    return tensors
