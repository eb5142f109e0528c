"""``ta generate``: a prompt of any length through any model at budget K, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from rich.console import Console

from ..config import DEFAULT_METHOD, Retention
from ..engines.transformers import RetentionCache
from ..engines.transformers.arguments import cache_argument
from ..engines.transformers.loading import load_cache
from ..engines.transformers.prefill import prefill
from ..engines.transformers.streaming import inputs_behind
from ..engines.transformers.whole_prefill import prefill_whole
from ..errors import InputError
from ..evaluation.provenance import provenance
from ..methods import get_method
from ..token_stream import TokenStream
from . import options
from .common import (
    EMBEDDED,
    describe,
    load_model,
    progress_bar,
    set_threads,
    write_json,
)
from .prompts import read_prompt

CHUNK = 512  # of a prompt that streams by itself
CHUNK_HELP = f"Prefill chunk, tokens; long prompts take {CHUNK} by themselves."


def generate(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="Prompt file, or - for standard input.")] = "-",
    question: Annotated[str, typer.Option(help="Appended to the prompt.")] = "",
    budget: Annotated[int, typer.Option(help="K, tokens per layer and kv head.")] = 256,
    method: options.Method = DEFAULT_METHOD,
    preset: options.Preset = "default",
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    ledger: options.Ledger = "strict",
    positions: options.Positions = "original",
    storage: options.Storage = None,
    chunk: Annotated[int | None, typer.Option(help=CHUNK_HELP)] = None,
    max_new_tokens: Annotated[int, typer.Option(help="Tokens to generate.")] = 64,
    report: Annotated[bool, typer.Option("--report", help="Say what is kept, on stderr.")] = False,
    reveal: options.Reveal = False,
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = None,
    save: Annotated[Path | None, typer.Option(help="Save the cache at the end, mode 0600.")] = None,
    load: Annotated[Path | None, typer.Option(help="Go on after what a saved cache holds.")] = None,
    json: options.Json = None,
) -> None:
    """Generate greedily from a prompt under a budget; the text goes to standard output.

    A prompt in chunks is read, tokenised and cut to K as it flows; for a method with passes of its
    own it is read whole.
    """
    from transformers import TextStreamer  # noqa: PLC0415  (slow)

    set_threads(threads)
    if chunk is not None and chunk < 1:
        raise InputError(f"--chunk must be at least 1 token, got {chunk}")
    if load is not None:
        _refuse_options(context)
    known = get_method(method)
    limit = None if known.unlimited else budget
    rest = options.lists(allow, deny, pattern) | {"storage": storage}
    retention = Retention(limit, method, preset, ledger, positions, seed=seed, **rest)  # type: ignore[arg-type]
    whole = known.passes or (known.whole_prompt and chunk is None)
    prompt = read_prompt(file, question, stream=False if whole else True if chunk else None)
    if known.passes or not isinstance(prompt, str):
        chunk = chunk or CHUNK
    loaded, tokens = load_model(model, tokenizer)
    cache, inputs = _begin(loaded, tokens, retention, prompt, load, chunk)
    output = loaded.generate(
        **_model_inputs(inputs, loaded),
        **cache_argument(cache),
        max_new_tokens=max_new_tokens,
        do_sample=False,
        streamer=TextStreamer(tokens, skip_prompt=True, skip_special_tokens=True),
    )
    if save is not None:
        _save(cache, output, save)
    if report:
        Console(stderr=True).print(str(cache.report(reveal=reveal)), markup=False)
    figures = {
        "prompt_tokens": inputs["input_ids"].shape[1],
        "generated_tokens": output.shape[1] - inputs["input_ids"].shape[1],
        "max_live_tokens": cache.ledger.between,
        "peak_live_tokens": cache.ledger.within,
        "stored_bytes": cache.stored_bytes(),
    }
    about = describe(cache.retention) | {"chunk": chunk}
    record = provenance(about, seed=cache.retention.seed, model=Path(model).name)
    write_json(json, {"provenance": record, **figures})


def _prefill(model: Any, stream: TokenStream, cache: RetentionCache, chunk: int) -> None:
    with progress_bar() as bar:
        task = bar.add_task("prefill, tokens", total=None)
        prefill(
            model,
            stream,
            cache,
            chunk=chunk,
            progress=lambda done, total: bar.update(task, completed=done),
        )


def _refuse_options(context: typer.Context) -> None:
    """What a saved cache was made with stays, its file says it; the text it does not say."""
    for (
        name
    ) in "budget method preset allow deny pattern ledger positions storage seed reveal".split():
        source = context.get_parameter_source(name)
        if source is None or source.name != "COMMANDLINE":
            continue
        if name == "reveal":
            raise InputError("--reveal needs the text, which is not saved: leave it out")
        raise InputError(f"--{name} is what the saved cache was made with: leave it out")


def _begin(
    model: Any,
    tokens: Any,
    retention: Retention,
    prompt: str | Iterator[str],
    load: Path | None,
    chunk: int | None,
) -> tuple[RetentionCache, Any]:
    """A new cache with the prompt's inputs, or a saved one with them behind what it has seen.

    A prompt in blocks is prefilled: the inputs are what is left of it.
    """
    fresh = load is None
    if fresh and get_method(retention.method).passes:
        assert isinstance(prompt, str) and chunk is not None
        inputs = tokens(prompt, return_tensors="pt")
        return prefill_whole(model, inputs["input_ids"], tokens, retention, chunk=chunk), inputs
    if load is None:
        cache = RetentionCache(model, tokens, retention)
    else:
        cache = load_cache(load, model, tokens)
    if not isinstance(prompt, str):
        assert chunk is not None
        stream = TokenStream(tokens, prompt, before=None if fresh else ())
        _prefill(model, stream, cache, chunk)
        return cache, inputs_behind(cache, stream)
    inputs = tokens(prompt, return_tensors="pt", add_special_tokens=fresh)
    return cache, inputs if fresh else inputs_behind(cache, inputs["input_ids"])


@torch.no_grad()
def _save(cache: RetentionCache, output: torch.Tensor, path: Path) -> None:
    """Save the cache with all that was said; ``generate`` leaves its last token unfed."""
    for column in range(cache.num_columns, output.shape[1]):
        cache.decoder(
            input_ids=output[:, column : column + 1],
            attention_mask=torch.ones_like(output[:, : column + 1]),
            position_ids=torch.full_like(output[:, :1], column),
            **cache_argument(cache),
            use_cache=True,
        )
    cache.save(path)


def _model_inputs(inputs: Any, model: Any) -> dict[str, torch.Tensor]:
    return {name: inputs[name].to(model.device) for name in ("input_ids", "attention_mask")}
