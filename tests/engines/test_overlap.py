"""A prompt's text is read beside the first layer, and whatever happens there is not lost."""

import threading

import pytest
import torch

import transactional_attention as ta
from scenes import TEXTS, encode
from transactional_attention import Retention, RetentionCache
from transactional_attention.retention import RetentionFlow

LONG = 60  # seconds until a test that waits for another thread gives up


class Scans(list):
    """Threads that read a text, one a call; ``before`` runs first."""

    def before(self):
        pass


@pytest.fixture
def scanned(monkeypatch):
    """The calls of ``RetentionFlow.scan``."""
    calls, scan = Scans(), RetentionFlow.scan

    def watched(self, *args, **kwargs):
        calls.before()
        scan(self, *args, **kwargs)
        calls.append(threading.current_thread())

    monkeypatch.setattr(RetentionFlow, "scan", watched)
    return calls


def feed(model, tokenizer, cache):
    ids, mask = encode(tokenizer, TEXTS[0])
    with torch.no_grad():
        return model(ids, attention_mask=mask, past_key_values=cache)


def test_the_first_layer_does_not_wait_until_it_has_attended(model, tokenizer, scanned):
    projected = threading.Event()
    first = model.get_decoder().layers[0].self_attn.q_proj
    first.register_forward_hook(lambda *args: projected.set())
    in_time = []
    scanned.before = lambda: in_time.append(projected.wait(LONG))
    cache = RetentionCache(model, tokenizer, Retention(budget=16))
    feed(model, tokenizer, cache)
    assert in_time == [True]
    assert [layer.num_slots() for layer in cache.managed] == [16] * 3
    assert any(kept.rule for kept in cache.report().kept)


@pytest.mark.parametrize(("method", "beside"), [("ta", True), ("ta-fast-embedding", False)])
def test_what_reads_the_model_reads_before_the_forward(model, tokenizer, scanned, method, beside):
    feed(model, tokenizer, RetentionCache(model, tokenizer, Retention(budget=16, method=method)))
    (thread,) = scanned
    assert (thread is not threading.current_thread()) == beside


def test_an_error_of_reading_is_that_of_the_forward(model, tokenizer, scanned):
    def fail():
        raise ta.InputError("odd text")

    scanned.before = fail
    cache = RetentionCache(model, tokenizer, Retention(budget=16))
    with pytest.raises(ta.InputError, match="odd text"):
        feed(model, tokenizer, cache)
    with pytest.raises(ta.CacheStateError, match="did not finish"):
        feed(model, tokenizer, cache)
    scanned.before = lambda: None
    cache.reset()
    feed(model, tokenizer, cache)
    assert cache.managed[0].num_slots() == 16


def test_a_forward_that_fails_leaves_no_thread_behind(model, tokenizer, scanned):
    failed = threading.Event()

    def fail(*args):
        failed.set()
        raise RuntimeError("out of memory")

    model.get_decoder().layers[0].input_layernorm.register_forward_hook(fail)
    scanned.before = lambda: failed.wait(LONG)
    cache = RetentionCache(model, tokenizer, Retention(budget=16))
    with pytest.raises(RuntimeError, match="out of memory"):
        feed(model, tokenizer, cache)
    assert len(scanned) == 1  # waited for, before the error went on
    assert not [t for t in threading.enumerate() if t.name == "retention-reading"]
    with pytest.raises(ta.CacheStateError, match="did not finish"):
        feed(model, tokenizer, cache)
