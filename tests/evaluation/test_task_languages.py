"""The held-out phrasings: well formed, and none of them in the training data."""

import pytest

from ta_lab.generators.statements import PHRASINGS
from ta_lab.training.families.languages import LANGUAGES

RUN = 13
WITHOUT_SPACES = ("zh", "ja")


def training_texts(code):
    """Every training statement and question, with every label in it."""
    phrases = LANGUAGES[code]
    return {
        text.format(value="#", **phrases.slots(label))
        for label in phrases.labels
        for text in (*phrases.statements, *phrases.questions)
    }


def evaluation_texts(code):
    phrasings = PHRASINGS[code]
    return {text.statement.format(value="#") for text in phrasings} | {
        text.question for text in phrasings
    }


def runs(text, code):
    units = "".join(text.split()) if code in WITHOUT_SPACES else text.lower().split()
    return {tuple(units[start : start + RUN]) for start in range(len(units) - RUN + 1)}


def test_the_languages_are_those_of_training():
    assert set(PHRASINGS) == set(LANGUAGES)


@pytest.mark.parametrize("code", PHRASINGS)
def test_phrasings_are_well_formed(code):
    assert len(PHRASINGS[code]) == len(set(PHRASINGS[code])) >= 6
    assert len({phrasing.label for phrasing in PHRASINGS[code]}) == 4
    for phrasing in PHRASINGS[code]:
        assert phrasing.statement.count("{value}") == 1
        assert phrasing.label in phrasing.statement and phrasing.label in phrasing.question
        assert phrasing.question.startswith("\n\n")
        assert "{" not in phrasing.statement.replace("{value}", "") + phrasing.question


@pytest.mark.parametrize("code", PHRASINGS)
def test_no_template_is_shared(code):
    stripped = {text.strip().lower() for text in training_texts(code)}
    assert not stripped & {text.strip().lower() for text in evaluation_texts(code)}
    held_out = PHRASINGS[code][0].label
    names = [label.name for label in LANGUAGES[code].labels]
    templates = {text.replace(name, "*") for text in training_texts(code) for name in names}
    assert not templates & {text.replace(held_out, "*") for text in evaluation_texts(code)}


@pytest.mark.parametrize("code", PHRASINGS)
def test_no_long_run_is_shared(code):
    seen = {run for text in training_texts(code) for run in runs(text, code)}
    assert not [text for text in evaluation_texts(code) if seen & runs(text, code)]


@pytest.mark.parametrize("code", PHRASINGS)
def test_the_held_out_label_is_nowhere_in_training(code):
    held_out = PHRASINGS[code][0].label.lower()
    assert not [text for text in training_texts(code) if held_out in text.lower()]


def test_a_shared_run_would_be_found():
    text = " ".join(str(number) for number in range(RUN + 1))
    assert len(runs(text, "es")) == 2 and len(runs("あ" * RUN, "ja")) == 1
