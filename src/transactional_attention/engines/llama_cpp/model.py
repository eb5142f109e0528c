"""A GGUF file as llama.cpp runs it, and which models are refused: those that would not be exact."""

from functools import cached_property
from typing import Any

from ...errors import InputError, UnsupportedError
from ...gguf import GgufFile
from ...gguf.bindings import TESTED, library
from ...models.loading import gguf_of, weights_sha256

SPATIAL_ROPES = (8, 40)  # several positions a token (M-RoPE), which are the same for text
ROPES = (-1, 0, 2, *SPATIAL_ROPES)  # none, pairs side by side, halves
ALL = -1  # layers, as llama.cpp says it


class GgufModel(GgufFile):
    """A decoder with layers that attend to all that is held; others, which slide or are recurrent,
    may stand between them.

    Args:
        name: a GGUF file, a folder that holds one, or ``smollm2``.
        gpu_layers: that are computed on a GPU; None: all, where the library has one.

    Raises:
        InputError: for fewer than 0 layers, and a file that is missing, no GGUF, or that llama.cpp
            cannot load.
        UnsupportedError: without the extra ``llama-cpp``, and for models that are not exact, or in
            which nothing can be managed: encoders, diffusion models, and those without attention.
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
        self.window = int(calls.llama_model_n_swa(self.pointer))
        """Tokens that layers which slide attend to; 0 where there are none."""
        self.recurrent = bool(calls.llama_model_is_hybrid(self.pointer))
        """Whether there are layers that keep a state of all that was read, and no cells."""
        self.spatial = calls.llama_model_rope_type(self.pointer) in SPATIAL_ROPES

    def _check(self) -> None:
        calls, model = library().calls, self.pointer
        refused = {
            "an encoder, whose tokens are not read one after another": (
                calls.llama_model_has_encoder(model)
            ),
            "a diffusion model, which has no cells": calls.llama_model_is_diffusion(model),
            "a model without attention, which has no cells": calls.llama_model_is_recurrent(model),
            "a model whose positions are for images alone": (
                calls.llama_model_rope_type(model) not in ROPES
            ),
        }
        reasons = [name for name, is_so in refused.items() if is_so]
        if reasons:
            raise UnsupportedError(
                f"{self.path.name} ({self.architecture}) is {' and '.join(reasons)}: there is "
                "nothing to manage; run it with llama-server"
            )

    @property
    def plain(self) -> bool:
        """Whether all layers attend to all that is held."""
        return not (self.window or self.recurrent)

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
