"""Texts with marked values, and questions by people who had not seen it (``data/recall``): the
locked ones are asked at most a few times."""

from __future__ import annotations

import random
import re
from itertools import accumulate
from typing import NamedTuple

from ..cases.cases import Case, Value
from ..data import text as read
from ..generators.recalled import DIRECT, FOUR
from .annotated import Marked, parsed

_QUESTION = re.compile(r"^\? (?P<kind>\S+) \| (?P<text>.*)$", re.MULTILINE)
NONE = "none"
SIMILAR, PARAPHRASE = "similar", "paraphrase"


class Question(NamedTuple):
    """``answers``: characters [begin, end) of its text; none where no value is asked for."""

    kind: str
    text: str
    answers: tuple[tuple[int, int], ...]


def questioned(name: str) -> list[tuple[Marked, list[Question]]]:
    """The texts of a file of ``data/recall``, each with its questions.

    Raises ValueError for an answer that the text does not mark exactly once."""
    texts = []
    for marked in parsed(name, read(f"recall/{name}.txt")):
        begin = marked.text.find("\n? ") + 1
        questions = [_question(marked, match) for match in _QUESTION.finditer(marked.text, begin)]
        texts.append((marked._replace(text=marked.text[:begin]), questions))
    return texts


def _question(marked: Marked, match: re.Match[str]) -> Question:
    kind, text = match["kind"], match["text"]
    answers: list[tuple[int, int]] = []
    if kind != NONE:
        text, _, right = text.rpartition(" | ")
        for answer in right.split(" ; "):
            places = [v for v in marked.values if marked.text[slice(*v)] == answer]
            if len(places) != 1:
                raise ValueError(f"text {marked.id} marks an answer {len(places)} times")
            answers += places
    return Question(kind, text, tuple(answers))


def cases_of_texts(name: str, seed: int) -> list[Case]:
    """A case a question, about all texts of a file one after the other, in an order by the seed:
    ``kind``, and ``places`` of what it asks for. What a tool or a slot asks for is left out."""
    texts = questioned(name)
    random.Random(f"texts/{seed}").shuffle(texts)
    starts = [0, *accumulate(len(marked.text) + 1 for marked, _ in texts)]
    context = "\n".join(marked.text for marked, _ in texts)
    values = tuple(
        Value(start + begin, start + end)
        for start, (marked, _) in zip(starts, texts)
        for begin, end in marked.values
    )
    cases: list[Case] = []
    for start, (_, questions) in zip(starts, texts):
        for question in questions:
            if question.kind in (DIRECT, SIMILAR, PARAPHRASE, FOUR):
                places = [(start + begin, start + end) for begin, end in question.answers]
                answer = "\n".join(context[slice(*place)] for place in places)
                meta = {"kind": question.kind, "places": places}
                text = f"\n\n{question.text}"
                cases.append(Case(f"{name}-{len(cases)}", context, text, answer, values, meta=meta))
    return cases


def free_of_texts(name: str) -> list[str]:
    """The questions of a file that ask for no value."""
    return [q.text for _, questions in questioned(name) for q in questions if q.kind == NONE]
