"""A cache that was saved and loaded goes on bit for bit as if it had not been."""

import pytest
import torch

import transactional_attention as ta
from gate_files import write_gates
from saved_caches import Player, cache_of, check_going_on, play, same, steps
from scenes import encode
from ta_lab.baselines.gates import use_gates
from teacher_forced import tiny_llama
from tiny_families import build
from transactional_attention.config import Memory
from transactional_attention.methods.registry import ALL_METHODS, METHODS

BASES = [n for n, m in METHODS.items() if "passes" not in m.observes and not m.trained]
BORDERS = (1, 3, 4, -3, -1)  # inside the prompt, at its end, in answers, before a question
SETTINGS = {
    "paper": dict(method="ta", preset="paper"),
    "on-top": dict(method="ta", ledger="on-top"),
    "compact": dict(method="ta", positions="compact"),
    "layers": dict(method="ta", budget=(24, 32, 40)),
    "unlimited": dict(method="ta", budget=None),
    "fading": dict(method="ta", sponsorship=ta.Sponsorship(fade_per="step", step_decay=0.5)),
    "generated": dict(method="ta", detect_in_generated=True),
    "debug": dict(method="ta", debug=True, allow=("*code*", "*key*"), deny=("shape:uuid",)),
    "twin": dict(method="ta+h2o"),
    "twin-paper": dict(method="ta+tova", preset="paper"),
    "twin-split": dict(method="ta+ada-kv"),
    "twin-low": dict(method="ta+arkv"),
    "low": dict(method="ta", storage="int8"),
    "low-compact": dict(method="ta", storage="int8", positions="compact"),
    "compact-columns": dict(method="ta+h2o", positions="compact"),
    "memory": dict(method="ta", budget=64, memory=Memory(share=0.5)),
    "compact-moments": dict(method="expected-attention", positions="compact"),
}


def chunk_of(method):
    return None if ALL_METHODS[method].whole_prompt else 40


@pytest.mark.parametrize("name", BASES)
def test_every_method_goes_on(model, tokenizer, tmp_path, name):
    use_gates(model, write_gates(model, tmp_path / "gates.safetensors"))
    todo = steps(tokenizer, chunk=chunk_of(name), said=2)
    player = play(Player(model, cache_of(model, tokenizer, budget=24, method=name)), todo[:-4])
    loaded = player.saved_and_loaded(tmp_path / "c")
    same(play(loaded, todo[-4:]), play(player, todo[-4:]))


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_goes_on_at_every_border(model, tokenizer, tmp_path, name):
    options = {"budget": 24, **SETTINGS[name]}
    chunk = chunk_of(options["method"])
    borders = BORDERS if chunk else (1, 2, -2)
    check_going_on(model, tokenizer, tmp_path / "c", borders, chunk=chunk, **options)


@pytest.mark.parametrize("method", ["ta", "ta+h2o", "ta+arkv", "expected-attention"])
def test_without_the_text_what_is_generated_is_the_same(model, tokenizer, tmp_path, method):
    todo = steps(tokenizer, chunk=chunk_of(method))
    player = play(Player(model, cache_of(model, tokenizer, budget=24, method=method)), todo[:-1])
    loaded = player.saved_and_loaded(tmp_path / "c", text=False)
    same(*(play(each, [Player.say] * 30) for each in (player, loaded)), ids=False)


def test_ranges_that_the_caller_names_go_on(model, tokenizer, tmp_path):
    retention = ta.Retention(budget=40, method="ta").protect(5, 12).protect(36, 48, row=1)
    retention = retention.protect(100, 104, unit="tokens", required=False)
    todo = steps(tokenizer, chunk=40)
    cache = ta.RetentionCache(model, tokenizer, retention)
    cache.set_sources([[ta.SourceRange(ta.Span(0, 30), "tool", True)], [], []])
    player = play(Player(model, cache), todo[:3])
    assert cache.flow.release(23, 27, row=2) == 1
    bare, recalled = (player.saved_and_loaded(tmp_path / "c", text=t) for t in (False, True))
    for each in (player, bare, recalled):
        play(each, todo[3:])
    same(player, recalled)
    for row, sequence in enumerate(player.cache.flow.sequences):
        assert bare.cache.flow.sequences[row].explicit() == sequence.explicit()
        assert bare.cache.flow.sequences[row].ranges.sources == sequence.ranges.sources


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_sliding_layers_are_saved_with_the_others(tokenizer, tmp_path, positions):
    gemma = build("gemma2", vocab_size=len(tokenizer), max_position_embeddings=4096)
    path = tmp_path / "c"
    check_going_on(gemma, tokenizer, path, (1, 3, -1), budget=24, positions=positions)


def test_bfloat16_stays_bfloat16(tokenizer, tmp_path):
    model = tiny_llama(vocab_size=len(tokenizer)).to(torch.bfloat16)
    check_going_on(model, tokenizer, tmp_path / "c", (2, 5), budget=24, method="ta+h2o")


def test_beams_and_dropped_rows(model, tokenizer, tmp_path):
    retention = ta.Retention(budget=24).protect(3, 6, unit="tokens", row=2)
    player = play(Player(model, ta.RetentionCache(model, tokenizer, retention)), steps(
        tokenizer, chunk=40
    )[:5])  # fmt: skip
    rows = torch.tensor([1, 1])
    player.cache.reorder_cache(torch.tensor([1, 1, 2]))
    player.cache.batch_select_indices(torch.tensor([0, 1]))
    player.ids, player.mask = player.ids[rows], player.mask[rows]
    player.logits = [player.logits[-1][rows]]
    loaded = player.saved_and_loaded(tmp_path / "c")
    same(*(play(each, [Player.say] * 4) for each in (player, loaded)))


def test_a_loaded_cache_serves_generate(model, tokenizer, tmp_path):
    ids, mask = encode(tokenizer, "The door code is 7301, and then it rained for some hours. So:")
    cache = cache_of(model, tokenizer, budget=24)
    options = dict(max_new_tokens=5, do_sample=False)
    first = model.generate(ids, attention_mask=mask, past_key_values=cache, **options)
    cache.save(tmp_path / "c")
    again = torch.cat([first, ids[:, 1:]], 1)
    answers = []
    for each in (cache, ta.load_cache(tmp_path / "c", model, tokenizer, input_ids=first)):
        answers.append(model.generate(again, past_key_values=each, **options))
    assert torch.equal(*answers)


def test_a_loaded_cache_is_saved_again(model, tokenizer, tmp_path):
    todo = steps(tokenizer, chunk=40)
    player = play(Player(model, cache_of(model, tokenizer, budget=24)), todo[:5])
    bare = player.saved_and_loaded(tmp_path / "a", text=False)
    twice = bare.saved_and_loaded(tmp_path / "b", text=False)
    same(*(play(each, todo[5:]) for each in (bare, twice)))
    with pytest.raises(ta.InputError, match="had gone on without its text"):
        ta.load_cache(tmp_path / "b", model, tokenizer, **player.given())
