"""A text that forgets answers for what it knows as the whole text does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made_tokenizers import WORDS, build
from transactional_attention.errors import InputError
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Span

TEXT = " ".join(WORDS) * 3
schemes = pytest.mark.parametrize("name", ["embedded", "byte-fallback", "wordpiece"])


def check(text: TokenText, whole: TokenText, kept: set[int], before: int) -> None:
    known = text.numbers[:-1].tolist()
    assert len(text) == len(whole) == text.numbers[-1]
    assert kept & set(range(len(whole))) <= set(known)
    assert text.starts.tolist() == whole.starts[known].tolist()
    assert text.ends.tolist() == whole.ends[known].tolist()
    for token in known:
        one = Span(token, token + 1)
        assert text.text_of(one) == whole.text_of(one)
        start, end = int(whole.starts[token]), int(whole.ends[token])
        if start < end:
            assert text.scan_text(start)[: end - start] == whole.scan_text(start)[: end - start]
            assert whole.tokens_for(Span(start, end)).start <= token
    assert text.first <= before
    assert text.scan_text(text.first) == whole.scan_text(text.first)
    assert text.scan_text(before) == whole.scan_text(before)


@schemes
def test_what_is_known_stays_as_it_was(name):
    tokenizer = build(name)
    ids = tokenizer(TEXT)["input_ids"]
    place = st.integers(0, len(ids))

    @settings(deadline=None, max_examples=25)
    @given(
        st.lists(place, min_size=1, max_size=5), st.lists(place, max_size=12), st.integers(0, 40)
    )
    def run(borders, kept, margin):
        whole, text = (TokenText(tokenizer) for _ in range(2))
        for border in sorted(borders):
            part = ids[len(whole) : border]
            whole.append(part)
            text.append(part)
            before = max(text.first, whole.num_chars - margin)
            text.forget(before, np.array(sorted(kept), np.int64))
            check(text, whole, set(kept), before)

    run()


def test_spans_map_as_in_the_whole_text_where_their_ends_are_known():
    tokenizer = build("embedded")
    ids = tokenizer(TEXT)["input_ids"]
    whole, text = (TokenText(tokenizer) for _ in range(2))
    whole.append(ids)
    text.append(ids)
    value = whole.tokens_for(Span(30, 60))
    text.forget(text.num_chars - 20, np.array([value.start, value.end - 1]))
    assert text.tokens_for(Span(30, 60)) == value
    assert len(text.tokens_for(Span(70, 80))) == 0
    last = Span(text.num_chars - 9, text.num_chars + 5)
    assert text.tokens_for(last) == whole.tokens_for(last)


def test_what_is_forgotten_is_not_shown():
    tokenizer = build("embedded")
    text = TokenText(tokenizer)
    text.append(tokenizer(TEXT)["input_ids"])
    assert text.whole and text.text.endswith(TEXT)
    other = text.copy()
    text.forget(text.num_chars - 10, np.array([4, 5, 6]))
    assert not text.whole and other.whole
    for ask in (
        lambda: text.text,
        lambda: text.text_of(Span(6, 8)),
        lambda: text.text_of(Span(9, 10)),
    ):
        with pytest.raises(InputError, match="stream"):
            ask()
    assert text.scan_text(0) == ""
    assert sum(map(len, text._pieces)) < 20


def test_a_text_of_which_every_token_is_kept_stays_whole():
    tokenizer = build("embedded")
    text, other = (TokenText(tokenizer) for _ in range(2))
    ids = tokenizer(TEXT)["input_ids"]
    for part in (ids[:60], ids[60:]):
        text.append(part)
        other.append(part)
        text.forget(text.num_chars - 10, np.arange(len(text)))
    assert text.whole and text.text == other.text
    assert text.scan_text() == other.scan_text()
