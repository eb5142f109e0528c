"""Tasks that state values in filler: what each states, how deep, and what it asks then.

The sentences lie in ``data/tasks/TASK.toml``; values are fresh for every seed, on reserved domains
and documentation addresses.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ..data import table, texts
from ..values.vocabulary import vocabulary
from .placing import Asked, Setting, Statement, Told, fill_in

SHORT = "-short"
"""Ends the name of a variant whose values are eight characters, as the paper's credential."""
COUNTS, SIZES = ("1", "2", "4", "5", "8", "10"), ("3", "4")
CONFUSERS, CORRECTIONS = texts("tasks/confusers"), texts("tasks/corrections")
MULTISLOT = texts("tasks/multislot")
QUESTIONS: tuple[str, ...] = table("tasks/questions")["questions"]
"""Ways of asking for a label, none of which training uses."""


class Block(NamedTuple):
    """A paragraph with one ``{value}`` of a kind, and the words that a question uses for it."""

    kind: str
    label: str
    text: str


class Situation(NamedTuple):
    """``cues`` state a ``{value}`` without announcing it by ``label``; ``plain`` asks for it in
    the words of the cues; ``paraphrases`` ask for ``label`` in words that do not name it."""

    kind: str
    label: str
    cues: tuple[str, ...]
    plain: str
    paraphrases: tuple[str, ...]


class Phrasing(NamedTuple):
    """A statement with the slot `{value}`, the question for it, and the label in both."""

    statement: str
    question: str
    label: str


def _phrasings(
    labels: Sequence[str], statements: Sequence[str], questions: Sequence[str]
) -> tuple[Phrasing, ...]:
    """Each label in each statement; the questions take turns."""
    return tuple(
        Phrasing(
            statement.replace("{label}", label),
            "\n\n" + questions[(turn + place) % len(questions)].format(label=label),
            label,
        )
        for turn, label in enumerate(labels)
        for place, statement in enumerate(statements)
    )


FORMATS = {
    name: tuple(Block(**block) for block in blocks)
    for name, blocks in table("tasks/formats").items()
}
PHRASINGS = {code: _phrasings(**texts) for code, texts in table("tasks/languages").items()}
"""In words that training never sees. The first label of a language names a secret code: no label
of training does."""
SITUATIONS = tuple(Situation(**one) for one in table("tasks/situations")["situations"])
STATED: tuple[str, ...] = table("tasks/situations")["stated"]


def fresh(rng: random.Random, kind: str) -> str:
    """A new value of a kind of the vocabulary of tasks."""
    return vocabulary("tasks").value(kind, rng)


def _asked(rng: random.Random, stated: Sequence[Statement]) -> list[Asked]:
    """A question for the label of each statement, after a blank line."""
    return [
        Asked("\n\n" + rng.choice(QUESTIONS).format(label=item.label), item.value)
        for item in stated
    ]


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


def formats(rng: random.Random, setting: Setting) -> Told:
    """A block of the format that ``setting.variant`` names (paper, Table 10), and a question.

    With ``SHORT`` after the name the value is eight characters, whatever its block holds."""
    name = setting.variant.removesuffix(SHORT)
    block = rng.choice(FORMATS[name])
    value = fresh(rng, block.kind if name == setting.variant else "code")
    stated = [Statement(fill_in(block.text, value=value), value, block.label, setting.depth)]
    return stated, _asked(rng, stated)


def confusers(rng: random.Random, setting: Setting) -> Told:
    """Prose with the asked value among ``int(setting.variant)`` others, each with its own label
    (paper, Tables 7, 8 and 11)."""
    labels = rng.sample(CONFUSERS.labels, int(setting.variant) + 1)
    stated = _state(rng, labels, CONFUSERS.statements, setting.depth)
    return stated, _asked(rng, stated[:1])


def similar(rng: random.Random, setting: Setting) -> Told:
    """Two labels that differ in a word ("prod" and "dev"), stated in the same words; one asked."""
    labels = rng.sample(rng.choice(CONFUSERS.similar), 2)
    stated = _state(rng, labels, (rng.choice(CONFUSERS.similar_statements),), setting.depth)
    return stated, _asked(rng, stated[:1])


def alike(rng: random.Random, setting: Setting) -> Told:
    """Eight values, four pairs of labels that differ in a word, in the same words; each asked."""
    labels = [label for pair in rng.sample(CONFUSERS.similar, 4) for label in pair]
    rng.shuffle(labels)
    stated = _state(rng, labels, (rng.choice(CONFUSERS.similar_statements),), setting.depth)
    return [replace(item, critical=True) for item in stated], _asked(rng, stated)


def multislot(rng: random.Random, setting: Setting) -> Told:
    """``int(setting.variant)`` values, the first at ``setting.depth``, the others spread from
    there, asked one by one (paper, Table 9 and the four-value agent)."""
    number = int(setting.variant)
    stated = []
    for index, (label, kind) in enumerate(rng.sample(MULTISLOT.slots[:number], number)):
        value = fresh(rng, kind)
        text = rng.choice(MULTISLOT.statements).format(label=label, value=value)
        stated.append(Statement(text, value, label, (setting.depth + index / number) % 1))
    return stated, _asked(rng, stated)


def unstructured(rng: random.Random, setting: Setting) -> Told:
    """A sentence that no label announces, asked for in its own words (paper, Table 11)."""
    return _situation(rng, setting, named=False)


def paraphrased(rng: random.Random, setting: Setting) -> Told:
    """A labelled statement, asked for in words that do not name the label (paper, Table 11)."""
    return _situation(rng, setting, named=True)


def _situation(rng: random.Random, setting: Setting, *, named: bool) -> Told:
    situation = rng.choice(SITUATIONS)
    value = fresh(rng, "code" if setting.variant == SHORT else situation.kind)
    template = rng.choice(STATED if named else situation.cues)
    question = rng.choice(situation.paraphrases) if named else situation.plain
    text = template.format(label=situation.label, value=value)
    stated = [Statement(text, value, situation.label, setting.depth)]
    return stated, [Asked(f"\n\n{question}", value)]


def corrections(rng: random.Random, setting: Setting) -> Told:
    """A value before ``setting.depth`` and its correction there: the later one counts."""
    label, kind = rng.choice(CORRECTIONS.labels)
    old, new = fresh(rng, kind), fresh(rng, kind)
    earlier = rng.uniform(0, 0.8 * setting.depth)
    first = rng.choice(CORRECTIONS.first).format(label=label, value=old)
    later = rng.choice(CORRECTIONS.later).format(label=label, value=new)
    question = "\n\n" + rng.choice(CORRECTIONS.questions).format(label=label)
    stated = [
        Statement(first, old, label, earlier, critical=False),
        Statement(later, new, label, setting.depth),
    ]
    return stated, [Asked(question, new)]


def languages(rng: random.Random, setting: Setting) -> Told:
    """A phrasing of the language ``setting.variant``; the filler is the setting's own."""
    phrasing = rng.choice(PHRASINGS[setting.variant])
    value = fresh(rng, "code")
    text = fill_in(phrasing.statement, value=value)
    stated = [Statement(text, value, phrasing.label, setting.depth)]
    return stated, [Asked(phrasing.question, value)]
