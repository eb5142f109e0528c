"""The texts that the network over characters learns telling from, and the forms in them."""

import random
import re
import tomllib
from pathlib import Path

import pytest

from ta_lab.data import sections
from ta_lab.training.template_texts import LANGUAGES, filled, template_document
from ta_lab.training.values import VOCABULARY
from ta_lab.values.placeholders import SLOT

FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text())


@pytest.mark.parametrize(("form", "pattern"), FORMS.items())
def test_a_form_is_filled(form, pattern):
    rng = random.Random(0)
    for _ in range(50):
        assert re.fullmatch(pattern, VOCABULARY.make(form, rng))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_can_be_filled(language):
    rng, texts = random.Random(1), sections(f"templates/{language}")
    assert [*texts] == ["stated", "unstated", "paragraphs"]
    assert all(len(texts[name]) >= n for name, n in zip(texts, (200, 100, 8), strict=True))
    for text in texts["stated"]:
        made, values = filled(text, rng)
        assert values and not SLOT.search(made)
        assert all(made[start:end].strip() == made[start:end] != "" for start, end in values)
    for text in texts["unstated"]:
        assert filled(text, rng)[1] == [] and SLOT.search(text)
    assert not any(SLOT.search(text) for text in texts["paragraphs"])


def test_a_document_repeats_itself_and_marks_what_it_states():
    made = [template_document(random.Random(seed)) for seed in range(40)]
    assert made == [template_document(random.Random(seed)) for seed in range(40)]
    assert any(values for _, values in made) and any(not values for _, values in made)
    for text, values in made:
        assert all(0 <= start < end <= len(text) for start, end in values)
        assert "⟦" not in text and "⏎" not in text
