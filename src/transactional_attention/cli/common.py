"""What commands share: loading a model, reading text, progress, writing records."""

import errno
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ..config import Memory, Retention
from ..errors import InputError
from ..files import write_whole
from ..gguf import GgufFile, GgufTokenizer
from ..gguf.bindings import installed
from ..inspection.provenance import provenance
from ..methods.registry import get_method
from ..models import dtype_of, load_tokenizer
from ..models.embedded import SHIPPED, chat_template, folder
from ..models.fast_tokenizer import FastTokenizer
from ..models.installed import missing
from ..models.loading import gguf_of

T = TypeVar("T")


def tokenizer_of(name: str) -> Any:
    """The tokenizer of a model that is not run, without transformers where that can be: that of a
    shipped model, and llama.cpp's of a GGUF, where it is installed. Raises as ``load_tokenizer``
    and ``GgufFile``."""
    if name in SHIPPED:
        tokenizer = FastTokenizer(folder(SHIPPED[name]), name)
        tokenizer.chat_template = tokenizer.chat_template or chat_template()
        return tokenizer
    path = gguf_of(name)
    if path is None or not installed():
        return load_tokenizer(name)
    return GgufTokenizer(GgufFile(path, weights=False))


def refuse_tokenizer(method: str, model: str, tokenizer: str | None) -> None:
    """A method that reads or runs a model is not served by a tokenizer alone. Raises InputError for
    such a method with ``--tokenizer`` and without ``--model``."""
    alone = tokenizer not in (None, model) and model in SHIPPED
    known = get_method(method)
    if alone and (known.reads_model or known.runs_model):
        raise InputError(f"method {method!r} reads a model: give its --model beside --tokenizer")


def origin(
    arguments: dict[str, Any], *, seed: int | None, model: str, dtype: str | None
) -> dict[str, Any]:
    """Provenance of a run of a named model; of a path its last part. ``dtype`` None: no model runs.
    Raises InputError for an unknown type, or a model that cannot be found."""
    model_dtype = None if dtype is None else dtype_of(model, dtype)
    return provenance(arguments, seed=seed, model=Path(model).name, dtype=model_dtype)


def comma_list(text: str, kind: type[T], name: str) -> tuple[T, ...]:
    """``"16,32"`` to ``(16, 32)``. Raises InputError naming the option and the item."""
    try:
        return tuple(kind(item.strip()) for item in text.split(",") if item.strip())  # type: ignore[call-arg]
    except ValueError:
        raise InputError(
            f"{name}: {text!r} is no comma-separated list of {kind.__name__}"
        ) from None


def progress_bar() -> Progress:
    """Progress with time left, on stderr, gone when it is done."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def counting(bar: Progress, name: str) -> Callable[[float, float | None], None]:
    """A task of a bar, to be told how much is done of how much."""
    task = bar.add_task(name, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


def write_json(path: Path | None, record: dict[str, Any], *, private: bool = False) -> None:
    """Write a record, atomically, when a path is given; ``private``: it holds values. Raises
    InputError when the file cannot be written."""
    if path is None:
        return
    write_text(path, json.dumps(record, indent=1) + "\n", private=private)


def writable(path: Path | None) -> Path | None:
    """The path of an output, when it can be written: asked before the work, which may be long.
    Raises InputError when the file cannot be written."""
    if path is not None:
        _try(path, path.parent)
    return path


def writable_later(path: Path) -> None:
    """As ``writable``, but the folder may be absent where ``folder_of`` can make it; makes none.
    Raises InputError when the file could not be written."""
    _try(path, next(parent for parent in path.parents if parent.exists()))


def _try(path: Path, folder: Path) -> None:
    """Whether a file can be made in a folder, for an output ``path``."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def folder_of(path: Path) -> Path:
    """The path of an output, its folder made. Raises InputError when it cannot be made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: cannot make this folder, {error.strerror}") from None
    return path


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file in one step: a reader sees the old one or the whole new one.

    ``private``: for the owner's eyes alone.
    """
    try:
        write_whole(path, text.encode("utf-8"), 0o600 if private else 0o644)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def describe(retention: Retention) -> dict[str, Any]:
    """The parts of a retention that belong in a record; no range text."""
    names = "budget method preset ledger positions storage sinks recent partition".split()
    names += "allow deny patterns protect_roles pinned".split()
    fields = {name: getattr(retention, name) for name in names}
    if isinstance(retention.memory, Memory):
        fields["memory"] = asdict(retention.memory)
    return fields


def check_threads(threads: int | None) -> None:
    """Raises InputError for fewer than one."""
    if threads is not None and threads < 1:
        raise InputError(f"--threads must be at least 1, got {threads}: leave it out for torch's")


def set_threads(threads: int | None) -> None:
    """CPU threads of torch; None leaves its choice, and what loads a model says where torch is not
    installed. Raises as ``check_threads``."""
    check_threads(threads)
    if threads is not None and not missing():
        import torch  # noqa: PLC0415  (extra)

        torch.set_num_threads(threads)
