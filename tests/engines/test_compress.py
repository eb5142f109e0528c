"""compress(): one full prefill, then any method and budget, as if each had prefilled itself."""

import pytest
import torch

from scenes import EXACT, TEXTS, encode, lanes, more_tokens, prefilled, slots
from ta_lab.baselines.r_kv import RKV
from ta_lab.cases.runner import observed_by
from tiny_families import build
from transactional_attention import InputError, Retention
from transactional_attention.engines.transformers.compression import compress

CUTS = [
    Retention(budget=(24, 16, 8)),
    Retention(budget=16, preset="paper"),
    Retention(budget=16, method="streaming-llm", ledger="on-top"),
    Retention(budget=512),
]


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
    return prefilled(model, tokenizer, TEXTS)


@pytest.mark.parametrize("retention", CUTS, ids=lambda r: f"{r.method}-{r.preset}-{r.budget}")
def test_equals_a_prefill_of_its_own(model, tokenizer, full, retention):
    cut, expected = compress(full, retention), prefilled(model, tokenizer, TEXTS, **vars(retention))
    assert [lanes(cut, row) for row in range(3)] == [lanes(expected, row) for row in range(3)]
    assert slots(cut) == slots(expected)
    difference = ask(model, tokenizer, cut, TEXTS) - ask(model, tokenizer, expected, TEXTS)
    assert difference.abs().max() < EXACT


@pytest.mark.parametrize("budget", ["half", "length", "more"])
def test_the_source_is_not_touched_by_what_the_copy_generates(model, tokenizer, budget):
    texts = TEXTS[:1]
    full = prefilled(model, tokenizer, texts, budget=None)
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
    cut = prefilled(model, tokenizer, TEXTS, budget=16)
    with pytest.raises(InputError, match="only an unlimited cache"):
        compress(cut, Retention(budget=8))


def test_a_cache_that_has_generated_cannot_be_a_source(model, tokenizer, full):
    ask(model, tokenizer, full, TEXTS)
    with pytest.raises(InputError, match="not a cache that has generated"):
        compress(full, Retention(budget=16))


@pytest.mark.parametrize("name", ["ta", "snapkv", "keydiff", "ta+h2o", "streaming-llm"])
def test_compact_positions_are_cut_to_compact_ones(model, tokenizer, full, name):
    texts, cut_to = TEXTS[:1], Retention(16, name, positions="compact")
    whole = prefilled(
        model, tokenizer, texts, observed_by([cut_to]), method="full", positions="compact"
    )
    cut, expected = compress(whole, cut_to), prefilled(model, tokenizer, texts, **vars(cut_to))
    assert lanes(cut) == lanes(expected)
    difference = ask(model, tokenizer, cut, texts) - ask(model, tokenizer, expected, texts)
    assert difference.abs().max() < EXACT
    with pytest.raises(InputError, match="compact positions"):
        compress(whole, Retention(16))
    with pytest.raises(InputError, match="original positions"):
        compress(full, cut_to)


def test_sliding_layers_are_refused(tokenizer):
    model = build("gemma2", vocab_size=len(tokenizer))
    source = prefilled(model, tokenizer, TEXTS, budget=None)
    with pytest.raises(InputError, match="without sliding layers"):
        compress(source, Retention(budget=16))


def test_a_layer_is_measured_once_for_all_budgets_and_the_twin(model, tokenizer, monkeypatch):
    measured, measure = [], RKV.measure
    monkeypatch.setattr(RKV, "measure", lambda *given: measured.append(given) or measure(*given))
    cuts = [Retention(k, name) for name in ("r-kv", "ta+r-kv") for k in (16, 24, 512)]
    full = prefilled(model, tokenizer, observe=observed_by(cuts))
    readings = {}
    caches = [compress(full, cut, readings=readings) for cut in cuts]
    assert len(measured) == len(full.managed)
    assert list(map(lanes, caches)) == [lanes(compress(full, cut)) for cut in cuts]
