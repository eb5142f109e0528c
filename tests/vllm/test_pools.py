"""Small pools, and engines that are refused."""

import pytest

from transactional_attention.errors import UnsupportedError
from vllm_engine import CHUNK, SIZE, answers, check, in_use, prompt, running, scheduler_of

pytestmark = pytest.mark.filterwarnings("ignore")
SIZES = {"max_model_len": 1024, "max_num_batched_tokens": 200}


def test_a_request_that_gave_way_goes_on_as_if_it_had_not(folder, tiny):
    """It is computed anew, its answer too, and cut at the same places."""
    prompts, gave_way = [prompt(tiny[1], 200), prompt(tiny[1], 600, salt="another ")], []
    asked = [{"max_tokens": 250}, {"budget": 128, "max_tokens": 150}]
    with running(folder, **SIZES, num_gpu_blocks_override=34) as engine:
        scheduler = scheduler_of(engine)
        scheduler.kv_cache_manager.block_pool.get_new_blocks(18)  # the first alone needs 15 of 33
        stock = scheduler._preempt_request

        def note(request, *args, **kwargs):
            gave_way.append((request.request_id in scheduler.manager.bounded, request))
            lengths.append(request.num_output_tokens)
            stock(request, *args, **kwargs)

        lengths = []
        scheduler._preempt_request = note
        replies = answers(engine, prompts, asked)
        assert [bounded for bounded, _ in gave_way] == [True]
        assert lengths[0] > 2 * SIZE
        assert in_use(engine) == 18
    for ids, item, one in zip(prompts, asked, replies, strict=True):
        options = {name: value for name, value in item.items() if name == "budget"}
        check(*tiny, ids, one.outputs[0], options)


def test_a_pool_that_the_whole_cache_could_not_start_with(folder, tiny, monkeypatch):
    sizes = {**SIZES, "max_model_len": 4096, "num_gpu_blocks_override": 9}
    with pytest.raises(ValueError, match="KV cache is needed"), running(folder, **sizes):
        pass
    monkeypatch.setenv("TA_VLLM", f'{{"budget": 128, "chunk": {CHUNK}}}')
    ids = prompt(tiny[1], 4000)
    with running(folder, **sizes) as engine:
        bounded, whole = answers(engine, [ids, ids], [{}, {"budget": 0}])
        assert not in_use(engine)
    check(*tiny, ids, bounded.outputs[0], {"budget": 128})
    assert whole.outputs[0].finish_reason == "error"  # the pool has no room for it, ever


def test_models_with_windows_are_refused(tmp_path):
    from transformers import MistralConfig, MistralForCausalLM  # noqa: PLC0415  (beside vLLM)

    from scenes import byte_tokenizer  # noqa: PLC0415

    sizes = dict(vocab_size=320, hidden_size=64, intermediate_size=96, num_hidden_layers=2)
    heads = dict(num_attention_heads=4, num_key_value_heads=2, head_dim=32, sliding_window=64)
    MistralForCausalLM(MistralConfig(**sizes, **heads)).save_pretrained(tmp_path)
    byte_tokenizer().save_pretrained(tmp_path)
    with pytest.raises(UnsupportedError, match="full attention"), running(tmp_path, **SIZES):
        pass


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"async_scheduling": True}, "async-scheduling"),
        ({"scheduler_cls": "vllm.v1.core.sched.scheduler.Scheduler"}, "scheduler-cls"),
        ({"speculative_config": {"method": "ngram", "num_speculative_tokens": 2}}, "speculative"),
    ],
)
def test_engines_that_are_refused(folder, tiny, options, words):
    with pytest.raises(Exception, match=words), running(folder, **SIZES, **options):
        pass
