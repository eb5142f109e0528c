"""Statements and questions in other languages than English, in words that training never sees.

The first label of a language names a secret code: no training label does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..data import table


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A statement with the slot `{value}`, the question for it, and the label in both."""

    statement: str
    question: str
    label: str


def _phrasings(
    labels: Sequence[str], statements: Sequence[str], questions: Sequence[str]
) -> tuple[Phrasing, ...]:
    """Each label in each statement; the questions take turns."""
    found = []
    for turn, label in enumerate(labels):
        for place, statement in enumerate(statements):
            question = "\n\n" + questions[(turn + place) % len(questions)].format(label=label)
            found.append(Phrasing(statement.replace("{label}", label), question, label))
    return tuple(found)


PHRASINGS = {code: _phrasings(**texts) for code, texts in table("tasks/languages").items()}
