"""Unstructured cues and paraphrased questions (paper, Table 11), from ``situations``."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from .placing import Asked, Setting, Statement, make_cases
from .situations import SITUATIONS, STATED
from .values import SHORT, fresh


def unstructured(tokenizer: Any, setting: Setting) -> list[Case]:
    """A sentence that no label announces, asked for in its own words."""
    return _make(tokenizer, setting, "unstructured")


def paraphrased(tokenizer: Any, setting: Setting) -> list[Case]:
    """A labelled statement, asked for in words that do not name the label."""
    return _make(tokenizer, setting, "paraphrased")


def _make(tokenizer: Any, setting: Setting, task: str) -> list[Case]:
    rng = setting.rng(task)
    situation = rng.choice(SITUATIONS)
    value = fresh(rng, "code" if setting.variant == SHORT else situation.kind)
    if task == "unstructured":
        template, question = rng.choice(situation.cues), situation.plain
    else:
        template, question = rng.choice(STATED), rng.choice(situation.paraphrases)
    text = template.format(label=situation.label, value=value)
    stated = Statement(text, value, situation.label, setting.depth)
    asked = Asked(f"\n\n{question}", value)
    return make_cases(tokenizer, setting, task, [stated], [asked], rng)
