"""``ta train``: retention gates and detectors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    counting,
    origin,
    progress_bar,
    set_threads,
    write_json,
)
from transactional_attention.inspection.provenance import provenance
from transactional_attention.models import AUTO, EMBEDDED, load_model

app = typer.Typer(help="Train what ships with the package.", no_args_is_help=True)


@app.command("gates")
def train_retention_gates(
    out: Annotated[Path, typer.Option(help="File to write.")],
    model: options.Model = EMBEDDED,
    dtype: options.Dtype = AUTO,
    steps: Annotated[int, typer.Option(help="Documents to train on.")] = 400,
    memory: Annotated[int, typer.Option(help="Tokens that a kv head is meant to hold.")] = 32,
    seed: options.Seed = 0,
    threads: options.Threads = None,
) -> None:
    """Train the retention gates that trim-kv reads, for one model (minutes on one core).

    Written as gates.safetensors into the model's folder, they are found there."""
    from ..training.gates import train_gates  # noqa: PLC0415  (only this command needs it)

    set_threads(threads)
    train_gates(
        *load_model(model, dtype=dtype),
        out,
        steps=steps,
        memory=memory,
        seed=seed,
        report=lambda line: typer.echo(line, err=True),
    )
    typer.echo(f"gates for {model} are in {out}")


@app.command("detector")
def train_learned_detector(
    out: Annotated[Path, typer.Option(help="File to write: detector.safetensors of the model.")],
    model: options.Model = EMBEDDED,
    dtype: options.Dtype = AUTO,
    layer: Annotated[
        int | None, typer.Option(help="States after n layers; otherwise those in the middle.")
    ] = None,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Train the detector that ta-learned and ta-learnrank read, for one model (minutes).

    Written as detector.safetensors into the model's folder, it is found there."""
    from transactional_attention.engines.transformers.decoder import find_decoder  # noqa: PLC0415
    from transactional_attention.engines.transformers.reading import ModelReader  # noqa: PLC0415

    from ..training.train_detector import train_detector  # noqa: PLC0415

    set_threads(threads)
    loaded, tokenizer = load_model(model, dtype=dtype)
    decoder = find_decoder(loaded)
    reader = ModelReader(decoder, tokenizer)
    counted = train_detector(
        decoder, reader, out, layer=layer, seed=seed, report=lambda line: typer.echo(line, err=True)
    )
    arguments = {"command": "train detector", "layer": layer}
    record = origin(arguments, seed=seed, model=model, dtype=dtype)
    for name, counts in counted.items():
        breakdown = ", ".join(f"{family} {n}/{of}" for family, (n, of) in counts.found.items())
        scores = counts.scores
        typer.echo(
            f"{name} (> {counts.threshold}): precision {scores['precision']:.3f}, recall "
            f"{scores['recall']:.3f}, F1 {scores['f1']:.3f}; {counts.false} of "
            f"{counts.non_anchors} non-anchors, {counts.per_thousand:.1f} in 1,000 tokens of "
            f"text; {breakdown}"
        )
    figures = {name: counts.to_dict() for name, counts in counted.items()}
    write_json(json, {"provenance": record, "detectors": figures})


@app.command("characters")
def train_character_detector(
    out: Annotated[Path, typer.Option(help="File to write.")],
    seed: options.Seed = 0,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Train the character-level detector, which needs no model (minutes on one core)."""
    from ..training.train_characters import train_characters  # noqa: PLC0415

    set_threads(threads)
    with progress_bar() as bar:
        progress = counting(bar, "batches")
        result = train_characters(out, seed=seed, progress=progress)
    record = provenance({"command": "train characters"}, seed=seed, model="")
    typer.echo(
        f"held-out wordings: {result.values} values among {result.candidates} candidates, "
        f"precision {result.precision:.3f}, recall {result.recall:.3f}"
    )
    write_json(json, {"provenance": record, "held_out": asdict(result)})
