"""Every benchmark by name, with its sizes by default (``data/benchmarks.toml``)."""

from __future__ import annotations

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


def _structured(request: Request) -> Outcome:
    with extra("structured", "serve", "llama-cpp"):
        from .structured import run  # noqa: PLC0415
    return run(request)


RUNS = {
    "prefill": prefill.run, "decode": decode.run, "detection": detection.run_detection,
    "finding": finding.run, "functions": functions.run, "call": call.run,
    "agent": agent.run, "stream": stream.run, "llama-cpp": llama_cpp.run,
    "serve": serve.run, "structured": _structured, "beginnings": beginnings.run, "vllm": vllm.run,
    "llama-server": servers.run,
}  # fmt: skip
BENCHMARKS = {
    name: Benchmark(name, run=RUNS[name], **given) for name, given in table("benchmarks").items()
}
