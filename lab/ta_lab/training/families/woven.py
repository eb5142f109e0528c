"""Any words in any wording: the question shares words with one statement, and nothing else helps.

Sentences of fixed templates teach a model the templates. Here labels, sentences and questions are
drawn anew from the words of a language, so that only one rule is left: the value that is meant
stands near the words of the question.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache

from ..facts import HEAD_NOUNS, HELD_OUT_KEY, is_held_out
from ..scene import Piece, Question, Scene, capital, different
from .drafts import any_value
from .languages import LANGUAGES

UNSPACED = ("zh", "ja")
ENGLISH_SHARE, ALIKE_SHARE, COMMON_SHARE, CAPITAL_SHARE = 0.5, 0.35, 0.4, 0.15
# A value in front of its label cannot know it: the answer takes two steps, and most models fail.
VALUE_FIRST_SHARE = 0.04
JOINTS = (" ", " ", ": ", " = ", " is ", ", ", " (", ' "', " - ", "\n")
ENDS = {" (": ")", ' "': '"'}
QUESTION_ENDS = ("?", "?", ":", ".", "")
SHORTEST_LABEL = 3
# Filling words in one place, by scene: plain ones teach what the others need.
MOST_FILLING = (0, 0, 1, 2, 3, 5)
HELD_OUT_WORD = HELD_OUT_KEY.split()[0]


@cache
def words_of(code: str) -> tuple[str, ...]:
    """Words of a language's sentences; runs of two to four characters where none are spaced."""
    phrases = LANGUAGES[code]
    texts = (*phrases.statements, *phrases.questions, *(label.name for label in phrases.labels))
    text = re.sub(r"\{\w+\}", " ", " ".join(texts))
    runs = "".join(c if c.isalpha() or (not c.isascii() and c.isprintable()) else " " for c in text)
    found = dict.fromkeys(runs.split())
    if code in UNSPACED:
        parts = (run[i : i + n] for run in found for n in (2, 3, 4) for i in range(len(run) - n))
        found = dict.fromkeys(part for part in parts if part.isalpha())
    return tuple(found)


class Loom:
    """Draws words, labels and texts of one language, with a few filling words of its own."""

    def __init__(self, rng: random.Random, words: Sequence[str]) -> None:
        """English `words` or those of any other language."""
        english = bool(words) and rng.random() < ENGLISH_SHARE
        self.code = "prose" if english else rng.choice(tuple(LANGUAGES))
        self.rng = rng
        # Without this word no chance order of words is the label of the evaluation.
        allowed = [word for word in words if word != HELD_OUT_WORD] if english else None
        self.words = allowed or words_of(self.code)
        self.nouns = self.words
        if english:
            self.nouns = (*HEAD_NOUNS, *rng.sample(self.words, min(5, len(self.words))))
        self.space = "" if self.code in UNSPACED else " "
        self.filling = rng.sample(self.words, min(14, len(self.words)))
        self.most = rng.choice(MOST_FILLING)

    def word(self) -> str:
        """A word; in other languages than English often one that does not exist."""
        rng = self.rng
        word = rng.choice(self.words)
        if self.code != "prose" and rng.random() < 0.5:
            other = rng.choice(self.words)
            word = word[: (len(word) + 1) // 2] + other[len(other) // 2 :]
        return word

    def join(self, parts: Sequence[str]) -> str:
        """The words as a text of this language."""
        return self.space.join(part for part in parts if part)

    def filler(self, most: int) -> str:
        """Up to `most` filling words, fewer in plainer scenes."""
        count = self.rng.randint(0, min(most, self.most))
        return self.join(self.rng.choices(self.filling, k=count))

    def labels(self, count: int) -> list[tuple[str, ...]]:
        """`count` different labels of one to three words, alike but for a word in some scenes."""
        rng = self.rng
        shared = rng.sample(self.nouns, 1 if rng.random() < 0.5 else 2)
        alike = count > 1 and rng.random() < ALIKE_SHARE
        found: dict[frozenset[str], tuple[str, ...]] = {}
        while len(found) < count:
            label = [self.word() for _ in range(rng.choice((1, 1, 2)))]
            if alike:
                label.insert(rng.randint(0, len(label)), rng.choice(shared))
            elif rng.random() < 0.6:
                label.append(rng.choice(self.nouns))
            text = self.join(label)
            if len(text.encode()) >= SHORTEST_LABEL and not is_held_out(text):
                found.setdefault(frozenset(label), tuple(label))
        return list(found.values())


def _sentence(loom: Loom, shape: random.Random, label: Sequence[str], value: str) -> Piece:
    """A statement; scenes of one `shape` differ in labels and values alone."""
    rng, loom.rng = loom.rng, shape
    before, between, behind = loom.filler(5), loom.filler(4), loom.filler(5)
    loom.rng = rng
    joint, end = shape.choice(JOINTS), shape.choice((".", ".", "", ";"))
    close = ENDS.get(joint, "")
    name = loom.join(label)
    if shape.random() < VALUE_FIRST_SHARE:
        front = capital(before) + joint if before else ""
        rest = loom.join(("", between, name, behind))
        return Piece(front, value, (close if front else "") + " " + rest + end)
    front = loom.join((before, name, between))
    front = capital(front) if shape.random() < CAPITAL_SHARE else front
    rest = loom.space + behind if behind and shape.random() < 0.5 else ""
    return Piece(front + joint, value, close + rest + end)


def _question(loom: Loom, label: Sequence[str]) -> str:
    """The label among filling words, its own words seldom in another order or in capitals."""
    rng = loom.rng
    words = list(label)
    if rng.random() < 0.2:
        rng.shuffle(words)
    if len(words) > 1 and rng.random() < 0.15:
        words.insert(1, rng.choice(loom.filling))
    style = rng.random()
    name = loom.join(words)
    name = name.title() if style < 0.06 else name.upper() if style < 0.1 else name
    behind = loom.filler(3) if rng.random() < 0.3 else ""
    text = loom.join((loom.filler(5), name, behind)) + rng.choice(QUESTION_ENDS)
    before = rng.choice(("\n\n", "\n\n", "\n"))
    return before + (capital(text) if rng.random() < CAPITAL_SHARE else text)


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """`facts` statements in words of one language, and a question for each, in random order."""
    loom = Loom(rng, words)
    labels = loom.labels(facts)
    known = " ".join(loom.join(label) for label in labels)
    values = different(lambda: any_value(rng), facts, [known])
    common = rng.getrandbits(32) if rng.random() < COMMON_SHARE else None
    pieces = [
        _sentence(loom, random.Random(rng.getrandbits(32) if common is None else common), *pair)
        for pair in zip(labels, values, strict=True)
    ]
    questions = [
        Question(_question(loom, labels[index]), " " + values[index], index)
        for index in rng.sample(range(facts), facts)
    ]
    filler = loom.code if rng.random() < 0.6 else "prose"
    return Scene(pieces, questions, filler=filler)
