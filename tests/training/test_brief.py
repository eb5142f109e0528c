"""Scenes with other values say the same as before."""

import random

import pytest

from ta_lab.training.families import FAMILIES
from ta_lab.training.scene import Piece, Question, Scene
from ta_lab.training.values import brief_value, with_values

WORDS = ["river", "stone", "harbour", "window", "letter"]


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_hold_the_new_values(family: str):
    rng = random.Random(3)
    for _ in range(20):
        scene = with_values(FAMILIES[family](rng, 5, WORDS), lambda: brief_value(rng))
        for question in scene.questions:
            value = scene.pieces[question.piece].value
            assert value
            assert value in question.answer


def test_a_value_is_replaced_everywhere():
    pieces = [Piece("The code is ", "AB12CD34", "."), Piece("Not AB12CD34 but ", "ZZ99ZZ99", ".")]
    scene = Scene(pieces, [Question("Which replaces AB12CD34?", " ZZ99ZZ99", 1)])
    brief = with_values(scene, iter(("K7Q2", "zinc")).__next__)
    first, second = (piece.value for piece in brief.pieces)
    assert first != second
    assert brief.pieces[1].before == f"Not {first} but "
    assert brief.questions[0] == Question(f"Which replaces {first}?", f" {second}", 1)
    assert "AB12CD34" not in repr(brief)
