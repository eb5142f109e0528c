"""Blocks of a request by its ids alone, and what requests may ask; vLLM is not needed."""

import itertools

import numpy as np
import pytest

from scenes import byte_tokenizer
from transactional_attention import Retention
from transactional_attention.engines.vllm.arguments import Defaults
from transactional_attention.engines.vllm.blocks import BlockBudget, BlockFlow
from transactional_attention.errors import BudgetError, RetentionError

FILLER = "Rain fell on the hills and the river rose a little more every hour. "
VALUE = "The door code is 7301. "
TOKENIZER = byte_tokenizer()


def text(length, at=(300,)):
    content = FILLER * (length // len(FILLER) + 1)
    for n, place in enumerate(at):
        value = VALUE.replace("door", ("door", "gate", "safe", "lift")[n])
        content = content[:place] + value.replace("7301", f"{n}7301") + content[place:]
    return TOKENIZER(content[:length])["input_ids"]


def flow(budget=128, size=32, chunk=64, **options):
    return BlockFlow(BlockBudget(Retention(budget, **options), size, chunk), TOKENIZER)


def run(block_flow, ids, prompt, steps):
    """What was held after each of ``steps``, and what left."""
    held, gone = [], []
    for done in steps:
        gone.append(block_flow.advance(ids, done, prompt))
        held.append(block_flow.held.tolist())
    return held, gone


@pytest.mark.parametrize("size", [16, 32, 64])
@pytest.mark.parametrize("budget", [48, 100, 256])
def test_kept_are_k_in_whole_blocks_and_the_one_being_written(size, budget):
    ids, block_flow = [*text(900), *[65] * 200], flow(budget, size)
    blocks = max(2, -(-budget // size))
    for done in range(10, 1101, 10):
        block_flow.advance(ids, done, 900)
        held = block_flow.held
        assert len(held) <= block_flow.budget.most
        at_cut = block_flow.done == 900 or block_flow.done % size == 0 or block_flow.done % 64 == 0
        if at_cut and block_flow.done > budget + 2 * size:
            full = [b for b in held.tolist() if (b + 1) * size <= block_flow.done]
            assert len(full) == blocks
            assert full[0] == 0 and full[-1] == block_flow.done // size - 1
            assert block_flow.table.width == blocks * size + block_flow.done % size


def test_blocks_of_a_value_stay_in_the_prompt_and_while_tokens_are_generated():
    ids = [*text(900, at=(310,)), *[65] * 400]
    block_flow = flow(160)
    held, _ = run(block_flow, ids, 900, [900, 1300])
    wanted = {(310 + i) // 32 for i in range(len(VALUE) + 1)}
    assert wanted == {9, 10}
    assert all(wanted <= set(blocks) for blocks in held)
    assert block_flow.values == (1, 0)


def test_it_is_a_function_of_the_ids_however_they_come():
    """In steps of a token, at borders alone, or at once; again after a restart."""
    ids = [*text(700, at=(100, 350)), *[65] * 150]
    expected, gone = run(flow(), ids, 700, [850])
    block_flow = flow()
    steps = sorted({*range(1, 850, 7), *range(640, 851)})
    held, parts = run(block_flow, ids, 700, steps)
    assert held[-1] == expected[0]
    assert sorted(itertools.chain(*parts)) == sorted(gone[0])
    block_flow.restart()
    assert run(block_flow, ids, 700, [850]) == (expected, gone)


def test_a_block_that_left_does_not_come_back_and_none_is_freed_twice():
    ids, block_flow = text(3000, at=(300, 700, 1500, 2200)), flow(160)
    _, gone = run(block_flow, ids, 3000, range(64, 3001, 64))
    left = list(itertools.chain(*gone))
    assert len(left) == len(set(left)) == block_flow.freed
    assert not set(left) & set(block_flow.held.tolist())


def test_values_without_room_are_counted_and_the_newest_block_stays():
    block_flow = flow(96)
    block_flow.advance(text(2000, at=(300, 700, 1100, 1500)), 2000, 2000)
    held, refused = block_flow.values
    assert (held, refused) == (1, 3)
    assert block_flow.held[-1] == 2000 // 32


def test_ranges_that_must_be_kept_and_do_not_fit():
    retention = Retention(128).protect(100, 400, unit="tokens")
    block_flow = BlockFlow(BlockBudget(retention, 32, 64), TOKENIZER)
    with pytest.raises(BudgetError, match="too small"):
        block_flow.advance(text(900), 900, 900)


def test_a_window_keeps_the_first_block_and_the_newest():
    block_flow = flow(128, method="streaming-llm")
    block_flow.advance(text(900), 900, 900)
    np.testing.assert_array_equal(block_flow.held, [0, 25, 26, 27, 28])


def test_the_environment_says_what_requests_do_not(monkeypatch):
    monkeypatch.setenv("TA_VLLM", '{"budget": 256, "chunk": 128, "deny": ["door code"]}')
    defaults = Defaults.of_environment()
    assert defaults.chunk == 128
    retention = defaults.retention({"ta_protect": ["10:20"], "other": 1})
    assert (retention.budget, retention.deny) == (256, ("door code",))
    assert [(r.span.start, r.span.end) for r in retention.protected] == [(10, 20)]
    assert defaults.retention({"ta_budget": 0}) is None
    assert defaults.retention({"ta_budget": 64}).budget == 64
    monkeypatch.setenv("TA_VLLM", "512")
    assert Defaults.of_environment().retention(None).budget == 512
    monkeypatch.setenv("TA_VLLM", "{}")
    assert Defaults.of_environment().retention({}) is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("much", "must be a budget, or a JSON object"),
        ("[1]", "must be a budget, or a JSON object"),
        ('{"chunk": 0}', "chunk must be at least 1"),
        ('{"budget": 64, "method": "snapkv"}', "the engine vLLM does not show"),
        ('{"budget": 64, "sinks": 4}', "unknown field 'ta_sinks'"),
        ('{"deny": ["door code"]}', None),
        ('{"budget": 64, "roles": ["boss"]}', "'boss' is none of"),
        ('{"budget": 64, "patterns": 7}', "ta_patterns must be a list of strings"),
        ('{"budget": 64, "protect": ["9-12"]}', "START:END"),
    ],
)
def test_what_the_environment_may_not_say(monkeypatch, given, words):
    monkeypatch.setenv("TA_VLLM", given)
    if words is None:
        assert Defaults.of_environment().retention({}) is None
        return
    with pytest.raises(RetentionError, match=words):
        Defaults.of_environment()
