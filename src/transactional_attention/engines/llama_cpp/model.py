"""A GGUF file as llama.cpp runs it, and which models are refused: those that would not be exact.

It knows no tokenizer: ids come from ``models.load_tokenizer``, which reads that of the same file.
"""

import weakref
from functools import cached_property
from pathlib import Path
from typing import Any

from ...errors import InputError, UnsupportedError
from ...models.loading import gguf_of, weights_sha256
from .bindings import TESTED, library

PLAIN_ROPES = (-1, 0, 2)  # none, pairs side by side, halves: one position a token
NAME_BYTES = 256


class GgufModel:
    """A decoder with full attention in every layer.

    Args:
        name: a GGUF file, a folder that holds one, or ``smollm2``.

    Raises:
        InputError: for a file that is missing, no GGUF, or that llama.cpp cannot load.
        UnsupportedError: without the extra ``llama-cpp``, and for models that are not exact:
            encoders, recurrent, hybrid and diffusion models, sliding windows (iSWA), and those
            with several positions a token.
    """

    def __init__(self, name: str) -> None:
        path = gguf_of(name)
        if path is None:
            raise InputError(f"--engine llama.cpp runs a GGUF file, and {name} is none: give one")
        self.path, self.name = path, name
        ffi, calls, said = library()
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise InputError(f"{path} is no GGUF file: give one")
        given = calls.llama_model_default_params()
        given.n_gpu_layers = 0
        said.clear()
        self.pointer = calls.llama_model_load_from_file(str(path).encode(), given)
        if self.pointer == ffi.NULL:
            raise InputError(f"llama.cpp cannot load {path}: {library().last_words()}")
        weakref.finalize(self, calls.llama_model_free, self.pointer)
        self._check(path)
        self.vocab = calls.llama_model_get_vocab(self.pointer)
        self.vocab_size = int(calls.llama_vocab_n_tokens(self.vocab))
        self.trained_length = int(calls.llama_model_n_ctx_train(self.pointer))
        self.layers = int(calls.llama_model_n_layer(self.pointer))
        self.heads = int(calls.llama_model_n_head(self.pointer))
        self.kv_heads = int(calls.llama_model_n_head_kv(self.pointer))

    def _check(self, path: Path) -> None:
        calls, model = library().calls, self.pointer
        refused = {
            "an encoder": calls.llama_model_has_encoder(model),
            "a recurrent model": calls.llama_model_is_recurrent(model),
            "a hybrid of attention and recurrent layers": calls.llama_model_is_hybrid(model),
            "a diffusion model": calls.llama_model_is_diffusion(model),
            "a model with sliding windows (iSWA)": calls.llama_model_n_swa(model) > 0,
            "a model with several positions a token (M-RoPE)": (
                calls.llama_model_rope_type(model) not in PLAIN_ROPES
            ),
        }
        found = [name for name, is_so in refused.items() if is_so]
        if found:
            raise UnsupportedError(
                f"{path.name} ({self.architecture}) is {' and '.join(found)}: the engine "
                "llama.cpp does not serve it exactly; use --engine transformers"
            )

    @property
    def architecture(self) -> str:
        """As the file names it."""
        ffi, calls, _ = library()
        key, buffer = b"general.architecture", ffi.new("char[]", NAME_BYTES)
        size = calls.llama_model_meta_val_str(self.pointer, key, buffer, NAME_BYTES)
        return ffi.string(buffer).decode(errors="replace") if size >= 0 else ""

    @cached_property
    def ends(self) -> frozenset[int]:
        """Ids that end a generation."""
        is_end = library().calls.llama_vocab_is_eog
        return frozenset(i for i in range(self.vocab_size) if is_end(self.vocab, i))

    def facts(self) -> dict[str, Any]:
        """What a saved session is compared by: state bytes are of one build and one file."""
        about = {"architecture": self.architecture, "sha256": weights_sha256(self.name)}
        return about | {"build": TESTED}
