"""A cache that evicts is exact: its logits are those of one forward that hides what was evicted."""

import itertools

import pytest
import torch

from scenes import EXACT, TEXTS, Conversation, encode, half, native_logits, slots, talk_of
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, UnsupportedError
from transactional_attention.engines.transformers import cache as caches

PER_LAYER = (24, 16, 8)
FACTORS = {
    "chunk": [None, 1, 7, 64],
    "rows": [1, 3],
    "turns": [1, 3],
    "budget": [16, PER_LAYER],
    "ledger": ["strict", "on-top"],
    "positions": ["original", "compact"],  # rolling: below
    "preset": ["default", "paper"],
    "method": "ta-fast-semantic ta-fast-regex streaming-llm random".split()
    + "h2o snapkv tova keydiff ta-full".split(),  # these read layers
}
CORE = half(*(FACTORS[name] for name in ("chunk", "rows", "turns", "budget")))


def all_pairs(factors):
    """Few combinations in which every possible pair of levels occurs."""
    names = list(factors)
    rows = [dict(zip(names, levels)) for levels in itertools.product(*factors.values())]
    rows = [r for r in rows if not (r["positions"] == "compact" and r["budget"] == PER_LAYER)]
    pairs = [set(itertools.combinations(row.items(), 2)) for row in rows]
    missing, chosen = set().union(*pairs), []
    while missing:
        best = max(range(len(rows)), key=lambda i: len(pairs[i] & missing))
        missing -= pairs[best]
        chosen.append(rows[best])
    return chosen


def converse(model, tokenizer, retention, *, chunk=None, rows=1, turns=1):
    """A conversation over the first ``rows`` texts, left-padded when there are several."""
    torch.manual_seed(1)
    talk = talk_of(model, tokenizer, rows, **vars(retention))
    for turn in range(turns):
        if turn:
            talk.ask(torch.randint(3, len(tokenizer), (rows, 9)))
        talk.turn(chunk=chunk)
    return talk


@pytest.mark.parametrize(("chunk", "rows", "turns", "budget"), CORE)
def test_default_preset_equals_teacher_forcing(model, tokenizer, chunk, rows, turns, budget):
    talk = converse(model, tokenizer, Retention(budget=budget), chunk=chunk, rows=rows, turns=turns)
    assert talk.error() < EXACT
    assert slots(talk.cache) == (list(budget) if isinstance(budget, tuple) else [budget] * 3)


@pytest.mark.parametrize(
    ("rows", "chunk", "ledger"), half([1, 3], [1, 7, 20], ["strict", "on-top"])
)
def test_rolling_positions_are_exact_far_beyond_the_trained_length(tokenizer, rows, chunk, ledger):
    """Rows of different lengths move at different tokens."""
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=50)
    retention = Retention(16, positions="rolling", ledger=ledger)
    talk = converse(model, tokenizer, retention, chunk=chunk, rows=rows, turns=6)
    assert min(talk.cache.flow.lengths) > 2 * 50
    assert talk.error() < EXACT


def test_rolling_positions_are_original_ones_up_to_the_trained_length(model, tokenizer):
    talks = [
        converse(model, tokenizer, Retention(16, positions=positions), chunk=7)
        for positions in ("original", "rolling")
    ]
    (first, second) = (torch.cat(talk.logits, 1) for talk in talks)
    assert (first - second).abs().max() < EXACT
    with pytest.raises(UnsupportedError, match="use compact or original"):
        RetentionCache(model, tokenizer, Retention(16, "h2o", positions="rolling"))


@pytest.mark.parametrize(
    ("method", "positions", "chunk"),
    half(["ta", "streaming-llm", "h2o"], ["original", "compact"], [1, 5]),
)
def test_a_chunk_below_the_mandatory_tokens_is_exact(model, tokenizer, method, positions, chunk):
    retention = Retention(16, method, positions=positions, sinks=4, recent=8)
    talk = converse(model, tokenizer, retention, chunk=chunk, rows=3, turns=2)
    assert talk.cache.flow.selection.mandatory == 12 > chunk
    assert talk.error() < EXACT
    assert slots(talk.cache) == [16] * 3
    assert talk.cache.ledger.within <= 16 + chunk


@pytest.mark.parametrize("case", all_pairs(FACTORS), ids=lambda c: "-".join(map(str, c.values())))
def test_every_pair_of_options_equals_teacher_forcing(model, tokenizer, case):
    shape = {name: case[name] for name in ("chunk", "rows", "turns")}
    options = {name: level for name, level in case.items() if name not in shape}
    talk = converse(model, tokenizer, Retention(**options), **shape)
    assert talk.error() < EXACT
    if case["ledger"] == "strict":
        assert slots(talk.cache) == (list(PER_LAYER) if case["budget"] == PER_LAYER else [16] * 3)


@pytest.mark.parametrize("chunk", [None, 7])
@pytest.mark.parametrize(
    ("method", "preset"),
    [("ta", "default"), ("ta", "paper"), *((m, "default") for m in ("h2o", "snapkv", "ta+tova"))],
)
def test_mask_with_holes_equals_teacher_forcing(model, tokenizer, chunk, method, preset):
    ids, mask = encode(tokenizer, *TEXTS)
    mask = mask.clone()
    mask[0, 3:9] = mask[1, 40:43] = mask[:, -5] = 0
    retention = Retention(16, method, preset)
    talk = Conversation(model, RetentionCache(model, tokenizer, retention), ids, mask)
    talk.turn(chunk=chunk)
    assert talk.error() < EXACT


@pytest.mark.parametrize("chunk", [None, 7])
def test_a_budget_above_the_length_equals_teacher_forcing(model, tokenizer, chunk):
    talk = converse(model, tokenizer, Retention(budget=512), chunk=chunk, rows=3, turns=3)
    assert talk.error() < EXACT
    assert slots(talk.cache) == [talk.cache.num_columns] * 3


@pytest.mark.parametrize("budget", [None, 512])
@pytest.mark.parametrize("rows", [1, 3])
def test_without_eviction_the_native_cache_gives_the_same_logits(tokenizer, budget, rows):
    model = tiny_llama(vocab_size=len(tokenizer), factor=1.0)
    talk = converse(model, tokenizer, Retention(budget=budget), rows=rows)
    native = native_logits(model, *encode(tokenizer, *TEXTS[:rows]))
    assert (native - torch.stack(talk.logits, 1)).abs().max() < 1e-6


@pytest.mark.parametrize(
    "options", [{"ledger": "on-top"}, {"positions": "compact"}, {"preset": "paper"}]
)
@pytest.mark.parametrize("chunk", [None, 7])
def test_a_text_that_is_read_while_a_device_computes_is_cut_alike(
    model, tokenizer, monkeypatch, chunk, options
):
    def talk():
        return converse(
            model, tokenizer, Retention(16, "ta", **options), chunk=chunk, rows=3, turns=2
        )

    monkeypatch.setattr(caches, "works_ahead", lambda _: False)
    before = talk()
    monkeypatch.setattr(caches, "works_ahead", lambda _: True)
    late = talk()
    assert late.cache._reads_late(torch.zeros(1, 9))
    assert late.error() < EXACT
    kept = [[table.positions for table in t.cache.flow.tables.values()] for t in (before, late)]
    assert all((one == other).all() for one, other in zip(*kept, strict=True))


def test_what_depends_on_the_text_before_the_last_layer_is_read_at_once(
    model, tokenizer, monkeypatch
):
    monkeypatch.setattr(caches, "works_ahead", lambda _: True)
    for retention in (Retention(16, "h2o"), Retention(32, memory=True), Retention(16, "pyramidkv")):
        talk = converse(model, tokenizer, retention)
        assert not talk.cache._reads_late(torch.zeros(1, 9))
    few = converse(model, tokenizer, Retention(16)).cache
    assert few._reads_late(torch.zeros(1, 9)) and not few._reads_late(torch.zeros(1, 20_000))


def test_the_judge_sees_a_wrong_mask(model, tokenizer):
    """One token hidden that was visible moves the logits by far more than the tolerance."""
    talk = converse(model, tokenizer, Retention(budget=16))
    held, _ = talk.cache.trace[-1][0]
    held[0, 0] = -1
    assert talk.error() > 100 * EXACT
