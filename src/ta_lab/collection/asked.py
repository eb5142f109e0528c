"""Recall judged by text alone: the true value among the first that a question brings back.

``data/recall``: texts with marked values, and questions by people who had not seen it. ``tuning``
chose its numbers; the locked ones are scored a few times at most. No model runs.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from transactional_attention.detection.detector import LOOKBACK
from transactional_attention.detection.labels import find_label
from transactional_attention.detection.scanner import Scanner
from transactional_attention.recall.entries import Entry, lines_of, words_of, words_of_line
from transactional_attention.recall.recall import Recall, Recalled
from transactional_attention.types import Anchor, Span

from ..cases.cases import Case, Value
from ..data import text as read
from ..generators.recalled import DIRECT, FOUR
from .written import WRITTEN, Marked, marked_texts, parsed

FIRST = (1, 3, 8)
DEPTHS = ("values", "found", "found with lines", "found and lines")
"""What is known of a text: its marked values; what is detected; that, each with its line; that, and
every other line."""
_QUESTION = re.compile(r"^\? (?P<kind>\S+) \| (?P<text>.*)$", re.MULTILINE)
NONE, SLOT = "none", "slot"
SIMILAR, PARAPHRASE = "similar", "paraphrase"


class Question(NamedTuple):
    """``answers``: characters [begin, end) of its text; none where no value is asked for."""

    text_id: str
    kind: str
    text: str
    answers: tuple[tuple[int, int], ...]


class Asked(NamedTuple):
    """A question and what it brought back: places of answers, in the order of the recall."""

    question: Question
    recalled: tuple[tuple[str, int, int], ...]

    def right(self, first: int) -> int:
        """How many answers are among the first ones, for each answer as many."""
        answers = {(self.question.text_id, *answer) for answer in self.question.answers}
        wanted = set(self.recalled[: max(first, len(answers))])
        return sum(any(_covers(r, a) for r in wanted) for a in answers)


def _covers(recalled: tuple[str, int, int], answer: tuple[str, int, int]) -> bool:
    return recalled[0] == answer[0] and recalled[1] <= answer[1] and answer[2] <= recalled[2]


def questioned(name: str) -> list[tuple[Marked, list[Question]]]:
    """The texts of a file of ``data/recall``, each with its questions.

    Raises ValueError for an answer that the text does not mark exactly once."""
    found = []
    for marked in parsed(name, read(f"recall/{name}.txt")):
        begin = marked.text.find("\n? ") + 1
        questions = [_question(marked, match) for match in _QUESTION.finditer(marked.text, begin)]
        found.append((marked._replace(text=marked.text[:begin]), questions))
    return found


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
    return Question(marked.id, kind, text, tuple(answers))


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
    found: list[Case] = []
    for start, (_, questions) in zip(starts, texts):
        for question in questions:
            if question.kind in (DIRECT, SIMILAR, PARAPHRASE, FOUR):
                places = [(start + begin, start + end) for begin, end in question.answers]
                answer = "\n".join(context[slice(*place)] for place in places)
                meta = {"kind": question.kind, "places": places}
                text = f"\n\n{question.text}"
                found.append(Case(f"{name}-{len(found)}", context, text, answer, values, meta=meta))
    return found


def free_of_texts(name: str) -> list[str]:
    """The questions of a file that ask for no value."""
    return [q.text for _, questions in questioned(name) for q in questions if q.kind == NONE]


def entries(marked: Marked, depth: str, order: int = 0) -> list[tuple[Entry, tuple[int, int]]]:
    """What recall knows of a text when all of it has left, with the characters that come back."""
    text = marked.text
    anchors = Scanner(("values",)).feed(text, final=True)
    if depth == "values":
        anchors = [_marked_anchor(text, value, anchors) for value in marked.values]
    others = [anchor.value for anchor in anchors]

    def excerpt(begin: int, end: int) -> str:
        return text[begin:end]

    given = [(anchor.value, words_of(anchor, excerpt, others)) for anchor in anchors]
    if depth == DEPTHS[-1]:
        lines = [line for line in lines_of(text) if not any(line.overlaps(o) for o in others)]
        given += [(line, words_of_line(line, excerpt, others)) for line in lines]
    found = []
    for span, words in given:
        place = Span((order << 20) + span.start, (order << 20) + span.end)
        entry = Entry(place, Span(0, 0), depth, 1.0, "unknown", words=words)
        begin, end = span.start, span.end
        if depth in DEPTHS[2:]:
            begin, end = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
        found.append((entry, (begin, end)))
    return found


def _marked_anchor(text: str, value: tuple[int, int], anchors: Sequence[Anchor]) -> Anchor:
    """The anchor of a marked value: what is detected of it, else the label that stands before."""
    own = Span(*value)
    for anchor in anchors:
        if anchor.value.overlaps(own) and anchor.label:
            return anchor._replace(value=own)
    label = find_label(text, own.start)
    start = own.start if label is None else max(label.start, own.start - LOOKBACK)
    return Anchor(Span(start, own.start), own, 1.0, "marked")


def asked(
    texts: Sequence[tuple[Marked, list[Question]]],
    depth: str,
    *,
    pooled: bool,
    written: bool = False,
    make: Callable[[], Recall] = Recall,
) -> list[Asked]:
    """Every question of every text. ``pooled``: one recall knows all texts, else each its own;
    ``written``: and the texts of ``data/written``."""
    seen: list[Asked] = []
    others = list(marked_texts(WRITTEN)) if written else []
    groups = [texts] if pooled else [[one] for one in texts]
    for group in groups:
        recall, names = make(), dict[Span, tuple[str, int, int]]()
        for order, marked in enumerate([*[m for m, _ in group], *others]):
            for entry, place in entries(marked, depth, order):
                names[entry.value] = (marked.id, *place)
                recall.know(entry)
        for _, questions in group:
            for question in questions:
                seen.append(
                    Asked(question, tuple(names[r.entry.value] for r in _asked(recall, question)))
                )
    return seen


def _asked(recall: Recall, question: Question) -> list[Recalled]:
    if question.kind != SLOT:
        return recall.wanted(question.text, most=max(FIRST))
    found: list[Recalled] = []
    for char in question.text:  # as it is generated: the last slot counts
        found = recall.opened(char, max(FIRST))
    return found


def table(seen: Sequence[Asked]) -> list[str]:
    """Lines of a table: by kind of question the share of answers among the first 1, 3 and 8, where
    four values count as one; then what value-free questions bring back."""
    lines = []
    kinds = sorted({a.question.kind for a in seen} - {NONE})
    for kinds_of_row, name in [*(((kind,), kind) for kind in kinds), (kinds, "all")]:
        row = [a for a in seen if a.question.kind in kinds_of_row]
        number = sum(len(a.question.answers) for a in row)
        shares = [100 * sum(a.right(first) for a in row) / number for first in FIRST]
        lines.append(f"{name:12}{number:4}  " + "  ".join(f"{share:5.1f}" for share in shares))
    free = [a for a in seen if a.question.kind == NONE]
    false, values = sum(bool(a.recalled) for a in free), sum(len(a.recalled) for a in free)
    characters = [sum(end - begin for _, begin, end in a.recalled) for a in seen if a not in free]
    lines.append(f"false recalls: {false} of {len(free)} questions, {values} entries")
    lines.append(f"characters brought back by a question: {sum(characters) / len(characters):.0f}")
    return lines


def main() -> None:
    """Print the tables of a file of questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "name", choices=("tuning", "development", "locked", "locked-second", "locked-third")
    )
    texts = questioned(parser.parse_args().name)
    for depth in DEPTHS:
        for pooled, written in ((False, False), (True, False), (True, True)):
            among = (
                "the written texts too" if written else "all texts" if pooled else "its own text"
            )
            print(f"\n{depth}, among {among}")
            print(*table(asked(texts, depth, pooled=pooled, written=written)), sep="\n")


if __name__ == "__main__":
    main()
