"""Observation costs what it must: nothing, w x n, or a block of column sums; and it stays exact."""

import pytest
import torch

import transactional_attention as ta
from scenes import TEXTS, encode, prefilled, talk_of
from ta_lab.cases.runner import observed_by
from teacher_forced import tiny_llama
from tiny_families import build
from transactional_attention import METHODS, Retention, RetentionCache, prefill
from transactional_attention.engines.transformers import observe
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.methods.observation import NOTHING, Observation
from transactional_attention.retention.flow import RetentionFlow

READERS = ["h2o", "snapkv", "tova", "keydiff", "ta-full"]
FREE = [n for n, m in METHODS.items() if m.observes == "nothing" and not m.trained]


@pytest.mark.parametrize("name", FREE)
def test_attention_free_methods_share_a_table_and_collect_nothing(
    model, tokenizer, name, monkeypatch
):
    monkeypatch.setattr(observe, "weigh", None)
    talk = talk_of(model, tokenizer, budget=16, method=name)
    talk.turn()
    assert len(talk.cache.flow.tables) == 1
    assert all(layer.observer is None for layer in talk.cache.managed)


def test_column_sums_come_in_blocks_of_queries(tokenizer, monkeypatch):
    largest, weigh = [], observe.weigh

    def watch(query, key, *args):
        largest.append(query.shape[2] * key.shape[2])
        return weigh(query, key, *args)

    monkeypatch.setattr(observe, "weigh", watch)
    model, length = tiny_llama(vocab_size=len(tokenizer), layers=1), 700
    ids = torch.randint(3, len(tokenizer), (1, length))
    cache = RetentionCache(model, tokenizer, Retention(budget=16, method="h2o"))
    prefill(model, ids, cache, chunk=length, keep_last=False)
    assert max(largest) <= observe.QUERY_BLOCK * length
    assert cache.managed[0].observer.sums.shape == (1, 2, 16)


def test_soft_capping_and_scale_are_those_of_the_model(tokenizer):
    """What Gemma 2 observes equals the weights of its own eager attention."""
    one = dict(num_hidden_layers=1, layer_types=["full_attention"])
    rule = dict(attn_logit_softcapping=2.0, query_pre_attn_scalar=3)
    model = build("gemma2", vocab_size=len(tokenizer), **one, **rule)
    ids = encode(tokenizer, TEXTS[0])[0]
    model.set_attn_implementation("eager")
    weights = model(ids, output_attentions=True).attentions[0][0]
    cache = RetentionCache(model, tokenizer, Retention(None, "h2o"), observe=Observation(8, True))
    prefill(model, ids, cache, keep_last=False)
    layer = cache.managed[0]
    torch.testing.assert_close(
        layer.observer.sums[0], weights.sum(1).unflatten(0, (2, 2)).sum(1), atol=1e-4, rtol=1e-4
    )


def test_a_method_that_reads_layers_needs_a_model(tokenizer):
    with pytest.raises(ta.InputError, match="column sums of every layer: it needs a model"):
        RetentionFlow(Retention(budget=16, method="h2o"), tokenizer, 1)


# one prefill for many methods


def test_observations_add_up():
    union = observed_by([Retention(16, name) for name in (*READERS, "full")])
    assert union == Observation(queries=8, columns=True, pension=True, keys=True)
    assert observed_by([Retention(16, name) for name in FREE]) == NOTHING


def test_a_snapshot_that_did_not_observe_says_so(model, tokenizer):
    full = prefilled(model, tokenizer, TEXTS, Observation(queries=1))
    compress(full, Retention(16, "tova"))
    with pytest.raises(ta.InputError, match="did not collect column sums"):
        compress(full, Retention(16, "h2o"))


def test_a_prefill_keeps_only_what_the_window_needs(model, tokenizer):
    full = prefilled(model, tokenizer, TEXTS, Observation(queries=8))
    assert full.managed[0].observer.queries.shape[2] == 8
    storage = full.managed[0].observer.queries.untyped_storage().nbytes()
    assert storage == full.managed[0].observer.queries.numel() * 4
