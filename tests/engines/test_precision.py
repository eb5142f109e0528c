"""Low precision in a cache: what is held, its bytes, never rounded twice, exact to the judge.

By methods of their own, and by ``Retention(storage=...)``, which leaves sponsored pairs alone.
"""

from dataclasses import replace

import pytest
import torch
from transformers import DynamicCache

from low_precision import half_step, rounded
from saved_caches import Player
from scenes import EXACT, TEXTS, VALUE, encode, half, kept_positions, more_tokens, slots, talk_of
from ta_lab.cases.runner import observed_by
from teacher_forced import tiny_llama
from transactional_attention import InputError, Retention, RetentionCache, prefill
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.passes import needed_by, run_pass
from transactional_attention.engines.transformers.precision import (
    MixedStates,
    dequantise,
    quantise,
    read,
)
from transactional_attention.methods.registry import ALL_METHODS
from transactional_attention.retention.saving.records import plain, record_of

FORMATS = ["int8", "fp8"]
NAMES = ["arkv", "arkv-authors", "ta+arkv"]
K, HEADS, DIM, WINDOW = 32, 2, 16, 8
LOWERED = [
    *(dict(method=name, budget=24) for name in NAMES),
    *(dict(storage=form, budget=K) for form in FORMATS),
]


def numbers(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


# the class alone


@pytest.mark.parametrize("form", FORMATS)
def test_rounding_is_within_half_a_step_and_zero_stays_zero(form):
    states = numbers(4, 3, 50, DIM) * torch.logspace(-6, 4, 50)[:, None]
    states[0, 0, 7] = 0.0
    bits, scale = quantise(states, form)
    held = dequantise(bits, scale, form)
    assert bits.dtype == torch.int8 and scale.shape == (4, 3, 50, 1)
    assert ((held - states).abs() <= half_step(states, form)).all()
    assert (held[0, 0, 7] == 0).all()
    torch.testing.assert_close(held.abs().amax(-1), states.abs().amax(-1))


@pytest.mark.parametrize("dim", [16, 80, 128])
def test_four_bits_are_within_their_step_however_one_number_stands_out(dim):
    states = numbers(3, 2, 50, dim) * torch.logspace(-2, 3, 50)[:, None]
    states[0, 0, 7] = 0.0
    states[..., 3] *= 6
    bits, scale = quantise(states, "int4")
    held = dequantise(bits, scale, "int4")
    assert bits.shape == (3, 2, 50, dim // 2) and bits.dtype == scale.dtype == torch.int8
    step = 2.0 ** (scale.float() / 8)
    assert ((held - states).norm(dim=-1) <= step[..., 0] / 2 * dim**0.5 * 1.001).all()
    assert ((held - states).norm(dim=-1) <= 0.2 * states.norm(dim=-1)).all()
    assert (held[0, 0, 7] == 0).all()


# in a cache


@pytest.mark.parametrize(
    ("options", "positions", "chunk"), half(LOWERED, ["original", "compact"], [None, 7])
)
def test_equals_a_reference_that_sees_what_is_held(model, tokenizer, options, positions, chunk):
    talk = talk_of(model, tokenizer, rows=3, positions=positions, **options)
    talk.turn(chunk=chunk, new_tokens=12)
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn()
    handed = talk.cache.handed.values()
    assert any(one.low.any() for one in handed)
    assert talk.error() < EXACT
    assert slots(talk.cache) == [options["budget"]] * 3
    if "storage" in options:
        table = talk.cache.flow.table_of(0)
        low = set(table.positions[0][table.quantised[0]].tolist())
        assert low and not low & set(VALUE) and set(VALUE) <= set(kept_positions(talk.cache))
        assert {one.form for one in handed} == {options["storage"]}


def test_on_top_lets_full_pairs_ride(model, tokenizer):
    talk = talk_of(model, tokenizer, budget=24, method="arkv", ledger="on-top")
    talk.turn(new_tokens=6)
    talk.ask(torch.randint(3, 250, (1, 5)))
    talk.turn()
    assert any(handed.low.any() for handed in talk.cache.handed.values())
    assert talk.error() < EXACT


def test_a_short_prompt_is_lowered_when_generation_first_evicts(model, tokenizer):
    talk = talk_of(model, tokenizer, budget=96, method="arkv")
    talk.turn(new_tokens=3)
    assert not any(table.quantised.any() for table in talk.cache.flow.tables.values())
    talk.ask(talk.ids[:, :1])
    talk.turn(new_tokens=12)
    assert any(table.quantised.any() for table in talk.cache.flow.tables.values())
    assert talk.error() < EXACT


def test_the_judge_refuses_the_pair_of_another_head(model, tokenizer):
    talk = talk_of(model, tokenizer, budget=24, method="arkv")
    talk.turn(new_tokens=1)
    for layer in talk.cache.managed:
        if isinstance(layer.keys, MixedStates):
            layer.keys.bits = layer.keys.bits.flip(1)
    talk.ask(torch.randint(3, 250, (1, 5)))
    talk.turn(new_tokens=1)
    with pytest.raises(AssertionError):
        talk.error()


def lowered_tokens(cache):
    """By layer, row, kv head and position: every key and value that was handed out as low."""
    pairs = {}
    for (forward, layer), handed in sorted(cache.handed.items()):
        for row, head, slot in torch.nonzero(handed.low).tolist():
            position = int(handed.positions.expand_as(handed.low)[row, head, slot])
            states = torch.cat([handed.keys[row, head, slot], handed.values[row, head, slot]])
            pairs.setdefault((layer, row, head, position), []).append((forward, states))
    return pairs


@pytest.mark.parametrize("name", NAMES)
def test_a_pair_is_rounded_once_and_never_comes_back(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=24, method=name)
    talk.turn(chunk=20, new_tokens=20)
    talk.ask(torch.randint(3, 250, (1, 9)))
    talk.turn(new_tokens=10)
    pairs = lowered_tokens(talk.cache)
    assert any(len(times) > 5 for times in pairs.values())
    for (layer, row, head, position), times in pairs.items():
        assert all(torch.equal(times[0][1], states) for _, states in times)
        last = times[-1][0]
        assert [forward for forward, _ in times] == list(range(times[0][0], last + 1))
        later = [step[layer][0][row * HEADS + head] for step in talk.cache.trace[last + 1 :]]
        assert all(position not in lane for lane in later)


@pytest.mark.parametrize("name", NAMES)
def test_the_window_and_what_is_sponsored_stay_in_full_precision(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=32, method=name)
    talk.turn(new_tokens=40)
    low = {
        (forward, key[-1])
        for key, times in lowered_tokens(talk.cache).items()
        for forward, _ in times
    }
    for forward, position in low:
        newest = int(talk.cache.trace[forward][0][1].max())
        assert position <= newest - WINDOW
    assert low
    if name.startswith("ta+"):
        assert not {position for _, position in low} & set(VALUE)
        assert set(VALUE) <= set(kept_positions(talk.cache))


@pytest.mark.parametrize("name", NAMES)
def test_bytes_are_those_of_the_pairs_in_both_precisions(model, tokenizer, name):
    talk = talk_of(model, tokenizer, rows=3, budget=32, method=name)
    talk.turn(new_tokens=1)
    full = low = 0
    for layer in talk.cache.managed:
        lanes = (~layer.table.quantised).sum(1)
        if not layer.table.quantised.any():
            assert isinstance(layer.keys, torch.Tensor)
            full += 32 * len(lanes)
            continue
        # rows share a tensor: each takes the room of the row with most, in both parts
        full += int(lanes.max()) * len(lanes)
        low += int(32 - lanes.min()) * len(lanes)
        assert layer.keys.bits.dtype == torch.int8
    places = sum(2 * 4 * 32 * 6 for layer in talk.cache.managed if layer.table.quantised.any())
    expected = full * 2 * DIM * 4 + low * 2 * (DIM + 4) + places
    assert low and talk.cache.stored_bytes() == expected
    assert talk.cache.ledger.between == 32
    live = sum(int((layer.table.positions >= 0).sum()) for layer in talk.cache.managed)
    assert talk.cache.pair_bytes() == live * 2 * DIM * 4
    for layer in talk.cache.managed:
        held = not isinstance(layer.keys, torch.Tensor) and int(layer.keys.low().sum())
        assert held == layer.table.quantised.sum()
    talk.turn(new_tokens=12)
    assert talk.cache.stored_bytes() == expected


def test_rows_can_be_reordered(model, tokenizer):
    ids, mask = encode(tokenizer, *TEXTS[:2])
    logits = []
    for order in ([0, 1], [1, 0]):
        cache = RetentionCache(model, tokenizer, Retention(24, "arkv"))
        prefill(model, ids, cache, attention_mask=mask, keep_last=False)
        cache.reorder_cache(torch.tensor(order))
        grown, steps = mask[order], []
        for token in range(40, 52):
            grown = more_tokens(grown, 1)
            fed = torch.full((2, 1), token)
            with torch.no_grad():
                steps.append(model(fed, attention_mask=grown, past_key_values=cache).logits[order])
        logits.append(torch.stack(steps))
        assert any(table.quantised.any() for table in cache.flow.tables.values())
    torch.testing.assert_close(*logits, rtol=0, atol=EXACT)


# for any method: Retention(storage=...)


def prefilled(model, tokenizer, rows=1, **options):
    """A cache after one prompt, and a player that goes on with it."""
    ids, mask = encode(tokenizer, *TEXTS[:rows])
    retention = Retention(**{"budget": K, **options})
    player = Player(model, RetentionCache(model, tokenizer, retention), rows)
    player.feed(ids, mask, end=ids.shape[1])
    return player


def pairs_at(cache, layer, positions, row=0):
    """Keys and values [2, kv_head, position, head_dim] of some positions of a layer."""
    held, states = cache.flow.table_of(layer).positions[row].tolist(), cache.managed[layer]
    index = torch.tensor([held.index(position) for position in positions])
    return torch.stack([read(part)[row, :, index] for part in (states.keys, states.values)])


def say(player, token, count):
    """Feed a token that does not depend on the logits."""
    for _ in range(count):
        ids = torch.full((len(player.ids), 1), token)
        player.feed(ids, torch.ones_like(ids))


@pytest.mark.parametrize("form", FORMATS)
def test_a_decode_step_equals_plain_attention_over_rounded_pairs(model, tokenizer, form):
    """No part of this library computes the expected logits: transformers does, on pairs that the
    test has rounded itself."""
    player = prefilled(model, tokenizer, storage=form)
    native = DynamicCache()
    with torch.no_grad():
        model(player.ids, past_key_values=native)
    say(player, 50, 1)
    table = player.cache.flow.table_of(0)
    new = int(table.positions.max())
    held = [(p, low) for p, low in zip(table.positions[0], table.quantised[0]) if p != new]
    low = torch.tensor([bool(is_low) for _, is_low in held])
    assert low.sum() == K - table.sharp[0] and len(held) == K - 1
    small = DynamicCache()
    for index in range(3):
        exact = native.layers[index].keys, native.layers[index].values
        kept = [states[:, :, [int(p) for p, _ in held]] for states in exact]
        lowered = [torch.where(low[:, None], rounded(part, form), part) for part in kept]
        small.update(*lowered, index)
    with torch.no_grad():
        expected = model(
            torch.tensor([[50]]), position_ids=torch.tensor([[new]]), past_key_values=small
        ).logits[:, -1]
    torch.testing.assert_close(player.logits[-1], expected, rtol=0, atol=EXACT)


@pytest.mark.parametrize("form", FORMATS)
def test_sponsored_pairs_are_the_same_bits_as_without_storage(model, tokenizer, form):
    plain = prefilled(model, tokenizer)
    player = prefilled(model, tokenizer, storage=form)
    assert torch.equal(player.logits[0], plain.logits[0])  # the prompt itself saw full pairs
    table = player.cache.flow.table_of(0)
    assert kept_positions(player.cache) == kept_positions(plain.cache)
    sharp = sorted(int(p) for p in table.positions[0][~table.quantised[0]])
    low = sorted(int(p) for p in table.positions[0][table.quantised[0]])
    assert set(VALUE) <= set(sharp) and low and not (table.quantised & table.held).any()
    before = [pairs_at(player.cache, layer, VALUE) for layer in range(3)]
    for layer in range(3):
        pairs, exact = (pairs_at(p.cache, layer, sharp) for p in (player, plain))
        assert torch.equal(pairs, exact)
        assert not torch.equal(*(pairs_at(p.cache, layer, low) for p in (player, plain)))
    say(player, 40, 20)
    ids = torch.randint(3, 250, (1, 9))
    player.feed(ids, torch.ones_like(ids), end=player.ids.shape[1] + 9)
    say(player, 41, 20)
    for layer in range(3):
        assert torch.equal(pairs_at(player.cache, layer, VALUE), before[layer])


def test_values_of_every_prompt_before_the_first_eviction_stay_full(model, tokenizer):
    """The second prompt fits, so nothing is cut by it; its value is held all the same."""
    player = prefilled(model, tokenizer, storage="int8", budget=128)
    question = "; pin: 4417-9Q, api_key: QX7K-93PL"
    ids = tokenizer(question, return_tensors="pt")["input_ids"]
    player.feed(ids, torch.ones_like(ids), end=player.ids.shape[1] + ids.shape[1])
    before = [pairs_at(player.cache, layer, VALUE) for layer in range(3)]
    first = len(TEXTS[0]) + question.index("QX7K")
    second = [pairs_at(player.cache, layer, range(first, first + 9)) for layer in range(3)]
    assert not player.cache.flow.table_of(0).quantised.any()
    say(player, 40, 12)
    table = player.cache.flow.table_of(0)
    assert table.quantised.any() and not (table.quantised & table.held).any()
    for layer in range(3):
        assert torch.equal(pairs_at(player.cache, layer, VALUE), before[layer])
        later = pairs_at(player.cache, layer, range(first, first + 9))
        assert torch.equal(later, second[layer])


@pytest.mark.parametrize("options", [dict(budget=None), dict(budget=200), dict(method="full")])
def test_where_nothing_is_evicted_nothing_is_lowered(model, tokenizer, options):
    talks = []
    for storage in (None, "int8"):
        talk = talk_of(model, tokenizer, 3, **{"budget": K, "storage": storage, **options})
        talk.turn(chunk=30)
        assert all(isinstance(layer.keys, torch.Tensor) for layer in talk.cache.managed)
        talks.append(talk)
    assert torch.equal(*(torch.stack(talk.logits) for talk in talks))


def test_without_strength_a_twin_is_its_method_bit_for_bit(model, tokenizer):
    off = replace(Retention().sponsorship, strength=0.0)
    talks, given = [], dict(budget=K, storage="int8")
    for options in (dict(method="snapkv"), dict(method="ta+snapkv", sponsorship=off)):
        talks.append(talk_of(model, tokenizer, 3, **given, **options))
        talks[-1].turn(new_tokens=8)
    assert torch.equal(*(torch.stack(talk.logits) for talk in talks))
    assert all(talk.cache.flow.table_of(0).quantised.any() for talk in talks)


def test_a_method_with_a_rule_of_its_own_takes_the_format(model, tokenizer):
    cache = prefilled(model, tokenizer, method="arkv", storage="fp8").cache
    forms = {part.form for part in (layer.keys for layer in cache.managed) if hasattr(part, "form")}
    assert forms == {"fp8"}


def test_a_full_prefill_is_cut_to_it(model, tokenizer):
    whole = prefilled(model, tokenizer, budget=None, method="full").cache
    cut = compress(whole, Retention(K, storage="int8"))
    straight = prefilled(model, tokenizer, storage="int8").cache
    for layer, expected in zip(cut.managed, straight.managed, strict=True):
        assert isinstance(layer.keys, MixedStates)
        assert torch.equal(layer.keys.read(), expected.keys.read())
        assert torch.equal(layer.values.read(), expected.values.read())


@pytest.mark.parametrize("method", ["kvzip", "ta+kvzip"])
def test_scores_from_passes_of_a_method_are_cut_to_it(model, tokenizer, method):
    retention = Retention(K, method, storage="fp8")
    scorer = ALL_METHODS[method].scorer(retention)
    whole = RetentionCache(
        model, tokenizer, Retention(None, "full"), observe=observed_by([retention])
    )
    prefill(model, encode(tokenizer, TEXTS[0])[0], whole, keep_last=False)
    scoring = run_pass(scorer, whole, needed_by(scorer, retention, whole))
    cache = compress(scoring.cache, retention, scoring.scores)
    for layer in cache.managed:
        low = torch.from_numpy(layer.table.quantised).unflatten(0, (1, -1))
        assert low.any() and torch.equal(layer.keys.low(), low.expand(1, HEADS, -1))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_bytes_are_a_byte_a_number_and_eight_a_token_for_what_is_low(tokenizer, dtype):
    model = tiny_llama(vocab_size=len(tokenizer), head_dim=64).to(dtype)
    cache = prefilled(model, tokenizer, storage="int8", budget=80).cache
    plain = prefilled(model, tokenizer, budget=80).cache.stored_bytes()
    low = int(cache.flow.table_of(0).quantised.sum())
    states, wide = 3 * HEADS * 2, dtype.itemsize * 64  # layers, kv heads, keys and values
    assert plain == states * 80 * wide
    expected = states * ((80 - low) * wide + low * (64 + 4) + 80 * 4)
    assert cache.stored_bytes() == expected
    assert expected < 0.8 * plain


def test_a_file_that_was_saved_before_there_was_storage_is_read():
    record = plain(Retention(24, storage="fp8"))
    assert record_of(Retention, record).storage == "fp8"
    del record["storage"]
    assert record_of(Retention, record) == Retention(24)


def test_an_unknown_format_and_values_that_come_too_late_are_refused():
    with pytest.raises(InputError, match="storage must be one of int8, fp8, got 'int4'"):
        Retention(storage="int4")
    with pytest.raises(InputError, match="detect_in_generated finds values after storage"):
        Retention(storage="int8", detect_in_generated=True)


@pytest.mark.parametrize(
    ("storage", "positions", "kind"),
    half([None, "int8"], ["original", "compact"], [(torch.bfloat16, 0.1), (torch.float16, 0.02)]),
)
def test_kept_pairs_have_the_dtype_of_the_model(tokenizer, storage, positions, kind):
    """The same tokens as in float32, in its dtype; logits as far from it as the dtype rounds."""
    (dtype, close), kept, logits = kind, [], []
    for precision in (torch.float32, dtype):
        model = tiny_llama(vocab_size=len(tokenizer), factor=1.0).to(precision)
        player = prefilled(model, tokenizer, 3, positions=positions, storage=storage)
        say(player, 50, 4)
        for layer in player.cache.managed:
            assert read(layer.keys).dtype == read(layer.values).dtype == precision
            if storage is not None:
                assert layer.keys.full.dtype == precision and layer.keys.bits.dtype == torch.int8
        kept.append([kept_positions(player.cache, row) for row in range(3)])
        logits.append(torch.stack(player.logits).float())
    assert kept[0] == kept[1]
    scale = logits[0].abs().max()
    assert (logits[0] - logits[1]).abs().max() < close * scale
    assert not torch.equal(*logits)
