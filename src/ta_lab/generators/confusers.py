"""Confusers (paper, Tables 7, 8 and 11): other values that are stated like the one asked for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..cases.cases import Case
from ..data import texts
from .placing import Asked, Setting, Statement, make_cases
from .questions import ask
from .values import fresh

TEXTS = texts("tasks/confusers")
TEMPLATES = (*TEXTS.statements, *TEXTS.similar_statements)
COUNTS = ("1", "2", "4", "5", "8", "10")


def confusers(tokenizer: Any, setting: Setting) -> list[Case]:
    """Prose with the asked value among ``int(setting.variant)`` others, each with its own label."""
    rng = setting.rng("confusers")
    labels = rng.sample(TEXTS.labels, int(setting.variant) + 1)
    stated = _state(rng, labels, TEXTS.statements, setting.depth)
    asked = Asked(ask(rng, labels[0]), stated[0].value)
    return make_cases(tokenizer, setting, "confusers", stated, [asked], rng)


def similar(tokenizer: Any, setting: Setting) -> list[Case]:
    """Two labels that differ in a word ("prod" and "dev"), stated in the same words; one asked."""
    rng = setting.rng("similar")
    labels = rng.sample(rng.choice(TEXTS.similar), 2)
    template = rng.choice(TEXTS.similar_statements)
    stated = _state(rng, labels, (template,), setting.depth)
    asked = Asked(ask(rng, labels[0]), stated[0].value)
    return make_cases(tokenizer, setting, "similar", stated, [asked], rng)


def alike(tokenizer: Any, setting: Setting) -> list[Case]:
    """Eight values, four pairs of labels that differ in a word, in the same words; each asked."""
    rng = setting.rng("alike")
    labels = [label for pair in rng.sample(TEXTS.similar, 4) for label in pair]
    rng.shuffle(labels)
    stated = [
        replace(item, critical=True)
        for item in _state(rng, labels, (rng.choice(TEXTS.similar_statements),), setting.depth)
    ]
    asked = [Asked(ask(rng, item.label), item.value) for item in stated]
    return make_cases(tokenizer, setting, "alike", stated, asked, rng)


def _state(
    rng: random.Random, labels: Sequence[str], templates: Sequence[str], depth: float
) -> list[Statement]:
    """A statement a label: the first at ``depth`` and critical, the others anywhere."""
    stated = []
    for index, label in enumerate(labels):
        value = fresh(rng, "code")
        text = rng.choice(templates).format(label=label, value=value)
        place = rng.random() if index else depth
        stated.append(Statement(text, value, label, place, critical=index == 0))
    return stated
