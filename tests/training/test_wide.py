import random
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoTokenizer

from ta_lab.training.corpus import Corpus
from ta_lab.training.initial import carried_embeddings
from ta_lab.training.tokenizer import save_tokenizer, train_tokenizer, train_wide_tokenizer
from ta_lab.values.alphabets import characters

TEXTS = (
    "The code is: XK7M9P2Q\n\nWhat is the code?",
    '{"api_key": "sk-a3f9c2",  "n": 12}',
    "El código es Ñ, パスワードは 7です。 пароль कोड 🙂",
    "<|user|>hi<|end|><|assistant|> AB12",
)


@pytest.fixture(scope="module")
def corpus(lines: list[str]) -> Corpus:
    others = {"es": ["El código es una clave del sistema."], "ja": ["パスワードは秘密です。"]}
    return Corpus({"prose": lines, "code": ["def work(n):\n    return n"], **others}, [])


@pytest.fixture(scope="module")
def tokenizers(corpus: Corpus) -> tuple[Tokenizer, Tokenizer]:
    return train_tokenizer(corpus, 0), train_wide_tokenizer(corpus)


def test_both_give_every_text_back(tokenizers):
    for tokenizer in tokenizers:
        for text in TEXTS:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            assert tokenizer.decode(ids, skip_special_tokens=False) == text


def test_a_value_is_spelled_alike_after_a_space_a_quote_and_a_line_break(tokenizers):
    main, wide = tokenizers
    rng = random.Random(1)
    for _ in range(50):
        value = characters(rng, 8)
        alone = main.encode(value, add_special_tokens=False).tokens
        for before in (" ", '"', "\n", ": "):
            found = main.encode(before + value, add_special_tokens=False).tokens
            assert found[-len(alone) :] == alone
        assert len(wide.encode(value, add_special_tokens=False).ids) >= len(alone)


def test_digits_are_pieces_of_their_own(tokenizers):
    for tokenizer in tokenizers:
        assert len(tokenizer.encode("20417", add_special_tokens=False).ids) == 5


def test_roles_reach_the_chat_template(tokenizers, tmp_path: Path):
    save_tokenizer(tokenizers[0], tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path, local_files_only=True)
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Yes"},
        {"role": "tool", "content": "42"},
    ]
    text = loaded.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    assert text == (
        "<|begin|><|system|>Be brief.<|end|><|user|>Hello<|end|><|assistant|> Yes<|end|>"
        "<|tool|>42<|end|><|assistant|>"
    )


def test_carried_embeddings_are_means_of_the_old_pieces(tokenizers):
    old, new = tokenizers
    size = old.get_vocab_size()
    embeddings = torch.randn(size, 4, generator=torch.Generator().manual_seed(0))
    found = carried_embeddings(old, embeddings, new)
    assert found.shape == (new.get_vocab_size(), 4)
    assert torch.equal(found[new.token_to_id("<|user|>")], embeddings[old.token_to_id("<|user|>")])
    assert torch.equal(found[new.token_to_id("7")], embeddings[old.token_to_id("7")])
    assert torch.allclose(found[new.token_to_id("<0xE3>")], embeddings.mean(0))
