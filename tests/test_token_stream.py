"""Text in blocks to the ids of the whole text."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken

from made_tokenizers import WORDS, build
from split_text import pieces
from transactional_attention.errors import InputError, UnsupportedError
from transactional_attention.text import token_stream
from transactional_attention.text.token_stream import Seams, TokenStream

REAL = ["llama3", "mistral_v1", "mistral_v3", "tekken"]


every = pytest.mark.parametrize(
    "name", ["embedded", "byte-level", "byte-fallback", "sentencepiece", "wordpiece", *REAL]
)


@pytest.fixture
def short(monkeypatch):
    """Parts of a few characters, so that short texts have many borders."""
    monkeypatch.setattr(token_stream, "PIECE", 24)
    monkeypatch.setattr(token_stream, "MARGIN", 24)
    monkeypatch.setattr(token_stream, "CONTEXT", 8)


def drain(stream: TokenStream, count: int = 7) -> list[int]:
    ids = []
    while len(part := stream.peek(count)):
        stream.take(len(part))
        ids += part.tolist()
    return ids


@every
def test_any_blocks_give_the_ids_of_the_whole(name, short):
    tokenizer = build(name)
    word = st.one_of(st.sampled_from(WORDS), st.text(max_size=6))
    glue = st.sampled_from([" ", " ", " ", "", "\n", "  ", "\n\n", "\t"])

    @settings(deadline=None, max_examples=40)
    @given(st.lists(st.tuples(word, glue), max_size=60), st.lists(st.integers(0, 400), max_size=8))
    def run(words, cuts):
        text = "".join(part for pair in words for part in pair)
        stream = TokenStream(tokenizer, pieces(text, cuts))
        assert drain(stream) == tokenizer(text)["input_ids"]

    run()


@every
def test_a_long_text_is_cut_often_and_gives_the_same_ids(name):
    tokenizer, rng = build(name), random.Random(7)
    text = "".join(rng.choice(WORDS) + rng.choice([" ", " ", " ", "\n", ""]) for _ in range(9000))
    held = 0
    stream, ids = TokenStream(tokenizer, pieces(text, list(range(0, len(text), 997)))), []
    while len(part := stream.peek(512)):
        stream.take(len(part))
        ids += part.tolist()
        held = max(held, stream._size)
    assert ids == tokenizer(text)["input_ids"]
    assert held < 8000


def test_a_seam_is_where_no_token_lies_across():
    tokenizer = build("sentencepiece")
    seams, text = Seams(tokenizer), " the secret code is XK7M9P2Q naïve"
    borders = set(seams.before(text, len(text) - 1))
    encoded = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    inside = {at for a, b in encoded["offset_mapping"] for at in range(a + 1, b)}
    assert borders and not borders & inside
    assert {at for at, char in enumerate(text) if char == " " and at} <= borders


def test_a_stretch_without_a_seam_is_tokenised_as_one(short):
    tokenizer = build("embedded")
    assert not list(Seams(tokenizer).before("=" * 50, 49))
    text = "=" * 3000 + " and then words come again. " * 40
    stream = TokenStream(tokenizer, pieces(text, list(range(0, len(text), 11))))
    assert drain(stream) == tokenizer(text)["input_ids"]


def test_special_tokens_stand_around_the_text_or_ids_before_it():
    tokenizer = build("embedded")
    text = "It rained. " * 20
    bare = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert drain(TokenStream(tokenizer, text)) == [tokenizer.bos_token_id, *bare]
    assert drain(TokenStream(tokenizer, text, before=[5, 6])) == [5, 6, *bare]
    assert drain(TokenStream(tokenizer, [], before=())) == []


def test_peek_leaves_what_take_takes():
    tokenizer = build("embedded")
    stream = TokenStream(tokenizer, "It rained all day.")
    whole = tokenizer("It rained all day.")["input_ids"]
    assert stream.peek(3).tolist() == stream.peek(3).tolist() == whole[:3]
    stream.take(2)
    assert stream.peek(100).tolist() == whole[2:]
    assert stream.rest == tuple(whole[2:])


def test_a_block_that_got_lost_is_not_passed_over():
    def source():
        yield "It rained. "
        raise KeyboardInterrupt

    stream = TokenStream(build("embedded"), source())
    with pytest.raises(KeyboardInterrupt):
        stream.peek(100)
    with pytest.raises(InputError, match="interrupted"):
        stream.peek(100)


@pytest.mark.parametrize(("block", "words"), [(b"ab", "bytes"), ("a\ud800", "surrogate")])
def test_blocks_that_are_no_text_are_refused(block, words):
    with pytest.raises(InputError, match=words):
        TokenStream(build("embedded"), [block]).peek(1 << 20)


def test_a_tokenizer_that_reads_far_ahead_is_refused(short):
    """One that gives other ids once the word END has come: no part of a text is ever certain."""
    inner = build("byte-level")

    class Prophet:
        def __getattr__(self, name):
            return getattr(inner, name)

        def __len__(self):
            return len(inner)

        def __call__(self, text, **options):
            encoding = inner(text, **options)
            if "END" in text:
                encoding["input_ids"] = [i + 1 for i in encoding["input_ids"]]
            return encoding

    text = "some words go by here " * 20 + "END"
    with pytest.raises(UnsupportedError, match="further ahead"):
        drain(TokenStream(Prophet(), text.split("go")))


def test_special_tokens_inside_a_text_are_never_cut(short):
    tokenizer = build("byte-level")
    tokenizer.add_tokens([AddedToken("<|tool result|>", special=True)])
    text = "words and <|tool result|> and " * 30
    assert (
        drain(TokenStream(tokenizer, pieces(text, list(range(0, 900, 5)))))
        == (tokenizer(text)["input_ids"])
    )
