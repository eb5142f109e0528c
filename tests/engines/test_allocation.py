"""Budgets that differ between layers and kv heads: stand-ins, one for each hook, and methods."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from scenes import EXACT, TEXTS, encode, kept_positions, lanes, prefilled, slots, talk_of
from ta_lab.baselines.h2o import H2O
from transactional_attention import InputError, Retention, RetentionCache
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.methods.allocation import Allocation
from transactional_attention.methods.observation import Observation
from transactional_attention.methods.registry import ALL_METHODS, METHODS, TWINS, twin_of


class ByLayer(Allocation):
    def layers(self, budgets, length):
        return [22, 16, 10]


class ByHead(Allocation):
    ragged = True

    def heads(self, table, scores):
        return np.resize([table.budget + 6, table.budget - 6], len(scores))


class Together(Allocation):
    joint = True

    def together(self, tables, scores):
        assert all(s.shape == t.positions.shape for t, s in zip(tables, scores, strict=True))
        return [np.full(len(s), k) for k, s in zip([24, 16, 8], scores, strict=True)]


class Given(H2O):
    observes = Observation(passes=True)


STAND_INS = {
    "by-layer": replace(METHODS["h2o"], allocation=lambda _: ByLayer(), recent=2),
    "by-head": replace(METHODS["h2o"], allocation=lambda _: ByHead(), recent=2),
    "together": replace(METHODS["h2o"], allocation=lambda _: Together(), recent=2),
    "free-by-layer": replace(METHODS["streaming-llm"], allocation=lambda _: ByLayer()),
    "given": replace(METHODS["h2o"], scorer=lambda _: Given(), recent=2),
}
BUDGETS = {
    "by-layer": [[22, 22], [16, 16], [10, 10]],
    "by-head": [[22, 10]] * 3,
    "together": [[24, 24], [16, 16], [8, 8]],
    "free-by-layer": [[22, 22], [16, 16], [10, 10]],
}


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    for name, method in STAND_INS.items():
        monkeypatch.setitem(METHODS, name, replace(method, name=name))
        twin = twin_of(METHODS[name])
        monkeypatch.setitem(TWINS, twin.name, twin)
        for variant in (METHODS[name], twin):
            monkeypatch.setitem(ALL_METHODS, variant.name, variant)


def live(cache, row=0):
    """Pairs that a row holds, of each kv head, by layer."""
    sizes = list(map(len, lanes(cache, row)))
    return [sizes[at : at + 2] for at in (0, 2, 4)]


@pytest.mark.parametrize("name", [*BUDGETS, *(f"ta+{name}" for name in BUDGETS)])
@pytest.mark.parametrize("chunk", [None, 32])
def test_budgets_are_held_and_exact(model, tokenizer, name, chunk):
    talk = talk_of(model, tokenizer, rows=3, budget=16, method=name)
    cache = talk.cache
    talk.turn(chunk=chunk, new_tokens=12)
    expected = np.array(BUDGETS[name.removeprefix("ta+")])
    raised = 2 if name.startswith("ta+") else 0  # by a value that a layer must hold
    for _ in range(2):
        for row in range(3):
            held = np.array(live(cache, row))
            assert (abs(held - expected) <= raised).all()
            assert (held.sum(0) == expected.sum(0)).all()
        talk.ask(torch.randint(3, 250, (3, 5)))
        talk.turn()
    assert talk.error() < EXACT
    assert raised or slots(cache) == expected.max(1).tolist()


def test_scores_of_a_methods_own_passes_are_handed_to_compress(model, tokenizer):
    ids, _ = encode(tokenizer, TEXTS[0])
    full = prefilled(model, tokenizer)
    scores = [torch.zeros(1, 2, ids.shape[1]) for _ in range(3)]
    for layer in range(3):
        scores[layer][0, 1, 10 * layer + 1 : 10 * layer + 15] = 1.0
    cut = compress(full, Retention(16, "given"), scores)
    for layer in range(3):
        expected = {*range(10 * layer + 1, 10 * layer + 15), ids.shape[1] - 2, ids.shape[1] - 1}
        assert set(kept_positions(cut, 0, layer, 1)) == expected
    model.generate(
        torch.cat([ids, ids[:, :3]], 1), past_key_values=cut, max_new_tokens=4, do_sample=False
    )
    assert slots(cut) == [16] * 3


# PyramidKV, DynamicKV and Ada-KV: totals, masked saving, raised splits

SPLIT = ("pyramidkv", "dynamickv", "ada-kv")


def test_the_saving_of_ada_kv_is_masked_and_said_to_be(model, tokenizer):
    cache = prefilled(model, tokenizer, budget=16, method="ada-kv")
    counts = live(cache)
    assert [sum(layer) for layer in counts] == [32, 32, 32]
    assert slots(cache) == [max(layer) for layer in counts]
    assert any(len(set(layer)) > 1 for layer in counts)
    assert ALL_METHODS["ada-kv"].saving == ALL_METHODS["ta+ada-kv"].saving == "masked"
    assert ALL_METHODS["dynamickv"].saving == "physical"


@pytest.mark.parametrize("name", SPLIT)
def test_a_head_may_keep_its_whole_row_while_others_are_cut(model, tokenizer, name):
    """K just below the length: the widest layer or head keeps everything."""
    budget = len(TEXTS[0]) - 3
    talk = talk_of(model, tokenizer, budget=budget, method=name)
    talk.turn(new_tokens=5)
    assert np.sum(live(talk.cache)) == budget * 6
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", SPLIT)
def test_what_is_sponsored_gets_its_place_in_every_layer_and_head(model, tokenizer, name):
    """A value of 12 tokens does not fit into PyramidKV's last layer of 8: the split is raised."""
    text = TEXTS[0].replace("7301", "QX7K-4417-AB")
    cache = prefilled(model, tokenizer, [text], budget=16, method=f"ta+{name}")
    value = set(range(text.index("QX7K"), text.index("QX7K") + 12))
    assert all(value <= set(lane) for lane in lanes(cache))
    assert np.sum(live(cache)) == 16 * 6


@pytest.mark.parametrize("name", SPLIT)
def test_compact_positions_need_one_budget(model, tokenizer, name):
    with pytest.raises(InputError, match="use original positions"):
        RetentionCache(model, tokenizer, Retention(16, name, positions="compact"))


@pytest.mark.parametrize("name", ["pyramidkv", "ta+pyramidkv"])
def test_rows_of_other_lengths_split_the_budget_apart(model, tokenizer, name):
    """92, 62 and 28 tokens: the last row has 40 in every layer, the others a pyramid each."""
    talk = talk_of(model, tokenizer, rows=3, budget=40, method=name)
    talk.turn(new_tokens=20)
    first, second, third = (live(talk.cache, row) for row in range(3))
    assert np.sum([first, second, third], (1, 2)).tolist() == [40 * 6] * 3
    assert first != second and third == [[40, 40]] * 3
    assert talk.error() < EXACT
