"""Corrections: a value is stated, then replaced; the later one counts."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from ..data import texts
from .placing import Asked, Setting, Statement, make_cases
from .values import fresh

TEXTS = texts("tasks/corrections")
TEMPLATES = (*TEXTS.first, *TEXTS.later, *TEXTS.questions)


def corrections(tokenizer: Any, setting: Setting) -> list[Case]:
    """The first statement lies before ``setting.depth``, its correction there."""
    rng = setting.rng("corrections")
    label, kind = rng.choice(TEXTS.labels)
    old, new = fresh(rng, kind), fresh(rng, kind)
    earlier = rng.uniform(0, 0.8 * setting.depth)
    stated = [
        Statement(
            rng.choice(TEXTS.first).format(label=label, value=old), old, label, earlier, False
        ),
        Statement(
            rng.choice(TEXTS.later).format(label=label, value=new), new, label, setting.depth
        ),
    ]
    asked = Asked("\n\n" + rng.choice(TEXTS.questions).format(label=label), new)
    return make_cases(tokenizer, setting, "corrections", stated, [asked], rng)
