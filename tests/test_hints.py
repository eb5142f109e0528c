"""Ranges of a plan for engines that take them."""

import sys
from types import ModuleType, SimpleNamespace

from scenes import byte_tokenizer
from transactional_attention import plan
from transactional_attention.inspection.hints import EXPORTS
from transactional_attention.inspection.plan import AT_RISK, KEPT, MOST, Plan, PlannedValue

VALUES = ("Zx81Qw77Lm", "K4410-ZZ9-PLM")
TEXT = (
    f"Some words come first.\nThe access token is: {VALUES[0]}\n"
    f"And the door code is: {VALUES[1]}. Much later nothing happened.\n"
)


def value(start, end, status="guaranteed", label="code"):
    return PlannedValue(label, "label", "unknown", 0.9, start, end, (start, end), status, 9)


def made(*values):
    return Plan("ta", 64, 20, 20, 50, values)


def test_ranges_are_the_first_token_and_the_values():
    text_plan = plan(TEXT, byte_tokenizer(), 64)
    first, *rest = text_plan.ranges()
    assert (first.start, first.end, first.priority) == (0, 1, MOST)
    assert [TEXT[r.start : r.end].strip() for r in rest] == list(VALUES)
    assert {r.priority for r in rest} == {KEPT}
    assert not [v for v in VALUES if any(v in r.reason for r in rest)]


def test_ranges_do_not_overlap_and_what_is_kept_has_the_tokens():
    ranges = made(value(5, 20, "at risk"), value(10, 12), value(0, 3), value(30, 40)).ranges()
    edges = [(r.start, r.end, r.priority) for r in ranges]
    assert edges == [
        (0, 1, MOST),
        (1, 3, KEPT),
        (5, 10, AT_RISK),
        (10, 12, KEPT),
        (12, 20, AT_RISK),
        (30, 40, KEPT),
    ]


def test_the_plugin_of_vllm_takes_what_is_exported_for_it():
    from transactional_attention.engines.vllm.arguments import Defaults  # noqa: PLC0415

    exported = EXPORTS["vllm"](made(value(5, 20), value(30, 40, "at risk")))
    retention = Defaults({}).retention(exported["vllm_xargs"])
    assert retention.budget == 64
    assert [(r.span.start, r.span.end) for r in retention.protected] == [(5, 20)]


def test_the_envelope_of_vllm_has_priorities_that_never_rise():
    envelope = EXPORTS["vllm"](made(value(5, 20, "at risk"), value(30, 40)))["kv_hints"]
    assert envelope.keys() == {"protocol_version", "message_id", "actions"}
    (action,) = envelope["actions"]
    assert action.keys() == {"action_id", "action_type", "action_version", "payload"}
    ranges = [(d["start"], d["end"], d["priority"]) for d in action["payload"]["directives"]]
    assert ranges == [(0, 1, MOST), (5, 20, KEPT), (30, 40, KEPT)]


def test_dynamo_takes_one_number():
    assert EXPORTS["dynamo"](made()) == {"nvext": {"agent_hints": {"priority": 0}}}
    assert EXPORTS["dynamo"](made(value(2, 3)))["nvext"]["agent_hints"]["priority"] == 1


def test_classes_of_tensorrt_are_asked_where_they_are(monkeypatch):
    taken = []

    class Config:
        """With the signatures that TensorRT-LLM documents."""

        class TokenRangeRetentionConfig:
            def __init__(self, token_start, token_end=None, priority=35, duration_ms=None):
                taken.append((token_start, token_end, priority, duration_ms))

        def __init__(
            self, token_range_retention_configs, decode_retention_priority, decode_duration_ms
        ):
            taken.append(decode_retention_priority)

    package = ModuleType("tensorrt_llm")
    package.llmapi = SimpleNamespace(KvCacheRetentionConfig=Config)
    package.__spec__ = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "tensorrt_llm", package)
    monkeypatch.setitem(sys.modules, "tensorrt_llm.llmapi", package.llmapi)
    exported = EXPORTS["trtllm"](made(value(5, 20)))
    assert taken == [(0, 1, MOST, None), (5, 20, KEPT, None), 35]
    assert exported["token_range_retention_configs"][1]["token_end"] == 20
