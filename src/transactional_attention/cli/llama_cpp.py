"""``ta generate --engine llama.cpp``: a prompt through a GGUF file under a budget, streamed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import typer

from ..config import Retention
from ..engines.llama_cpp import (
    Context,
    GgufModel,
    LlamaCache,
    asked_layers,
    check_served,
    load_cache,
    num_cells,
)
from ..engines.llama_cpp.saving import saved_retention
from ..engines.prompts import Prompt, num_pinned
from ..errors import InputError
from ..gguf import GgufTokenizer
from ..retention.chunks import CHUNK
from ..server.turn import Decoder
from ..text.token_stream import TokenStream
from ..types import Ints
from .common import counting, progress_bar
from .prompts import GenerateRequest


def load(
    name: str, tokenizer: str | None, retention: Retention, gpu_layers: int | None
) -> tuple[GgufModel, Any]:
    """The model of a GGUF file and its tokenizer, the file's own. Raises as ``GgufModel`` and
    ``check_served``; InputError for another ``tokenizer``."""
    if tokenizer is not None:
        raise InputError("--tokenizer: the engine llama.cpp reads with the file's: leave it out")
    check_served(retention)
    model = GgufModel(name, gpu_layers=gpu_layers)
    return model, GgufTokenizer(model)


def machine(threads: int | None, flash_attn: str | None, cell_type: str | None) -> dict[str, Any]:
    """What was given of the arguments of ``Context``."""
    named = {"threads": threads, "flash_attention": flash_attn, "cell_type": cell_type}
    return {name: value for name, value in named.items() if value is not None}


def answer(
    model: GgufModel, tokenizer: Any, asked: GenerateRequest, **machine: Any
) -> tuple[LlamaCache, dict[str, int]]:
    """The answer to standard output; the sequence after it and its figures. ``machine``: of
    ``Context``."""
    retention = asked.retention if asked.load is None else saved_retention(asked.load)
    ids = _ids(tokenizer, asked)
    chunk = asked.chunk or CHUNK
    size = None if isinstance(ids, TokenStream) else len(ids)
    sources = asked.prompt.sources if isinstance(asked.prompt, Prompt) else ()
    pinned = num_pinned(retention, sources)
    cells = num_cells(model, retention, size, chunk, asked.max_new_tokens, pinned)
    queries = asked_layers(model, retention)
    context = Context(model, cells, chunk=chunk, queries=queries, **machine)
    if asked.load is None:
        if not asked.positions_given and context.can_shift and retention.budgets():
            retention = replace(retention, positions="rolling")
        cache = LlamaCache(context, tokenizer, retention, sources=sources)
    else:
        cache = load_cache(asked.load, context, tokenizer)
    before = cache.num_tokens
    with progress_bar() as bar:
        logits = cache.read(ids, chunk=asked.chunk, progress=counting(bar, "prefill, tokens"))
    prompt, out = cache.num_tokens, Decoder(tokenizer)
    reply_ids = out.ids
    for token in cache.generate(logits, asked.max_new_tokens):
        reply_ids.append(token)
        typer.echo(out.text(), nl=False)
    typer.echo(out.text(final=True))
    if asked.save is not None:
        if len(reply_ids) == asked.max_new_tokens:  # the last one is not fed yet
            cache.step(reply_ids[-1])
        cache.save(asked.save)
    return cache, {
        "prompt_tokens": prompt - before,
        "generated_tokens": len(reply_ids),
        "max_live_tokens": cache.most_between,
        "peak_live_tokens": cache.most_within,
        "stored_bytes": cache.stored_bytes(),
        "layers": context.layers.total,
        "managed_layers": context.layers.managed,
    }


def _ids(tokenizer: Any, asked: GenerateRequest) -> Sequence[int] | Ints | TokenStream:
    """The ids of a prompt, or its stream."""
    prompt, goes_on = asked.prompt, asked.load is not None
    if isinstance(prompt, Prompt):
        return prompt.ids
    if isinstance(prompt, str):
        return tokenizer(prompt, add_special_tokens=not goes_on)["input_ids"]  # type: ignore[no-any-return]
    return TokenStream(tokenizer, prompt, before=() if goes_on else None)
