"""Configurations and tokenizers by name, and the errors of reading any of them in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from huggingface_hub.utils import HFValidationError, validate_repo_id

from ..errors import InputError, UnsupportedError
from .places import PLACES, place_of


def read_config(name: str) -> Any:
    """The configuration of a decoder-only model.

    Raises:
        InputError: when there is no such model.
        UnsupportedError: for an encoder-decoder.
    """
    from transformers import AutoConfig  # noqa: PLC0415  (slow)

    with reading("language model", name):
        config = AutoConfig.from_pretrained(place_of(name))
    if config.is_encoder_decoder:
        raise UnsupportedError(f"{name} is an encoder-decoder model: only decoders are served")
    return config


def load_tokenizer(name: str) -> Any:
    """A tokenizer by the name of its model; of a GGUF the weights are not read.

    Raises:
        InputError: when there is none.
        UnsupportedError: for a GGUF whose tokenizer transformers cannot convert.
    """
    from transformers import AutoTokenizer  # noqa: PLC0415  (slow)

    with reading("tokenizer", name):
        return AutoTokenizer.from_pretrained(place_of(name, tokenizer=True))


@contextmanager
def reading(what: str, name: str) -> Iterator[None]:
    """What transformers and the hub say of a name, in one line."""
    try:
        yield
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"cannot load a {what} from {name}: {_why(name, error)}") from None


def _why(name: str, error: Exception) -> str:
    """What the hub thinks of a folder's path is no help where the folder is missing."""
    try:
        validate_repo_id(name)
    except HFValidationError:
        if not Path(name).exists():
            return f"there is no such folder: give {PLACES}"
    return str(error).strip().split("\n")[0][:300]
