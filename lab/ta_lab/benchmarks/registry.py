"""Every benchmark by name, with its sizes by default (``data/benchmarks.toml``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

from ..data import table
from . import (
    agent,
    beginnings,
    call,
    decode,
    detection,
    finding,
    functions,
    llama_cpp,
    prefill,
    serve,
    servers,
    stream,
    vllm,
)
from .benchmark import Benchmark, Outcome, Request
from .extras import extra


def _with_extras(name: str, request: Request) -> Outcome:
    """Of a benchmark whose module needs the server and llama.cpp."""
    with extra(name, "serve", "llama-cpp"):
        module = import_module(f".{name}", __package__)
    return module.run(request)


RUNS: dict[str, Callable[[Request], Outcome]] = {
    "prefill": prefill.run, "decode": decode.run, "detection": detection.run_detection,
    "finding": finding.run, "functions": functions.run, "call": call.run,
    "agent": agent.run, "stream": stream.run, "llama-cpp": llama_cpp.run,
    "serve": serve.run, "beginnings": beginnings.run, "vllm": vllm.run, "llama-server": servers.run,
    **{name: partial(_with_extras, name) for name in ("structured", "grammar")},
}  # fmt: skip
BENCHMARKS = {
    name: Benchmark(name, run=RUNS[name], **given) for name, given in table("benchmarks").items()
}
