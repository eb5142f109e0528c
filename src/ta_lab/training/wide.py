"""The tokenizer of `embedded-wide`, which spells as SentencePiece models do: more, smaller pieces.

A space is a mark in front of its word, a digit is a piece, a random string is almost one piece a
character, and what the vocabulary lacks is spelled in bytes.
"""

from __future__ import annotations

import json

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from .corpus import Corpus
from .tokenizer import (
    BEGIN,
    BEGIN_ID,
    CHARACTERS_LEARNT,
    END,
    LANGUAGE_CHARACTERS,
    PAD,
    ROLES,
    share,
)

VOCABULARY = 3072
SPACE = "▁"
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
# A word with the mark of its space, one digit, one mark, a line break.
PIECES = r"▁?\p{L}[\p{L}\p{M}]*|\p{N}|\n|▁|[^\s\p{L}\p{M}\p{N}▁]"
# So many different characters of the other scripts become pieces; the rest are spelled in bytes.
ALPHABET = 400


def train_wide_tokenizer(corpus: Corpus) -> Tokenizer:
    """Train the BPE with byte fallback on the corpus; random strings are not among its texts."""
    tokenizer = Tokenizer(models.BPE(byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="never", split=False),
            pre_tokenizers.Split(Regex(PIECES), "isolated"),
        ]
    )
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[BEGIN, END, PAD, *(f"<|{role}|>" for role in ROLES), *BYTES],
        limit_alphabet=ALPHABET,
        initial_alphabet=[chr(code) for code in range(33, 127)] + [SPACE, "\n"],
        show_progress=False,
    )
    texts = (
        line
        for kind, lines in corpus.train.items()
        for line in share(lines, CHARACTERS_LEARNT.get(kind, LANGUAGE_CHARACTERS))
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer = _with_plain_bytes(tokenizer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, BEGIN_ID)]
    )
    return tokenizer


def _with_plain_bytes(tokenizer: Tokenizer) -> Tokenizer:
    """The trainer takes the bytes as special tokens, which decoding would leave out."""
    state = json.loads(tokenizer.to_str())
    state["added_tokens"] = [t for t in state["added_tokens"] if t["content"] not in BYTES]
    return Tokenizer.from_str(json.dumps(state))
