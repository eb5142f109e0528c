"""Scenes in other languages than English: labels, their grammar, sentences and questions."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...data import texts
from ...values.vocabulary import code8
from ..scene import Question, Scene, capital, different, filled
from ..values import random_value

PROSE_SHARE, ENGLISH_SHARE, USUAL_SHARE = 1 / 3, 0.15, 0.25
MARKED_SHARE, FAMILY_SHARE = 0.1, 0.15


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a value: `name` as a subject, `acc` as an object, `kind` its agreement."""

    name: str
    acc: str
    kind: str = ""

    def marked(self, mark: str) -> Label:
        """The same label with a mark behind it (" (redis)")."""
        return Label(self.name + mark, self.acc + mark, self.kind)


@dataclass(frozen=True, slots=True)
class Phrases:
    """A language: what agrees with each kind of label, the labels, and sentences with slots.

    Slots: `{label}`, `{acc}`, `{value}` and the names in `forms`; a capital slot is capitalised."""

    forms: Mapping[str, Mapping[str, str]]
    labels: tuple[Label, ...]
    statements: tuple[str, ...]
    questions: tuple[str, ...]
    mark: str = " ({})"

    def slots(self, label: Label) -> dict[str, str]:
        """What stands in each slot of a sentence about `label`."""
        slots = {"label": label.name, "acc": label.acc, **self.forms.get(label.kind, {})}
        return slots | {capital(name): capital(text) for name, text in slots.items()}


def _label(entry: str, kinds: bool) -> Label:
    """A label of "m name", "f name>object"; without `kinds` of "name", "name>object"."""
    kind, _, rest = entry.partition(" ") if kinds else ("", "", entry)
    name, _, acc = rest.partition(">")
    return Label(name, acc or name, kind)


TEXTS = texts("training/phrases")
ENGLISH = TEXTS.english
"""The labels of every language stand in this order."""
LANGUAGES: dict[str, Phrases] = {
    code: Phrases(
        **{
            "forms": {},
            **language,
            "labels": tuple(_label(entry, "forms" in language) for entry in language["labels"]),
        }
    )
    for code, language in TEXTS.languages.items()
}


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """`facts` statements of one language, and their questions in random order.

    Some labels carry a word in brackets ("contraseña (redis)"), alike but for it in some scenes."""
    code = rng.choice(tuple(LANGUAGES))
    phrases = LANGUAGES[code]
    named = _labels(rng, phrases, facts, words)
    names = [name for label, english in named for name in (label.name, label.acc, english)]
    values = different(
        lambda: code8(rng) if rng.random() < 0.4 else random_value(rng), facts, names
    )
    pieces = [
        filled(rng.choice(phrases.statements), value, **phrases.slots(label))
        for (label, _), value in zip(named, values)
    ]
    asked = rng.sample(range(facts), facts)
    questions = [
        Question(_question(rng, phrases, *named[index]), " " + values[index], index)
        for index in asked
    ]
    filler = "prose" if rng.random() < PROSE_SHARE else code
    return Scene(pieces, questions, filler=filler)


def _labels(
    rng: random.Random, phrases: Phrases, count: int, words: Sequence[str]
) -> list[tuple[Label, str]]:
    """`count` different labels, each with its English name."""
    alike = rng.randrange(len(ENGLISH)) if count > 1 and rng.random() < FAMILY_SHARE else None
    left = list(range(len(ENGLISH)))
    rng.shuffle(left)
    found: dict[str, tuple[Label, str]] = {}
    while len(found) < count:
        family = alike is not None and len(found) < 3
        index = alike if family else left.pop() if left else rng.randrange(len(ENGLISH))
        assert index is not None
        label, english = phrases.labels[index], ENGLISH[index]
        if family or not left or rng.random() < MARKED_SHARE:
            worded = words and rng.random() < 0.8
            word = rng.choice(words) if worded else str(rng.randint(1, 999))
            label = label.marked(phrases.mark.format(word))
            english = f"{english} ({word})"
        found.setdefault(label.name, (label, english))
    named = list(found.values())
    rng.shuffle(named)
    return named


def _question(rng: random.Random, phrases: Phrases, label: Label, english: str) -> str:
    """A question in the language of the scene, or in English."""
    if rng.random() < ENGLISH_SHARE:
        return rng.choice(TEXTS.english_questions).format(label=english)
    usual = rng.random() < USUAL_SHARE
    text = phrases.questions[0] if usual else rng.choice(phrases.questions)
    return text.format(**phrases.slots(label))
