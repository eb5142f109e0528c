"""GGUF models on llama.cpp under retention (docs/llama-cpp.md); the extra ``llama-cpp``."""

from .cache import LlamaCache, check_served, decode, num_cells, num_pinned
from .context import Context
from .model import GgufModel
from .saving import load_cache

__all__ = [
    "Context",
    "GgufModel",
    "LlamaCache",
    "check_served",
    "decode",
    "load_cache",
    "num_cells",
    "num_pinned",
]
