"""SponsoredPress over every press of kvpress, in kvpress's own pipeline."""

import gc
import inspect

import pytest
import torch

kvpress = pytest.importorskip("kvpress", reason="needs kvpress: run .ci/parity")

from transformers import DynamicCache

from parity.presses import PRESSES, decoding, snap
from transactional_attention import Retention
from transactional_attention.engines.kvpress import SponsoredPress
from transactional_attention.errors import CacheStateError, InputError, UnsupportedError

FILLER = "The meeting was long and the coffee was cold, as it often is in the winter. "
TEXT = FILLER + "The api_key: QX7K-93PL and nothing else happened all day. " + 2 * FILLER
VALUE = "QX7K-93PL"
# Presses that are classes to derive from, and the pipeline.
ABSTRACT = {"BasePress", "ScorerPress", "KVPressTextGenerationPipeline"}
# Keys are rotated anew or lose channels: the values tell which tokens were kept.
CHANGED_KEYS = {"KeyRerotationPress", "FinchPress", "ThinKPress"}
# No fixed count: what is above a threshold stays, so sponsored tokens come on top.
NO_COUNT = {"DMSPress"}
# The count is one over all layers, and shared out by score.
ACROSS_LAYERS = {"FastKVzipPress", "KVComposePress", "KVgradPress", "KVzipPress", "RestoreKVPress"}
# Without sponsorship they keep this value too: ThinK evicts nothing, leverage prefers rare tokens.
MILD = {"LeverageScorePress", "ThinKPress"}
EAGER = {"ObservedAttentionPress"}


class Spy(kvpress.KVPressTextGenerationPipeline):
    """The pipeline, with a look at the cache before the answer is taken off it."""

    def _remove_answer_from_cache(self, cache, lengths):
        self.held = [(layer.keys.clone(), layer.values.clone()) for layer in cache.layers]
        self.masked = [
            getattr(layer.self_attn, "masked_key_indices", None)
            for layer in self.model.model.layers
        ]
        super()._remove_answer_from_cache(cache, lengths)


def ask(model, tokenizer, press, text):
    """One question in kvpress's pipeline; returns the pipeline and the prompt's full cache."""
    pipe, cache = Spy(model=model, tokenizer=tokenizer), DynamicCache()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        pipe(text, press=press, cache=cache, max_new_tokens=12)
    full, seen = DynamicCache(), text.replace("<sep>", "")
    ids = tokenizer(tokenizer.bos_token + seen, add_special_tokens=False, return_tensors="pt")
    with torch.no_grad():
        model.model(ids["input_ids"], past_key_values=full)
    return pipe, full


def counts(pipe):
    """Pairs that are kept, one number a layer."""
    totals = []
    for (keys, _), masked in zip(pipe.held, pipe.masked, strict=True):
        totals.append(keys[..., 0].numel() - (0 if masked is None else len(masked[0])))
    return totals


def lost(pipe, full, positions, by_values):
    """Positions that some layer and kv head does not hold any more."""
    missing = set()
    for index, layer in enumerate(full.layers):
        held = pipe.held[index][by_values]
        wanted = (layer.keys, layer.values)[by_values]
        masked = pipe.masked[index]
        gone = set() if masked is None else set(zip(*(m.tolist() for m in masked[1:]), strict=True))
        for head in range(held.shape[1]):
            for position in positions:
                slots = (held[0, head] - wanted[0, head, position]).abs().amax(-1) < 1e-5
                alive = [s for s in slots.nonzero()[:, 0].tolist() if (head, s) not in gone]
                if not alive:
                    missing.add(position)
    return missing


def value_positions(text=TEXT):
    """Tokens of the value: bytes, after the token that opens the text."""
    start = 1 + text.index(VALUE)
    return set(range(start, start + len(VALUE)))


def test_every_press_is_listed():
    exported = {name for name in kvpress.__all__ if inspect.isclass(getattr(kvpress, name))}
    assert set(PRESSES) | ABSTRACT == exported


@pytest.mark.parametrize("name", sorted(PRESSES))
def test_keeps_the_value_and_the_count(llama, words, monkeypatch, name):
    if name in EAGER:
        llama.set_attn_implementation("eager")
    base, by_values = PRESSES[name](llama, words, monkeypatch), name in CHANGED_KEYS
    text = TEXT + "<sep>What is the api_key?" if name == "FinchPress" else TEXT
    plain, full = ask(llama, words, PRESSES[name](llama, words, monkeypatch), text)
    assert bool(lost(plain, full, value_positions(), by_values)) == (name not in MILD)
    press = SponsoredPress(base, words)
    press.watch(llama)  # for DecodingPress alone, whose prefill kvpress runs without it
    pipe, full = ask(llama, words, press, text)
    assert not lost(pipe, full, value_positions(), by_values)
    if name in NO_COUNT:
        assert all(a >= b for a, b in zip(counts(pipe), counts(plain), strict=True))
    elif name in ACROSS_LAYERS:
        assert sum(counts(pipe)) == sum(counts(plain))
    else:
        assert counts(pipe) == counts(plain)


def test_inside_other_presses(llama, words):
    """Sponsored parts in kvpress's own wrappers."""
    for press in (
        kvpress.AdaKVPress(SponsoredPress(snap(), words)),
        kvpress.PrefillDecodingPress(
            SponsoredPress(snap(), words), decoding(SponsoredPress(kvpress.KnormPress(), words))
        ),
        kvpress.PrefillDecodingPress(
            SponsoredPress(kvpress.AdaKVPress(snap()), words),
            decoding(kvpress.AdaKVPress(SponsoredPress(kvpress.KnormPress(), words))),
        ),
    ):
        pipe, full = ask(llama, words, press, TEXT)
        assert not lost(pipe, full, value_positions(), by_values=False)


def test_a_wrapper_that_initialises_nothing_needs_watch(llama, words):
    inner = SponsoredPress(snap(), words)
    with pytest.raises(CacheStateError, match="has not seen the prompt"):
        ask(llama, words, kvpress.CriticalAdaKVPress(inner), TEXT)
    inner.watch(llama)
    pipe, full = ask(llama, words, kvpress.CriticalAdaKVPress(inner), TEXT)
    assert not lost(pipe, full, value_positions(), by_values=False)


def test_keys_that_were_rotated_anew_are_refused(llama, words):
    presses = [kvpress.KeyRerotationPress(snap(0.3)), kvpress.KnormPress(0.3)]
    press = SponsoredPress(kvpress.ComposedPress(presses), words)
    with pytest.raises(UnsupportedError, match="no sponsored token is left"):
        ask(llama, words, press, TEXT)


def test_a_value_that_is_gone_in_part_is_given_up(llama, words):
    """Only the decoding press is sponsored: what prefill broke is not kept on."""
    parts = SponsoredPress(kvpress.KnormPress(), words)
    press = kvpress.PrefillDecodingPress(kvpress.KnormPress(0.3), decoding(parts))
    pipe, full = ask(llama, words, press, TEXT)
    assert lost(pipe, full, value_positions(), by_values=False)
    assert all(keys.shape[2] <= 64 + 4 for keys, _ in pipe.held)


def test_a_value_is_kept_whole_or_left_to_the_press(llama, words):
    """A budget below the value gives the press's own choice, bit for bit."""
    ratio = 0.98
    assert len(VALUE) > (len(TEXT) + 1) * (1 - ratio)
    sponsored, _ = ask(llama, words, SponsoredPress(kvpress.KnormPress(ratio), words), TEXT)
    plain, _ = ask(llama, words, kvpress.KnormPress(ratio), TEXT)
    for (keys, _), (expected, _) in zip(sponsored.held, plain.held, strict=True):
        assert torch.equal(keys, expected)


def test_ranges_that_the_caller_names(llama, words):
    retention = Retention(method="full").protect(5, 20, unit="tokens")
    press = SponsoredPress(kvpress.KnormPress(0.7), words, retention)
    pipe, full = ask(llama, words, press, FILLER * 2)
    assert not lost(pipe, full, set(range(5, 20)), by_values=False)


def test_the_next_prompt_is_read_anew(llama, words):
    press = SponsoredPress(kvpress.KnormPress(0.7), words)
    ask(llama, words, press, FILLER * 2)
    pipe, full = ask(llama, words, press, TEXT)
    assert not lost(pipe, full, value_positions(), by_values=False)


def test_hooks_go_with_the_press(llama, words):
    press = SponsoredPress(kvpress.KnormPress(0.7), words)
    press.watch(llama)
    assert llama.model._forward_pre_hooks
    del press
    gc.collect()
    assert not llama.model._forward_pre_hooks


def test_what_cannot_be_wrapped(words):
    with pytest.raises(InputError, match="wraps a kvpress press"):
        SponsoredPress("snapkv", words)
    with pytest.raises(InputError, match="sponsored already"):
        SponsoredPress(SponsoredPress(snap(), words), words)
    with pytest.raises(InputError, match="tokenizer"):
        SponsoredPress(snap())
    with pytest.raises(AssertionError):  # kvpress looks at the constructor: wrap from outside
        kvpress.PerLayerCompressionPress(SponsoredPress(snap(), words), [0.5, 0.5, 0.5])
