"""Tokens on their own are pieces of the vocabulary: together they are the text."""

import pytest

import servers  # noqa: F401  (it skips without the extra)
from made_tokenizers import MADE, build
from transactional_attention.server.token_names import token_bytes, token_name


@pytest.mark.parametrize("name", MADE)
def test_the_bytes_of_tokens_are_the_text(name):
    tokenizer, text = build(name), "the code is 7301, and größe 🦊"
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    joined_bytes = b"".join(token_bytes(tokenizer, id_) for id_ in ids)
    if name == "wordpiece":  # it has no pieces that are bytes: each is what it decodes to
        assert joined_bytes.decode() == "".join(tokenizer.decode([id_]) for id_ in ids)
    else:
        assert joined_bytes.decode().lstrip() == tokenizer.decode(ids).lstrip()


def test_what_is_no_text_is_named_by_its_bytes():
    assert token_name(b" a") == " a" and token_name(b"\xf0\x9f") == "bytes:\\xf0\\x9f"
