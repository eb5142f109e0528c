"""SmolLM2-135M's own file: a value among 2,000 tokens, answered from 256 cells."""

import pytest

import transactional_attention as ta
from transactional_attention.engines.llama_cpp import Context, LlamaCache

FILLER = "The weather was fine and we walked along the river until it got dark.\n"
ASK = f"{FILLER * 40}The door code is 730184.\n{FILLER * 60}\nWhat is the door code?"


@pytest.mark.parametrize("positions", ["original", "compact"])
def test_it_answers_from_a_small_memory(smollm2, positions):
    model, tokenizer = smollm2
    inputs, sources = ta.encode_chat([{"role": "user", "content": ASK}], tokenizer)
    ids = inputs["input_ids"][0].tolist()
    context = Context(model, 64 + 192, chunk=192, threads=1)
    retention = ta.Retention(64, positions=positions)
    cache = LlamaCache(context, tokenizer, retention, sources=sources[0])
    said = list(cache.generate(cache.read(ids), 30))
    assert "730184" in tokenizer.decode(said)
    assert len(ids) > 1500 and context.cells == 256 and cache.most_within <= 256
    assert cache.most_between == 64 and cache.stored_bytes() < 64 * 25_000  # 23,040 a token
    assert tokenizer.decode(list(model.ends)).count("<|im_end|>") == 1
