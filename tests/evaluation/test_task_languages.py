"""The held-out phrasings are well formed; that training has none of them: test_held_out."""

import pytest

from ta_lab.generators.statements import PHRASINGS
from ta_lab.training.families.languages import LANGUAGES


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
