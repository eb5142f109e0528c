"""PyramidKV, DynamicKV and Ada-KV in a cache: totals, masked saving, raised splits."""

import pytest

from scenes import EXACT, TEXTS, lanes, prefilled, slots, talk_of
from transactional_attention import InputError, Retention, RetentionCache
from transactional_attention.methods.registry import ALL_METHODS

SPLIT = ("pyramidkv", "dynamickv", "ada-kv")


def live(cache, row=0):
    """Pairs that a row holds, over all layers and kv heads."""
    return sum(map(len, lanes(cache, row)))


def test_the_saving_of_ada_kv_is_masked_and_said_to_be(model, tokenizer):
    cache = prefilled(model, tokenizer, budget=16, method="ada-kv")
    sizes = list(map(len, lanes(cache)))
    found = list(zip(sizes[::2], sizes[1::2], strict=True))
    assert [sum(layer) for layer in found] == [32, 32, 32]
    assert slots(cache) == [max(layer) for layer in found]
    assert any(len(set(layer)) > 1 for layer in found)
    assert ALL_METHODS["ada-kv"].saving == ALL_METHODS["ta+ada-kv"].saving == "masked"
    assert ALL_METHODS["dynamickv"].saving == "physical"


@pytest.mark.parametrize("name", SPLIT)
def test_a_head_may_keep_its_whole_row_while_others_are_cut(model, tokenizer, name):
    """K just below the length: the widest layer or head keeps everything."""
    budget = len(TEXTS[0]) - 3
    talk = talk_of(model, tokenizer, budget=budget, method=name)
    talk.turn(new_tokens=5)
    assert live(talk.cache) == budget * 6
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", SPLIT)
def test_what_is_sponsored_gets_its_place_in_every_layer_and_head(model, tokenizer, name):
    """A value of 12 tokens does not fit into PyramidKV's last layer of 8: the split is raised."""
    text = TEXTS[0].replace("7301", "QX7K-4417-AB")
    cache = prefilled(model, tokenizer, [text], budget=16, method=f"ta+{name}")
    value = set(range(text.index("QX7K"), text.index("QX7K") + 12))
    assert all(value <= set(lane) for lane in lanes(cache))
    assert live(cache) == 16 * 6


@pytest.mark.parametrize("name", SPLIT)
def test_compact_positions_need_one_budget(model, tokenizer, name):
    with pytest.raises(InputError, match="use original positions"):
        RetentionCache(model, tokenizer, Retention(16, name, positions="compact"))


@pytest.mark.parametrize("name", ["pyramidkv", "ta+pyramidkv"])
def test_rows_of_other_lengths_split_the_budget_apart(model, tokenizer, name):
    """92, 62 and 28 tokens: the last row has 40 in every layer, the others a pyramid each."""
    talk = talk_of(model, tokenizer, rows=3, budget=40, method=name)
    talk.turn(new_tokens=20)
    assert [live(talk.cache, row) for row in range(3)] == [40 * 6] * 3
    assert kept_sizes(talk.cache, 0) != kept_sizes(talk.cache, 1)
    assert kept_sizes(talk.cache, 2) == [40, 40, 40]
    assert talk.error() < EXACT


def kept_sizes(cache, row):
    """Pairs that each layer holds of a row, in its first kv head."""
    return [len(lane) for lane in lanes(cache, row)[::2]]
