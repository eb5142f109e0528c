"""PyramidKV, DynamicKV and Ada-KV in a cache: totals, overshoot, masked saving, raised splits."""

import pytest
import torch

from scenes import EXACT, TEXTS, Conversation, encode, kept_positions, slots
from teacher_forced import tiny_llama
from transactional_attention import InputError, Retention, RetentionCache, prefill
from transactional_attention.methods.registry import ALL_METHODS

SPLIT = ("pyramidkv", "dynamickv", "ada-kv")


def held(model, tokenizer, text=TEXTS[0], **options):
    cache = RetentionCache(model, tokenizer, Retention(**options))
    return prefill(model, encode(tokenizer, text)[0], cache, keep_last=False)


def lanes(cache, layers=3):
    return [[len(kept_positions(cache, 0, i, head)) for head in (0, 1)] for i in range(layers)]


def test_the_authors_roundings_overshoot_in_the_cache_and_ours_do_not(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), layers=6)
    for name, mean in (("pyramidkv", 16), ("dynamickv", 16)):
        found = lanes(held(model, tokenizer, budget=16, method=name), 6)
        assert sum(map(sum, found)) == mean * 12
        authors = lanes(held(model, tokenizer, budget=16, method=f"{name}-authors"), 6)
        assert sum(map(sum, authors)) > mean * 12
        assert not ALL_METHODS[f"{name}-authors"].exact


def test_pyramid_layers_store_what_they_hold(model, tokenizer):
    assert slots(held(model, tokenizer, budget=16, method="pyramidkv")) == [24, 16, 8]


def test_the_saving_of_ada_kv_is_masked_and_said_to_be(model, tokenizer):
    cache = held(model, tokenizer, budget=16, method="ada-kv")
    found = lanes(cache)
    assert [sum(layer) for layer in found] == [32, 32, 32]
    assert slots(cache) == [max(layer) for layer in found]
    assert any(len(set(layer)) > 1 for layer in found)
    assert ALL_METHODS["ada-kv"].saving == ALL_METHODS["ta+ada-kv"].saving == "masked"
    assert ALL_METHODS["dynamickv"].saving == "physical"


@pytest.mark.parametrize("name", SPLIT)
def test_a_head_may_keep_its_whole_row_while_others_are_cut(model, tokenizer, name):
    """K just below the length: the widest layer or head keeps everything."""
    ids, mask = encode(tokenizer, TEXTS[0])
    budget = ids.shape[1] - 3
    cache = RetentionCache(model, tokenizer, Retention(budget, name))
    talk = Conversation(model, cache, ids, mask)
    talk.turn(new_tokens=5)
    assert sum(map(sum, lanes(cache))) == budget * 6
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", SPLIT)
def test_what_is_sponsored_gets_its_place_in_every_layer_and_head(model, tokenizer, name):
    """A value of 12 tokens does not fit into PyramidKV's last layer of 8: the split is raised."""
    text = TEXTS[0].replace("7301", "QX7K-4417-AB")
    cache = held(model, tokenizer, text, budget=16, method=f"ta+{name}")
    value = set(range(text.index("QX7K"), text.index("QX7K") + 12))
    for layer in range(3):
        for head in (0, 1):
            assert value <= set(kept_positions(cache, 0, layer, head))
    assert sum(map(sum, lanes(cache))) == 16 * 6


@pytest.mark.parametrize("name", SPLIT)
def test_compact_positions_need_one_budget(model, tokenizer, name):
    with pytest.raises(InputError, match="use original positions"):
        RetentionCache(model, tokenizer, Retention(16, name, positions="compact"))


@pytest.mark.parametrize("name", SPLIT)
def test_the_ends_that_a_caller_names_are_kept_and_counted(model, tokenizer, name):
    cache = held(model, tokenizer, budget=24, method=name, sinks=4, recent=12)
    n = len(TEXTS[0])
    for layer in range(3):
        for head in (0, 1):
            assert {*range(4), *range(n - 12, n)} <= set(kept_positions(cache, 0, layer, head))
    assert sum(map(sum, lanes(cache))) == 24 * 6


@pytest.mark.parametrize("name", SPLIT)
def test_a_later_turn_splits_again_within_the_budget(model, tokenizer, name):
    ids, mask = encode(tokenizer, *TEXTS[:2])
    cache = RetentionCache(model, tokenizer, Retention(20, f"ta+{name}"))
    talk = Conversation(model, cache, ids, mask)
    talk.turn()
    talk.ask(torch.randint(3, 250, (2, 30)))
    talk.turn()
    for row in (0, 1):
        found = [kept_positions(cache, row, i, head) for i in range(3) for head in (0, 1)]
        assert sum(map(len, found)) <= 20 * 6
    assert talk.error() < EXACT
