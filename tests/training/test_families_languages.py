import random

import pytest

from ta_lab.generators.statements import PHRASINGS
from ta_lab.training.families import languages
from ta_lab.training.families.languages import ENGLISH, LANGUAGES, TEXTS

REQUIRED = {"es", "fr", "de", "it", "pt", "ru", "ar", "hi", "tr", "zh", "ja", "ko"}
WORDS = ["redis", "river", "secret", "code"]
SCENES = [
    languages.scene(random.Random(seed), 1 + seed % 9, WORDS if seed % 10 else [])
    for seed in range(500)
]


def test_all_languages_occur_and_some_filler_is_prose():
    fillers = [scene.filler for scene in SCENES]
    assert set(LANGUAGES) >= REQUIRED
    assert set(fillers) == {*LANGUAGES, "prose"}
    assert 0.25 < fillers.count("prose") / len(fillers) < 0.42


def test_no_slot_is_left_open_and_some_questions_are_english():
    pieces = [piece for scene in SCENES for piece in scene.pieces]
    texts = [text for piece in pieces for text in (piece.before, piece.after)]
    questions = [question.text for scene in SCENES for question in scene.questions]
    assert not [text for text in texts + questions if "{" in text or "}" in text or "  " in text]
    openings = tuple(text.split("{")[0] for text in TEXTS.english_questions)
    share = sum(text.startswith(openings) for text in questions) / len(questions)
    assert 0.1 < share < 0.2


def test_held_out_labels_are_absent():
    held_out = {phrasings[0].label.lower() for phrasings in PHRASINGS.values()} | {"secret code"}
    for scene in SCENES:
        texts = [piece.text for piece in scene.pieces]
        texts += [question.text for question in scene.questions]
        assert not [text for text in texts for label in held_out if label in text.lower()]


def test_more_facts_than_labels_still_differ():
    scene = languages.scene(random.Random(0), 3 * len(ENGLISH), [])
    assert len({piece.before + piece.after for piece in scene.pieces}) == 3 * len(ENGLISH)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_is_complete(code):
    phrases = languages.LANGUAGES[code]
    assert len(phrases.labels) == len(ENGLISH)
    assert len({label.name for label in phrases.labels}) == len(ENGLISH)
    assert len(set(phrases.statements)) >= 10 and len(set(phrases.questions)) >= 8
    for label in phrases.labels:
        assert not phrases.forms or label.kind in phrases.forms
        for text in phrases.statements:
            assert text.count("{value}") == 1
            filled = text.format(value="V4LU3", **phrases.slots(label)).lower()
            assert label.name.lower() in filled or label.acc.lower() in filled
        for text in phrases.questions:
            filled = text.format(**phrases.slots(label)).lower()
            assert label.name.lower() in filled or label.acc.lower() in filled
