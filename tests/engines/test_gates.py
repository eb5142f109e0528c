"""Gates read what attention reads, in batches, beams and other families, and leave no trace."""

from dataclasses import asdict

import pytest
import torch

import transactional_attention as ta
from gate_files import random_gates, write_gates
from scenes import EXACT, TEXTS, encode, prefilled, talk_of
from ta_lab.baselines.gates import Gates, use_gates
from teacher_forced import tiny_llama
from tiny_families import build
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.decoder import attention_modules, find_decoder
from transactional_attention.methods.observation import NOTHING, Observation
from transactional_attention.retention.saving.records import read

RETENTION = Retention(budget=16, method="trim-kv")


@pytest.fixture
def gated(model, tmp_path):
    use_gates(model, write_gates(model, tmp_path / "gates.safetensors"))
    return model


def hooks(model):
    return [len(m._forward_pre_hooks) for m in attention_modules(find_decoder(model))]


@pytest.mark.parametrize("options", [{"positions": "compact"}, {"ledger": "on-top"}], ids=str)
def test_every_option_equals_teacher_forcing(gated, tokenizer, options):
    talk = talk_of(gated, tokenizer, rows=3, budget=16, method="trim-kv", **options)
    talk.turn(chunk=7)
    talk.ask(torch.randint(3, len(tokenizer), (3, 9)))
    talk.turn()
    assert talk.error() < EXACT


def test_hooks_are_made_once_and_leave_with_the_rest(gated, tokenizer):
    assert hooks(gated) == [0, 0, 0]
    with ta.install(gated, tokenizer, RETENTION):
        for _ in range(2):
            gated.generate(encode(tokenizer, TEXTS[0])[0], max_new_tokens=2, do_sample=False)
        assert hooks(gated) == [1, 1, 1]
    assert hooks(gated) == [0, 0, 0]
    cache = prefilled(gated, tokenizer, **vars(RETENTION))
    assert cache.managed[2].observer.gates.shape == (1, 2, 16)


def test_other_methods_run_no_gate(gated, tokenizer, monkeypatch):
    RetentionCache(gated, tokenizer, RETENTION)  # the hooks are there
    monkeypatch.setattr(find_decoder(gated)._retention_gates[0].__class__, "__call__", None)
    for method in ("streaming-llm", "h2o"):
        prefilled(gated, tokenizer, budget=16, method=method)


def test_a_snapshot_without_gates_says_so(gated, tokenizer):
    full = prefilled(gated, tokenizer, observe=Observation(queries=1))
    with pytest.raises(ta.InputError, match="did not collect hidden states through gates"):
        compress(full, RETENTION)


@pytest.mark.parametrize(("name", "heads"), [("gemma2", 4), ("gpt_neox", 2)])
def test_other_families(name, heads, tokenizer):
    model = build(name, vocab_size=len(tokenizer), num_attention_heads=heads)
    find_decoder(model)._retention_gates = Gates(random_gates(model))
    talk = talk_of(model, tokenizer, rows=3, **vars(RETENTION))
    talk.turn()
    assert talk.error() < EXACT


def test_a_layer_whose_gate_is_missing_is_refused(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), layers=2)
    gates = random_gates(model)
    find_decoder(model)._retention_gates = Gates({0: gates[0]})
    cache = RetentionCache(model, tokenizer, RETENTION)
    with pytest.raises(ta.UnsupportedError, match="gates did not see"):
        prefill(model, encode(tokenizer, TEXTS[0])[0], cache, keep_last=False)


def test_gates_of_older_files_and_code_are_those_of_trim_kv():
    """They said True, of the one method that had gates."""
    known = Observation(gates="trim-kv")
    assert read(Observation, asdict(known) | {"gates": True}) == Observation(gates=True) == known
    assert read(Observation, asdict(known) | {"gates": False}) == Observation() == NOTHING
    assert (known | Observation(queries=3)).gates == "trim-kv" and known.covers(NOTHING)
    with pytest.raises(ta.InputError, match="gates of trim-kv and of another"):
        known | Observation(gates="another")
