"""``ta generate``: a prompt of any length through any model at budget K, streamed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from rich.console import Console
from transformers import TextStreamer

from ..config import DEFAULT_METHOD, Retention
from ..engines.transformers import RetentionCache
from ..engines.transformers.prefill import prefill
from ..errors import InputError
from ..evaluation.provenance import provenance
from ..methods import get_method
from . import options
from .common import (
    EMBEDDED,
    describe,
    load_model,
    progress_bar,
    read_input,
    set_threads,
    write_json,
)


def generate(
    file: Annotated[str, typer.Argument(help="Prompt file, or - for standard input.")] = "-",
    question: Annotated[str, typer.Option(help="Appended to the prompt.")] = "",
    budget: Annotated[int, typer.Option(help="K, tokens per layer and kv head.")] = 256,
    method: options.Method = DEFAULT_METHOD,
    preset: options.Preset = "default",
    allow: options.Allow = None,
    deny: options.Deny = None,
    ledger: options.Ledger = "strict",
    positions: options.Positions = "original",
    chunk: Annotated[int | None, typer.Option(help="Prefill chunk; bounds memory.")] = None,
    max_new_tokens: Annotated[int, typer.Option(help="Tokens to generate.")] = 64,
    report: Annotated[bool, typer.Option("--report", help="Say what is kept, on stderr.")] = False,
    reveal: options.Reveal = False,
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Generate greedily from a prompt under a budget; the text goes to standard output."""
    set_threads(threads)
    if chunk is not None and chunk < 1:
        raise InputError(f"--chunk must be at least 1 token, got {chunk}")
    limit = None if get_method(method).unlimited else budget
    lists = {"allow": tuple(allow or ()), "deny": tuple(deny or ())}
    retention = Retention(limit, method, preset, ledger, positions, seed=seed, **lists)  # type: ignore[arg-type]
    prompt = read_input(file) + question
    loaded, tokens = load_model(model, tokenizer)
    cache = RetentionCache(loaded, tokens, retention)
    inputs = tokens(prompt, return_tensors="pt")
    if chunk is not None:
        _prefill(loaded, inputs, cache, chunk)
    output = loaded.generate(
        **_model_inputs(inputs, loaded),
        past_key_values=cache,
        max_new_tokens=max_new_tokens,
        do_sample=False,
        streamer=TextStreamer(tokens, skip_prompt=True, skip_special_tokens=True),
    )
    if report:
        Console(stderr=True).print(str(cache.report(reveal=reveal)), markup=False)
    figures = {
        "prompt_tokens": inputs["input_ids"].shape[1],
        "generated_tokens": output.shape[1] - inputs["input_ids"].shape[1],
        "max_live_tokens": cache.ledger.between,
        "peak_live_tokens": cache.ledger.within,
        "stored_bytes": cache.stored_bytes(),
    }
    record = provenance(describe(retention) | {"chunk": chunk}, seed=seed, model=Path(model).name)
    write_json(json, {"provenance": record, **figures})


def _prefill(model: Any, inputs: Any, cache: RetentionCache, chunk: int) -> None:
    with progress_bar() as bar:
        task = bar.add_task("prefill, tokens", total=inputs["input_ids"].shape[1])
        prefill(
            model,
            inputs["input_ids"],
            cache,
            chunk=chunk,
            progress=lambda done, total: bar.update(task, completed=done),
        )


def _model_inputs(inputs: Any, model: Any) -> dict[str, torch.Tensor]:
    return {name: inputs[name].to(model.device) for name in ("input_ids", "attention_mask")}
