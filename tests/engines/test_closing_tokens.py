"""The token that closes a value is held with it in every way a prompt can go through the engine."""

import pytest
import torch

from scenes import EXACT, TEXTS, half, kept_positions, lanes, prefilled, talk_of
from transactional_attention import load_cache

VALUES = ("7301", "QX7K", "ZP41")
METHODS = ("ta", "ta-fast-semantic", "ta+snapkv", "ta+pyramidkv", "ta+ada-kv", "ta+arkv")


def closings(cache):
    """Of each row: whether every layer and kv head holds its value and the token after it."""
    flags = []
    for row, (text, value) in enumerate(zip(TEXTS, VALUES, strict=True)):
        end = text.index(value) + len(value)
        wanted = set(range(end - len(value), end + 1))
        flags.append(all(wanted <= set(lane) for lane in lanes(cache, row)))
    return flags


@pytest.mark.parametrize(
    ("chunk", "options"), half([None, 8, 32], [{}, {"positions": "compact"}, {"storage": "int8"}])
)
def test_in_chunks_padded_batches_turns_and_low_storage(model, tokenizer, chunk, options):
    talk = talk_of(model, tokenizer, rows=3, budget=16, **options)
    talk.turn(chunk=chunk, new_tokens=8)
    assert closings(talk.cache) == [True] * 3
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn(new_tokens=30)
    assert closings(talk.cache) == [True] * 3
    if "storage" not in options:
        assert talk.error() < EXACT


@pytest.mark.parametrize("method", METHODS)
def test_beside_every_scorer_and_allocation(model, tokenizer, method):
    cache = prefilled(model, tokenizer, TEXTS, budget=20, method=method)
    assert closings(cache) == [True] * 3


def test_after_saving_and_in_the_report(model, tokenizer, tmp_path):
    talk = talk_of(model, tokenizer, rows=3, budget=16)
    talk.turn()
    talk.cache.save(tmp_path / "cache.safetensors")
    loaded = load_cache(tmp_path / "cache.safetensors", model, tokenizer)
    assert closings(loaded) == [True] * 3
    end = TEXTS[0].index(VALUES[0]) + len(VALUES[0])
    (item,) = (item for item in loaded.report(0).kept if item.reason == "closing")
    assert (item.start, item.end) == (end, end + 1)


def test_a_released_value_and_its_closing_token_give_way_at_the_next_steps(model, tokenizer):
    talk = talk_of(model, tokenizer, budget=16)
    talk.turn()
    start = TEXTS[0].index(VALUES[0])
    assert talk.cache.flow.release(start, start + 4) == 1
    talk.turn(new_tokens=20)
    assert not set(range(start, start + 5)) & set(kept_positions(talk.cache))
