"""A case as tokens: its ids, and where its values and sources lie in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from ..text import TokenText
from ..types import SourceRange, Span
from .cases import Case


@dataclass(frozen=True)
class EncodedCase:
    """Token ids of a case and where its values and sources lie in them."""

    case: Case
    ids: list[int]
    question: list[int]
    shift: int
    text: TokenText
    values: tuple[Span, ...]
    sources: tuple[SourceRange, ...]

    def kept_characters(self, positions: Sequence[int]) -> list[list[int]]:
        """Character ranges of the context that the kept positions cover, merged."""
        ranges: list[list[int]] = []
        for position in sorted(p for p in positions if p < len(self.ids)):
            start = int(self.text.starts[position]) - self.shift
            end = int(self.text.ends[position]) - self.shift
            if end <= 0:
                continue
            if ranges and start <= ranges[-1][1]:
                ranges[-1][1] = max(ranges[-1][1], end)
            else:
                ranges.append([max(start, 0), end])
        return ranges


def encode_case(tokenizer: Any, case: Case) -> EncodedCase:
    """Tokenise a case; value spans map to every token that holds one of their characters."""
    ids = list(tokenizer(case.context)["input_ids"])
    if not ids:
        raise InputError(f"case {case.id}: the context is empty")
    question = encode_question(tokenizer, case)
    text = TokenText(tokenizer)
    text.append(ids)
    text.settle()  # a last line break may be a byte that waits for more
    shift = text.text.find(case.context)
    if shift < 0:
        raise InputError(f"case {case.id}: the tokenizer does not give its context back unchanged")
    values = tuple(text.tokens_for(Span(v.start + shift, v.end + shift)) for v in case.critical)
    sources = tuple(
        SourceRange(text.tokens_for(Span(s.start + shift, s.end + shift)), s.source)  # type: ignore[arg-type]
        for s in case.sources
    )
    return EncodedCase(case, ids, question, shift, text, values, sources)


def encode_question(tokenizer: Any, case: Case) -> list[int]:
    """Token ids of what is appended to the context."""
    return list(tokenizer(case.question, add_special_tokens=False)["input_ids"])
