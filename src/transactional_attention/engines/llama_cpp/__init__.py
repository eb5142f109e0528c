"""GGUF models on llama.cpp under retention (docs/llama-cpp.md); the extra ``llama-cpp``."""

from .cache import LlamaCache, decode
from .context import Context
from .loading import load_cache
from .model import GgufModel
from .supported import asked_layers, check_served, num_cells

__all__ = [
    "Context",
    "GgufModel",
    "LlamaCache",
    "asked_layers",
    "check_served",
    "decode",
    "load_cache",
    "num_cells",
]
