"""Training and evaluation share no sentence: not a template, not thirteen words in a row."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from transactional_attention.evaluation.tasks import TASKS
from transactional_attention.training.facts import is_held_out
from transactional_attention.training.families import FAMILIES

WORDS = ("river", "stone", "harbour", "window", "letter", "paper", "garden", "signal")
SCENES = 400
RUN = 13
# What is left of a template between its placeholders; shorter pieces are everybody's.
LONG_ENOUGH = 24  # characters, of four words or more


def training_texts() -> Iterator[str]:
    for family, make in FAMILIES.items():
        for seed in range(SCENES):
            scene = make(random.Random(f"{family}:{seed}"), 1 + seed % 6, WORDS)
            yield "\n".join([scene.head, *(piece.text for piece in scene.pieces), scene.tail])
            yield from (question.text for question in scene.questions)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return list(training_texts())


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def literals(template: str) -> list[str]:
    parts = re.split(r"\{[^{}]*\}", template)
    return [
        part.strip() for part in parts if len(part.strip()) >= LONG_ENOUGH and len(part.split()) > 3
    ]


@pytest.mark.parametrize("task", [name for name, task in TASKS.items() if task.templates])
def test_no_template_of_the_evaluation_is_used_in_training(task: str, texts: list[str]):
    everything = "\n".join(texts)
    templates = TASKS[task].templates
    assert [part for template in templates for part in literals(template)]
    shared = [t for t in templates if any(part in everything for part in literals(t))]
    assert shared == []


def test_no_thirteen_words_in_a_row_are_shared(texts: list[str]):
    asked = set().union(*(runs(t) for task in TASKS.values() for t in task.templates))
    assert asked
    assert not asked & set().union(*map(runs, texts))


def test_the_label_of_the_needle_is_never_stated(texts: list[str]):
    assert not [text for text in texts if is_held_out(text)]
