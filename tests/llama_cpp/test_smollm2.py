"""SmolLM2-135M's own file: a value among 2,000 tokens, answered from 256 cells."""

import numpy as np
import pytest

import transactional_attention as ta
from hidden_cells import CHUNK, OPTIONS, Hidden, K
from transactional_attention.engines.llama_cpp import Context, LlamaCache, load_cache
from transactional_attention.engines.prompts import chat_prompt

FILLER = "The weather was fine and we walked along the river until it got dark.\n"
ASK = f"{FILLER * 40}The door code is 730184.\n{FILLER * 60}\nWhat is the door code?"


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_it_answers_from_a_small_memory(smollm2, positions):
    model, tokenizer = smollm2
    prompt = chat_prompt(tokenizer, [{"role": "user", "content": ASK}])
    context = Context(model, 64 + 192, chunk=192, threads=1)
    retention = ta.Retention(64, positions=positions)
    cache = LlamaCache(context, tokenizer, retention, sources=prompt.sources)
    tokens = list(cache.generate(cache.read(prompt.ids), 30))
    assert "730184" in tokenizer.decode(tokens)
    assert len(prompt.ids) > 1500 and context.cells == 256 and cache.most_within <= 256
    assert cache.most_between == 64 and cache.stored_bytes() < 64 * 25_000  # 23,040 a token
    assert tokenizer.decode(list(model.ends)).count("<|im_end|>") == 1


def test_removed_cells_are_as_hidden_ones(smollm2):
    """Weights of few bits round what they multiply, so the order of a sum shows: cells that were
    removed change the logits by about as much as the same cells in another order."""
    model, tokenizer = smollm2
    cache = LlamaCache(Context(model, K + CHUNK + 1, **OPTIONS), tokenizer, ta.Retention(K))
    hidden, shuffled = Hidden(model), Hidden(model, np.random.default_rng(0))
    for part in np.split(np.array(tokenizer(ASK)["input_ids"][: 6 * CHUNK]), 6):
        held = cache.positions
        expected, other = (twin.forward(part, held) for twin in (hidden, shuffled))
        logits = cache.feed(part, final=False)
        assert abs(logits - expected).max() <= 3 * abs(other - expected).max()
        assert logits.argmax() == expected.argmax()
    assert len(cache.positions) == K and cache.positions[8] < 5 * CHUNK  # no window


@pytest.mark.parametrize("kind", ["q8_0", "q4_0"])
def test_a_sequence_in_quantised_cells_is_saved_and_goes_on(smollm2, tmp_path, kind):
    """Its keys and values are rotated before they are stored in few bits."""
    model, tokenizer = smollm2
    context = Context(model, 256, sequences=2, chunk=128, cell_type=kind, threads=1)
    cache = LlamaCache(context, tokenizer, 64)
    token = int(cache.read(tokenizer("The door code is 730184. " * 20)["input_ids"])[-1].argmax())
    cache.save(tmp_path / "s")
    again = load_cache(tmp_path / "s", context, tokenizer)
    assert again.step(token).tolist() == cache.step(token).tolist()
