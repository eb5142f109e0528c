"""A word is spelled alike wherever it stands."""

import pytest
import torch
from tokenizers import Tokenizer

from ta_lab.training.initial import carried_embeddings
from ta_lab.training.tokenizer import train_spelling

SPECIAL = ["<|begin|>", "<|end|>"]
WORDS = ("encryption", "key", "harbour", "token", "release", "window")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    lines = [f"the {a} {b} of a {c}" for a in WORDS for b in WORDS for c in WORDS]
    return train_spelling([*lines, "año señal año пароль пароль"], 4096, SPECIAL)


def spelled(tokenizer: Tokenizer, text: str) -> list[str]:
    tokens = tokenizer.encode(text, add_special_tokens=False).tokens
    pieces = (token.lstrip("Ġ").lower() for token in tokens)
    return [piece for piece in pieces if piece.isalpha()]


@pytest.mark.parametrize(
    "text",
    ["encryption_key", "encryptionKey", "ENCRYPTION_KEY", "Encryption-Key", '"encryption.key"'],
)
def test_a_label_is_the_same_pieces_in_every_case(tokenizer: Tokenizer, text: str):
    assert (
        spelled(tokenizer, text) == spelled(tokenizer, " encryption key") == ["encryption", "key"]
    )


def test_a_word_that_was_not_learnt_is_spelled_alike_too(tokenizer: Tokenizer):
    pieces = [spelled(tokenizer, text) for text in (" zebrafold x", "zebrafold_x", "ZEBRAFOLD_X")]
    assert len(pieces[0]) > 2
    assert pieces[0] == pieces[1] == pieces[2]


def test_random_strings_are_letters_pairs_and_digits(tokenizer: Tokenizer):
    tokens = tokenizer.encode("XQ7ZVJ9K", add_special_tokens=False).tokens
    assert tokens == ["XQ", "7", "Z", "VJ", "9", "K"]


def test_special_entries_come_first(tokenizer: Tokenizer):
    assert [tokenizer.token_to_id(entry) for entry in SPECIAL] == [0, 1]


def test_too_few_entries_are_an_error():
    with pytest.raises(ValueError, match="too few"):
        train_spelling(["the key of the harbour"], 300, SPECIAL)


def test_spellings_of_a_word_begin_close_together(tokenizer: Tokenizer):
    old = train_spelling(["a key, another key: harbour"], 2048, SPECIAL)
    generator = torch.Generator().manual_seed(0)
    embeddings = torch.randn(old.get_vocab_size(), 64, generator=generator)
    found = carried_embeddings(old, embeddings, tokenizer)

    def alike(first: str, second: str) -> float:
        pair = [found[tokenizer.token_to_id(piece)] for piece in (first, second)]
        return float(torch.cosine_similarity(pair[0], pair[1], 0))

    for piece in ("key", "Key", "KEY"):
        assert alike("Ġkey", piece) > 0.8
    assert alike("Ġkey", "Ġharbour") < 0.5
    assert alike("XQ", "xq") < 0.5  # letters of random strings stay apart
    for piece in ("XQ", "7"):
        ids = old.encode(piece, add_special_tokens=False).ids
        assert torch.equal(found[tokenizer.token_to_id(piece)], embeddings[ids].mean(0))
