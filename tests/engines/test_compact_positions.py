"""Compact positions are exact in every rotary family and rope type, or refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import transformers

import tiny_families
from scenes import EXACT, half, slots
from ta_lab.baselines.side_quest import branch_of
from tiny_families import COMMON, FAMILIES, MORE_ROTARY, build, prompt
from transactional_attention import Retention, RetentionCache, UnsupportedError, detach, load_cache
from transactional_attention.engines.transformers import inputs, rotary
from transactional_attention.engines.transformers.decoder import attention_modules, find_decoder

ROTARY = [name for name in (*FAMILIES, *MORE_ROTARY) if name != "gpt2"]
MIXED = ("gemma2", "gemma3", "qwen2-mixed")
CHUNKS = [None, 1, 7]
STEPS = [1.0, 1.5, 2.0, 4.0]
ROPES = {
    "default": {},
    "linear": dict(factor=4.0),
    "llama3": dict(
        factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16
    ),
    "yarn": dict(factor=4.0, original_max_position_embeddings=64),
    "dynamic": dict(factor=2.0),
    "longrope": dict(factor=12.8, short_factor=STEPS, long_factor=[3 * step for step in STEPS]),
}


def with_rope(name, family="llama", limit=256, switch=20):
    """A tiny model with a rope type; ``switch`` is where longrope takes its long factors."""
    scaling = {"rope_type": name, **ROPES[name]}
    options = dict(max_position_embeddings=limit, rope_theta=10_000.0, rope_scaling=scaling)
    if name == "longrope":
        options["original_max_position_embeddings"] = switch
        scaling["original_max_position_embeddings"] = switch
    if family == "phi3":  # its configuration in 4.57 takes these three alone
        kept = ("short_factor", "long_factor")
        options["rope_scaling"] = {"type": name, **{key: scaling[key] for key in kept}}
    return build(family, **options)


def converse(model, **options):
    """A padded batch of three through a compact cache of 16 tokens."""
    sizes = dict(columns=30, new_tokens=4, positions="compact")
    return tiny_families.converse(model, **(sizes | options))


@pytest.mark.parametrize(("name", "chunk"), half(ROTARY, CHUNKS))
def test_every_family_equals_teacher_forcing(name, chunk):
    talk = converse(build(name), chunk=chunk, turns=2 if chunk else 1)
    assert talk.error() < EXACT
    assert slots(talk.cache) == [16] * (1 if name in MIXED else 2)


@pytest.mark.parametrize(
    ("name", "chunk", "method"), half(ROPES, CHUNKS, ["random", "expected-attention"])
)
def test_every_rope_type_equals_teacher_forcing(name, chunk, method):
    assert converse(with_rope(name), chunk=chunk, method=method).error() < EXACT


@pytest.mark.parametrize("name", ["linear", "dynamic", "yarn"])
def test_gemma_3_scales_its_full_layers_alone(name):
    kinds = {
        "full_attention": {"rope_type": name, "rope_theta": 10_000.0, **ROPES[name]},
        "sliding_attention": {"rope_type": "default", "rope_theta": 500.0},
    }
    if transformers.__version__.startswith("4."):
        options = dict(rope_scaling={"rope_type": name, **ROPES[name]}, rope_local_base_freq=500.0)
    else:
        options = dict(rope_parameters=kinds)
    try:
        model = build("gemma3", **options)
    except KeyError:
        pytest.skip("this transformers cannot check yarn for a kind of layer (5.2)")
    assert converse(model, chunk=7, turns=2).error() < EXACT


# rope types that depend on the length


def outgrown(name, family="llama"):
    """A cache whose live tokens pass the length at which its frequencies change.

    In between, the model's own rotary module serves a longer text, and keeps what it made of it.
    """
    model = with_rope(name, family, limit=24 if name == "dynamic" else 256)
    talk = converse(model, chunk=7, new_tokens=14, ledger="on-top")
    with torch.no_grad():
        model(torch.randint(2, 97, (1, 120)), use_cache=False)
    talk.turn()
    return talk


@pytest.mark.parametrize(
    ("name", "family"),
    [("dynamic", "llama"), ("dynamic", "phi"), ("dynamic", "gpt_neox"), ("longrope", "llama")],
)
def test_frequencies_follow_the_live_tokens_alone(name, family):
    assert outgrown(name, family).error() < EXACT


@torch.no_grad()
def test_a_copy_is_fed_in_another_thread_while_its_source_is():
    talk = converse(with_rope("dynamic", limit=24), ledger="on-top")
    one, other = talk.cache.clone(), talk.cache.clone()
    ids = torch.full((3, 1), 40)
    expected = talk.model(ids, past_key_values=talk.cache).logits

    @torch.no_grad()
    def feed():
        talk.model(ids.expand(3, 12), past_key_values=other)

    def beside(*_):
        handle.remove()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(feed).result()

    handle = talk.model.model.layers[1].register_forward_pre_hook(beside)
    assert torch.equal(talk.model(ids, past_key_values=one).logits, expected)
    assert other.num_columns == one.num_columns + 11


def test_phi_3_keeps_its_cache_where_longrope_changes():
    talk = converse(with_rope("longrope", "phi3", switch=32), new_tokens=6)
    assert talk.cache.num_columns == 35
    assert talk.error() < EXACT


def test_phi_3_refuses_to_lose_a_cache_with_original_positions():
    model = with_rope("longrope", "phi3", switch=32)
    with pytest.raises(UnsupportedError, match="use positions='compact'"):
        converse(model, new_tokens=6, positions="original")


def held(switch, columns=30, **options):
    """A conversation with original positions; longrope takes its long factors beyond ``switch``."""
    model = with_rope("longrope", switch=switch)
    return converse(model, columns=columns, positions="original", **options)


@pytest.mark.parametrize("switch", [20, 33, 60])
def test_original_positions_on_one_side_of_longrope_equal_teacher_forcing(switch):
    """All beyond it, at it to the last token, all before it."""
    talk = held(switch)
    assert talk.cache.num_columns == 33
    assert talk.error() < EXACT


@pytest.mark.parametrize("options", [dict(switch=20, chunk=7), dict(switch=32), dict(switch=31)])
def test_original_positions_across_the_switch_of_longrope_are_refused(options):
    with pytest.raises(UnsupportedError, match=r"longrope takes other .* use positions='compact'"):
        held(**options)


def test_a_cache_refused_at_the_switch_stays_as_it_was(tmp_path):
    talk = held(36)
    talk.ask(torch.randint(2, 97, (3, 5)))
    talk.cache.save(tmp_path / "c")
    loaded = load_cache(tmp_path / "c", talk.model)
    for cache in (talk.cache, branch_of(talk.cache, 0), loaded):
        before = cache.num_columns
        rows = slice(len(cache.flow.sequences))
        with pytest.raises(UnsupportedError, match="longrope takes other factors"), torch.no_grad():
            talk.model(talk.ids[rows, before:], past_key_values=cache)
        assert cache.num_columns == before
        with torch.no_grad():
            talk.model(talk.ids[rows, before : before + 1], past_key_values=cache)


def test_rows_that_are_left_behind_the_switch_are_refused():
    """The longest row took the long factors for all; without it the others would take the short."""
    model = with_rope("longrope", switch=28)
    cache = RetentionCache(model, None, Retention(16, "random"))
    ids, mask = prompt(3, 30)
    positions = (mask.long().cumsum(-1) - 1).clamp(min=0)
    with torch.no_grad():
        model(ids, attention_mask=mask, position_ids=positions, past_key_values=cache)
        shortest = mask.sum(1).argmin()
        assert mask[shortest].sum() < 28
        cache.batch_select_indices(shortest[None])
        one = positions[shortest, -1:, None] + 1
        with pytest.raises(UnsupportedError, match="longrope takes other factors"):
            model(ids[:1, :1], position_ids=one, past_key_values=cache)


# positions


@pytest.mark.parametrize("name", ["default", "dynamic"])
@pytest.mark.parametrize(("budget", "chunk"), [(16, 7), (9, 13), (24, 1)])
def test_positions_stay_below_budget_and_chunk(name, budget, chunk, monkeypatch):
    model, fed, angles = with_rope(name), [], rotary._angles

    def note(ranks, *rest):
        fed.append(int(ranks.max()))
        return angles(ranks, *rest)

    monkeypatch.setattr(rotary, "_angles", note)
    model.model.rotary_emb.register_forward_pre_hook(
        lambda _, args, kwargs: fed.append(int(kwargs.get("position_ids", args[-1]).max())),
        with_kwargs=True,
    )
    talk = converse(model, budget=budget, chunk=chunk, columns=60, new_tokens=1)
    assert max(fed) == budget + chunk - 1
    fed.clear()
    talk.turn(new_tokens=40)
    assert talk.cache.num_columns == 100
    assert set(fed) == {budget - 1}


# rotations


@pytest.mark.parametrize("name", ROPES)
def test_a_mean_rotation_is_the_mean_of_rotations(name):
    for family in ("llama", "phi", "gpt_neox"):
        if name == "longrope" and family != "llama":  # its factors are as many as rotary pairs
            continue
        turning = rotary.Rotary(find_decoder(with_rope(name, family)))
        states = torch.randn(2, 1, 5, turning.head_dim)
        start, count = torch.tensor([3, 9]), 6
        places = [(start + ahead)[:, None, None].expand(2, 1, 5) for ahead in range(count)]
        expected = torch.stack([turning.rotate(states, place) for place in places]).mean(0)
        rotated = states[:, 0] @ turning.mean_rotation(start, count)
        torch.testing.assert_close(rotated, expected[:, 0], rtol=1e-4, atol=1e-5)
        back = turning.unrotate(turning.rotate(states, places[-1]), places[-1])
        torch.testing.assert_close(back, states, rtol=1e-4, atol=1e-5)


# refusals and clearing up


@pytest.mark.parametrize("name", ["dynamic", "longrope"])
def test_moments_at_original_positions_refuse_what_follows_the_length(name):
    retention = Retention(16, "expected-attention")
    with pytest.raises(UnsupportedError, match=rf"not {name} \(llama\): use a method that does"):
        RetentionCache(with_rope(name), None, retention)


@pytest.mark.parametrize("family", ["GPT2", "Cohere", "SmolLM3"])
def test_other_families_are_refused_by_name(family):
    head = "LMHeadModel" if family == "GPT2" else "ForCausalLM"
    config = getattr(transformers, f"{family}Config")(**COMMON)
    model = getattr(transformers, f"{family}{head}")(config)
    with pytest.raises(UnsupportedError, match=f"; {family.lower()} .* use positions='original'"):
        RetentionCache(model, None, Retention(16, "random", positions="compact"))


def test_an_unknown_rope_type_is_refused_by_name():
    model = build("llama")
    model.model.rotary_emb.rope_type = "proportional"
    with pytest.raises(UnsupportedError, match=r"not proportional \(llama\): use positions='orig"):
        RetentionCache(model, None, Retention(16, "random", positions="compact"))


@pytest.mark.parametrize("make", [lambda: build("gemma2"), lambda: with_rope("longrope", "phi3")])
def test_a_detached_model_is_as_it_was(make):
    model = make()
    before = sum(len(m._forward_pre_hooks) for m in attention_modules(find_decoder(model)))
    for _ in range(2):
        RetentionCache(model, None, Retention(16, "random", positions="compact"))
    modules = attention_modules(find_decoder(model))
    assert [len(m._forward_pre_hooks) for m in modules] == [1] * len(modules)
    detach(model)
    assert sum(len(m._forward_pre_hooks) for m in modules) == before == 0
    assert inputs.PREPARE not in vars(model)
