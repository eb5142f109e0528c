"""Statements in other languages than English: found, not found, in pieces, in linear time."""

from __future__ import annotations

import pytest

from found_values import anchors_of, found, found_in_pieces
from growing import assert_linear
from stated import allergies, keepers, networks, phrases

TOPICS = (allergies, keepers, networks, phrases)
STATED = [case for topic in TOPICS for case in topic.STATED]
NOTHING = [text for topic in TOPICS for text in topic.NOTHING]
PIECES = [piece for topic in TOPICS for piece in topic.PIECES]


@pytest.mark.parametrize(("text", "values"), STATED)
def test_what_is_stated_is_found(text, values):
    assert found(text) == values


@pytest.mark.parametrize("text", NOTHING)
def test_what_states_nothing_has_none(text):
    assert found(text) == []


@pytest.mark.parametrize(("text", "values"), STATED)
def test_pieces_change_nothing(text, values):
    assert found_in_pieces(text, 3) == values


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_text(piece):
    assert_linear(anchors_of, piece, 4_000)
