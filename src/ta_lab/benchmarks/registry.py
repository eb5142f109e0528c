"""Every benchmark by name, with its sizes by default (``data/benchmarks.toml``)."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from . import agent, decode, detection, llama_cpp, prefill, recall, serve, stream, vllm
from .benchmark import Benchmark

RUNS = {
    "prefill": prefill.run, "decode": decode.run, "detection": detection.run_detection,
    "agent": agent.run, "stream": stream.run, "llama-cpp": llama_cpp.run, "recall": recall.run,
    "serve": serve.run, "vllm": vllm.run,
}  # fmt: skip
TEXT = files("ta_lab").joinpath("data/benchmarks.toml").read_text(encoding="utf-8")


def _read(name: str, given: dict[str, Any]) -> Benchmark:
    sizes: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in given.items()
    }
    return Benchmark(name, run=RUNS[name], **sizes)


BENCHMARKS = {name: _read(name, given) for name, given in tomllib.loads(TEXT).items()}
