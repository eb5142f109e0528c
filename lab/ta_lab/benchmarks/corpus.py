"""Texts of any length that flow by: paragraphs in random order, one value near the beginning.

The whole text is never there. The same seed gives the same tokens."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from transactional_attention.errors import InputError
from transactional_attention.text.token_stream import TokenStream
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import Ints, Span

from ..cases.fillers import paragraphs
from ..generators.needle import LABEL, LENGTH, QUESTION, STATEMENT
from ..values.alphabets import characters


def encode(tokenizer: Any, text: str) -> list[int]:
    """Ids of a text, no special ones added."""
    return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def filler_blocks(name: str, seed: int | str) -> Iterator[str]:
    """Paragraphs of a filler in random order, without an end."""
    rng, source = random.Random(f"stream/{name}/{seed}"), paragraphs(name)
    while True:
        yield rng.choice(source) + "\n"


def filler_tokens(tokenizer: Any, name: str, seed: int | str) -> Iterator[int]:
    """Their tokens, paragraph by paragraph."""
    for block in filler_blocks(name, seed):
        yield from encode(tokenizer, block)


class FirstTokens(TokenStream):
    """The first ``count`` ids of a text that does not end."""

    def __init__(self, tokenizer: Any, blocks: Iterable[str], count: int) -> None:
        super().__init__(tokenizer, blocks)
        self.left = count

    def peek(self, count: int) -> Ints:
        """The next ids that are within the first ``count`` of the text."""
        return super().peek(min(count, self.left))

    def take(self, count: int) -> None:
        """Leave ids behind."""
        super().take(count)
        self.left -= count


def tokens_of(tokenizer: Any, ids: Sequence[int], part: str, after: int = 0) -> Span:
    """The tokens of a part of a text, from character ``after`` on."""
    text = TokenText(tokenizer)
    text.append(ids)
    text.settle()
    start = text.text.index(part, after)
    return text.tokens_for(Span(start, start + len(part)))


@dataclass(frozen=True, repr=False)
class Stated:
    """A value in a paragraph of its own. ``ids``: the paragraph; ``span``: the value in them."""

    text: str
    ids: list[int]
    span: Span
    question: list[int]
    answer: str


def state_value(tokenizer: Any, rng: random.Random, label: str = LABEL) -> Stated:
    """The needle's statement with a fresh value, and its question."""
    value = characters(rng, LENGTH)
    statement = f"\n\n{STATEMENT.format(label=label)}{value}\n\n"
    ids, question = encode(tokenizer, statement), encode(tokenizer, QUESTION.format(label=label))
    return Stated(statement, ids, tokens_of(tokenizer, ids, value), question, value)


@dataclass(frozen=True)
class LongText:
    """``tokens`` tokens of a filler with one value at relative ``depth``; the same for a seed."""

    tokenizer: Any
    tokens: int
    filler: str
    seed: int
    depth: float = 0.005

    @cached_property
    def stated(self) -> Stated:
        """What is stated once."""
        return state_value(self.tokenizer, random.Random(f"value/{self.seed}"))

    @cached_property
    def _before(self) -> list[str]:
        """The paragraphs before the statement: ``depth`` of the tokens, as far as whole ones go."""
        room = int(self.tokens * self.depth)
        blocks: list[str] = []
        for block in filler_blocks(self.filler, self.seed):
            room -= len(encode(self.tokenizer, block))
            if room < 0:
                return blocks
            blocks.append(block)
        return blocks

    @cached_property
    def value(self) -> Span:
        """The value's tokens in the whole text. Raises InputError for one too short."""
        head = "".join(self._before)
        ids = self.tokenizer(head + self.stated.text + "What follows.")["input_ids"]
        span = tokens_of(self.tokenizer, ids, self.stated.answer, len(head))
        if span.end + 1 > self.tokens:
            raise InputError(f"a text of {self.tokens} tokens cannot hold the value: use more")
        return span

    def blocks(self) -> Iterator[str]:
        """The text, paragraph by paragraph; it goes on for ever."""
        yield from self._before
        yield self.stated.text
        rest = filler_blocks(self.filler, self.seed)
        yield from itertools.islice(rest, len(self._before), None)

    def flow(self) -> FirstTokens:
        """All tokens in order."""
        return FirstTokens(self.tokenizer, self.blocks(), self.tokens)

    def first(self, count: int) -> list[int]:
        """The first tokens."""
        return self.flow().peek(count).tolist()
