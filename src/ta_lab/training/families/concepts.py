"""Concepts: things whose value a text gives without saying "label: value"."""

from __future__ import annotations

from dataclasses import dataclass

from ...data import table
from ...values.forms import Draw
from ...values.vocabulary import vocabulary

TOPICS = ("home", "travel", "money", "office", "ops", "build")
EVERYDAY: tuple[str, ...] = table("values/everyday")["everyday"]
"""Forms of values that come up anywhere."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A thing that has one value: its names, its form, and sentences about it without a name.

    `statements` contain ``{value}``; `questions` ask for it in other words.
    """

    labels: tuple[str, ...]
    value: str
    statements: tuple[str, ...]
    questions: tuple[str, ...]


def everyday(form: str) -> Draw:
    """What draws values of a form of everyday things."""
    return vocabulary("everyday").maker(form)


CONCEPTS = tuple(
    Concept(**concept)
    for topic in TOPICS
    for concept in table(f"training/concepts/{topic}")["concepts"]
)
