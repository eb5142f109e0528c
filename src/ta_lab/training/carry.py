"""Embeddings for a new tokenizer from those of a trained model, to start from."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, pre_tokenizers
from torch import Tensor

# Shorter words are parts of random strings, of which every letter counts.
SHORTEST_WORD = 3
# The part of an embedding that tells the spellings of a word apart.
OWN = 0.3
SPACES = ("Ġ", "▁")


def carried_embeddings(old: Tokenizer, embeddings: Tensor, new: Tokenizer) -> Tensor:
    """Embeddings (new vocabulary, hidden) from (old vocabulary, hidden).

    All spellings of a word (with a space, a capital, in capitals) begin close to the word in small
    letters; another piece as the mean of those in which the old tokenizer spells it; what has no
    text of its own, a byte of a character, as the mean of all.
    """
    generator = torch.Generator().manual_seed(0)
    scale = OWN * embeddings.std()
    found = embeddings.mean(0).repeat(new.get_vocab_size(), 1)
    alphabet = set(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = old.get_vocab()
    for piece, token in new.get_vocab().items():
        word = piece.lstrip("".join(SPACES))
        own = vocabulary.get(piece)
        if word.isascii() and word.isalpha() and len(word) >= SHORTEST_WORD:
            found[token] = embeddings[_spelled(old, " " + word.lower())].mean(0)
            if own is None:
                noise = torch.randn(embeddings.shape[1], generator=generator)
                found[token] += scale * noise
            else:
                found[token] += OWN * (embeddings[own] - found[token])
        elif own is not None:
            found[token] = embeddings[own]
        elif ids := _spelled(old, _text(piece, new, token, alphabet)):
            found[token] = embeddings[ids].mean(0)
    return found


def _spelled(old: Tokenizer, text: str) -> list[int]:
    return old.encode(text, add_special_tokens=False).ids


def _text(piece: str, new: Tokenizer, token: int, alphabet: set[str]) -> str:
    """The text of a piece; nothing for a part of a character."""
    if set(piece) <= alphabet:
        text = new.decode([token], skip_special_tokens=False)
        return "" if "\N{REPLACEMENT CHARACTER}" in text else text
    return "" if piece.startswith("<0x") else piece.replace("▁", " ")
