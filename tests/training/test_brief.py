"""Scenes with other values say the same as before."""

import random

import pytest

from ta_lab.training.families import FAMILIES
from ta_lab.training.scene import Piece, Question, Scene
from ta_lab.training.tokenizer import load_tokenizer
from ta_lab.training.values import alphanumeric_pieces, brief_value, spelled_value, with_values
from transactional_attention.models.embedded import folder

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


def test_very_short_values_stay():
    scene = Scene([Piece("Room ", "12", " has 12 seats.")], [Question("Room?", " 12", 0)])
    assert with_values(scene, lambda: "K7Q2") is scene


def test_spelled_values_hold_pieces_of_the_vocabulary():
    tokenizer = load_tokenizer(folder())
    pieces = alphanumeric_pieces(tokenizer)
    assert all(len(piece) > 1 and piece.isalnum() and piece.isascii() for piece in pieces)
    rng = random.Random(0)
    values = [spelled_value(rng, pieces) for _ in range(200)]
    assert len(set(values)) == 200
    assert all(3 <= len(value) <= 16 and value.isalnum() for value in values)
    tokens = [tokenizer.encode(value, add_special_tokens=False).tokens for value in values]
    assert sum(max(map(len, of_value)) > 2 for of_value in tokens) > 150
