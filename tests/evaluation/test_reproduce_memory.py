"""The memory model: its formulas are what tensors of a real forward add up to."""

import pytest
import torch

from ta_lab.benchmarks.footprint import (
    LLAMA_1B,
    SHAPES,
    ModelShape,
    StorageMeter,
    eager_kept,
    explain,
    held,
    managed,
    random_model,
    shape_of_model,
)
from teacher_forced import tiny_llama
from transactional_attention import Retention

TINY = ModelShape(2, 4, 2, 8, 32, 48, 300, tied=True, item=4)
SLACK = 4096  # positions, ids and the like


@pytest.mark.parametrize("tied", [True, False])
def test_parameters_are_those_of_a_model(tied):
    shape = ModelShape(2, 4, 2, 8, 32, 48, 300, tied=tied, item=4)
    model = random_model(shape, 64, torch.float32)
    assert shape.parameters == sum(weight.numel() for weight in model.parameters())
    assert shape_of_model(model) == shape


def test_known_sizes_of_the_papers_models():
    assert LLAMA_1B.parameters == 1_235_814_400
    assert SHAPES["Llama-3.1-8B"].parameters == 8_030_261_248
    assert SHAPES["Mistral-7B-v0.3"].parameters == 7_248_023_552


def test_kept_attention_alone_is_beyond_the_papers_limit_at_7k():
    row = explain("Llama-3.2-1B", 7168, 32)
    assert row["bytes"]["attentions"] == 16 * 32 * 7168**2 * 2 > 50e9
    assert row["keeps_attention"] > 50e9 > 3e9 > row["attention_free"]


@pytest.mark.parametrize("tokens", [64, 200])
def test_what_eager_attention_keeps_is_the_formula(tokens):
    model, ids = random_model(TINY, 256, torch.float32), list(range(3, tokens + 3))
    row = eager_kept(model, [i % 290 for i in ids])
    assert row["held_bytes"] == TINY.attentions(tokens)
    least = held(TINY, tokens, None, keeps_attention=True) - TINY.weights
    assert row["peak_bytes"] >= least + TINY.one_layer_eager(tokens) - TINY.attentions(tokens) // 2
    assert model.config._attn_implementation == "sdpa"


def test_live_bytes_after_a_forward_are_the_formula():
    model, ids = random_model(TINY, 256, torch.float32), torch.randint(3, 290, (1, 200))
    with torch.inference_mode(), StorageMeter(tuple(model.parameters())) as meter:
        output = model(ids, use_cache=True, logits_to_keep=1)
        live = meter.live
    expected = held(TINY, 200, None, keeps_attention=False) - TINY.weights
    assert output.logits.shape[1] == 1
    assert expected <= live < expected + SLACK
    assert meter.peak >= live


def test_the_meter_forgets_what_is_freed():
    with StorageMeter() as meter:
        first = torch.zeros(1000)
        second = first.view(10, 100) + 1
        assert meter.live == 8000
        del first
        assert meter.live == 4000
        assert second[0].shape == (100,) and meter.live == 4000  # a view is no storage
    assert meter.peak == 8000


def test_attention_free_memory_grows_with_n_and_kept_attention_with_its_square(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer))
    prompts = [list(tokenizer("a plain text of words. " * 60)["input_ids"])[:n] for n in (300, 600)]
    free = [managed(model, tokenizer, ids, Retention(32, "streaming-llm")) for ids in prompts]
    kept = [eager_kept(model, ids) for ids in prompts]
    assert free[1]["peak_bytes"] < 2.3 * free[0]["peak_bytes"]
    assert kept[1]["peak_bytes"] > 3.5 * kept[0]["peak_bytes"]
    assert free[0]["held_bytes"] == free[1]["held_bytes"] == shape_of_model(model).cached(32)
