"""A text that streams through a cache: exact, bounded, and the same as its ids at once."""

import signal
from functools import partial

import pytest
import torch
from transformers import DynamicCache

import transactional_attention as ta
from scenes import EXACT, TEXTS, Conversation, half, kept_positions, more_tokens, slots
from teacher_forced import tiny_llama
from transactional_attention.engines.transformers import prefill as prefilling
from transactional_attention.retention.forgetting import forget_text

TABLE = "id,owner,api_key,port\n" + "".join(
    f"row{i},anna,QX{i}7KZ{i * 37 % 89}PM,80{i:02}\n" for i in range(44)
)
LONG = f"{TEXTS[0]}\n" + "It rained and nobody came. " * 30 + f"\n{TABLE}\nThe end code is ZP41."
METHODS = ["ta", "ta-fast-semantic", "streaming-llm", "snapkv", "h2o", "ta+ada-kv"]


@pytest.fixture
def forgetful(monkeypatch):
    """Every text forgets after every chunk, however short it is."""
    monkeypatch.setattr(prefilling, "forget_text", partial(forget_text, keep=0))


def parts(text, size=11):
    return [text[i : i + size] for i in range(0, len(text), size)]


def streamed(model, tokenizer, cache, text, chunk=7, **options):
    stream = ta.TokenStream(tokenizer, parts(text), **options)
    return stream, ta.prefill(model, stream, cache, chunk=chunk)


def turn(talk, tokenizer, text, chunk):
    """Stream a turn after what the cache has seen, and generate."""
    unfed = None if not talk.logits else talk.ids[0, talk.cache.num_columns :].tolist()
    stream, _ = streamed(talk.model, tokenizer, talk.cache, text, chunk, before=unfed)
    new = tokenizer(text, return_tensors="pt")["input_ids"]
    talk.ask(new) if talk.logits else None
    inputs = ta.inputs_after(talk.cache, stream)
    columns = inputs["input_ids"].shape[1]
    assert columns == talk.ids.shape[1] == talk.cache.num_columns + 1
    out = talk.model.generate(
        **inputs, past_key_values=talk.cache, max_new_tokens=6, do_sample=False,
        return_dict_in_generate=True, output_logits=True,
    )  # fmt: skip
    talk.logits += out.logits
    talk.columns += range(columns - 1, columns - 1 + len(out.logits))
    talk.ids = torch.cat([talk.ids, out.sequences[:, columns:]], 1)
    talk.mask = more_tokens(talk.mask, talk.ids.shape[1] - talk.mask.shape[1])


@pytest.mark.parametrize(
    ("chunk", "positions", "method"), half([1, 7, 64], ["original", "compact"], ["ta", "h2o"])
)
def test_a_stream_equals_teacher_forcing(model, tokenizer, forgetful, chunk, positions, method):
    retention = ta.Retention(24, method, positions=positions)
    ids = tokenizer(TEXTS[0], return_tensors="pt")["input_ids"]
    cache = ta.RetentionCache(model, tokenizer, retention)
    talk = Conversation(model, cache, ids, torch.ones_like(ids))
    for text in TEXTS:
        turn(talk, tokenizer, text, chunk)
    assert talk.error() < EXACT
    assert slots(cache) == [24] * 3
    assert cache.ledger.within <= 24 + chunk


@pytest.mark.parametrize(("method", "preset"), half(METHODS, ["default", "paper"]))
def test_it_decides_as_for_the_ids_at_once(model, tokenizer, forgetful, method, preset):
    retention = ta.Retention(48, method, preset)
    ids = tokenizer(LONG, return_tensors="pt")["input_ids"]
    whole = ta.RetentionCache(model, tokenizer, retention)
    ta.prefill(model, ids, whole, chunk=64)
    cache = ta.RetentionCache(model, tokenizer, retention)
    stream, _ = streamed(model, tokenizer, cache, LONG, 64)
    assert stream.rest == (int(ids[0, -1]),)
    assert kept_positions(cache) == kept_positions(whole)
    assert cache.report(reveal=True) == whole.report(reveal=True)
    step = dict(max_new_tokens=4, do_sample=False, return_dict_in_generate=True, output_logits=True)
    output = model.generate(**ta.inputs_after(cache, stream), past_key_values=cache, **step)
    asked = model.generate(ids, attention_mask=torch.ones_like(ids), past_key_values=whole, **step)
    assert torch.equal(torch.stack(output.logits), torch.stack(asked.logits))
    assert cache.report(reveal=True) == whole.report(reveal=True)


def test_the_header_of_a_table_is_known_far_below_it(model, tokenizer, forgetful):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(64))
    streamed(model, tokenizer, cache, TABLE, 32)
    sequence = cache.flow.sequences[0]
    text = sequence.text
    assert "api_key" in {sequence.characters(span.label) for span in sequence.registry.known}
    assert not text.whole and text.first > TABLE.index("row14")


def test_ranges_in_characters_are_kept_and_saved(model, tokenizer, forgetful, tmp_path):
    retention = ta.Retention(64).protect(27, 31).protect(900, 907)
    cache = ta.RetentionCache(model, tokenizer, retention)
    streamed(model, tokenizer, cache, LONG, 16)
    named = {*range(27, 31), *range(900, 907)}
    assert named <= set(kept_positions(cache))
    cache.save(tmp_path / "c")
    ids = tokenizer(LONG, return_tensors="pt")["input_ids"]
    with pytest.raises(ta.InputError, match="without input_ids"):
        ta.load_cache(tmp_path / "c", model, tokenizer, input_ids=ids)
    loaded = ta.load_cache(tmp_path / "c", model, tokenizer)
    for each in (cache, loaded):
        streamed(model, tokenizer, each, " More words are said.", 16, before=())
        assert named <= set(kept_positions(each))


def test_a_budget_above_the_text_evicts_nothing(model, tokenizer):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(4000))
    stream, _ = streamed(model, tokenizer, cache, TEXTS[0], 7)
    ids = tokenizer(TEXTS[0], return_tensors="pt")["input_ids"]
    logits = model(torch.tensor([stream.rest]), past_key_values=cache).logits
    expected = model(ids, past_key_values=DynamicCache(config=model.config)).logits[:, -1:]
    assert slots(cache) == [ids.shape[1]] * 3
    assert (logits - expected).abs().max() < EXACT


def test_what_is_left_is_for_generate(model, tokenizer):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(24))
    stream = ta.TokenStream(tokenizer, TEXTS[1])
    ta.prefill(model, stream, cache, chunk=5, keep_last=False)
    assert cache.num_columns == len(tokenizer(TEXTS[1])["input_ids"])
    assert stream.rest == ()
    with pytest.raises(ta.InputError, match="keep_last"):
        ta.inputs_after(cache, stream)
    assert ta.inputs_after(cache, [5])["input_ids"].shape == (1, cache.num_columns + 1)


# interrupts and errors


@pytest.fixture
def interrupts():
    """Python's own handler, also where the tests run in the background."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


class Interrupting:
    """Sends interrupts while a forward of a chosen number runs."""

    def __init__(self, model, forward, times=1):
        self.forward, self.times, self.seen = forward, times, 0
        self.handle = model.model.layers[1].register_forward_pre_hook(self)

    def __call__(self, *_):
        self.seen += 1
        if self.seen == self.forward:
            for _ in range(self.times):
                signal.raise_signal(signal.SIGINT)


def test_an_interrupt_waits_for_the_chunk_and_the_stream_goes_on(model, tokenizer, interrupts):
    expected = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    streamed(model, tokenizer, expected, LONG, 64)
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    stream = ta.TokenStream(tokenizer, parts(LONG))
    hook = Interrupting(model, 3)
    with pytest.raises(KeyboardInterrupt):
        ta.prefill(model, stream, cache, chunk=64)
    hook.handle.remove()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert cache.num_columns == 3 * 64
    ta.prefill(model, stream, cache, chunk=64)
    assert kept_positions(cache) == kept_positions(expected)
    assert all(torch.equal(a.keys, b.keys) for a, b in zip(cache.managed, expected.managed))


def test_a_second_interrupt_is_raised_at_once_and_breaks_the_cache(model, tokenizer, interrupts):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    stream = ta.TokenStream(tokenizer, parts(LONG))
    hook = Interrupting(model, 2, times=2)
    with pytest.raises(KeyboardInterrupt):
        ta.prefill(model, stream, cache, chunk=64)
    hook.handle.remove()
    assert cache.managed[-1].seen == 64
    with pytest.raises(ta.CacheStateError, match="did not finish"):
        ta.prefill(model, stream, cache, chunk=64)


def test_a_source_that_fails_leaves_the_cache_usable(model, tokenizer):
    def source():
        yield LONG[:300]
        raise ta.InputError("notes.txt is not valid UTF-8 (byte 300): convert it")

    cache = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    ta.prefill(model, ta.TokenStream(tokenizer, TEXTS[0]), cache, chunk=16)
    seen = cache.num_columns
    with pytest.raises(ta.InputError, match="byte 300"):
        ta.prefill(model, ta.TokenStream(tokenizer, source(), before=()), cache, chunk=16)
    assert cache.num_columns == seen
    streamed(model, tokenizer, cache, TEXTS[1], 16, before=())
    assert slots(cache) == [32] * 3


def test_what_cannot_stream_is_refused(model, tokenizer):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    with pytest.raises(ta.InputError, match="chunk must be at least 1"):
        streamed(model, tokenizer, cache, TEXTS[0], 0)
    with pytest.raises(ta.InputError, match="gives no token"):
        streamed(model, tokenizer, cache, "", 8)
    stream = ta.TokenStream(tokenizer, TEXTS[0])
    with pytest.raises(ta.InputError, match="attention_mask"):
        ta.prefill(model, stream, cache, attention_mask=torch.ones(1, 4))
    whole = ta.RetentionCache(model, tokenizer, ta.Retention(32, "ta+kvzip"))
    with pytest.raises(ta.UnsupportedError, match="passes of its own"):
        streamed(model, tokenizer, whole, TEXTS[0], 8)
    whole = ta.RetentionCache(model, tokenizer, ta.Retention(32, "random-spans"))
    with pytest.raises(ta.InputError, match="do not use chunks"):
        streamed(model, tokenizer, whole, TEXTS[0], 8)
    pair = ta.RetentionCache(model, tokenizer, ta.Retention(32))
    two = tokenizer(list(TEXTS[:2]), return_tensors="pt", padding=True)
    ta.prefill(model, two["input_ids"], pair, attention_mask=two["attention_mask"])
    with pytest.raises(ta.CacheStateError, match="2 rows"):
        streamed(model, tokenizer, pair, TEXTS[0], 8)
    with pytest.raises(ta.InputError, match="2 rows"):
        ta.inputs_after(pair, [5])


def test_positions_that_are_outgrown_are_refused_midway(tokenizer):
    small = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=128)
    cache = ta.RetentionCache(small, tokenizer, ta.Retention(32))
    with pytest.raises(ta.PositionsError, match="rolling"):
        streamed(small, tokenizer, cache, LONG, 50)
    assert cache.num_columns == 100
    cache = ta.RetentionCache(small, tokenizer, ta.Retention(32, positions="compact"))
    streamed(small, tokenizer, cache, LONG, 50)
    assert cache.num_columns == len(LONG.encode()) - 1


# what the host keeps


def test_the_host_keeps_as_much_of_a_long_text_as_of_a_longer_one(tokenizer, forgetful):
    tiny = tiny_llama(layers=1, vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16)
    cache = ta.RetentionCache(tiny, tokenizer, ta.Retention(24, positions="compact"))
    part = "The door code is 7301. It rained all day long, and nobody came.\n" * 40
    for before in (None, ()):
        stream = ta.TokenStream(tokenizer, [part, part], before=before)
        ta.prefill(tiny, stream, cache, chunk=128)
        sequence = cache.flow.sequences[0]
        text = sequence.text
        assert len(text.numbers) == text.starts.size + 1 < 1000
        assert sum(map(len, text._pieces)) + sum(len(old) for _, old in text._old) < 1000
        assert text._spans.size < 4000
        assert len(sequence.registry.known) < 24 and len(sequence.scan.stated) < 24
    assert cache.num_columns > 10_000 and cache.ledger.within == 24 + 128
