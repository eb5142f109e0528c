"""``ta generate`` on transformers: a prompt through a model under a budget, streamed."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import TextStreamer

from ..engines.prompts import Prompt, text_prompt
from ..engines.transformers import RetentionCache
from ..engines.transformers.arguments import cache_argument
from ..engines.transformers.loading import load_cache
from ..engines.transformers.passes import prefill_whole
from ..engines.transformers.prefill import inputs_after, prefill
from ..methods.registry import get_method
from ..text.token_stream import TokenStream
from .common import counting, progress_bar
from .prompts import GenerateRequest


def answer(
    model: Any, tokens: Any, asked: GenerateRequest
) -> tuple[RetentionCache, dict[str, int]]:
    """Write the answer to standard output as it is generated, and save the cache if that was asked.

    Returns the cache and its figures."""
    cache, inputs = _read(model, tokens, asked)
    output = model.generate(
        **{name: tensor.to(model.device) for name, tensor in inputs.items()},
        **cache_argument(cache),
        max_new_tokens=asked.max_new_tokens,
        do_sample=False,
        streamer=TextStreamer(tokens, skip_prompt=True, skip_special_tokens=True),
    )
    if asked.save is not None:
        _save(cache, output, asked.save)
    count = inputs["input_ids"].shape[1]
    return cache, {
        "prompt_tokens": count,
        "generated_tokens": output.shape[1] - count,
        "max_live_tokens": cache.ledger.between,
        "peak_live_tokens": cache.ledger.within,
        "stored_bytes": cache.stored_bytes(),
        "layers": len(cache.layers),
        "managed_layers": len(cache.managed),
    }


def _read(
    model: Any, tokens: Any, asked: GenerateRequest
) -> tuple[RetentionCache, dict[str, Tensor]]:
    """A cache that has read a prompt in chunks, and the inputs of ``generate``: what is left of it,
    or all of one without chunks."""
    prompt, retention, chunk = asked.prompt, asked.retention, asked.chunk
    if asked.load is not None:
        cache = load_cache(asked.load, model, tokens)
        if isinstance(prompt, str):
            ids = tokens(prompt, add_special_tokens=False)["input_ids"]
            return cache, inputs_after(cache, ids)
    elif isinstance(prompt, str | Prompt):
        whole = text_prompt(tokens, prompt) if isinstance(prompt, str) else prompt
        ids, sources = torch.from_numpy(whole.ids)[None], [whole.sources]
        inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if get_method(retention.method).passes:
            assert chunk is not None
            cache = prefill_whole(model, ids, tokens, retention, chunk=chunk, sources=sources)
            return cache, inputs
        cache = RetentionCache(model, tokens, retention, sources=sources)
        if chunk is not None:
            _prefill(model, ids, cache, chunk)
        return cache, inputs
    else:
        cache = RetentionCache(model, tokens, retention)
    assert chunk is not None and not isinstance(prompt, Prompt)
    stream = TokenStream(tokens, prompt, before=None if asked.load is None else ())
    _prefill(model, stream, cache, chunk)
    return cache, inputs_after(cache, stream)


def _prefill(model: Any, prompt: TokenStream | Tensor, cache: RetentionCache, chunk: int) -> None:
    with progress_bar() as bar:
        prefill(model, prompt, cache, chunk=chunk, progress=counting(bar, "prefill, tokens"))


@torch.no_grad()
def _save(cache: RetentionCache, output: Tensor, path: Path) -> None:
    """Save the cache with all that was said; ``generate`` leaves its last token unfed."""
    for column in range(cache.num_columns, output.shape[1]):
        mask = torch.ones_like(output[:, : column + 1])
        cache.feed(output[:, column : column + 1], mask[:, :1] * column, mask)
    cache.save(path)
