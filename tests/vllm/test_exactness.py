"""Answers of vLLM equal transformers with the blocks hidden that the request gave up."""

import pytest

from vllm_engine import CHUNK, SIZE, answers, check, in_use, prompt, sampling, scheduler_of

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("budget", [64, 100, 256])
def test_a_request_sees_what_its_budget_left(engine, tiny, budget):
    ids = prompt(tiny[1], 1000)
    (reply,) = answers(engine, [ids], [{"budget": budget, "max_tokens": 40}])
    check(*tiny, ids, reply.outputs[0], {"budget": budget})
    assert reply.kv_transfer_params["retention"] == {
        "budget": budget,
        "blocks": -(-budget // SIZE),
        "block_size": SIZE,
        "chunk": CHUNK,
        "freed_blocks": 1040 // SIZE - -(-budget // SIZE),
        "values_held": int(budget > 64),
        "values_refused": int(budget == 64),
    }
    assert not in_use(engine)


def test_the_judge_sees_a_wrong_budget(engine, tiny):
    ids = prompt(tiny[1], 1000)
    (reply,) = answers(engine, [ids], [{"budget": 128}])
    with pytest.raises(AssertionError):
        check(*tiny, ids, reply.outputs[0], {"budget": 160})


def test_requests_of_a_batch_have_their_own_budgets_or_none(engine, tiny):
    prompts = [prompt(tiny[1], 500 + 170 * i, salt=f"{i} ") for i in range(6)]
    asked = [{"budget": b} if b else {} for b in (64, 0, 96, 256, 0, 128)]
    replies = answers(engine, prompts, [{**item, "max_tokens": 70} for item in asked])
    for ids, item, one in zip(prompts, asked, replies, strict=True):
        check(*tiny, ids, one.outputs[0], item)
    assert not in_use(engine)


def test_methods_and_named_ranges_are_the_requests_own(engine, tiny):
    ids = prompt(tiny[1], 1000)
    ids[:30] = tiny[1]("<s>system\nBe brief.</s><s>user\n")["input_ids"]
    asked = [
        {"budget": 128, "method": "streaming-llm"},
        {"budget": 128, "protect": ["484:500"]},
        {"budget": 128, "deny": ["door code"]},
        {"budget": 128, "roles": ["system"]},
    ]
    replies = answers(engine, [ids] * len(asked), asked)
    for item, one in zip(asked, replies, strict=True):
        check(*tiny, ids, one.outputs[0], item)
    held = [one.kv_transfer_params["retention"]["values_held"] for one in replies]
    assert held == [0, 2, 0, 2]


def test_no_request_begins_with_blocks_of_a_bounded_one(engine, tiny):
    """And a bounded one begins with nobody's."""
    ids = prompt(tiny[1], 900, salt="shared ")
    order = [{"budget": 96}, {}, {"budget": 96}, {}]
    cached = []
    for item in order:
        (reply,) = answers(engine, [ids], [item])
        check(*tiny, ids, reply.outputs[0], item)
        cached.append(reply.num_cached_tokens)
    assert cached == [0, 0, 0, 896]


def test_several_answers_to_one_prompt(engine, tiny):
    params, ids = sampling(max_tokens=30, budget=128), prompt(tiny[1], 700)
    params.n, params.temperature = 3, 1.0
    (reply,) = answers(engine, [ids], [params])
    assert len({tuple(one.token_ids) for one in reply.outputs}) == 3
    for one in reply.outputs:
        check(*tiny, ids, one, {"budget": 128}, greedy=False)


def test_structured_output(engine, tiny):
    from vllm.sampling_params import StructuredOutputsParams  # noqa: PLC0415  (optional)

    ids, params = prompt(tiny[1], 700), sampling(max_tokens=60, budget=128)
    params.structured_outputs = StructuredOutputsParams(regex="[0-9]{50}")
    params.ignore_eos = False
    (reply,) = answers(engine, [ids], [params])
    assert reply.outputs[0].text.isdigit() and len(reply.outputs[0].text) == 50
    assert reply.kv_transfer_params["retention"]["freed_blocks"] and not in_use(engine)


def test_an_aborted_request_leaves_no_block(engine, tiny):
    ids = prompt(tiny[1], 3000)
    core = engine.llm_engine
    core.add_request("gone", {"prompt_token_ids": ids}, sampling(budget=128))
    for _ in range(8):
        core.step()
    assert 0 < in_use(engine) <= 128 // SIZE + 1 + CHUNK // SIZE
    core.abort_request(["gone"])
    core.step()
    assert not in_use(engine)
    assert not scheduler_of(engine).manager.bounded


def test_what_must_be_kept_and_does_not_fit_ends_its_request_alone(engine, tiny):
    ids = prompt(tiny[1], 1000)
    asked = [{"budget": 96, "protect": ["100:400"]}, {"budget": 96}]
    failed, served = answers(engine, [ids, ids], asked)
    assert failed.outputs[0].finish_reason == "error"
    check(*tiny, ids, served.outputs[0], {"budget": 96})
    assert not in_use(engine)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ({"budget": 64, "method": "snapkv"}, "the engine vLLM does not show"),
        ({"budget": 64, "method": "full"}, "keeps everything"),
        ({"budget": -1}, "budget must be a whole number"),
        ({"budge": 64}, "did you mean ta_budget"),
        ({"budget": 64, "protect": ["9"]}, "START:END"),
        ({"method": "ta"}, "give a ta_budget"),
    ],
)
def test_refused_by_name_before_it_is_queued(engine, tiny, extra, words):
    with pytest.raises(Exception, match=words):
        answers(engine, [prompt(tiny[1], 100)], [sampling(**extra)])


def test_prompt_logprobs_are_refused_with_a_budget(engine, tiny):
    params = sampling(budget=64)
    params.prompt_logprobs = 1
    with pytest.raises(Exception, match="prompt_logprobs"):
        answers(engine, [prompt(tiny[1], 100)], [params])
