"""The model and the tokenizers of ``ta reproduce``: loaded once a process, by names that travel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError, RetentionError
from transactional_attention.models import AUTO, dtype_of, load_model, load_tokenizer

from .plainly import asking


class ModelError(InputError):
    """The model that all experiments need cannot be had."""


@dataclass(frozen=True)
class ModelSource:
    """Where the model is; calling it gives the model and its tokenizer. ``raw``: asked plainly.

    Raises:
        ModelError: when it cannot be had, or not on the device.
    """

    model: str
    tokenizer: str | None = None
    device: str | None = None
    dtype: str = AUTO
    raw: bool = False

    def __call__(self) -> tuple[Any, Any]:
        """Loads them when they are first asked for, once for all experiments."""
        return _loaded(self)

    def computes_in(self) -> str:
        """The type of the model, by name; it is not loaded for it."""
        try:
            return dtype_of(self.model, self.dtype)
        except RetentionError as error:
            raise ModelError(str(error)) from None


@lru_cache(maxsize=1)
def _loaded(source: ModelSource) -> tuple[Any, Any]:
    try:
        loaded = load_model(source.model, source.tokenizer, dtype=source.dtype)
        model, tokens = asking(loaded, source.raw)
    except RetentionError as error:
        raise ModelError(str(error)) from None
    try:
        return (model if source.device is None else model.to(source.device)), tokens
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"--device {source.device}: {str(error).splitlines()[0]}") from None


@cache
def _tokenizer(name: str, raw: bool) -> Any:
    return asking((None, load_tokenizer(name)), raw)[1]


def tokenizers_in(folder: Path | None, *, raw: bool = False) -> dict[str, Any]:
    """What loads each tokenizer of a folder, by name; ``raw``: for cases in plain text.

    Raises:
        InputError: for a folder without any.
    """
    if folder is None:
        return {}
    found = {path.name: partial(_tokenizer, str(path), raw) for path in sorted(folder.glob("*/"))}
    if not found:
        raise InputError(f"--tokenizers {folder}: no folder in it, each must hold one tokenizer")
    return found
