"""Budgets that differ between layers and kv heads; stand-ins for methods, one for each hook."""

from dataclasses import replace

import numpy as np
import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, TEXTS, encode, kept_positions, lanes, prefilled, slots, talk_of
from transactional_attention import Retention
from transactional_attention.engines.transformers.copies import compress
from transactional_attention.methods.allocation import Allocation
from transactional_attention.methods.observation import Observation
from transactional_attention.methods.registry import METHODS, TWINS, twin_of
from transactional_attention.methods.scorers.h2o import H2O


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
        for found in (METHODS[name], twin):
            monkeypatch.setitem(ta.methods.registry.ALL_METHODS, found.name, found)


def live(cache, row=0):
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
