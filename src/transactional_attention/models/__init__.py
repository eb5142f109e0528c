"""Models by name: shipped ones, GGUF files, folders, the hub."""

from .dtypes import AUTO, DTYPES, dtype_of
from .loading import load_model
from .places import EMBEDDED, PLACES, place_of, weights_sha256
from .reading import load_tokenizer

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
