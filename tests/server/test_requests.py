"""What a request changes in the server's retention."""

import pytest

import transactional_attention as ta
from transactional_attention import Retention
from transactional_attention.config import Memory
from transactional_attention.retention.layout import for_chats

REASON = "needs fastapi, uvicorn, prometheus-client and openai: run .ci/extras"
pytest.importorskip("pydantic", reason=REASON)

from transactional_attention.server.requests import RetentionField  # noqa: E402

DEFAULT = for_chats(Retention(256))


def held(default=DEFAULT, **fields):
    retention = RetentionField(**fields).over(default)
    return retention.memory, retention.pinned


def test_the_servers_memory_stays_where_a_request_names_none():
    assert held() == held(budget=128) == held(protect_roles=["user"]) == (Memory(), ("system",))
    retention = Retention(256, memory=Memory(share=0.5))
    assert held(retention, budget=512) == (retention.memory, ())


@pytest.mark.parametrize(
    "fields",
    [
        {"method": "streaming-llm"},
        {"method": "snapkv"},
        {"method": "full"},
        {"method": "ta"},
        {"preset": "paper"},
    ],
    ids=str,
)
def test_another_method_or_preset_comes_without_the_default_memory(fields):
    assert held(**fields) == (None, ())
    assert RetentionField(**fields).over(DEFAULT).method == fields.get("method", DEFAULT.method)


def test_a_memory_and_what_is_pinned_are_had_where_they_are_asked_for():
    assert held(method="ta", memory=True) == held(method="ta", recall="all") == (Memory(), ())
    assert held(method="ta", pinned=["system", "tool"]) == (None, ("system", "tool"))
    assert held(memory=False) == (None, ("system",))
    assert held(pinned=[]) == (Memory(), ()) and held(pinned=["tool"]) == (Memory(), ("tool",))
    assert held(Retention(64), memory=True, pinned=["user"]) == (Memory(), ("user",))


def test_what_does_not_go_together_is_refused():
    with pytest.raises(ta.InputError, match="recall is a memory now, which needs K >= 128"):
        held(recall=True, budget=64)
    for wrong in ({"memory": 1}, {"memory": {"share": 0.5}}, {"pinned": ["sistem"]}):
        with pytest.raises(ValueError, match=r"memory|pinned"):
            RetentionField(**wrong)
