"""A shipped tokenizer without transformers gives what transformers gives of the same folder."""

import pytest

import transactional_attention as ta
from transactional_attention.models import load_tokenizer
from transactional_attention.models.embedded import SHIPPED, folder
from transactional_attention.models.fast_tokenizer import FastTokenizer
from transactional_attention.text.chat_markers import markers_of

TEXTS = (
    "",
    "The door code is 730184.\n\n  Nobody came by.",
    "naïve 東京 \U0001f600 a\u0301 ٤٢ \t\r\n x² <|user|>Hi<|end|>",
    "<|assistant|> <|pad|><|nobody|>",
)
CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "The pin is 4471."},
    {"role": "assistant", "content": "Noted."},
]


@pytest.fixture(params=sorted(SHIPPED))
def both(request):
    return FastTokenizer(folder(SHIPPED[request.param]), request.param), load_tokenizer(
        request.param
    )


@pytest.mark.parametrize("text", TEXTS)
def test_ids_offsets_and_texts_are_those_of_transformers(both, text):
    tokenizer, known = both
    assert tokenizer(text)["input_ids"] == known(text)["input_ids"]
    encoding, wanted = (
        each(text, add_special_tokens=False, return_offsets_mapping=True) for each in both
    )
    assert encoding["input_ids"] == wanted["input_ids"]
    assert encoding["offset_mapping"] == [tuple(pair) for pair in wanted["offset_mapping"]]
    for skip in (False, True):
        ids = tokenizer(text)["input_ids"]
        assert tokenizer.decode(ids, skip_special_tokens=skip) == known.decode(
            ids, skip_special_tokens=skip
        )


def test_vocabulary_templates_and_plans_are_those_of_transformers(both):
    tokenizer, known = both
    assert len(tokenizer) == len(known) and tokenizer.get_vocab() == known.get_vocab()
    assert set(tokenizer.all_special_ids) >= set(known.all_special_ids)
    for more in ({}, {"add_generation_prompt": True}):
        assert tokenizer.apply_chat_template(CHAT, **more) == known.apply_chat_template(
            CHAT, tokenize=False, **more
        )
    assert markers_of(tokenizer) == markers_of(known)
    text = tokenizer.apply_chat_template(CHAT) + "\nThe door code is 730184. It rained.\n" * 3
    plans = [ta.plan(text, each, ta.Retention(24)).to_dict() for each in both]
    assert plans[0] == plans[1]
