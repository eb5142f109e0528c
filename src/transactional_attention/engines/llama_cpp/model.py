"""A GGUF file as llama.cpp runs it, and which models are refused: those that would not be exact."""

from functools import cached_property
from typing import Any

from ...errors import InputError, UnsupportedError
from ...gguf import GgufFile
from ...gguf.bindings import TESTED, library
from ...models.loading import gguf_of, weights_sha256

PLAIN_ROPES = (-1, 0, 2)  # none, pairs side by side, halves: one position a token
ALL = -1  # layers, as llama.cpp says it


class GgufModel(GgufFile):
    """A decoder with full attention in every layer.

    Args:
        name: a GGUF file, a folder that holds one, or ``smollm2``.
        gpu_layers: that are computed on a GPU; None: all, where the library has one.

    Raises:
        InputError: for fewer than 0 layers, and a file that is missing, no GGUF, or that llama.cpp
            cannot load.
        UnsupportedError: without the extra ``llama-cpp``, and for models that are not exact:
            encoders, recurrent, hybrid and diffusion models, sliding windows (iSWA), and those
            with several positions a token.
    """

    def __init__(self, name: str, *, gpu_layers: int | None = None) -> None:
        if gpu_layers is not None and gpu_layers < 0:
            raise InputError(f"gpu_layers must be at least 0, got {gpu_layers}")
        path = gguf_of(name)
        if path is None:
            raise InputError(f"--engine llama.cpp runs a GGUF file, and {name} is none: give one")
        super().__init__(path, n_gpu_layers=ALL if gpu_layers is None else gpu_layers)
        self.name, calls = name, library().calls
        self._check()
        self.trained_length = int(calls.llama_model_n_ctx_train(self.pointer))
        self.layers = int(calls.llama_model_n_layer(self.pointer))
        self.heads = int(calls.llama_model_n_head(self.pointer))
        self.kv_heads = int(calls.llama_model_n_head_kv(self.pointer))

    def _check(self) -> None:
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
                f"{self.path.name} ({self.architecture}) is {' and '.join(found)}: the engine "
                "llama.cpp does not serve it exactly; use --engine transformers"
            )

    @property
    def architecture(self) -> str:
        """As the file names it."""
        return self.value("general.architecture") or ""

    @cached_property
    def ends(self) -> frozenset[int]:
        """Ids that end a generation."""
        is_end = library().calls.llama_vocab_is_eog
        return frozenset(i for i in range(self.vocab_size) if is_end(self.vocab, i))

    def facts(self) -> dict[str, Any]:
        """What a saved session is compared by: state bytes are of one build and one file."""
        about = {"architecture": self.architecture, "sha256": weights_sha256(self.name)}
        return about | {"build": TESTED}
