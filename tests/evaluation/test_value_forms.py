"""Forms of values, and the vocabularies that they are drawn from."""

import random
import re
import tomllib
from pathlib import Path

import pytest

from ta_lab.values.placeholders import fill
from ta_lab.values.vocabulary import Vocabulary, vocabulary

FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text())

NAMES = ("tasks", "collection", "training")
WORDS = {"words": ("amber", "birch", "cedar"), "hex": "0123456789abcdef", "months": ("May", "June")}
KINDS = {
    "code": "<hex*4>",
    "span": ("low=<1..9>", "high=<low:plus 10>", "<low>-<high>"),
    "outer": ("low=x", "<span>/<low>"),
}


@pytest.mark.parametrize(("form", "pattern"), FORMS.items())
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


@pytest.mark.parametrize("form", ["<words", "{a/b", "<a b>", "%q", "50%"])
def test_a_broken_form_is_refused(form):
    with pytest.raises(ValueError, match=r"bracket|brace|unknown draw|unknown letter"):
        Vocabulary(WORDS, KINDS).make(form, random.Random(0))


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_is_made_and_differs(name):
    known = vocabulary(name)
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
