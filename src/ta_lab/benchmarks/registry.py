"""Every benchmark by name, with its sizes by default."""

from __future__ import annotations

from . import agent, columns, decode, detection, memory, peers, prefill
from .benchmark import Benchmark

FREE = ("streaming-llm", "ta-fast-semantic", "ta")
LENGTHS = (4096, 16_384, 65_536)

BENCHMARKS: dict[str, Benchmark] = {
    item.name: item
    for item in (
        Benchmark("prefill", "what retention adds to a prefill, by part", prefill.run),
        Benchmark(
            "decode",
            "a decode step at K after n tokens, beside caches of K and of n",
            decode.run,
            tokens=LENGTHS,
            budgets=(16, 64, 256, 1024),
            methods=("streaming-llm", "ta"),
            rounds=7,
        ),
        Benchmark("detection", "from token ids to kept slots, no model", detection.run_detection),
        Benchmark("detectors", "MB/s of every rule detector", detection.run_detectors),
        Benchmark(
            "agent",
            "a session of many turns: first token, speed, what is left of the first turn",
            agent.run,
            tokens=(100_000,),
            budgets=(256,),
            methods=("streaming-llm", "ta"),
            rounds=1,
        ),
        Benchmark(
            "memory",
            "peak bytes while a text of any length is read",
            memory.memory_run,
            tokens=(*LENGTHS, 262_144),
            budgets=(256,),
            methods=("streaming-llm", "ta"),
            rounds=1,
        ),
        Benchmark(
            "stream",
            "one long reading, a value at its beginning, the question at its end",
            memory.run,
            tokens=(1_000_000,),
            budgets=(256,),
            methods=("ta",),
            rounds=1,
            in_all=False,
        ),
        Benchmark(
            "columns",
            "what column sums cost beside eager output_attentions",
            columns.run,
            methods=("h2o", "ta-full"),
            rounds=5,
        ),
        Benchmark(
            "peers",
            "kvpress's presses on the same weights, in kvpress's environment",
            peers.run,
            budgets=(64,),
            methods=FREE,
            rounds=7,
            in_all=False,
        ),
    )
}
