"""Shortcuts of detection find what the plain way finds."""

from __future__ import annotations

import importlib
import random
import re
from itertools import pairwise

import pytest

from transactional_attention.detection import (
    candidates,
    corrections,
    cues,
    drawn,
    forms,
    languages,
    passphrases,
    prices,
    streets,
    value_forms,
    withdrawn,
    worth,
)
from transactional_attention.detection.clusters import winners
from transactional_attention.detection.competition import strongest
from transactional_attention.detection.disorder import disorder
from transactional_attention.detection.mirror import backwards
from transactional_attention.detection.registry import build_detectors
from transactional_attention.detection.statements import resources, settings
from transactional_attention.detection.structure import lines, sql
from transactional_attention.detection.text_words import lowered
from transactional_attention.types import Anchor, Span


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
    module = importlib.import_module("transactional_attention.detection.structure.pairs")
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
    known = list(map(value_forms.form, values))
    monkeypatch.setattr(candidates, "_BEGIN_NONE", frozenset())
    monkeypatch.setattr(value_forms, "_WRITTEN_NONE", frozenset())
    assert early == [list(candidates._candidates(text)) for text in texts]
    assert known == list(map(value_forms.form, values))
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
