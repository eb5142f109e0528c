"""Caches that share a forward: each keeps and says what it would on its own."""

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, TEXTS, encode
from ta_lab.cases.cache_batch import SeveralCaches, can_share
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache
from transactional_attention.errors import RetentionError

RETENTIONS = (
    Retention(budget=16),
    Retention(budget=24, method="streaming-llm"),
    Retention(budget=20, method="tova"),
    Retention(budget=16, method="h2o", ledger="on-top"),
    Retention(budget=32, method="ta+snapkv"),
    Retention(budget=24, method="ada-kv"),
    Retention(budget=None, method="full"),
)


@pytest.fixture
def filled(model, tokenizer):
    """Makes caches of all retentions that have read one text."""
    ids, _ = encode(tokenizer, TEXTS[0])

    def fill(retentions=RETENTIONS, text=ids, where=model):
        caches = [RetentionCache(where, tokenizer, retention) for retention in retentions]
        for cache in caches:
            where(text, attention_mask=torch.ones_like(text), past_key_values=cache)
        return caches

    return fill


def tokens_of(cache):
    return [table.positions.tolist() for table in cache.flow.tables.values()]


@torch.no_grad()
def test_rows_are_what_they_are_on_their_own(model, filled):
    alone, together = filled(), filled()
    for new in (range(40, 47), [50], [60], [70]):
        ids = torch.tensor([list(new)] * len(alone))
        expected = [model(ids[i : i + 1], past_key_values=c).logits[0] for i, c in enumerate(alone)]
        logits = model(ids, past_key_values=SeveralCaches(together)).logits
        torch.testing.assert_close(logits, torch.stack(expected), rtol=0, atol=EXACT)
    for one, other in zip(alone, together, strict=True):
        assert tokens_of(one) == tokens_of(other)
        assert one.ledger.between == other.ledger.between
        assert one.num_columns == other.num_columns


@torch.no_grad()
def test_a_row_can_leave_and_go_on_alone(model, filled):
    alone, together = filled(RETENTIONS[:3]), filled(RETENTIONS[:3])
    ids = torch.tensor([[40], [41], [42]])
    for i, cache in enumerate(alone):
        model(ids[i : i + 1], past_key_values=cache)
    model(ids, past_key_values=SeveralCaches(together))
    model(ids[1:], past_key_values=SeveralCaches(together[1:]))
    for i in (1, 2):
        model(ids[i : i + 1], past_key_values=alone[i])
    for i, (one, other) in enumerate(zip(alone, together, strict=True)):
        expected = model(torch.tensor([[77]]), past_key_values=one).logits
        logits = model(torch.tensor([[77]]), past_key_values=other).logits
        torch.testing.assert_close(logits, expected, rtol=0, atol=EXACT, msg=str(i))


def test_caches_of_other_lengths_and_kinds_are_refused(model, tokenizer, filled):
    short, _ = encode(tokenizer, TEXTS[2])
    with pytest.raises(ta.CacheStateError, match="as many tokens"):
        SeveralCaches([*filled(RETENTIONS[:1]), *filled(RETENTIONS[:1], short)])
    with pytest.raises(ta.CacheStateError, match="as many tokens"):
        SeveralCaches([RetentionCache(model, tokenizer, RETENTIONS[0])] * 2)
    other = tiny_llama(vocab_size=len(tokenizer))
    with pytest.raises(ta.CacheStateError, match="as many tokens"):
        SeveralCaches([*filled(RETENTIONS[:1]), *filled(RETENTIONS[:1], where=other)])
    compact = filled((Retention(budget=16, positions="compact"),))
    assert not can_share(compact[0])
    with pytest.raises(ta.UnsupportedError, match="forwards of its own"):
        SeveralCaches(compact)


def test_rows_must_be_as_many_as_caches(model, filled):
    caches = filled(RETENTIONS[:2])
    with pytest.raises(RetentionError, match="2 caches need"):
        model(torch.tensor([[40]]), past_key_values=SeveralCaches(caches))
