"""compress(): one full prefill, then any method and budget, as if each had prefilled itself."""

import pytest
import torch

from scenes import EXACT, TEXTS, encode, kept_positions, more_tokens, slots
from tiny_families import build
from transactional_attention import InputError, Retention, RetentionCache, prefill
from transactional_attention.engines.transformers.copies import compress
from transactional_attention.methods.scorers.r_kv import RKV
from transactional_attention.retention.layout import observed_by

CUTS = [
    Retention(budget=(24, 16, 8)),
    Retention(budget=16, preset="paper"),
    Retention(budget=16, method="streaming-llm", ledger="on-top"),
    Retention(budget=512),
]


def filled(model, tokenizer, retention, texts):
    ids, mask = encode(tokenizer, *texts)
    cache = RetentionCache(model, tokenizer, retention)
    return prefill(model, ids, cache, chunk=512, attention_mask=mask, keep_last=False)


def ask(model, tokenizer, cache, texts):
    """Logits of an answer to a question that arrives after the cut."""
    ids, mask = encode(tokenizer, *texts)
    question = torch.full((len(texts), 5), 40)
    output = model.generate(
        torch.cat([ids, question], 1),
        attention_mask=more_tokens(mask, 5),
        past_key_values=cache,
        max_new_tokens=6,
        do_sample=False,
        return_dict_in_generate=True,
        output_logits=True,
    )
    return torch.stack(output.logits, 1)


@pytest.fixture
def full(model, tokenizer):
    return filled(model, tokenizer, Retention(budget=None, method="full"), TEXTS)


@pytest.mark.parametrize("retention", CUTS, ids=lambda r: f"{r.method}-{r.preset}-{r.budget}")
def test_equals_a_prefill_of_its_own(model, tokenizer, full, retention):
    cut, own = compress(full, retention), filled(model, tokenizer, retention, TEXTS)
    for layer in range(3):
        for row in range(3):
            assert kept_positions(cut, row, layer) == kept_positions(own, row, layer)
    assert slots(cut) == slots(own)
    difference = ask(model, tokenizer, cut, TEXTS) - ask(model, tokenizer, own, TEXTS)
    assert difference.abs().max() < EXACT


@pytest.mark.parametrize("budget", ["half", "length", "more"])
def test_the_source_is_not_touched_by_what_the_copy_generates(model, tokenizer, budget):
    texts = TEXTS[:1]
    full = filled(model, tokenizer, Retention(budget=None), texts)
    before = [(layer.keys.clone(), layer.values.clone()) for layer in full.managed]
    length = full.num_columns
    size = {"half": length // 2, "length": length, "more": length + 4}[budget]
    cut = compress(full, Retention(budget=size))
    ask(model, tokenizer, cut, texts)
    assert full.num_columns == length
    for layer, (keys, values) in zip(full.managed, before):
        assert torch.equal(layer.keys, keys)
        assert torch.equal(layer.values, values)
    shared = {t.untyped_storage().data_ptr() for la in full.managed for t in (la.keys, la.values)}
    ours = {t.untyped_storage().data_ptr() for la in cut.managed for t in (la.keys, la.values)}
    assert not shared & ours


def test_a_cut_cache_cannot_be_a_source(model, tokenizer):
    cut = filled(model, tokenizer, Retention(budget=16), TEXTS)
    with pytest.raises(InputError, match="only an unlimited cache"):
        compress(cut, Retention(budget=8))


def test_a_cache_that_has_generated_cannot_be_a_source(model, tokenizer, full):
    ask(model, tokenizer, full, TEXTS)
    with pytest.raises(InputError, match="not a cache that has generated"):
        compress(full, Retention(budget=16))


@pytest.mark.parametrize("name", ["ta", "snapkv", "keydiff", "ta+h2o", "streaming-llm"])
def test_compact_positions_are_cut_to_compact_ones(model, tokenizer, full, name):
    texts, cut_to = TEXTS[:1], Retention(16, name, positions="compact")
    ids, mask = encode(tokenizer, *texts)
    whole = RetentionCache(
        model,
        tokenizer,
        Retention(None, "full", positions="compact"),
        observe=observed_by([cut_to]),
    )
    prefill(model, ids, whole, chunk=512, attention_mask=mask, keep_last=False)
    cut, own = compress(whole, cut_to), filled(model, tokenizer, cut_to, texts)
    for layer in range(3):
        for head in range(2):
            assert kept_positions(cut, 0, layer, head) == kept_positions(own, 0, layer, head)
    difference = ask(model, tokenizer, cut, texts) - ask(model, tokenizer, own, texts)
    assert difference.abs().max() < EXACT
    with pytest.raises(InputError, match="compact positions"):
        compress(whole, Retention(16))
    with pytest.raises(InputError, match="original positions"):
        compress(full, cut_to)


def test_sliding_layers_are_refused(tokenizer):
    model = build("gemma2", vocab_size=len(tokenizer))
    source = filled(model, tokenizer, Retention(budget=None), TEXTS)
    with pytest.raises(InputError, match="without sliding layers"):
        compress(source, Retention(budget=16))


def test_a_layer_is_measured_once_for_all_budgets_and_the_twin(model, tokenizer, monkeypatch):
    measured, measure = [], RKV.measure
    monkeypatch.setattr(RKV, "measure", lambda *given: measured.append(given) or measure(*given))
    cuts = [Retention(k, name) for name in ("r-kv", "ta+r-kv") for k in (16, 24, 512)]
    ids, _ = encode(tokenizer, TEXTS[0])
    full = RetentionCache(model, tokenizer, Retention(None, "full"), observe=observed_by(cuts))
    prefill(model, ids, full, keep_last=False)
    readings = {}
    found = [compress(full, cut, readings=readings) for cut in cuts]
    assert len(measured) == len(full.managed)
    for cut, cache in zip(cuts, found, strict=True):
        own = compress(full, cut)
        for layer in range(len(full.managed)):
            for head in range(2):
                kept = kept_positions(own, 0, layer, head)
                assert kept_positions(cache, 0, layer, head) == kept
