"""What is noted of a value: the words around it by where they stand, and nothing of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from transactional_attention.recall.entries import Entry, words_of, words_of_line
from transactional_attention.recall.terms import HIDDEN, hidden, likeness, stem, terms
from transactional_attention.types import Anchor, Span


def noted(text, value, label="", others=(), salt=b""):
    start = text.index(value)
    at = text.rindex(label, 0, start) if label else start
    anchor = Anchor(Span(at, at + len(label)), Span(start, start + len(value)), 1.0, "stated:label")
    spans = [Span(text.index(other), text.index(other) + len(other)) for other in others]
    return words_of(anchor, lambda begin, end: text[begin:end], spans, salt)


@pytest.mark.parametrize("name", ["api_key", "apiKey", "API-KEY", "api.key", "API key"])
def test_identifiers_are_split(name):
    assert terms(name) == ["api", "key"]


def test_scripts_without_spaces_give_pairs():
    assert terms("门禁码") == ["门禁", "禁码"]
    assert terms("Wi-Fiのパスワード")[:2] == ["wi", "fi"]


def test_marks_on_letters_do_not_matter():
    assert terms("Matrícula") == terms("matricula")


@pytest.mark.parametrize(
    ("asked", "word"), [("expires", "expired"), ("entries", "entry"), ("stored", "store")]
)
def test_forms_of_a_word_are_one(asked, word):
    assert stem(asked) == stem(word)


@pytest.mark.parametrize(
    ("asked", "word", "alike"),
    [
        ("passwort", "gastpasswort", True),  # the end of a joined word
        ("reserva", "reservas", True),
        ("пароля", "пароль", True),
        ("port", "passport", False),
        ("production", "product", True),
        ("staging", "station", False),
    ],
)
def test_words_that_share_their_beginning_or_end(asked, word, alike):
    assert (likeness(asked, word) > 0) == alike


def test_the_label_weighs_most_and_the_heading_is_known():
    text = "production:\n  database:\n    host: db9.example\n    port: 5433\n"
    words = noted(text, "5433", "port")
    assert words["port"] > words["database"] > words["production"] > 0
    assert "host" not in words  # another line's


def test_keys_around_brackets_are_above():
    text = '{"tracker": {"apiKey": "trk-91xQ", "project": "blue"}, "other": {"region": "north"}}'
    words = noted(text, "trk-91xQ", "apiKey")
    assert {"api", "key", "tracker", "project"} <= words.keys()
    assert "region" not in words


def test_nothing_of_a_value_is_a_word():
    text = "The pin of the locker is harbour lamp nine, says harbour control.\n"
    words = noted(text, "harbour lamp nine", "pin")
    assert not {"harbour", "lamp", "nine"} & words.keys()
    assert {"locker", "control"} <= words.keys()


def test_other_values_and_numbers_are_found_again_and_not_read():
    text = "user Orsine has the key kk7-Plover in room 4711\n"
    words = noted(text, "kk7-Plover", "key", others=["Orsine"], salt=b"s")
    assert "orsine" not in words and "4711" not in words
    assert hidden("orsine", b"s") in words and hidden("4711", b"s") in words
    assert hidden("orsine", b"t") not in words


def test_a_value_far_down_a_long_line_costs_no_more_than_its_surroundings():
    text = "word " * 5000 + "code: 4711x " + "more " * 5000
    assert len(noted(text, "4711x", "code")) < 64


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("2024-06-09", "date"),
        ("£35", "money"),
        ("10.0.0.7", "host"),
        ("/var/crash/core", "path"),
        ("22:30", "time"),
        ("46,000元", "money"),
        ("Dr Achterberg", "person"),
    ],
)
def test_the_form_of_a_value_says_its_kind(value, kind):
    assert f"kind:{kind}" in noted(f"it is {value}\n", value)


def test_a_line_is_an_entry_with_what_stands_above_it():
    text = "# Contacts\n| owner | Joaquim Trel |\n"
    line = Span(text.index("|"), len(text) - 1)
    values = [Span(text.index("Joa"), text.index(" |\n"))]
    words = words_of_line(line, lambda begin, end: text[begin:end], values)
    assert {"owner", "contacts", "kind:person"} <= words.keys()
    assert "joaquim" not in words and any(word[0] == HIDDEN for word in words)


def test_positions_are_label_value_and_closing_token():
    entry = Entry(Span(10, 13), Span(4, 6), "stated:label", 1.0, "user")
    assert entry.positions == [4, 5, 10, 11, 12, 13]
    assert replace(entry, line=Span(8, 11)).positions == [4, 5, 8, 9, 10, 11, 12, 13]


def test_a_repr_holds_no_word():
    entry = Entry(Span(1, 2), Span(0, 1), "r", 1.0, "user", words={"canary": 1.0})
    assert "canary" not in repr(entry)
