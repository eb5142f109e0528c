"""The token that closes a value is held with it in every way a prompt can go through the engine."""

import pytest
import torch

from scenes import EXACT, TEXTS, Conversation, encode, kept_positions
from transactional_attention import Retention, RetentionCache, load_cache

VALUES = ("7301", "QX7K", "ZP41")
METHODS = ("ta", "ta-fast-semantic", "ta+snapkv", "ta+pyramidkv", "ta+ada-kv", "ta+arkv")


def closings(cache):
    """Of each row: whether every layer and kv head holds its value and the token after it."""
    found = []
    for row, (text, value) in enumerate(zip(TEXTS, VALUES, strict=True)):
        end = text.index(value) + len(value)
        lanes = [
            kept_positions(cache, row, layer, head)
            for layer in range(len(cache.managed))
            for head in range(2)
        ]
        found.append(all(set(range(end - len(value), end + 1)) <= set(lane) for lane in lanes))
    return found


@pytest.mark.parametrize("chunk", [None, 8, 32])
@pytest.mark.parametrize("options", [{}, {"positions": "compact"}, {"storage": "int8"}])
def test_in_chunks_padded_batches_turns_and_low_storage(model, tokenizer, chunk, options):
    ids, mask = encode(tokenizer, *TEXTS)
    cache = RetentionCache(model, tokenizer, Retention(16, **options))
    talk = Conversation(model, cache, ids, mask)
    talk.turn(chunk=chunk, new_tokens=8)
    assert closings(cache) == [True] * 3
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn(new_tokens=30)
    assert closings(cache) == [True] * 3
    if "storage" not in options:
        assert talk.error() < EXACT


@pytest.mark.parametrize("method", METHODS)
def test_beside_every_scorer_and_allocation(model, tokenizer, method):
    for row, text in enumerate(TEXTS):
        ids, _ = encode(tokenizer, text)
        cache = RetentionCache(model, tokenizer, Retention(20, method))
        model(ids, past_key_values=cache)
        end = text.index(VALUES[row]) + len(VALUES[row])
        for layer in range(len(cache.managed)):
            for head in range(2):
                kept = kept_positions(cache, 0, layer, head)
                assert set(range(end - len(VALUES[row]), end + 1)) <= set(kept)


def test_after_saving_and_in_the_report(model, tokenizer, tmp_path):
    ids, mask = encode(tokenizer, *TEXTS)
    cache = RetentionCache(model, tokenizer, Retention(16))
    Conversation(model, cache, ids, mask).turn()
    cache.save(tmp_path / "cache.safetensors")
    loaded = load_cache(tmp_path / "cache.safetensors", model, tokenizer)
    assert closings(loaded) == [True] * 3
    end = TEXTS[0].index(VALUES[0]) + len(VALUES[0])
    (item,) = (item for item in loaded.report(0).kept if item.reason == "closing")
    assert (item.start, item.end) == (end, end + 1)


def test_a_released_value_lets_its_closing_token_go(model, tokenizer):
    ids, mask = encode(tokenizer, TEXTS[0])
    cache = RetentionCache(model, tokenizer, Retention(16))
    talk = Conversation(model, cache, ids, mask)
    talk.turn()
    start = TEXTS[0].index(VALUES[0])
    assert cache.flow.release(start, start + 4) == 1
    talk.turn(new_tokens=20)
    assert start + 4 not in kept_positions(cache)
