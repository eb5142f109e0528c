"""What is looked for in one walk over a text is what its patterns find by themselves."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis.strategies import from_regex
from transactional_attention.detection.spoken import Book, phrase, spoken

from transactional_attention.detection import chunks, notations
from transactional_attention.detection.text_words import lowered
from transactional_attention.sponsorship import claims

BRACKETS = [*'ab1f:/@[]()$ ,=0"\\\n', "中", "１", "。", "€", "𝟙", "(0) 44", "[fe80::1]"]


def test_chunks_are_those_that_their_pattern_finds_by_itself(texts):
    rng = random.Random(7)
    soup = ["".join(rng.choices(BRACKETS, k=rng.randrange(14))) for _ in range(4000)]
    found = 0
    for text in [*texts, *soup]:
        pattern = chunks._ASCII_TOKEN if text.isascii() else chunks._TOKEN
        plain = [match.span() for match in pattern.finditer(" " + text)]
        assert [match.span() for match in chunks.chunk_matches(text)] == plain
        found += len(plain)
    assert found > 1000


def test_phrases_stand_where_their_words_do(texts):
    said = ["key", "is", "the code", "à la carte", "door code is", "暗号", "it's", "login: "]
    book = Book(phrase(one, one) for one in said)
    found = 0
    for text in [*texts, "À la carte. The code, the codes; the door code is A. 暗号は it's"]:
        lower, plain = lowered(text), set()
        for one in said:
            apart = "" if one == "暗号" else r"(?<![^\W_])"
            ended = r"(?![a-z0-9])" if one[-1].isascii() and one[-1].isalnum() else ""
            for match in re.finditer(apart + re.escape(one) + ended, lower):
                plain.add((*match.span(), one))
        assert set(spoken(text, book)) == plain
        found += len(plain)
    assert found > 100


def test_words_before_a_value_are_the_same_read_backwards():
    forwards = re.compile(r"[^\W\d_][\w'’]*[,;.!?]?[ ]+[^\W\d_][\w'’]*[,;:.!?]?[ \"'“`(*]+\Z")
    rng, found = random.Random(11), 0
    for _ in range(20000):
        line = "".join(rng.choices("ab1_ '’ ,;:.!?\"`(*é中 ", k=rng.randrange(16)))
        talks = forwards.search(line) is not None
        assert (claims._TALKS.match(line[::-1]) is not None) == talks
        found += talks
    assert found > 100


# A number that something parts from what follows it, but for a day as computers write it.
PARTED = re.compile(r"(?!\d{4}-\d\d-\d\d)\d{1,8}(?:st|nd|rd|th|\))?[ .,'’/°º$€£¥\u00a0\u202f-]")


@settings(max_examples=400, deadline=None, database=None)
@given(from_regex(notations._FORM))
def test_no_written_form_is_passed_over_by_what_its_number_goes_on_with(text):
    for at in range(len(text)):
        form = notations._FORM.match(text, at)
        if form and PARTED.match(form.group()):
            assert notations._MAY_BE.match(text, at), form.group()


def test_no_month_and_no_currency_is_passed_over():
    words = re.findall(r"[^\W\d_]{2,}", f"{notations._AFTER}|{notations.MONTHS}|{notations._HOUR}")
    read = 0
    for word in {form for one in words for form in (one, one.title(), one.upper())}:
        for text in (
            f"12 {word}",
            f"12.50 {word}",
            f"1,250.50 {word}",
            f"12 {word} 2026",
            f"12. {word}",
        ):
            form = notations._FORM.match(text)
            assert form is None or notations._MAY_BE.match(text), text
            read += form is not None
    assert read > 300
