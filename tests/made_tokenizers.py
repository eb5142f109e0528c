"""Small tokenizers of every scheme, and real ones where they are at hand."""

import os
from pathlib import Path

import pytest
from tokenizers import (
    AddedToken,
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    trainers,
)
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from transactional_attention.models import embedded

LINES = [
    "the secret code is XK7M9P2Q",
    "päth /srv/dätä 😀 漢字",
    "key: value\n",
    "naïve café über",
] * 4
WORDS = (
    "the code is XK7M9P2Q don't (x)=={'a':1} \n\n  \t ... ——== 2026-11-21T21:30 päth über 漢字是。"
    " a e\u0301 ﬁn 😀👩‍👩‍👧 <s> </s> ▁ a▁b \r\n /srv/data https://x.y/z?q=1&r=2 abc1 ABCdef"
    " 123456789 0x1F"
).split(" ")
WITH_SPACES = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
WITH_SPACES.append(decoders.Strip(" ", 1, 0))
REAL = Path(os.environ.get("TA_TOKENIZERS", "/nonexistent"))


def wrap(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    tokenizer.add_special_tokens(
        [AddedToken("<s>", special=True), AddedToken("</s>", special=True)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        clean_up_tokenization_spaces=False,
    )


def byte_level() -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(LINES, trainer)
    return wrap(tokenizer)


def byte_fallback() -> PreTrainedTokenizerFast:
    """SentencePiece's scheme: ▁ for spaces, byte tokens for what the vocabulary lacks."""
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *"abcdefkosty:éü"]
    pieces += ["▁the", "▁secret", "code", "▁is", "XK", "漢", "a▁b", "▁▁"]
    tokenizer = Tokenizer(
        models.Unigram([(p, -float(i)) for i, p in enumerate(pieces)], unk_id=0, byte_fallback=True)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Sequence(WITH_SPACES)
    return wrap(tokenizer)


def sentencepiece() -> PreTrainedTokenizerFast:
    """As Llama 2 has it: no words, BPE over the whole text, ▁ before its first character."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(WITH_SPACES)
    special = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    trainer = trainers.BpeTrainer(vocab_size=420, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(
        [word for line in LINES + WORDS for word in line.split()], trainer
    )
    return wrap(tokenizer)


def wordpiece() -> PreTrainedTokenizerFast:
    """No scheme of ours: its text comes from the generic decode."""
    words = ["[UNK]", "the", "code", "##s", "is", "XK", "##7", ":", "é"]
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    return wrap(tokenizer)


MADE = {
    "embedded": lambda: AutoTokenizer.from_pretrained(embedded.folder()),
    "byte-level": byte_level,
    "byte-fallback": byte_fallback,
    "sentencepiece": sentencepiece,
    "wordpiece": wordpiece,
}
CACHE: dict[str, object] = {}


def build(name: str):
    if name not in CACHE:
        if name in MADE:
            CACHE[name] = MADE[name]()
        elif (REAL / name).is_dir():
            CACHE[name] = AutoTokenizer.from_pretrained(REAL / name)
        else:
            pytest.skip(
                f"no {name}: make it with shared/tools/build_tokenizers.py OUT, TA_TOKENIZERS=OUT"
            )
    return CACHE[name]
