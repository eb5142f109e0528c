"""Token ids to text: the tokenizer's own decode, in any split, with sorted half-open spans."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from transactional_attention.embedded import loading
from transactional_attention.errors import InputError
from transactional_attention.pieces import decode, piece_table
from transactional_attention.text import TokenText, _reproduces
from transactional_attention.types import Span

LINES = [
    "the secret code is XK7M9P2Q",
    "päth /srv/dätä 😀 漢字",
    "key: value\n",
    "naïve café über",
] * 4
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
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
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
    "embedded": lambda: AutoTokenizer.from_pretrained(loading.folder()),
    "byte-level": byte_level,
    "byte-fallback": byte_fallback,
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


tokenizers = pytest.mark.parametrize(
    "name", [*MADE, "llama3", "mistral_v1", "mistral_v3", "tekken"]
)


def split(ids: list[int], cuts: list[int]) -> list[list[int]]:
    borders = sorted({0, len(ids), *(cut % (len(ids) + 1) for cut in cuts)})
    return [ids[a:b] for a, b in pairwise(borders)]


def read(tokenizer, parts: list[list[int]]) -> TokenText:
    text = TokenText(tokenizer)
    for part in parts:
        text.append(part)
    return text


def check(tokenizer, ids: list[int], cuts: list[int]) -> None:
    text = read(tokenizer, split(ids, cuts))
    assert decode(tokenizer, ids).startswith(text.text)
    text.settle()
    assert len(text) == len(ids)
    assert text.text == decode(tokenizer, ids)
    assert text.num_chars == len(text.text)
    assert len(text.scan_text()) == len(text.text)
    starts, ends = text.starts, text.ends
    assert (starts <= ends).all()
    assert (np.diff(starts) >= 0).all()
    assert (np.diff(ends) >= 0).all()
    covered = {c for a, b in zip(starts, ends) for c in range(a, b)}
    assert covered == set(range(len(text.text)))
    whole = read(tokenizer, [ids])
    whole.settle()
    assert np.array_equal(whole.starts, starts)
    assert np.array_equal(whole.ends, ends)


@tokenizers
def test_text_of_random_ids_is_what_the_tokenizer_decodes(name):
    tokenizer = build(name)
    size = len(tokenizer)
    low = st.integers(0, min(size, 300) - 1)  # byte tokens: sequences that are split and broken
    token = st.one_of(low, st.integers(0, size - 1))

    @settings(deadline=None, max_examples=60)
    @given(st.lists(token, max_size=40), st.lists(st.integers(0, 100), max_size=6))
    def run(ids, cuts):
        check(tokenizer, ids, cuts)

    run()


@tokenizers
def test_text_of_encoded_unicode(name):
    tokenizer = build(name)

    @settings(deadline=None, max_examples=60)
    @given(st.text(max_size=40), st.lists(st.integers(0, 200), max_size=6))
    def run(string, cuts):
        check(tokenizer, tokenizer(string)["input_ids"], cuts)

    run()


@pytest.mark.parametrize("name", ["embedded", "byte-level", "byte-fallback"])
def test_known_schemes_have_a_table(name):
    assert piece_table(build(name), _reproduces) is not None


def test_table_is_built_once(monkeypatch):
    tokenizer = byte_level()
    first = TokenText(tokenizer)._table
    monkeypatch.setattr("transactional_attention.pieces._build", pytest.fail)
    assert TokenText(tokenizer)._table is first


def test_table_follows_tokens_that_are_added_later():
    tokenizer = byte_level()
    TokenText(tokenizer)
    tokenizer.add_tokens(["<tool>"], special_tokens=True)
    text = TokenText(tokenizer)
    text.append([len(tokenizer) - 1])
    assert text.text == "<tool>"
    assert text.scan_text() == "\n" * 6


def test_a_backend_tokenizer_serves_too():
    tokenizer = build("byte-level")
    backend = tokenizer.backend_tokenizer
    ids = backend.encode("key: ö").ids
    text = read(backend, [ids])
    assert text.text == "key: ö"


def test_every_token_of_a_split_character_covers_it():
    tokenizer = build("byte-level")
    ids = tokenizer("a€b", add_special_tokens=False)["input_ids"]
    text = read(tokenizer, [[token] for token in ids])
    assert [tuple(s) for s in zip(text.starts, text.ends)] == [
        (0, 1),
        (1, 2),
        (1, 2),
        (1, 2),
        (2, 3),
    ]
    assert text.tokens_for(Span(1, 2)) == Span(1, 4)


def test_an_incomplete_character_waits():
    tokenizer = build("byte-level")
    ids = tokenizer("a€", add_special_tokens=False)["input_ids"]
    text = read(tokenizer, [ids[:-1]])
    assert text.text == "a"
    assert len(text) == len(ids) - 1
    text.append(ids[-1:])
    assert text.text == "a€"


def test_tokens_for_a_span_are_those_that_overlap_it():
    tokenizer = build("byte-level")
    ids = tokenizer("the secret code is XK7M9P2Q", add_special_tokens=False)["input_ids"]
    text = read(tokenizer, [ids])
    for start in range(len(text.text)):
        for end in range(start + 1, len(text.text) + 1):
            expected = [i for i in range(len(ids)) if text.starts[i] < end and text.ends[i] > start]
            found = text.tokens_for(Span(start, end))
            assert list(range(found.start, found.end)) == expected
        assert len(text.tokens_for(Span(start, start))) == 0
    beyond = Span(len(text.text) + 3, len(text.text) + 5)
    assert len(text.tokens_for(beyond)) == 0


def test_special_tokens_are_newlines_to_the_scanner():
    tokenizer = build("byte-level")
    bos = tokenizer.bos_token_id
    ids = tokenizer("key: a", add_special_tokens=False)["input_ids"]
    text = read(tokenizer, [[bos], ids, [bos], ids])
    assert text.text == "<s>key: a<s>key: a"
    assert text.scan_text() == "\n\n\nkey: a\n\n\nkey: a"
    for start in range(len(text.text)):
        assert text.scan_text(start) == text.scan_text()[start:]


@pytest.mark.parametrize("name", MADE)
def test_a_copy_is_independent(name):
    tokenizer = build(name)
    ids = tokenizer("the code is é: 漢字")["input_ids"]
    text = read(tokenizer, [ids[:-2]])
    other = text.copy()
    other.append(ids[:3])
    text.append(ids[-2:])
    text.settle()
    assert text.text == decode(tokenizer, ids)
    other.settle()
    assert other.text == decode(tokenizer, [*ids[:-2], *ids[:3]])


def test_negative_ids_are_refused():
    with pytest.raises(InputError, match=">= 0"):
        TokenText(build("byte-level")).append([3, -1])


def test_slow_tokenizers_are_read_too():
    """A tokenizer without a backend: its own pieces and decode are all there is."""
    fast = build("byte-fallback")

    class Slow:
        all_special_ids = fast.all_special_ids

        def get_vocab(self):
            return fast.get_vocab()

        def __len__(self):
            return len(fast)

        def decode(self, ids, skip_special_tokens=False):
            return fast.decode(ids, skip_special_tokens=skip_special_tokens)

    slow = Slow()
    assert piece_table(slow, _reproduces) is not None
    check(slow, fast("the secret é 漢字 code")["input_ids"], [3, 5])
