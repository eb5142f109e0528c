"""A plan as token ranges with priorities, for engines that can be told what matters.

Such hints rank blocks among requests when a pool is full; they shrink no running request, and a
block after one that is gone is of no use to the next request (docs/vllm.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from .plan import KEPT, MOST, Plan

DEFAULT = 35  # priority, as TensorRT-LLM gives it


def _trtllm(plan: Plan) -> dict[str, Any]:
    """Arguments of ``KvCacheRetentionConfig``; checked by TensorRT-LLM's own classes if it is
    installed."""
    ranges = [
        {"token_start": r.start, "token_end": r.end, "priority": r.priority, "duration_ms": None}
        for r in plan.ranges()
    ]
    rest = {"decode_retention_priority": DEFAULT, "decode_duration_ms": None}
    if find_spec("tensorrt_llm") is not None:
        retention_config(ranges, **rest)
    return {"token_range_retention_configs": ranges, **rest}


def retention_config(ranges: Sequence[dict[str, Any]], **rest: Any) -> Any:
    """TensorRT-LLM's own object, for ``LLM.generate(kv_cache_retention_config=)``."""
    from tensorrt_llm.llmapi import KvCacheRetentionConfig  # type: ignore[import-not-found]  # noqa: PLC0415  (optional)

    made = [KvCacheRetentionConfig.TokenRangeRetentionConfig(*r.values()) for r in ranges]
    return KvCacheRetentionConfig(token_range_retention_configs=made, **rest)


def _vllm(plan: Plan) -> dict[str, Any]:
    """Options of a request to our plugin, and vLLM's own hints: the envelope of its PR 53423.

    vLLM carries the envelope and runs no action so far: `kv.retain` and its directives are a draft.
    Priorities never rise along the text, because a block is reused only after all blocks before it.
    """
    ranges = plan.ranges()
    kept = [r for r in ranges if MOST > r.priority >= KEPT]
    priorities = list(accumulate((r.priority for r in reversed(ranges)), max))[::-1]
    directives = [
        {"start": r.start, "end": r.end, "priority": priority, "duration": None}
        for r, priority in zip(ranges, priorities, strict=True)
    ]
    action = {
        "action_id": "values",
        "action_type": "kv.retain",
        "action_version": "1.0",
        "payload": {"scope": None, "directives": directives},
    }
    return {
        "vllm_xargs": {
            "ta_budget": plan.budget,
            "ta_protect": [f"{r.start}:{r.end}" for r in kept],
        },
        "kv_hints": {"protocol_version": "0.1", "message_id": "ta-plan", "actions": [action]},
    }


def _dynamo(plan: Plan) -> dict[str, Any]:
    """One number for the whole request: Dynamo takes no ranges."""
    return {"nvext": {"agent_hints": {"priority": int(bool(plan.values))}}}


def _plain(plan: Plan) -> dict[str, Any]:
    return {"tokens": plan.tokens, "ranges": [asdict(item) for item in plan.ranges()]}


EXPORTS: dict[str, Callable[[Plan], dict[str, Any]]] = {
    "trtllm": _trtllm,
    "vllm": _vllm,
    "dynamo": _dynamo,
    "json": _plain,
}
"""What ``ta plan --export NAME`` writes."""
