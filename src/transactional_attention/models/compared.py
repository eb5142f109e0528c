"""A tokenizer that transformers made of a GGUF file, beside llama.cpp's reading of the same file.

A file names how a text is split into words (``tokenizer.ggml.pre``); where transformers does not
know the name it splits in another way and says nothing, and the model gets ids that it never saw.
"""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ..errors import InputError, UnsupportedError
from ..gguf import GgufFile, GgufTokenizer


def check_ids(tokenizer: Any, gguf: Path) -> None:
    """Refuse a tokenizer that gives other ids than llama.cpp does for one of the texts of
    ``probes.toml``, or that cannot be compared. Raises UnsupportedError."""
    try:
        gguf_tokenizer = GgufTokenizer(file := GgufFile(gguf, weights=False))
    except (InputError, UnsupportedError) as error:
        raise UnsupportedError(
            f"{gguf}: the tokenizer that transformers makes of it cannot be compared with "
            f"llama.cpp's ({error}); or give the model's own folder or hub name"
        ) from None
    for text in _probes():
        ids_of_each = (
            tokenize(text, add_special_tokens=False)["input_ids"]
            for tokenize in (tokenizer, gguf_tokenizer)
        )
        if len({tuple(ids) for ids in ids_of_each}) > 1:
            pre_tokenizer = file.value("tokenizer.ggml.pre") or file.value("tokenizer.ggml.model")
            raise UnsupportedError(
                f"{gguf}: transformers reads {text!r} as other tokens than the file says "
                f"(tokenizer.ggml.pre: {pre_tokenizer}): use --engine llama.cpp, or give the "
                "model's own folder or hub name"
            )


@cache
def _probes() -> tuple[str, ...]:
    path = files(__package__).joinpath("probes.toml")
    return tuple(tomllib.loads(path.read_text(encoding="utf-8"))["texts"])
