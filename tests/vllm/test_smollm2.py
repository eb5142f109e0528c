"""SmolLM2 through vLLM: equal to transformers over long prompts, and the needle."""

import pytest

from llama_wheel import skip_without_smollm2
from vllm_engine import answers, check, in_use, running

pytestmark = pytest.mark.filterwarnings("ignore")
CHUNK = 512
LENGTHS = (2000, 2400, 2800, 3200, 3600, 4000, 4400, 4800, 5400, 6000)
BUDGETS = (256, 128, 512, None, 256, 192, 1024, 256, 320, 256)


@pytest.fixture(scope="module")
def smollm2():
    """The folder, the model of transformers in float32, and its tokenizer."""
    skip_without_smollm2()
    from transactional_attention.models import load_model, place_of  # noqa: PLC0415

    return place_of("smollm2"), *load_model("smollm2", dtype="float32")


@pytest.fixture
def engine(smollm2, monkeypatch):
    """A pool for two of the longest prompts."""
    monkeypatch.setenv("TA_VLLM", f'{{"chunk": {CHUNK}}}')
    with running(
        smollm2[0], max_model_len=6144, max_num_batched_tokens=1024, num_gpu_blocks_override=400
    ) as engine:
        yield engine


def needle(tokenizer, length, seed):
    """Ids of filler with a value at 40% and its question at the end; and the value."""
    from ta_lab.benchmarks.corpus import LongText  # noqa: PLC0415

    text = LongText(tokenizer, length, "anchor-free", seed, depth=0.4)
    return text.first(length) + text.stated.question, text.stated.answer


def in_chat(tokenizer, ids, value):
    """The same as the user's turn, as the model was taught."""
    messages = [{"role": "user", "content": tokenizer.decode(ids, skip_special_tokens=True)}]
    text = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    return tokenizer(text, add_special_tokens=False)["input_ids"], value


@pytest.mark.parametrize("part", [slice(0, 4), slice(4, 10)], ids=["four", "six"])
def test_ten_long_prompts_equal_transformers(engine, smollm2, part):
    _, model, tokenizer = smollm2
    cases = [needle(tokenizer, length, seed) for seed, length in enumerate(LENGTHS[part])]
    asked = [{"budget": budget} if budget else {} for budget in BUDGETS[part]]
    given = [{**item, "max_tokens": 24} for item in asked]
    replies = answers(engine, [ids for ids, _ in cases], given)
    assert not in_use(engine)
    for (ids, _), item, one in zip(cases, asked, replies, strict=True):
        check(model, tokenizer, ids, one.outputs[0], item, within=2e-3, chunk=CHUNK)


def test_the_needle_at_256_tokens_beside_the_whole_cache_and_a_window(engine, smollm2):
    _, _, tokenizer = smollm2
    cases = [in_chat(tokenizer, *needle(tokenizer, 1000, seed)) for seed in range(6)]
    right, held = {}, {}
    for name, asked in {
        "whole": {},
        "ta": {"budget": 256},
        "window": {"budget": 256, "method": "streaming-llm"},
    }.items():
        replies = answers(engine, [ids for ids, _ in cases], [{**asked, "max_tokens": 40}] * 6)
        right[name] = sum(
            value in one.outputs[0].text for (_, value), one in zip(cases, replies, strict=True)
        )
        if asked:
            held[name] = [one.kv_transfer_params["retention"]["values_held"] for one in replies]
    assert min(held["ta"]) >= 1 and not any(held["window"])
    # The model is small: of the whole cache it answers few itself.
    assert right["ta"] >= right["whole"] and right["window"] == 0, right
