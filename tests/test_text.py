"""Token ids to text: the tokenizer's own decode, in any split, with sorted half-open spans."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_tokenizers import MADE, build, byte_level
from split_text import pieces
from transactional_attention.errors import InputError
from transactional_attention.text.decoding import decoder_of, reproduces
from transactional_attention.text.pieces import decode, piece_table
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Span

tokenizers = pytest.mark.parametrize(
    "name", [*MADE, "llama3", "mistral_v1", "mistral_v3", "tekken"]
)


def read(tokenizer, parts: list[list[int]]) -> TokenText:
    text = TokenText(tokenizer)
    for part in parts:
        text.append(part)
    return text


def check(tokenizer, ids: list[int], cuts: list[int]) -> None:
    text = read(tokenizer, pieces(ids, cuts))
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
    assert piece_table(build(name), reproduces) is not None


def test_table_is_built_once(monkeypatch):
    tokenizer = byte_level()
    first = decoder_of(tokenizer).table
    monkeypatch.setattr("transactional_attention.text.pieces._build", pytest.fail)
    assert decoder_of(tokenizer).table is first


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
            tokens = text.tokens_for(Span(start, end))
            assert list(range(tokens.start, tokens.end)) == expected
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
    assert piece_table(slow, reproduces) is not None
    check(slow, fast("the secret é 漢字 code")["input_ids"], [3, 5])
