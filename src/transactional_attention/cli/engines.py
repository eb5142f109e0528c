"""Which engine runs a command, where none is named and where one is."""

from typing import Any

from ..config import Retention
from ..errors import InputError, UnsupportedError
from ..gguf.bindings import installed
from ..models import AUTO
from ..models.embedded import SHIPPED
from ..models.loading import gguf_of

TRANSFORMERS, LLAMA_CPP = ENGINES = "transformers", "llama.cpp"


def chosen(
    engine: str | None,
    model: str,
    retention: Retention,
    dtype: str,
    tokenizer: str | None = None,
    **options: Any,
) -> str:
    """The engine that runs a model with a retention.

    ``engine`` None: llama.cpp for a GGUF file, where it is installed and serves all that is asked
    for; otherwise transformers. Raises as ``is_llama_cpp``, and InputError for a file that is not
    there.
    """
    if engine is None:
        engine = TRANSFORMERS
        if tokenizer is None and dtype == AUTO and _served(model, retention):
            engine = LLAMA_CPP
    is_llama_cpp(engine, dtype, **options)
    return engine


def is_llama_cpp(engine: str, dtype: str, **options: Any) -> bool:
    """Whether the engine is llama.cpp. Raises InputError for a name that is no engine, for a type
    where the file says it, and for ``options`` of llama.cpp beside another engine."""
    if engine not in ENGINES:
        raise InputError(f"--engine must be one of {', '.join(ENGINES)}, got {engine!r}")
    if engine == LLAMA_CPP and dtype != AUTO:
        raise InputError("--dtype: llama.cpp computes in the types of the file: leave it out")
    for name, value in options.items():
        if engine != LLAMA_CPP and value is not None:
            raise InputError(f"--{name.replace('_', '-')} is of --engine llama.cpp: leave it out")
    return engine == LLAMA_CPP


def _served(model: str, retention: Retention) -> bool:
    """Whether llama.cpp runs a model with a retention."""
    if model in SHIPPED or not installed() or gguf_of(model) is None:
        return False
    from ..engines.llama_cpp import check_served  # noqa: PLC0415  (extra)

    try:
        check_served(retention)
    except UnsupportedError:
        return False
    return True
