"""What methods with passes of their own owe: what the others owe, from a prefilled cache."""

import numpy as np
import pytest
import torch

from scenes import EXACT, TEXTS, Conversation, encode, kept_positions, slots
from transactional_attention import (
    Retention,
    RetentionCache,
    Sponsorship,
    UnsupportedError,
    prefill,
)
from transactional_attention.engines.transformers.compress import compress
from transactional_attention.engines.transformers.passes import run_pass
from transactional_attention.methods import ALL_METHODS, TWIN

NAMES = [name for name, m in ALL_METHODS.items() if "passes" in m.observes]
BASES = [name for name in NAMES if not name.startswith(TWIN)]
LAYERS, HEADS = 3, 2
VALUE = range(TEXTS[0].index("7301"), TEXTS[0].index("7301") + 4)


def snapshot(model, tokenizer, *texts):
    ids, mask = encode(tokenizer, *texts)
    cache = RetentionCache(model, tokenizer, Retention(None, "full"))
    return prefill(model, ids, cache, attention_mask=mask, keep_last=False)


def cut(model, tokenizer, name, budget=16, text=TEXTS[0], **options):
    source = snapshot(model, tokenizer, text)
    retention = Retention(budget, name, **options)
    scorer = ALL_METHODS[name].scorer(retention)
    return compress(source, retention, run_pass(scorer, source).scores)


def kept(cache):
    return [kept_positions(cache, 0, i, head) for i in range(LAYERS) for head in range(HEADS)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", [13, 16, 57])
def test_the_budget_is_exact_before_and_after_generation(model, tokenizer, name, budget):
    cache = cut(model, tokenizer, name, budget)
    assert sum(map(len, kept(cache))) == budget * LAYERS * HEADS
    talk = Conversation(model, cache, *encode(tokenizer, TEXTS[0]))
    talk.ask(torch.full((1, 5), 40))
    talk.turn(new_tokens=20)
    assert sum(map(len, kept(cache))) == budget * LAYERS * HEADS
    if ALL_METHODS[name].saving == "physical":
        assert slots(cache) == [budget] * LAYERS


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_above_the_length_keeps_everything(model, tokenizer, name):
    assert kept(cut(model, tokenizer, name, 256)) == [list(range(len(TEXTS[0])))] * LAYERS * HEADS


@pytest.mark.parametrize("name", NAMES)
def test_equals_teacher_forcing(model, tokenizer, name):
    cache = cut(model, tokenizer, name)
    ids, mask = encode(tokenizer, TEXTS[0])
    talk = Conversation(model, cache, ids, mask)
    whole = np.arange(len(TEXTS[0]))[None]
    cache.trace = [[(whole.repeat(HEADS, 0), whole)] * LAYERS]  # the prefill's queries saw it all
    talk.ask(torch.full((1, 5), 40))
    talk.turn(new_tokens=12)
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", NAMES)
def test_keeps_mandatory_and_protected_tokens_in_every_head(model, tokenizer, name):
    length = len(TEXTS[0])
    lanes = kept(cut(model, tokenizer, name, 24, sinks=3, recent=4))
    assert all({0, 1, 2} | set(range(length - 4, length)) <= set(lane) for lane in lanes)
    source, retention = snapshot(model, tokenizer, TEXTS[0]), Retention(24, name)
    retention = retention.protect(7, 15, unit="tokens")
    scores = run_pass(ALL_METHODS[name].scorer(retention), source).scores
    lanes = kept(compress(source, retention, scores))
    assert all(set(range(7, 15)) <= set(lane) for lane in lanes)


@pytest.mark.parametrize("name", BASES)
def test_strength_0_is_the_method_itself_and_the_twin_keeps_the_value(model, tokenizer, name):
    nothing = Sponsorship(strength=0.0)
    bare = kept(cut(model, tokenizer, name))
    assert kept(cut(model, tokenizer, TWIN + name, sponsorship=nothing)) == bare
    cache = cut(model, tokenizer, TWIN + name)
    assert all(set(VALUE) <= set(lane) for lane in kept(cache))


@pytest.mark.parametrize("name", BASES)
def test_batches_are_refused(model, tokenizer, name):
    source = snapshot(model, tokenizer, *TEXTS)
    with pytest.raises(UnsupportedError, match="one row"):
        run_pass(ALL_METHODS[name].scorer(Retention(16, name)), source)
