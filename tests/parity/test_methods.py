"""Our methods beside kvpress's classes: the same kept positions, or the difference by name."""

import pytest
import torch

kvpress = pytest.importorskip("kvpress", reason="needs kvpress: run .ci/parity")

from transformers import DynamicCache

from scenes import encode, kept_positions
from ta_lab.baselines import repetition
from ta_lab.baselines.kvzip import KVzip
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.engines.kvpress import use_press
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.passes import run_pass
from transactional_attention.errors import CacheStateError, InputError, UnsupportedError

TEXT = 3 * "The meeting was long and the coffee was cold, as it often is in the winter. "
K, WINDOW = 40, 8

SAME = {
    "snapkv": (lambda r: kvpress.SnapKVPress(r, window_size=WINDOW), {}),
    # kvpress never gives up the last token, the paper does: compared with it mandatory.
    "tova": (kvpress.TOVAPress, {"recent": 1}),
    "streaming-llm": (kvpress.StreamingLLMPress, {}),
    "keydiff": (kvpress.KeyDiffPress, {}),
    "knorm": (kvpress.KnormPress, {}),
    "expected-attention": (kvpress.ExpectedAttentionPress, {}),
}


def distinct_tokens(count=220):
    """A prompt without repetition: equal tokens have keys of equal norm in the first layer."""
    generator = torch.Generator().manual_seed(0)
    return 3 + torch.randperm(256, generator=generator)[None, :count]


def ratio_for(count, length):
    """A ratio at which kvpress keeps ``count``: it rounds n (1 - ratio) down."""
    return 1 - (count + 0.5) / length


def their_cache(model, ids, press=None):
    """A cache after kvpress's prefill, or without a press the full one."""
    cache = DynamicCache()
    with torch.no_grad():
        if press is None:
            model.model(ids, past_key_values=cache)
        else:
            with press(model):
                model.model(ids, past_key_values=cache)
    return cache


def their_positions(model, ids, press):
    """What kvpress keeps, a set for every layer and kv head; keys tell the positions."""
    positions = []
    full = their_cache(model, ids)
    for kept, whole in zip(their_cache(model, ids, press).layers, full.layers, strict=True):
        equal = (kept.keys[0, :, :, None] == whole.keys[0, :, None]).all(-1)
        positions.append([set(head.any(0).nonzero()[:, 0].tolist()) for head in equal])
    return positions


def our_positions(model, tokenizer, ids, retention):
    """What our engine keeps after the same prefill."""
    cache = RetentionCache(model, tokenizer, retention)
    prefill(model, ids, cache, chunk=ids.shape[1], keep_last=False)
    heads = range(model.config.num_key_value_heads)
    return [
        [set(kept_positions(cache, layer=layer, head=head)) for head in heads]
        for layer in range(model.config.num_hidden_layers)
    ]


@pytest.mark.parametrize("budget", [16, K, 96])
@pytest.mark.parametrize("name", SAME)
def test_keeps_the_same_positions(llama, tokenizer, name, budget):
    make, options = SAME[name]
    ids = distinct_tokens()
    theirs = their_positions(llama, ids, make(ratio_for(budget, ids.shape[1])))
    assert all(len(head) == budget for layer in theirs for head in layer)
    assert our_positions(llama, tokenizer, ids, Retention(budget, name, **options)) == theirs


def test_pyramidkv_differs_in_the_split_alone(llama, tokenizer):
    """kvpress splits K itself, window included, where the authors and we split K - w and add w.

    At the layers' own budgets the positions are the same.
    """
    ids = encode(tokenizer, TEXT)[0]
    press = kvpress.PyramidKVPress(ratio_for(K, ids.shape[1]), window_size=WINDOW, beta=2)
    theirs = their_positions(llama, ids, press)
    budgets = tuple(len(layer[0]) for layer in theirs)
    assert len(set(budgets)) == len(budgets)
    assert our_positions(llama, tokenizer, ids, Retention(budgets, "snapkv")) == theirs
    ours = our_positions(llama, tokenizer, ids, Retention(K, "pyramidkv"))
    split = [len(layer[0]) for layer in ours]
    assert sum(split) == K * len(budgets) and tuple(split) != budgets


def test_chunkkv_differs_in_the_chunk_of_the_window(llama, tokenizer):
    """The same chunks, but for what the window cuts and for the remainder.

    kvpress pools the scores (kernel 1 here), rounds the budget to whole chunks, and keeps the whole
    chunk that the window begins in; ours keeps the window and fills the budget to the last token.
    """
    ids = encode(tokenizer, TEXT)[0][:, :200]
    scorer = kvpress.SnapKVPress(1 - K / 200 - 1e-6, window_size=WINDOW, kernel_size=1)
    theirs = their_positions(llama, ids, kvpress.ChunkKVPress(scorer, chunk_length=10))
    ours = our_positions(llama, tokenizer, ids, Retention(K, "chunkkv"))
    tail = set(range(190, 200))
    for layer, other in zip(ours, theirs, strict=True):
        assert len(other[0] - tail) == K - 10
        assert layer[0] >= other[0] - tail
        assert len(layer[0] - other[0]) <= 2


def test_kvzip_scores_are_the_same(llama, tokenizer, monkeypatch):
    """The same scores under the same wording; kvpress then keeps 4 sinks, we 1 and the newest 4."""
    wording = "\n\nRepeat the previous context exactly.\n"
    monkeypatch.setattr(repetition, "FIRST", wording)
    ids, seen = encode(tokenizer, TEXT)[0], {}

    def note(press, model):
        seen["scores"] = press.score_val.clone()

    monkeypatch.setattr(kvpress.KVzipPress, "compress_post", note)
    their_cache_by_keyword(llama, ids, kvpress.KVzipPress(0.5))
    cache = RetentionCache(llama, tokenizer, Retention(None, "full"))
    prefill(llama, ids, cache, chunk=ids.shape[1], keep_last=False)
    ours = torch.stack(run_pass(KVzip(), cache).scores)
    assert torch.allclose(ours, seen["scores"], atol=1e-5)


def their_cache_by_keyword(model, ids, press):
    """A prefill whose ids are named, as KVzip needs them."""
    with torch.no_grad(), press(model):
        model.model(input_ids=ids, past_key_values=DynamicCache())


PRESSES = {
    "KnormPress": kvpress.KnormPress(),
    "KeyDiffPress": kvpress.KeyDiffPress(),
    "SnapKVPress": kvpress.SnapKVPress(window_size=WINDOW),
    "ExpectedAttentionPress": kvpress.ExpectedAttentionPress(),
    "LagKVPress": kvpress.LagKVPress(lag_size=16, cross_scoring=True),
    "CURPress": kvpress.CURPress(),
    "CapPress": kvpress.CapPress(),
    "CriticalKVPress": kvpress.CriticalKVPress(kvpress.SnapKVPress(window_size=WINDOW)),
    "TOVAPress": kvpress.TOVAPress(),
}


@pytest.mark.parametrize("name", PRESSES)
def test_a_press_as_a_scorer_keeps_the_same(llama, tokenizer, methods, name):
    ids, press = distinct_tokens(), PRESSES[name]
    press.compression_ratio = ratio_for(K, ids.shape[1])
    theirs = their_positions(llama, ids, press)
    method = use_press(llama, press, f"kvpress-{name}")
    assert our_positions(llama, tokenizer, ids, Retention(K, method)) == theirs


def test_a_press_as_a_scorer_decodes_with_sponsorship(llama, tokenizer, methods):
    text = TEXT + "The api_key: QX7K-93PL and nothing else. " + TEXT
    method = use_press(llama, kvpress.SnapKVPress(window_size=WINDOW), "kvpress-snapkv")
    ids, mask = encode(tokenizer, text)
    cache = RetentionCache(llama, tokenizer, Retention(K, f"ta+{method}"))
    llama.generate(ids, attention_mask=mask, past_key_values=cache, max_new_tokens=12)
    start = text.index("QX7K")
    for layer in range(3):
        kept = kept_positions(cache, layer=layer)
        assert len(kept) == K and set(range(start, start + 9)) <= set(kept)


def test_what_a_press_as_a_scorer_refuses(llama, tokenizer, methods):
    with pytest.raises(InputError, match="gives no scores"):
        use_press(llama, kvpress.ThinKPress(), "thin")
    with pytest.raises(InputError, match="gives no scores"):
        use_press(llama, kvpress.KVzipPress(), "zip")
    with pytest.raises(InputError, match="method streaming-llm"):
        use_press(llama, kvpress.StreamingLLMPress(), "streaming")
    with pytest.raises(InputError, match="exists already"):
        use_press(llama, kvpress.KnormPress(), "knorm")
    method = use_press(llama, kvpress.KnormPress(), "kvpress-knorm")
    ids, mask = encode(tokenizer, TEXT, TEXT[:50])
    cache = RetentionCache(llama, tokenizer, Retention(K, method))
    with pytest.raises(UnsupportedError, match="no padding"):
        prefill(llama, ids, cache, attention_mask=mask, chunk=ids.shape[1], keep_last=False)
    cache = RetentionCache(llama, tokenizer, Retention(K, method))
    with pytest.raises(InputError, match="whole prompt"):
        prefill(llama, ids[:1], cache, chunk=20)
    source = RetentionCache(llama, tokenizer, Retention(None, "full"))
    prefill(llama, ids[:1], source, chunk=ids.shape[1], keep_last=False)
    with pytest.raises(CacheStateError, match="do not compress"):
        compress(source, Retention(K, method))
