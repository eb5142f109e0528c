"""What methods with passes of their own owe: what the others owe, from a prefilled cache."""

import pytest
import torch

from scenes import EXACT, TEXTS, VALUE, Conversation, encode, lanes, prefilled, slots
from ta_lab.cases.runner import observed_by
from transactional_attention import Retention, Sponsorship, UnsupportedError
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.passes import needed_by, run_pass
from transactional_attention.methods.registry import ALL_METHODS, TWIN

NAMES = [name for name, m in ALL_METHODS.items() if "passes" in m.observes]
BASES = [name for name in NAMES if not name.startswith(TWIN)]
LAYERS, HEADS = 3, 2


def own_pass(model, tokenizer, retention):
    """The pass over the first text, as evaluation runs it."""
    source = prefilled(model, tokenizer, observe=observed_by([retention]))
    scorer = ALL_METHODS[retention.method].scorer(retention)
    return run_pass(scorer, source, needed_by(scorer, retention, source))


def cut(model, tokenizer, name, budget=16, **options):
    retention = Retention(budget, name, **options)
    scoring = own_pass(model, tokenizer, retention)
    return compress(scoring.cache, retention, scoring.scores)


def prunes(name):
    return ALL_METHODS[name].scorer(Retention()).prunes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("budget", [13, 57])
def test_the_budget_is_exact_before_and_after_generation(model, tokenizer, name, budget):
    cache = cut(model, tokenizer, name, budget)
    held = own_pass(model, tokenizer, Retention(budget, name)).cache.managed
    present = [layer.keys.shape[2] for layer in held]
    assert prunes(name) or min(present) == len(TEXTS[0])
    assert sum(map(len, lanes(cache))) == HEADS * sum(min(budget, count) for count in present)
    talk = Conversation(model, cache, *encode(tokenizer, TEXTS[0]))
    talk.ask(torch.full((1, 5), 40))
    talk.turn(new_tokens=20)
    full = [min(budget, count + 24) for count in present]  # what came later fills them up
    assert sum(map(len, lanes(cache))) == HEADS * sum(full)
    if ALL_METHODS[name].saving == "physical":
        assert slots(cache) == full


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_above_the_length_keeps_everything(model, tokenizer, name):
    held = own_pass(model, tokenizer, Retention(256, name)).cache.managed
    present = [layer.table.positions[0].tolist() for layer in held for _ in range(HEADS)]
    assert lanes(cut(model, tokenizer, name, 256)) == present
    assert prunes(name) or present == [list(range(len(TEXTS[0])))] * LAYERS * HEADS


@pytest.mark.parametrize("name", NAMES)
def test_equals_teacher_forcing(model, tokenizer, name):
    retention = Retention(16, name)
    scoring = own_pass(model, tokenizer, retention)
    cache = compress(scoring.cache, retention, scoring.scores)
    ids, mask = encode(tokenizer, TEXTS[0])
    talk = Conversation(model, cache, ids, mask)
    # the prefill's queries saw all that went through their layer
    held = [layer.table.positions for layer in scoring.cache.managed]
    heads = cache.flow.table_of(0).heads
    cache.trace = [[(positions.repeat(heads, 0), positions) for positions in held]]
    talk.ask(torch.full((1, 5), 40))
    talk.turn(new_tokens=12)
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", NAMES)
def test_keeps_mandatory_and_protected_tokens_in_every_head(model, tokenizer, name):
    length = len(TEXTS[0])
    kept = lanes(cut(model, tokenizer, name, 24, sinks=3, recent=4))
    assert all({0, 1, 2} | set(range(length - 4, length)) <= set(lane) for lane in kept)
    retention = Retention(24, name).protect(7, 15, unit="tokens")
    scoring = own_pass(model, tokenizer, retention)
    kept = lanes(compress(scoring.cache, retention, scoring.scores))
    assert all(set(range(7, 15)) <= set(lane) for lane in kept)


@pytest.mark.parametrize("name", BASES)
def test_strength_0_is_the_method_itself_and_the_twin_keeps_the_value(model, tokenizer, name):
    nothing = Sponsorship(strength=0.0)
    bare = lanes(cut(model, tokenizer, name))
    assert lanes(cut(model, tokenizer, TWIN + name, sponsorship=nothing)) == bare
    cache = cut(model, tokenizer, TWIN + name)
    assert all(set(VALUE) <= set(lane) for lane in lanes(cache))


@pytest.mark.parametrize("name", BASES)
def test_one_pass_serves_all_budgets_and_the_twin_where_nothing_is_pruned(model, tokenizer, name):
    needed = []
    for method, budget in ((name, 16), (name, 64), (TWIN + name, 16), (TWIN + name, 64)):
        retention = Retention(budget, method)
        source = prefilled(model, tokenizer, observe=observed_by([retention]))
        needed.append(needed_by(ALL_METHODS[method].scorer(retention), retention, source))
    assert needed[0] == needed[1]
    assert needed[2] == needed[3]
    assert (needed[0] != needed[2]) == prunes(name)
    assert needed[2] >= set(VALUE if prunes(name) else ())


@pytest.mark.parametrize("name", BASES)
def test_batches_are_refused(model, tokenizer, name):
    source = prefilled(model, tokenizer, TEXTS, observed_by([Retention(16, name)]))
    with pytest.raises(UnsupportedError, match="one row"):
        run_pass(ALL_METHODS[name].scorer(Retention(16, name)), source)
