"""Forms of values, and the vocabularies that they are drawn from."""

import random
import re

import pytest

from ta_lab.values.slots import fill
from ta_lab.values.vocabulary import Vocabulary, vocabulary

NAMES = ("tasks", "collection", "training", "everyday", "formats", "counted")
WORDS = {"words": ("amber", "birch", "cedar"), "hex": "0123456789abcdef", "months": ("May", "June")}
KINDS = {
    "code": "<hex*4>",
    "span": ("low=<1..9>", "high=<low:plus 10>", "<low>-<high>"),
    "outer": ("low=x", "<span>/<low>"),
}


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        ("<words>-<10..12>", r"(amber|birch|cedar)-1[0-2]"),
        ("<1..9:02>.<-5..5:.3f>", r"0[1-9]\.-?[0-5]\.\d{3}"),
        ("<hex*3..5>", r"[0-9a-f]{3,5}"),
        ("<hex*2,6>", r"[0-9a-f]{2}(?:[0-9a-f]{4})?"),
        ("<hex&4>", r"(?=.*\d)(?=.*[a-f])[0-9a-f]{4}"),
        ("<words+3 ->", r"(?!.*(amber|birch|cedar).*\1)\w+-\w+-\w+"),
        ("<hex*3 :>", r"[0-9a-f]:[0-9a-f]:[0-9a-f]"),
        ("<octets*6:base64>", r"[A-Za-z0-9+/]{8}"),
        ("<1..2:of months>", r"May|June"),
        ("<1234567..1234567:group .>", r"1\.234\.567"),
        ("<1234567..1234567:indian>", r"12,34,567"),
        ("<n=<1..9>><n>,<n:times 2>", r"1,2|2,4|3,6|4,8|5,10|6,12|7,14|8,16|9,18"),
        ("<code>", r"[0-9a-f]{4}"),
        (r"{a/\<b\>/<hex:upper>}", r"a|<b>|[0-9A-F]"),
    ],
)
def test_a_form_is_drawn(form, pattern):
    made = [Vocabulary(WORDS, KINDS).make(form, random.Random(seed)) for seed in range(60)]
    assert all(re.fullmatch(pattern, value) for value in made), made
    assert made == [Vocabulary(WORDS, KINDS).make(form, random.Random(seed)) for seed in range(60)]


def test_a_share_decides_between_two():
    made = [vocabulary("training").make("{?0.2 a/b}", random.Random(seed)) for seed in range(500)]
    assert 50 < made.count("a") < 150 and set(made) == {"a", "b"}


def test_draws_of_a_kind_are_its_own():
    low, high, outer = re.split("[-/]", Vocabulary(WORDS, KINDS).value("outer", random.Random(0)))
    assert int(high) == int(low) + 10 and outer == "x"


@pytest.mark.parametrize("form", ["<words", "{a/b", "<a b>"])
def test_a_broken_form_is_refused(form):
    with pytest.raises(ValueError, match=r"bracket|brace|unknown draw"):
        Vocabulary(WORDS, KINDS).make(form, random.Random(0))


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_is_made_and_differs(name):
    known = vocabulary(name).with_words(words=("amber", "birch", "cedar", "delta", "ember"))
    for kind in known.kinds:
        made = {known.value(kind, random.Random(seed)) for seed in range(60)}
        assert len(made) > 2 and all(value and "<" not in value for value in made), kind


def test_slots_say_what_is_kept_and_how_it_is_called():
    text, filled = fill("a ⟦!x|door⟧ b ⟦y⟧", lambda name: name * 3)
    assert text == "a xxx b yyy"
    assert [(text[s.start : s.end], s.kept, s.label) for s in filled] == [
        ("xxx", True, "door"),
        ("yyy", False, None),
    ]
