"""The text of a sequence with its values blotted out: what pages, plans and terminals may show."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .sequence import SequenceState
from .types import Span

MASK = "•"
WORD = 4  # characters: a shorter value is masked elsewhere only where it stands alone
EDGES = re.compile(r"\w(?:.*\w)?", re.DOTALL)
CHARACTER = re.compile(r"\S")


def masked_text(sequence: SequenceState) -> str:
    """The decoded text, as long as it is, with every detected value masked wherever it occurs.

    Ranges that the caller names count as values; white space stays.
    """
    if sequence.text is None:
        return ""
    text = sequence.text.text
    spans = [*sequence.registry.known, *(span for span, _ in sequence.explicit())]
    covered = [_characters(sequence, span.value) for span in spans]
    found = {text[span.start : span.end] for span in covered}
    for value in sorted(found):
        core = EDGES.search(value)
        if core is not None:
            covered += _occurrences(text, core.group())
    return _blotted(text, covered)


def _characters(sequence: SequenceState, tokens: Span) -> Span:
    assert sequence.text is not None
    starts, ends = sequence.text.starts, sequence.text.ends
    return Span(int(starts[tokens.start]), int(ends[tokens.end - 1]))


def _occurrences(text: str, value: str) -> list[Span]:
    pattern = re.escape(value)
    if len(value) < WORD:
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return [Span(*match.span()) for match in re.finditer(pattern, text)]


def _blotted(text: str, spans: Iterable[Span]) -> str:
    parts, done = [], 0
    for span in sorted(spans):
        if span.end <= done:
            continue
        start = max(span.start, done)
        parts += [text[done:start], CHARACTER.sub(MASK, text[start : span.end])]
        done = span.end
    return "".join([*parts, text[done:]])
