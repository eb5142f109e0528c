"""Eight requests at once through vLLM: with a budget beside stock vLLM, in pools of one size.

The pool holds two of the requests whole, so that stock vLLM lets them wait or give way. Each arm
has a process of its own (``vllm_arm``), the first without the plugin."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

from transactional_attention.engines.vllm.arguments import ENGINE, ENVIRONMENT
from transactional_attention.errors import UnsupportedError
from transactional_attention.models import load_tokenizer, place_of

from .benchmark import Outcome, Request, Row
from .corpus import LongText
from .timing import in_rounds
from .vllm_arm import MARK

SESSIONS, WHOLE, NEW, BLOCK = 8, 2, 128, 32
STOCK = "stock vLLM"


def run(request: Request) -> Outcome:
    """A row an arm, budget and length: tokens a second over all requests, medians of rounds.

    Raises UnsupportedError without vLLM, or when an arm fails."""
    if find_spec("vllm") is None:
        raise UnsupportedError("ta bench vllm needs vLLM: pip install vllm==0.32.0")
    rows, tokenizer = list[Row](), load_tokenizer(request.recipe.model)
    for tokens, budget in request.cells():
        rng = random.Random(request.seed)
        texts = [
            LongText(tokenizer, tokens, request.filler, request.seed + i, rng.uniform(0.1, 0.6))
            for i in range(SESSIONS)
        ]
        asked = _asked(request, tokens, texts)
        arms = {STOCK: partial(_measured, asked, None, request.recipe.threads)}
        for method in request.methods:
            default = {"budget": budget, "method": method, "chunk": request.chunk}
            arms[method] = partial(_measured, asked, default, request.recipe.threads)
        measurements = in_rounds(arms, request.rounds)
        peer = statistics.median(each["seconds"] for each in measurements[STOCK])
        for name, each in measurements.items():
            row = _row(each, tokens, [text.stated.answer for text in texts])
            row["ratio"] = peer / statistics.median(m["seconds"] for m in each)
            rows.append({"tokens": tokens, "budget": budget, "name": name, **row})
    return Outcome(rows)


def _asked(request: Request, tokens: int, texts: Sequence[LongText]) -> dict[str, Any]:
    prompts = [text.first(tokens) + text.stated.question for text in texts]
    longest = max(map(len, prompts)) + NEW
    options = {
        "dtype": request.recipe.dtype,
        "max_model_len": longest,
        "max_num_seqs": SESSIONS,
        "max_num_batched_tokens": request.chunk,
        "block_size": BLOCK,
        "num_gpu_blocks_override": WHOLE * -(-longest // BLOCK) + 1,
        "enforce_eager": True,
    }
    model = str(place_of(request.recipe.model))
    return {"model": model, "options": options, "prompts": prompts, "new": NEW}


def _measured(
    asked: dict[str, Any], default: dict[str, Any] | None, threads: int | None
) -> dict[str, Any]:
    environment = {name: v for name, v in os.environ.items() if name != ENVIRONMENT}
    if default is not None:
        environment[ENVIRONMENT] = json.dumps(default)
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)
    done = subprocess.run(
        [sys.executable, "-m", "ta_lab.benchmarks.vllm_arm"],
        input=json.dumps({**asked, "bounded": default is not None}),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            return json.loads(line.removeprefix(MARK))  # type: ignore[no-any-return]
    raise UnsupportedError(f"an arm of vLLM failed: {done.stderr.strip().splitlines()[-1:]}")


def _row(each: Sequence[dict[str, Any]], tokens: int, values: Sequence[str]) -> Row:
    seconds = [m["seconds"] for m in each]
    work = SESSIONS * tokens + each[0]["said"]
    right = sum(value in answer for value, answer in zip(values, each[0]["answers"], strict=True))
    return {
        "engine": ENGINE,
        "tokens_per_s": work / statistics.median(seconds),
        "range": [work / max(seconds), work / min(seconds)],
        "seconds": statistics.median(seconds),
        "steps": each[0]["steps"],
        "preemptions": each[0]["preemptions"],
        "policy_share": statistics.median(m["policy_seconds"] / m["step_seconds"] for m in each),
        "arrival_ms": 1e3 * statistics.median(m["arrival_seconds"] for m in each) / SESSIONS,
        "correct": right,
        "values": SESSIONS,
        "rounds": len(each),
    }
