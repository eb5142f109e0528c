"""Values are masked wherever they occur, and nothing else is."""

import pytest

from scenes import byte_tokenizer
from transactional_attention import Retention
from transactional_attention.masking import masked_text
from transactional_attention.planning import read

TOKENIZER = byte_tokenizer()


def masked(text, retention=None):
    (sequence,) = read(text, TOKENIZER, retention or Retention(16)).sequences
    shown = masked_text(sequence)
    assert len(shown) == len(sequence.text.text)
    return shown[len(sequence.text.text) - len(text) :]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The door code is 7301. So 7301 it is.\n", "The door code is ••••. So •••• it is.\n"),
        ("Nothing at all.\n", "Nothing at all.\n"),
    ],
)
def test_a_value_is_masked_where_it_is_repeated(text, shown):
    assert masked(text) == shown


def test_ranges_of_the_caller_are_values():
    assert masked("It was blue then.\n", Retention(16).protect(7, 11)) == "It was •••• then.\n"


def test_overlapping_values_are_masked_once():
    retention = Retention(16).protect(0, 6).protect(3, 9)
    assert masked("abcdefghi jk\n", retention) == "••••••••• jk\n"


def test_a_short_value_is_masked_elsewhere_only_where_it_stands_alone():
    text = "The pin is 73. Not 730, but 73.\n"
    assert masked(text, Retention(16).protect(11, 13)) == "The pin is ••. Not 730, but ••.\n"
