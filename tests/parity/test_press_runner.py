"""Cases under kvpress's presses: what its own pipeline answers, from exactly K tokens."""

import copy

import pytest
import torch

kvpress = pytest.importorskip("kvpress", reason="needs kvpress: run .ci/parity")

from ta_lab.cases.cases import Case, Value
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.press_runner import PRESSES, ZIP, PressArm, PressRunner, ratio_keeping
from transactional_attention.errors import InputError

CONTEXT = (
    "The meeting was long. The code is QX7K and the coffee was cold, as it is in the winter. " * 3
)
BUDGETS = (16, 77, 200)
TOKENS = 12


def press_of(name, budget, length):
    press = PRESSES[name](kvpress, budget)
    press.compression_ratio = ratio_keeping(budget, length)
    return press


@pytest.fixture
def encoded(tokenizer):
    start = CONTEXT.rindex("QX7K")
    case = Case("one", CONTEXT, "\nWhat is it?", "QX7K", (Value(start, start + 4, "code"),))
    return encode_case(tokenizer, case)


def test_answers_are_those_of_the_pipeline_of_kvpress(llama, tokenizer, encoded):
    arms = [PressArm(name, k) for name in PRESSES for k in BUDGETS]
    runner = PressRunner(llama, tokenizer, encoded.ids, arms)
    inputs = {
        "context_ids": torch.tensor([encoded.ids]),
        "questions_ids": [torch.tensor([encoded.question])],
    }
    pipeline = kvpress.KVPressTextGenerationPipeline(model=llama, tokenizer=tokenizer)
    for _ in range(2):  # a question leaves nothing behind
        found = runner.ask(encoded, TOKENS, lambda ids: False)
        assert set(found) == set(arms)
        assert all(m.self_attn.masked_key_indices is None for m in llama.model.layers)
        for (name, budget), outcome in found.items():
            press = press_of(name, budget, len(encoded.ids))
            with torch.no_grad():
                (theirs,) = pipeline._forward(inputs, press=press, max_new_tokens=TOKENS)
            assert outcome.answer == theirs, (name, budget)


def test_exactly_k_tokens_stay(llama, tokenizer, encoded):
    arms = [PressArm(name, k) for name in PRESSES for k in BUDGETS]
    runner = PressRunner(llama, tokenizer, encoded.ids, arms)
    found = runner.ask(encoded, 1, lambda ids: True)
    for (name, budget), outcome in found.items():
        assert outcome.max_live_tokens == budget or name == ZIP
    last = found[PressArm("streaming-llm", 77)]
    assert last.kept == [*range(4), *range(len(encoded.ids) - 73, len(encoded.ids))]
    assert last.retained == (encoded.values[0].start >= len(encoded.ids) - 73)
    rows = runner._batches[-1].kept.sum((1, 2, 3)).tolist()
    assert rows == [k * len(llama.model.layers) * llama.config.num_key_value_heads for k in BUDGETS]


def test_kvzip_takes_a_chat_for_one_only_where_the_context_is_one(llama, tokenizer, monkeypatch):
    chat, seen = copy.deepcopy(tokenizer), []
    chat.chat_template = "User: {% for m in messages %}{{ m.content }}{% endfor %}"
    prepare = kvpress.KVzipPress.prepare
    monkeypatch.setattr(
        kvpress.KVzipPress, "prepare",
        lambda press, *given: (seen.append(press.prefix_length), prepare(press, *given))[1],
    )  # fmt: skip
    name = llama.config.name_or_path
    for text in ("User: " + CONTEXT, CONTEXT):
        ids = chat(text, add_special_tokens=False)["input_ids"]
        PressRunner(llama, chat, ids, [PressArm(ZIP, 20)])
    assert seen == [len("User: "), 0] and llama.config.name_or_path == name


def test_a_budget_that_evicts_nothing_is_refused(llama, tokenizer, encoded):
    with pytest.raises(InputError, match="evicts nothing"):
        PressRunner(llama, tokenizer, encoded.ids, [PressArm("tova", len(encoded.ids))])
