"""``ta bench``: speed beside peers in one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..benchmarks.decode import decode_steps
from ..benchmarks.detection import detection
from ..benchmarks.detectors import PEER_MISSING, detectors, has_peer
from ..benchmarks.timing import Timing
from ..errors import UnknownNameError
from ..evaluation.provenance import provenance
from . import options
from .common import EMBEDDED, comma_list, load_model, set_threads, write_json

NAMES = ("decode", "detection")


def bench(
    name: Annotated[str, typer.Argument(help="decode, detection, or all.")] = "all",
    budget: Annotated[int, typer.Option(help="K, tokens per layer and kv head.")] = 16,
    context: Annotated[int, typer.Option(help="Tokens of the prompt.")] = 4096,
    methods: Annotated[
        str, typer.Option(help="Comma-separated.")
    ] = "streaming-llm,ta-fast-semantic,ta",
    rounds: Annotated[int, typer.Option(help="Rounds; every arm runs once a round.")] = 15,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = 1,
    json: options.Json = None,
) -> None:
    """Medians, ranges and ratios to a peer that does the same work."""
    if name not in (*NAMES, "all"):
        raise UnknownNameError("benchmark", name, (*NAMES, "all"))
    set_threads(threads)
    numbers = {"budget": budget, "context": context, "rounds": rounds}
    record = provenance(numbers | {"threads": threads}, seed=0, model=Path(model).name)
    loaded, tokens = load_model(model, tokenizer)
    chosen = list(comma_list(methods, str, "--methods"))
    results: dict[str, list[Timing]] = {}
    if name in ("decode", "all"):
        results["decode"] = decode_steps(loaded, tokens, methods=chosen, **numbers)
    if name in ("detection", "all"):
        results["detection"] = detection(tokens, methods=chosen, **numbers)
        results["detectors"] = detectors(rounds=rounds)
        if not has_peer():
            Console(stderr=True).print(PEER_MISSING, markup=False)
    rows = [
        {"benchmark": benchmark, **timing.row()}
        for benchmark, timings in results.items()
        for timing in timings
    ]
    Console().print(_table(rows))
    write_json(json, {"provenance": record, "rows": rows})


def _table(rows: list[dict]) -> Table:
    table = Table(
        "benchmark", "arm", "median ms", "range ms", "ratio to the first", "range", "MB/s"
    )
    for row in rows:
        low, high = row["range_ms"]
        least, most = row["ratio_range"]
        table.add_row(
            row["benchmark"],
            row["name"],
            f"{row['median_ms']:.2f}",
            f"{low:.2f} to {high:.2f}",
            f"{row['ratio']:.3f}",
            f"{least:.3f} to {most:.3f}",
            f"{row['mb_per_s']:.2f}" if "mb_per_s" in row else "",
        )
    return table
