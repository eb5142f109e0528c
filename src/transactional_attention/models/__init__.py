"""Models by name: shipped ones, GGUF files, folders, the hub."""

from .loading import (
    AUTO,
    DTYPES,
    EMBEDDED,
    PLACES,
    dtype_of,
    load_model,
    load_tokenizer,
    place_of,
    weights_sha256,
)

__all__ = [
    "AUTO",
    "DTYPES",
    "EMBEDDED",
    "PLACES",
    "dtype_of",
    "load_model",
    "load_tokenizer",
    "place_of",
    "weights_sha256",
]
