"""An open GGUF file: its header and its vocabulary, and its weights where they are asked for."""

import weakref
from pathlib import Path
from typing import Any

from ..errors import InputError
from .bindings import PACKAGE, TESTED, library

MAGIC, UNKNOWN = b"GGUF", "unknown model architecture"


class GgufFile:
    """What llama.cpp has loaded of a file.

    Args:
        weights: load them too; without them the vocabulary alone is there.
        options: other fields of ``llama_model_params``.

    Raises:
        InputError: for a file that is missing, no GGUF, or that llama.cpp cannot load.
        UnsupportedError: without the extra ``llama-cpp``.
    """

    def __init__(self, path: Path, *, weights: bool = True, **options: Any) -> None:
        self.path = path
        ffi, calls, complaints = library()
        try:
            with path.open("rb") as file:
                known = file.read(len(MAGIC)) == MAGIC
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from None
        if not known:
            raise InputError(f"{path} is no GGUF file: give one")
        given = calls.llama_model_default_params()
        for name, value in {"vocab_only": not weights, **options}.items():
            setattr(given, name, value)
        complaints.clear()
        self.pointer = calls.llama_model_load_from_file(str(path).encode(), given)
        if self.pointer == ffi.NULL:
            raise InputError(f"llama.cpp cannot load {path}: {_why(library().last_words())}")
        weakref.finalize(self, calls.llama_model_free, self.pointer)
        self.vocab = calls.llama_model_get_vocab(self.pointer)
        self.vocab_size = int(calls.llama_vocab_n_tokens(self.vocab))

    def value(self, key: str) -> str | None:
        """A field of the header as text; None where there is none, or a list."""
        ffi, calls, _ = library()

        def read(size: int) -> tuple[int, Any]:
            buffer = ffi.new("char[]", size)
            return calls.llama_model_meta_val_str(self.pointer, key.encode(), buffer, size), buffer

        size, _ = read(1)
        if size < 0:
            return None
        _, buffer = read(size + 1)
        return str(ffi.string(buffer).decode(errors="replace"))


def _why(words: str) -> str:
    """What llama.cpp said of a file that it cannot load, and the remedy."""
    if UNKNOWN in words:
        return f"{words}; {PACKAGE} {TESTED} does not know it: use --engine transformers"
    return f"{words}; is the file whole? If not, download it again"
