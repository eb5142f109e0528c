"""Words as an index knows them."""

import pytest

from transactional_attention.retrieval.terms import terms
from transactional_attention.retrieval.words import known_words


@pytest.mark.parametrize("name", ["api_key", "apiKey", "API-KEY", "api.key", "API key"])
def test_identifiers_are_split(name):
    assert terms(name) == ["api", "key"]


def test_scripts_without_spaces_give_pairs():
    assert terms("门禁码") == ["门禁", "禁码"]
    assert terms("Wi-Fiのパスワード")[:2] == ["wi", "fi"]


def test_marks_on_letters_do_not_matter():
    assert terms("Matrícula") == terms("matricula")


def test_what_joins_the_words_of_japanese_names_nothing():
    assert all(map(known_words().says_nothing, ("です", "from", "der")))
    assert not known_words().says_nothing("鍵は")
