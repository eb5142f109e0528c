"""Cases as tokens: where their values and sources lie, and the budget that is meant for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transactional_attention.cli.prompts import asks_in_chat
from transactional_attention.engines.chat_sources import token_ranges
from transactional_attention.errors import InputError
from transactional_attention.text.pieces import Offsets
from transactional_attention.text.token_text import TokenText
from transactional_attention.types import SourceRange, Span

from .cases import Case
from .conversation import REMEDY, Place, converse


@dataclass(frozen=True)
class EncodedCase:
    """Token ids of a case and where its values and sources lie in them.

    ``starts`` and ``ends``: characters of each token in what is read; ``places``: where the
    context's own stand there. ``answers``: each of them is right. ``turns``: whose the tokens are,
    of a context that is read as a conversation."""

    case: Case
    ids: list[int]
    question: list[int]
    text: TokenText
    starts: Offsets
    ends: Offsets
    places: tuple[Place, ...]
    answers: tuple[str, ...]
    turns: tuple[SourceRange, ...] | None = None

    @property
    def chat(self) -> bool:
        """Whether the context is read as a conversation."""
        return self.turns is not None

    @cached_property
    def values(self) -> tuple[Span, ...]:
        """Tokens of the critical values."""
        return tuple(self.tokens_of(value.start, value.end) for value in self.case.critical)

    @cached_property
    def sources(self) -> tuple[SourceRange, ...]:
        """Whose the tokens are."""
        ranges = self.case.sources
        ours = (SourceRange(self.tokens_of(s.start, s.end), s.source) for s in ranges)  # type: ignore[arg-type]
        return tuple(ours) if self.turns is None else self.turns

    def kept_characters(self, positions: Sequence[int]) -> list[list[int]]:
        """Character ranges of the context that the kept positions cover, merged."""
        ranges: list[list[int]] = []
        for position in sorted(p for p in positions if p < len(self.ids)):
            for start, end in self._of_context(
                int(self.starts[position]), int(self.ends[position])
            ):
                if ranges and start <= ranges[-1][1]:
                    ranges[-1][1] = max(ranges[-1][1], end)
                else:
                    ranges.append([start, end])
        return ranges

    def _of_context(self, start: int, end: int) -> list[tuple[int, int]]:
        """Ranges of the context in a range of what is read."""
        return [
            (place.start + max(start - place.at, 0), min(end - place.at + place.start, place.end))
            for place in self.places
            if end > place.at and start < place.at + place.end - place.start
        ]

    def tokens_of(self, start: int, end: int) -> Span:
        """The tokens that hold characters of the context; none where nothing of it is read."""
        read = [
            (place.at + max(start - place.start, 0), place.at + min(end, place.end) - place.start)
            for place in self.places
            if start < place.end and place.start < end
        ]
        if not read:
            return Span(0, 0)
        first = int(self.ends.searchsorted(read[0][0], "right"))
        return Span(first, max(first, int(self.starts.searchsorted(read[-1][1], "left"))))


def encode_case(tokenizer: Any, case: Case, *, plain: bool = False) -> EncodedCase:
    """Tokenise a case; value spans map to every token that holds one of their characters.

    A tokenizer with a chat template makes a conversation of it (``converse``), unless ``plain``.
    Raises InputError for an empty context, one that the tokenizer or its template changes, or a
    conversation and a tokenizer without offsets."""
    if asks_in_chat(tokenizer) and not plain:
        return _encode_chat(tokenizer, case)
    ids = list(tokenizer(case.context)["input_ids"])
    text = _text_of(tokenizer, case, ids)
    shift = text.text.find(case.context)
    if shift < 0:
        raise InputError(f"case {case.id}: the tokenizer does not give its context back unchanged")
    places, question = (Place(0, len(case.context), shift),), _ids(tokenizer, case.question)
    return EncodedCase(case, ids, question, text, text.starts, text.ends, places, (case.answer,))


def _encode_chat(tokenizer: Any, case: Case) -> EncodedCase:
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(f"chats need a fast tokenizer, which knows character offsets: {REMEDY}")
    conversation = converse(tokenizer, case)
    read = tokenizer(
        conversation.context, add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    starts, ends = np.array(read["offset_mapping"], np.int64).T
    starts[1:] = np.minimum(starts[1:], ends[:-1])  # a space that is left out is of the next token
    encoded = EncodedCase(
        case,
        list(read["input_ids"]),
        _ids(tokenizer, conversation.question),
        _text_of(tokenizer, case, read["input_ids"]),
        starts,
        ends,
        conversation.places,
        conversation.answers,
        turns=tuple(token_ranges(conversation.pieces, starts.tolist())),
    )
    if not all(map(len, encoded.values)):
        raise InputError(f"case {case.id}: a value is no part of what the turns say")
    return encoded


def _text_of(tokenizer: Any, case: Case, ids: Sequence[int]) -> TokenText:
    if not ids:
        raise InputError(f"case {case.id}: the context is empty")
    text = TokenText(tokenizer)
    text.append(ids)
    text.settle()  # a last line break may be a byte that waits for more
    return text


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def asked_of(tokenizer: Any, encoded: EncodedCase, case: Case) -> EncodedCase:
    """Another question about a context that is encoded already."""
    question: str = case.question
    answers: tuple[str, ...] = (case.answer,)
    if encoded.chat:
        conversation = converse(tokenizer, case)
        question, answers = conversation.question, conversation.answers
    return replace(encoded, case=case, question=_ids(tokenizer, question), answers=answers)


_RULE = re.compile(r"[1-9]\d*|case|values\+\d+")


def check_rule(rule: str) -> str:
    """A rule of ``--budget``: a number, ``case`` (each case's own), or ``values+N``. Raises
    InputError for a rule that is none."""
    if not _RULE.fullmatch(rule):
        raise InputError(f"--budget must be a number, `case` or `values+N`, got {rule!r}")
    return rule


def value_tokens(encoded: EncodedCase) -> int:
    """Tokens that hold a character of a value, asked for or not."""
    positions: set[int] = set()
    for value in encoded.case.values:
        tokens = encoded.tokens_of(value.start, value.end)
        positions |= set(range(tokens.start, tokens.end))
    return len(positions)


def budget_of(rule: str, encoded: EncodedCase) -> int:
    """K of a case under a rule that ``check_rule`` let pass. Raises InputError for ``case`` and a
    case without a budget."""
    if rule.startswith("values+"):
        return value_tokens(encoded) + int(rule.removeprefix("values+"))
    if rule != "case":
        return int(rule)
    if encoded.case.budget is None:
        raise InputError(f"case {encoded.case.id} has no budget: give --budget N or values+N")
    return encoded.case.budget
