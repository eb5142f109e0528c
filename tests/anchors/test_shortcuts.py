"""Shortcuts of detection find what the plain way finds."""

from __future__ import annotations

import importlib
import random
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis.strategies import from_regex

from transactional_attention.anchors import (
    build_detectors,
    candidates,
    chunks,
    claims,
    corrections,
    cues,
    drawn,
    forms,
    languages,
    notations,
    passphrases,
    prices,
    resources,
    settings,
    streets,
    strongest,
    withdrawn,
    worth,
)
from transactional_attention.anchors.clusters import winners
from transactional_attention.anchors.disorder import disorder
from transactional_attention.anchors.mirror import backwards, lowered
from transactional_attention.anchors.spoken import Book, phrase, spoken
from transactional_attention.anchors.structure import lines, sql
from transactional_attention.benchmarks.texts import configuration
from transactional_attention.evaluation.collection import collection
from transactional_attention.types import Anchor, Span

SIGNS = [*"=:\"'`|,;<>{}()[]-/@#. \n", "://", " is ", "password is ", "login: ", " use ", " la "]
PIECES = [
    *SIGNS,
    "İ",
    "é",
    "は",
    "１２",
    "key",
    "code",
    "A1B2C3",
    "4417",
    "true",
    "Bearer ",
    "it's",
]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    rng = random.Random(5)
    cases = [case.context[:3000] for case in collection("development")[::40]]
    soup = ["".join(rng.choices(PIECES, k=rng.randrange(20, 300))) for _ in range(60)]
    return [*cases, *soup, *(configuration(3000, seed) for seed in range(6))]


def random_anchor(rng: random.Random) -> Anchor:
    start, label = rng.randrange(120), rng.randrange(6)
    value = Span(start, start + rng.randrange(1, 14))
    return Anchor(
        Span(max(0, start - label), rng.choice((start, max(0, start - label)))),
        value,
        rng.choice((0.5, 0.6, 0.7, 0.8)),
        rng.choice("ab"),
        rng.random() < 0.5,
    )


def test_values_that_stand_alone_need_no_comparison():
    rng = random.Random(3)
    for size in (0, 1, 2, 5, 12, 30) * 40:
        anchors = [random_anchor(rng) for _ in range(size)]
        inner = [
            Anchor(
                Span(a.value.start, a.value.start + 1),
                Span(a.value.start + 1, a.value.end),
                0.9,
                "c",
            )
            for a in anchors[::3]
            if len(a.value) > 2
        ]
        assert winners(anchors + inner) == strongest(anchors + inner)


@pytest.mark.parametrize("text", ["Her Code IS 44", "die İstanbul KODU 17", "", "ΟΔΟΣ 5", "ß é"])
def test_the_mirror_shows_what_stands_before(text):
    for end in range(len(text) + 1):
        for reach in (0, 1, 4, 100):
            window = text[max(0, end - reach) : end]
            lower = lowered(window)
            string, begin, stop = backwards(text, end, reach)
            assert string[begin:stop].replace("ς", "σ") == lower[::-1].replace("ς", "σ")


def test_patterns_of_lines_begin_where_lines_begin():
    pattern = r"[ ]*(?P<name>\w+) = (?P<value>\w+)$"
    text = "a = 1\n b = 2\nc == 3\n\nd = 4 5\ne = 6"
    plain = [m.span("value") for m in re.finditer(f"^{pattern}", text, re.MULTILINE)]
    assert [m.span("value") for m in lines.LinePattern(pattern).finditer(text)] == plain
    found = lines.LinePattern(pattern).search(text, 14, len(text))
    assert found is not None
    assert found.span("value") == plain[-1]


def test_the_forms_that_signs_allow_decide_as_all_forms_do(texts):
    every = re.compile("|".join(f"(?P<{rule}>{pattern})" for rule, _, _, pattern in forms.FORMS))
    values = {value for text in texts for value in re.split(r"[\s\"'<>,;]+", text) if value}
    matched = 0
    for value in values:
        form = every.fullmatch(value)
        seen = forms._form(forms._signs(value)).fullmatch(value)
        assert (seen and seen.lastgroup) == (form and form.lastgroup)
        matched += form is not None
    assert matched > 100


BRACKETS = [*'ab1f:/@[]()$ ,=0"\\\n', "中", "１", "。", "€", "𝟙", "(0) 44", "[fe80::1]"]


def test_chunks_are_those_that_their_pattern_finds_by_itself(texts):
    rng = random.Random(7)
    soup = ["".join(rng.choices(BRACKETS, k=rng.randrange(14))) for _ in range(4000)]
    found = 0
    for text in [*texts, *soup]:
        pattern = chunks._ASCII_TOKEN if text.isascii() else chunks._TOKEN
        plain = [match.span() for match in pattern.finditer(" " + text)]
        assert [match.span() for match in chunks.chunks(text)] == plain
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


def test_notation_placeholders_and_defaults_are_told_without_their_patterns(texts):
    values = {value for text in texts for value in re.split(r"[\s\"'<>,;]+", text) if value}
    for value in values | {
        "placeholder",
        "redacted",
        "self.name",
        "***",
        "your-key",
        "wait...",
        "x",
    }:
        plain = value.isdigit() or value[1:3] == ":\\"
        notation = not plain and forms._NOTATION.fullmatch(value) is not None
        assert forms._is_notation(value) == notation
        assert worth.is_placeholder(value) == (worth.PLACEHOLDER.fullmatch(value) is not None)
        assert worth._is_boring(value) == (worth._BORING.fullmatch(value) is not None)


def test_named_words_are_found_where_their_names_stand(texts):
    found = 0
    for text in [*texts, "SSID: home. Seed words are red fox. code word is otter."]:
        places = [m.span() for m in passphrases._WORD_LABEL.finditer(text)]
        assert [m.span() for m in passphrases._word_labels(text)] == places
        found += len(places)
    assert found > 2


def test_markers_of_corrections_are_found_where_their_words_stand(texts):
    said = [f"{marker} it, {other}." for marker, other in pairwise(corrections.MARKERS)]
    plain = [re.compile(rf"(?<![^\W_]){re.escape(m)}(?![^\W_])") for m in corrections.MARKERS]
    found = 0
    for text in filter(lambda text: len(text.lower()) == len(text), [*texts, *said]):
        places = {match.start() for marker in plain for match in marker.finditer(text.lower())}
        assert places <= set(corrections._places(text))
        found += len(places)
    assert found > len(corrections.MARKERS)


def test_phrases_are_found_by_the_signs_before_them(texts):
    signs = re.compile(
        r"(?:[\"“«「『‘'„`] ?((?:[a-z]{3,12}+ ){2,6}[a-z]{3,12}) ?[\"”“»」』’'`]"
        r"|[:=] ((?:[a-z]{3,12}+ ){2,6}[a-z]{3,12}+)[ \t]*\r?(?=[\n<.;]|\Z))"
    )
    found = 0
    for text in [*texts, "« lune rousse calme », it's: red fox otter moon\n"]:
        spans = {match.span(match.lastindex) for match in signs.finditer(text)}
        chance = {span for span in spans if drawn.is_drawn(text[slice(*span)])}
        chance = {span for span in chance if not drawn._names(text, *span)}
        assert chance <= set(drawn.phrases(text))
        found += len(chance)
    assert found > 1


def test_foreign_words_are_known_by_their_places(texts):
    seen = set()
    for text in texts:
        marks = languages._marks(text)
        for begin in range(0, len(text), 37):
            end = min(len(text), begin + 1 + begin % 72)
            part = text[begin:end]
            words = [m for m in re.finditer(r"[^\W_]+", lowered(text)) if begin <= m.start()]
            whole = {m.group() for m in words if m.end() <= end}
            plain = bool(languages._LETTER.search(part)) or bool(whole & languages._ASCII_MARKS)
            assert languages._foreign(text, begin, end, marks, text.isascii()) == plain
            seen.add(plain)
    assert seen == {False, True}


def test_worthless_values_are_passed_over_early(texts, monkeypatch):
    (detector,) = build_detectors(["structure"])
    early = [detector.find(text) for text in texts]
    module = importlib.import_module("transactional_attention.anchors.structure.pairs")
    monkeypatch.setattr(module, "_is_worthless", lambda text, match, strength: False)
    assert early == [detector.find(text) for text in texts]
    assert sum(map(len, early)) > 50


STATEMENTS = (
    "INSERT INTO t VALUES (1), ('a'); insert into u values ('b')",
    "Our cluster is called titan-07, it was moved and is now named otter.",
    "Fee: USD 12.50, then 9.99 EUR and 7,00 kr. Calle Mayor 12, Marktplatz 5, Carrera 7 # 12.",
    "İnönü Caddesi No: 5, via Roma 3, ул. Ленина 4, 서울로 12, 東京都千代田区1丁目2番",
)


def test_statements_are_found_where_their_words_stand(texts):
    found = [0, 0]
    for text in [*texts, *STATEMENTS]:
        rows = [m.span() for m in sql._VALUES.finditer(text)]
        assert [m.span() for m in sql._inserts(text)] == rows
        named = {m.start("value") for m in resources._SAID.finditer(text)}
        assert {anchor.value.start for anchor in resources.resources(text)} <= named
        assert {m.start() for m in resources._SAID.finditer(text)} <= {
            m.start() for said in resources._STARTS for m in re.finditer(re.escape(said), text)
        }
        found = [found[0] + len(rows), found[1] + len(named)]
    assert min(found) > 1


def test_prices_are_named_by_currencies(texts):
    priced = 0
    for text in [*texts, *STATEMENTS]:
        matches = [
            inner
            for _, _, inner, before in prices.SIGNED_PRICES + prices.PRICES
            for match in inner.finditer(text)
            if before.match(text[: match.start()][::-1])
        ]
        assert set(matches) <= {inner for _, _, inner, _ in prices.prices(text)}
        priced += len(matches)
    assert priced > 1


def test_orders_of_streets_are_known_by_what_stands_before_a_number(texts):
    found = 0
    for text in [*texts, *STATEMENTS]:
        for match in re.finditer(r"(?<!\d)\d", text):
            at, first = match.start(), max(0, match.start() - streets.REACH)
            heads = {form for form in streets._LATIN if form.head.search(text, first, at)}
            assert heads <= set(streets._near(text, first, at))
            found += len(heads)
    assert found > 3


def test_values_that_are_written_in_no_other_way_are_told_by_their_first_character(
    texts, monkeypatch
):
    early = [list(candidates._candidates(text)) for text in texts]
    values = [text[begin:end] for text, found in zip(texts, early) for begin, end, _ in found]
    known = list(map(claims.form, values))
    monkeypatch.setattr(candidates, "_BEGIN_NONE", frozenset())
    monkeypatch.setattr(claims, "_WRITTEN_NONE", frozenset())
    assert early == [list(candidates._candidates(text)) for text in texts]
    assert known == list(map(claims.form, values))
    assert len(values) > 500


def test_nothing_is_said_of_a_value_behind_the_end_of_its_line(texts):
    patterns = (withdrawn._AFTER, withdrawn._READ, cues.FOLLOWS, cues.MAKES)
    ends = [(text, end.start()) for text in texts for end in re.finditer("\n", text)]
    assert not any(pattern.match(*end) for end in ends for pattern in patterns)
    assert len(ends) > 500


def test_settings_are_kept_where_a_verb_of_keeping_stands(texts, monkeypatch):
    told = [*texts, "Please keep max_connections at 350.", "export LIST_A=red:blue,green"]
    early = [list(settings._joined(text)) for text in told]
    monkeypatch.setattr(settings, "words_of", lambda text: settings._VERBS)
    assert early == [list(settings._joined(text)) for text in told]
    assert all(early[-2:])


def test_no_word_with_a_digit_is_one_of_letters_in_no_order(texts):
    words = {word for text in texts for word in text.split() if re.search(r"\d", word)}
    assert max(map(disorder, words)) < 0
    assert len(words) > 500


# A number that something parts from what follows it, but for a day as computers write it.
PARTED = re.compile(r"(?!\d{4}-\d\d-\d\d)\d{1,8}(?:st|nd|rd|th|\))?[ .,'’/°º$€£¥\u00a0\u202f-]")


@hypothesis_settings(max_examples=400, deadline=None, database=None)
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
