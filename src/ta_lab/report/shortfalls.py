"""Why the embedded model falls short of a target, what was tried, what comes next: by task.

Read by the table of the page; the numbers are those of the section Tries in docs/embedded-model.md.
No figure stands here: figures come from records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..experiments.ceilings import LOST, Reading

HEADS = ("cause", "tries", "next step")


@dataclass(frozen=True)
class Shortfall:
    """One task: ``cause`` and ``next_step`` in a few words, ``tries`` by their numbers."""

    cause: str
    tries: tuple[int, ...]
    next_step: str

    def cells(self) -> tuple[str, str, str]:
        """Cells under ``HEADS``."""
        return self.cause, ", ".join(map(str, self.tries)), self.next_step


LONGER = "longer training, on a GPU (`--recipe large`)"
WORDS = "no general rule to match words: it learnt the sentences of its templates"
KNOWLEDGE = "what a sentence without a label tells is knowledge; the corpus does not teach it"

SHORTFALLS = {
    "needle": Shortfall(
        "a value with a piece of the vocabulary that was seldom copied; mended, not all of it",
        (15, 16, 17),
        LONGER,
    ),
    "formats": Shortfall(
        "labels in capitals and in joined words were spelled apart; mended, not trained out",
        (5, 6, 9),
        LONGER,
    ),
    "toolcall": Shortfall(
        "it gives the bare value and not the call",
        (5, 9, 13),
        "more transcripts in which the answer must be a call",
    ),
    "multislot": Shortfall(
        "which of several values of one thing is asked for: hardly learnt in a thousand steps",
        (9, 10, 13),
        LONGER,
    ),
    "languages": Shortfall(
        "little text and few documents a language; " + WORDS,
        (5, 9, 13),
        "more documents in languages, then " + LONGER,
    ),
    "confusers": Shortfall(WORDS, (9, 10, 12), LONGER),
    "similar": Shortfall(WORDS, (9, 10, 12), LONGER),
    "unstructured": Shortfall(KNOWLEDGE, (5, 9, 10), "more text and a larger model"),
    "paraphrased": Shortfall(
        "a question in other words shares few words with its sentence: knowledge again",
        (5, 9, 10),
        "more text and a larger model",
    ),
    "corrections": Shortfall(
        "of two statements of a thing it prefers the later one only a little",
        (5, 9, 13),
        "more corrections in long documents, then " + LONGER,
    ),
}
"""By task of ``ceilings.PLAN``."""


def shortfall_of(row: dict[str, Any]) -> Shortfall | None:
    """Why a short row of the table is short.

    None for a task without an entry, and where the value was evicted: what is answered then is no
    matter of training.
    """
    if Reading(row["method"], row["budget"], row["ledger"]) in LOST:
        return None
    return SHORTFALLS.get(row["task"])
