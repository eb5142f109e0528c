"""Scenes with short values say the same as before."""

from __future__ import annotations

import random

import pytest

from transactional_attention.training.brief import with_brief_values
from transactional_attention.training.families import FAMILIES
from transactional_attention.training.scene import Piece, Question, Scene

WORDS = ["river", "stone", "harbour", "window", "letter"]


@pytest.mark.parametrize("family", FAMILIES)
def test_answers_hold_the_new_values(family: str):
    rng = random.Random(3)
    for _ in range(20):
        scene = with_brief_values(FAMILIES[family](rng, 5, WORDS), rng)
        for question in scene.questions:
            value = scene.pieces[question.piece].value
            assert value
            assert value in question.answer


def test_a_value_is_replaced_everywhere():
    pieces = [Piece("The code is ", "AB12CD34", "."), Piece("Not AB12CD34 but ", "ZZ99ZZ99", ".")]
    scene = Scene(pieces, [Question("Which replaces AB12CD34?", " ZZ99ZZ99", 1)])
    brief = with_brief_values(scene, random.Random(0))
    first, second = (piece.value for piece in brief.pieces)
    assert first != second
    assert brief.pieces[1].before == f"Not {first} but "
    assert brief.questions[0] == Question(f"Which replaces {first}?", f" {second}", 1)
    assert "AB12CD34" not in repr(brief)


def test_very_short_values_stay():
    scene = Scene([Piece("Room ", "12", " has 12 seats.")], [Question("Room?", " 12", 0)])
    assert with_brief_values(scene, random.Random(0)) is scene
