"""Training documents: filler with facts in it, questions and answers at its end."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tokenizers import Tokenizer

from transactional_attention.training.facts import (
    Statement,
    random_keys,
    random_question,
    random_statement,
)
from transactional_attention.training.filler import Filler
from transactional_attention.training.tokenizer import BEGIN_ID, END_ID
from transactional_attention.training.values import random_value

# Loss weights: the first token of an answer is where retrieval happens.
FIRST_WEIGHT, VALUE_WEIGHT, END_WEIGHT, PROSE_WEIGHT = 3.0, 1.0, 2.0, 0.1
COPY_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer, in tokens: question, answer (end token included), fact."""

    question: int
    answer: int
    end: int
    fact: int


@dataclass(slots=True)
class Document:
    """One sequence: ids, loss weight of each id as a target, and where the facts are.

    `facts` holds the half-open token range of each value; the context is `ids[:context]`.
    """

    ids: list[int]
    weights: list[float]
    context: int
    facts: list[tuple[int, int]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)


class DocumentMaker:
    """Makes documents of at most a given number of tokens."""

    def __init__(self, tokenizer: Tokenizer, filler: Filler, words: list[str]) -> None:
        """`words` are used for invented keys."""
        self.tokenizer = tokenizer
        self.filler = filler
        self.words = words

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def retrieval(
        self, rng: random.Random, length: int, facts: int, questions: int, plain: bool
    ) -> Document:
        """A document with `facts` values and up to `questions` questions, fewer if they don't fit.

        `plain` uses the fixed keys, plain sentences and mostly eight-character codes.
        """
        while True:
            keys = random_keys(rng, facts, self.words, plain)
            statements = [random_statement(rng, key, plain) for key in keys]
            pieces = [self._statement(rng, statement) for statement in statements]
            asked = rng.sample(range(facts), min(facts, questions))
            turns = [
                (
                    index,
                    self._ids(random_question(rng, keys[index], plain)),
                    self._ids(" " + statements[index].value),
                )
                for index in asked
            ]
            used = 1 + sum(len(ids) for ids, _ in pieces)
            used += sum(len(question) + len(answer) + 1 for _, question, answer in turns)
            if used <= length:
                break
            facts, questions = max(1, facts - 1), max(1, questions - 1)
        document = self._context(rng, pieces, length - used)
        for index, question, answer in turns:
            _append_turn(document, index, question, answer)
        return document

    def _statement(
        self, rng: random.Random, statement: Statement
    ) -> tuple[list[int], tuple[int, int]]:
        """Token ids of a sentence after white space, and the token range of its value."""
        space = rng.choice((" ", "\n", "\n\n"))
        encoding = self.tokenizer.encode(space + statement.text, add_special_tokens=False)
        start = len(space) + len(statement.before)
        end = start + len(statement.value)
        covered = [
            index
            for index, (first, last) in enumerate(encoding.offsets)
            if last > start and first < end
        ]
        return encoding.ids, (covered[0], covered[-1] + 1)

    def _context(
        self, rng: random.Random, pieces: list[tuple[list[int], tuple[int, int]]], room: int
    ) -> Document:
        """Put the sentences at random word starts of `room` tokens of filler."""
        filler = self.filler.draw(rng, room)
        draws = sorted(rng.randint(0, len(filler)) for _ in pieces)
        cuts = [self.filler.cut_after(filler, draw) for draw in draws]
        ids, facts, last = [BEGIN_ID], [], 0
        for (piece, (start, end)), cut in zip(pieces, cuts):
            ids.extend(filler[last:cut].tolist())
            facts.append((len(ids) + start, len(ids) + end))
            ids.extend(piece)
            last = cut
        ids.extend(filler[last:].tolist())
        return Document(ids, [0.0] + [PROSE_WEIGHT] * (len(ids) - 1), len(ids), facts)

    def copying(self, rng: random.Random, length: int) -> Document:
        """A sequence that repeats a part of itself after an end token: induction, nothing else."""
        count = length // 2 - 4
        kind = rng.random()
        if kind < 0.5:
            ids = self._ids(" ".join(random_value(rng) for _ in range(count // 4 + 1)))
        elif kind < 0.75:
            size = self.tokenizer.get_vocab_size()
            ids = [rng.randrange(3, size) for _ in range(count)]
        else:
            ids = self.filler.draw(rng, count).tolist()
        ids = [BEGIN_ID, *ids[:count]]
        start = rng.randint(1, len(ids) // 3)
        weights = [0.0] + [PROSE_WEIGHT] * (len(ids) - 1) + [0.0]
        weights += [COPY_WEIGHT] * (len(ids) - start)
        return Document([*ids, END_ID, *ids[start:]], weights, len(ids))


def _append_turn(document: Document, fact: int, question: list[int], answer: list[int]) -> None:
    """Add a question, its answer and the end token to a document."""
    begin = len(document.ids)
    first = begin + len(question)
    document.ids += [*question, *answer, END_ID]
    document.weights += [PROSE_WEIGHT] * len(question)
    document.weights += [FIRST_WEIGHT] + [VALUE_WEIGHT] * (len(answer) - 1) + [END_WEIGHT]
    document.turns.append(Turn(begin, first, len(document.ids), fact))
