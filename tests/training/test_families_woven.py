import random
import re

import pytest

from ta_lab.training.families import woven
from ta_lab.training.families.languages import LANGUAGES

WORDS = "secret code river table engine window garden paper token signal carpet north".split()
SCENES = [woven.scene(random.Random(seed), 6, WORDS) for seed in range(60)]


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower()))


def test_every_question_shares_words_with_its_statement_and_never_gives_the_value():
    for scene in SCENES:
        for question in scene.questions:
            piece = scene.pieces[question.piece]
            assert question.answer == f" {piece.value}"
            assert piece.value not in question.text
            if question.text.isascii():
                assert words(question.text) & words(f"{piece.before} {piece.after}")


def test_scenes_are_in_many_languages_and_never_the_same_twice():
    assert len({scene.filler for scene in SCENES}) > len(LANGUAGES) / 2
    assert len({scene.pieces[0].text for scene in SCENES}) == len(SCENES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words(code: str):
    found = woven.words_of(code)
    assert len(found) > 40
    assert not [word for word in found if "{" in word or " " in word]
