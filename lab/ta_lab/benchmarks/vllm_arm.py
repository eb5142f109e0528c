"""One arm of ``ta bench vllm``, in a process of its own: requests at once through one pool.

``python -m ta_lab.benchmarks.vllm_arm`` reads what to run from standard input as JSON, and writes
what it measured as one line of JSON. What the policy takes is timed where it decides and where
block tables are compacted, and apart from it where a prompt's values are looked for as it comes."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

MARK = "MEASURED "
SETTINGS = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_CPU_KVCACHE_SPACE": "4",  # GB, which the size of the pool overrides
}


class _Clock:
    """Seconds and calls of functions that it wraps."""

    def __init__(self) -> None:
        self.seconds, self.calls = 0.0, 0

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            try:
                return work(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - began
                self.calls += 1

        return timed


def measure(asked: dict[str, Any]) -> dict[str, Any]:
    """Serve ``prompts`` at once, each for ``new`` tokens, and count; one request comes before them
    uncounted, for a server pays for its first one once."""
    from vllm import LLM, SamplingParams  # noqa: PLC0415  (extra)

    engine = LLM(asked["model"], **asked["options"])
    first = {"prompt_token_ids": asked["prompts"][0][1:]}  # shares no block with those that count
    engine.generate([first], SamplingParams(max_tokens=1), use_tqdm=False)  # type: ignore[list-item]
    core = engine.llm_engine
    scheduler = core.engine_core.engine_core.scheduler  # type: ignore[attr-defined]
    steps, policy, gave_way, arrival = _Clock(), _Clock(), _Clock(), _Clock()
    core.step = steps.around(core.step)  # type: ignore[method-assign]
    scheduler._preempt_request = gave_way.around(scheduler._preempt_request)
    if asked["bounded"]:
        from transactional_attention.engines.vllm import backends  # noqa: PLC0415  (extra)

        scheduler._bound = arrival.around(scheduler._bound)
        manager = scheduler.manager
        manager.remove_skipped_blocks = policy.around(manager.remove_skipped_blocks)
        backends.compacted = policy.around(backends.compacted)
    sampling = SamplingParams(max_tokens=asked["new"], temperature=0, ignore_eos=True)
    prompts = [{"prompt_token_ids": ids} for ids in asked["prompts"]]
    began = time.perf_counter()
    outputs = engine.generate(prompts, sampling, use_tqdm=False)  # type: ignore[arg-type]
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "steps": steps.calls,
        "step_seconds": steps.seconds,
        "policy_seconds": policy.seconds,
        "arrival_seconds": arrival.seconds,
        "preemptions": gave_way.calls,
        "answers": [one.outputs[0].text for one in outputs],
        "said": sum(len(one.outputs[0].token_ids) for one in outputs),
    }


if __name__ == "__main__":
    os.environ.update(SETTINGS)
    print(MARK + json.dumps(measure(json.load(sys.stdin))))
