"""Low precision in a cache: what is held, its bytes, never rounded twice, exact to the judge."""

import pytest
import torch

from low_precision import half_step
from scenes import EXACT, TEXTS, VALUE, encode, half, kept_positions, more_tokens, slots, talk_of
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.engines.transformers.precision import MixedStates, dequantise, quantise

FORMATS = ["int8", "fp8"]
NAMES = ["arkv", "arkv-authors", "ta+arkv"]
ROWS, HEADS, DIM, WINDOW = 2, 2, 16, 8


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
    ("name", "positions", "chunk"), half(NAMES, ["original", "compact"], [None, 7])
)
def test_equals_a_reference_that_sees_what_is_held(model, tokenizer, name, positions, chunk):
    talk = talk_of(model, tokenizer, rows=3, budget=24, method=name, positions=positions)
    talk.turn(chunk=chunk, new_tokens=12)
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn()
    assert any(handed.low.any() for handed in talk.cache.handed.values())
    assert talk.error() < EXACT
    assert slots(talk.cache) == [24] * 3


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
    assert not any(table.low.any() for table in talk.cache.flow.tables.values())
    talk.ask(talk.ids[:, :1])
    talk.turn(new_tokens=12)
    assert any(table.low.any() for table in talk.cache.flow.tables.values())
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
    found = {}
    for (forward, layer), handed in sorted(cache.handed.items()):
        for row, head, slot in torch.nonzero(handed.low).tolist():
            position = int(handed.positions.expand_as(handed.low)[row, head, slot])
            states = torch.cat([handed.keys[row, head, slot], handed.values[row, head, slot]])
            found.setdefault((layer, row, head, position), []).append((forward, states))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_pair_is_rounded_once_and_never_comes_back(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=24, method=name)
    talk.turn(chunk=20, new_tokens=20)
    talk.ask(torch.randint(3, 250, (1, 9)))
    talk.turn(new_tokens=10)
    found = lowered_tokens(talk.cache)
    assert any(len(times) > 5 for times in found.values())
    for (layer, row, head, position), times in found.items():
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
        lanes = (~layer.table.low).sum(1)
        if not layer.table.low.any():
            assert isinstance(layer.keys, torch.Tensor)
            full += 32 * len(lanes)
            continue
        # rows share a tensor: each takes the room of the row with most, in both parts
        full += int(lanes.max()) * len(lanes)
        low += int(32 - lanes.min()) * len(lanes)
        assert layer.keys.bits.dtype == torch.int8
    places = sum(2 * 4 * 32 * 6 for layer in talk.cache.managed if layer.table.low.any())
    expected = full * 2 * DIM * 4 + low * 2 * (DIM + 4) + places
    assert low and talk.cache.stored_bytes() == expected
    assert talk.cache.ledger.between == 32
    live = sum(int((layer.table.positions >= 0).sum()) for layer in talk.cache.managed)
    assert talk.cache.pair_bytes() == live * 2 * DIM * 4
    for layer in talk.cache.managed:
        held = not isinstance(layer.keys, torch.Tensor) and int(layer.keys.low().sum())
        assert held == layer.table.low.sum()
    talk.turn(new_tokens=12)
    assert talk.cache.stored_bytes() == expected


def test_rows_can_be_reordered(model, tokenizer):
    ids, mask = encode(tokenizer, *TEXTS[:2])
    logits = []
    for order in ([0, 1], [1, 0]):
        cache = RetentionCache(model, tokenizer, Retention(24, "arkv"))
        prefill(model, ids, cache, attention_mask=mask, keep_last=False)
        cache.reorder_cache(torch.tensor(order))
        grown, found = mask[order], []
        for token in range(40, 52):
            grown = more_tokens(grown, 1)
            fed = torch.full((2, 1), token)
            with torch.no_grad():
                found.append(model(fed, attention_mask=grown, past_key_values=cache).logits[order])
        logits.append(torch.stack(found))
        assert any(table.low.any() for table in cache.flow.tables.values())
    torch.testing.assert_close(*logits, rtol=0, atol=EXACT)
