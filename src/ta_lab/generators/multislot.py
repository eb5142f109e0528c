"""Several values of one context, asked one by one (paper, Table 9 and the four-value agent)."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from ..data import texts
from .placing import Asked, Setting, Statement, make_cases
from .questions import ask
from .values import fresh

TEXTS = texts("tasks/multislot")
TEMPLATES = TEXTS.statements
SIZES = ("3", "4")


def multislot(tokenizer: Any, setting: Setting) -> list[Case]:
    """``int(setting.variant)`` values spread over the context, the first at ``setting.depth``."""
    rng = setting.rng("multislot")
    number = int(setting.variant)
    slots = rng.sample(TEXTS.slots[:number], number)
    stated = []
    for index, (label, kind) in enumerate(slots):
        value = fresh(rng, kind)
        text = rng.choice(TEXTS.statements).format(label=label, value=value)
        stated.append(Statement(text, value, label, (setting.depth + index / number) % 1))
    asked = [Asked(ask(rng, statement.label), statement.value) for statement in stated]
    return make_cases(tokenizer, setting, "multislot", stated, asked, rng)
