"""Arrays and tensors of all types in a file, which is that of releases that wrote tensors alone."""

import hashlib
import json

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from transactional_attention.engines import cache_file
from transactional_attention.engines.transformers import tensor_file
from transactional_attention.errors import DamagedError

TYPES = [getattr(torch, called.removeprefix("torch.")) for _, called in cache_file.TYPES.values()]
TENSORS = {str(kind): torch.arange(-3, 3).reshape(2, 3).to(kind) for kind in TYPES} | {
    "empty": torch.zeros(0, 4, dtype=torch.bfloat16),
    "one": torch.tensor(7.5, dtype=torch.bfloat16),
    "turned": torch.arange(6.0, dtype=torch.bfloat16).reshape(2, 3).T,
    "odd": torch.ones(3, dtype=torch.int8),
}
SHARED = TENSORS | {"part": TENSORS["torch.float32"][:, 1]}


def checksum(tensors, about):
    """As releases computed it that held tensors of torch."""
    digest = hashlib.sha256(json.dumps(sorted(about.items())).encode())
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        if tensor.numel():
            digest.update(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def same(tensors, wanted):
    assert tensors.keys() == wanted.keys()
    for name, tensor in wanted.items():
        assert tensors[name].dtype == tensor.dtype and torch.equal(tensors[name], tensor), name


def test_what_is_written_is_read(tmp_path):
    tensor_file.write(tmp_path / "c", SHARED, {"a": [1]})
    tensors, record = tensor_file.read(tmp_path / "c")
    assert record == {"a": [1]}
    same(tensors, SHARED)


def test_arrays_are_written_as_the_tensors_of_older_releases_were(tmp_path):
    path, older = tmp_path / "own", tmp_path / "older"
    tensor_file.write(path, SHARED, {"a": [1]})
    with safe_open(path, framework="pt") as file:
        about = file.metadata()
    same(load_file(path), SHARED)
    known = {name: value for name, value in about.items() if name != "sha256"}
    assert about["sha256"] == checksum(SHARED, known)
    save_file({k: t.clone().contiguous() for k, t in SHARED.items()}, older, metadata=about)
    assert older.stat().st_size == path.stat().st_size
    same(tensor_file.read(older)[0], SHARED)


def test_a_type_that_no_cache_has_is_refused(tmp_path):
    path = tmp_path / "c"
    about = {"format": cache_file.FORMAT, "version": str(cache_file.VERSION), "record": "{}"}
    save_file({"a": torch.zeros(2, dtype=torch.complex64)}, path, metadata=about)
    with pytest.raises(DamagedError, match="of another kind"):
        cache_file.read(path)
