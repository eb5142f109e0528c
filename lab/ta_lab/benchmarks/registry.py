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
    llama_cpp,
    prefill,
    serve,
    stream,
    vllm,
)
from .benchmark import Benchmark

RUNS = {
    "prefill": prefill.run, "decode": decode.run, "detection": detection.run_detection,
    "finding": finding.run, "call": call.run,
    "agent": agent.run, "stream": stream.run, "llama-cpp": llama_cpp.run,
    "serve": serve.run, "beginnings": beginnings.run, "vllm": vllm.run,
}  # fmt: skip
BENCHMARKS = {
    name: Benchmark(name, run=RUNS[name], **given) for name, given in table("benchmarks").items()
}
