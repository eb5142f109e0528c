"""What a chat is held with by default, and what runtimes refuse of it."""

from dataclasses import replace

import pytest

import transactional_attention as ta
from transactional_attention import Retention
from transactional_attention.config import Memory
from transactional_attention.engines.supported import check_served
from transactional_attention.retention.layout import CHAT_MEMORY, for_chats

SYSTEM = ("system",)


def held(retention, **options):
    chat_retention = for_chats(retention, **options)
    assert replace(chat_retention, memory=None, pinned=()) == replace(
        retention, memory=None, pinned=()
    )
    return chat_retention.memory, chat_retention.pinned


def test_a_chat_has_a_memory_from_the_least_budget_on():
    for budget in (CHAT_MEMORY, (CHAT_MEMORY, CHAT_MEMORY), 1024):
        assert held(Retention(budget)) == (Memory(), SYSTEM)
    assert held(Retention()) == (Memory(), SYSTEM)
    for budget in (CHAT_MEMORY - 1, (CHAT_MEMORY - 1, CHAT_MEMORY - 1), 16):
        assert held(Retention(budget)) == (None, SYSTEM)


@pytest.mark.parametrize(
    ("options", "pinned"),
    [
        ({"method": "snapkv"}, ()),
        ({"method": "ta+snapkv"}, ()),
        ({"method": "pyramidkv"}, ()),
        ({"budget": (256, 512)}, ()),
        ({"preset": "paper"}, ()),
        ({"method": "full", "budget": None}, ()),
        ({"method": "ta-full", "budget": None}, ()),
        ({"method": "streaming-llm"}, SYSTEM),
        ({"storage": "int8"}, SYSTEM),
        ({"detect_in_generated": True}, SYSTEM),
    ],
    ids=str,
)
def test_where_single_tokens_cannot_come_back_there_is_no_memory(options, pinned):
    assert held(Retention(**options)) == (None, pinned)


def test_what_is_asked_for_stands():
    memory = Memory(share=0.5)
    assert held(Retention(64), memory=True) == (Memory(), SYSTEM)
    assert held(Retention(), memory=False) == (None, SYSTEM)
    assert held(Retention(), pinned=()) == (Memory(), ())
    for given in (None, True):
        assert held(Retention(memory=memory, pinned=("tool",)), memory=given) == (memory, ("tool",))
    assert held(Retention(memory=memory), memory=False) == (None, SYSTEM)
    assert for_chats(Retention(method="streaming-llm"), memory=True).memory  # refused later
    assert held(Retention(recall=True)) == (Memory(), SYSTEM)


@pytest.mark.parametrize(
    ("name", "given"), [("memory", True), ("pinned", SYSTEM), ("positions", "rolling")]
)
def test_engines_of_blocks_refuse_by_name_what_is_beside_k(name, given):
    with pytest.raises(ta.UnsupportedError, match=rf"^{name} is not served by the engine vLLM"):
        check_served(Retention(**{name: given}), "vLLM")
    check_served(Retention(), "vLLM")
    check_served(Retention(**{name: given}), "llama.cpp", brings_back=True)
