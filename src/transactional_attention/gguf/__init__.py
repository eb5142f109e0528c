"""GGUF files as llama.cpp reads them: the library, an open file, its tokenizer and its templates;
the extra ``llama-cpp``."""

from .files import GgufFile
from .tokenizer import GgufTokenizer

__all__ = ["GgufFile", "GgufTokenizer"]
