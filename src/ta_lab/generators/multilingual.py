"""A value stated and asked for in one of the languages of ``languages.PHRASINGS``."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from .languages import PHRASINGS
from .placing import Asked, Setting, Statement, fill_in, make_cases
from .values import fresh

LANGUAGES = tuple(PHRASINGS)
TEMPLATES = tuple(
    text for many in PHRASINGS.values() for one in many for text in (one.statement, one.question)
)


def languages(tokenizer: Any, setting: Setting) -> list[Case]:
    """A phrasing of the language ``setting.variant``; the filler is the setting's own."""
    rng = setting.rng("languages")
    phrasing = rng.choice(PHRASINGS[setting.variant])
    value = fresh(rng, "code")
    text = fill_in(phrasing.statement, value=value)
    stated = Statement(text, value, phrasing.label, setting.depth)
    asked = Asked(phrasing.question, value)
    return make_cases(tokenizer, setting, "languages", [stated], [asked], rng, lang=setting.variant)
