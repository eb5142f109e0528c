"""The caches that stand beside ours: what they hold, and that a step leaves them as they were."""

import pytest
import torch
from transformers import DynamicCache

from ta_lab.benchmarks import decode
from ta_lab.benchmarks.decode import WindowLayer, stepping, window_cache
from ta_lab.benchmarks.feeding import feed, ready
from ta_lab.cases.decoding import forward
from transactional_attention import Retention, RetentionCache


def numbered(start, stop):
    return torch.arange(start, stop).float().view(1, 1, -1, 1).expand(1, 2, -1, 4)


def held(layer):
    return layer.keys[0, 0, :, 0].int().tolist()


def test_a_window_keeps_its_sinks_and_the_newest():
    layer = WindowLayer(8, 3)
    seen, _ = layer.update(numbered(0, 20), numbered(0, 20))
    assert seen.shape[-2] == 20 and held(layer) == [0, 1, 2, 15, 16, 17, 18, 19]
    assert layer.get_seq_length() == 20
    assert layer.get_mask_sizes(1) == (8, 13)  # the oldest goes before the step
    seen, _ = layer.update(numbered(20, 21), numbered(20, 21))
    assert seen[0, 0, :, 0].int().tolist() == held(layer) == [0, 1, 2, 16, 17, 18, 19, 20]


def test_a_window_that_holds_everything_changes_no_logit(model):
    ids = torch.randint(3, 250, (40,), generator=torch.Generator().manual_seed(0)).tolist()
    ends = []
    for cache in (window_cache(model.config, 50), DynamicCache(config=model.config)):
        ready(model, cache)
        feed(model, cache, ids[:30], chunk=11)
        ends.append(torch.stack([forward(model, cache, [token]) for token in ids[30:]]))
    torch.testing.assert_close(ends[0], ends[1])


@pytest.mark.parametrize("positions", ["original", "compact"])
@pytest.mark.parametrize("method", ["streaming-llm", "ta", "tova"])
def test_a_filled_cache_keeps_what_a_prefill_keeps(model, tokenizer, method, positions):
    text = "It rained. The door code is 730184. " + 9 * "Nobody came by all day long. "
    ids, retention = tokenizer(text)["input_ids"], Retention(48, method, positions=positions)
    filled = decode.retained(model, tokenizer, ids, retention)
    real = RetentionCache(model, tokenizer, retention)
    ready(model, real)
    feed(model, real, ids)
    for cache in (filled, real):
        assert cache.num_columns == len(ids)
        assert {layer.keys.shape[-2] for layer in cache.managed} == {48}
    kept = [[table.positions.tolist() for table in c.flow.tables.values()] for c in (filled, real)]
    assert kept[0] == kept[1]
    stepping(model, filled, steps=3)
    assert filled.num_columns == len(ids) + 3 and filled.ledger.between == 48


def test_a_plain_cache_has_its_tokens_back_after_every_step(model):
    cache = decode.whole(model, 20)
    before = [layer.keys for layer in cache.layers]
    stepping(model, cache, steps=2)
    assert all(layer.keys is keys for layer, keys in zip(cache.layers, before, strict=True))
    assert cache.get_seq_length() == 20


def test_a_filled_window_is_at_its_true_position(model):
    cache = decode.window(model, 500, 16)
    stepping(model, cache, steps=2)
    assert cache.get_seq_length() == 502
    assert {layer.keys.shape[-2] for layer in cache.layers} == {16}
