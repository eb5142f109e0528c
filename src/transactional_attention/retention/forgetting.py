"""Which text of a stream is dropped: what nothing reads again, between two forwards."""

import numpy as np

from ..text.token_text import TokenText
from ..types import Ints, Span
from .flow import RetentionFlow
from .masking import masked_labels, secrets_of
from .saving.flow import reported_spans
from .scan import TAIL
from .sequence import SequenceState

KEEP = 1 << 15  # characters from which on a text forgets


def forget_text(flow: RetentionFlow, keep: int = KEEP) -> None:
    """Drop text that nothing reads again from texts of ``keep`` characters or more. Call it between
    two forwards.

    What stays: the text of tokens that a table holds, of values and labels that are registered or
    reported, of headers of open tables and of the ends of ranges that the caller named in
    characters, and the last characters of the text, which the detectors look back on.

    Decisions stay the same. Without a budget every token is held and nothing is dropped.
    """
    if any(table.budget is None for table in flow.tables.values()):
        return
    for row, sequence in enumerate(flow.sequences):
        text = sequence.text
        if text is None or text.num_chars - text.first < keep:
            continue
        spans = [*sequence.registry.known, *(s for part in reported_spans(flow, row) for s in part)]
        # while the text of all values is still there
        sequence.lost.secrets = secrets_of(sequence, labelled=True)
        sequence.lost.labels = masked_labels(sequence, spans)
        before = max(text.first, min(sequence.scan.scanner.start, text.num_chars - TAIL))
        text.forget(before, _needed(flow, row, sequence, text))
        stated = sorted(sequence.scan.stated)
        tokens = text.tokens_for_each(stated)
        sequence.scan.stated = {
            span for span, known in zip(stated, tokens, strict=True) if len(known)
        }


def _needed(flow: RetentionFlow, row: int, sequence: SequenceState, text: TokenText) -> Ints:
    """Tokens whose text is read again; some are not read yet, or forgotten already."""
    tables = flow.tables.values()
    held = [table.positions[table.rows == row].reshape(-1) for table in tables]
    reported = [span for spans in reported_spans(flow, row) for span in spans]
    ranges = [part for s in [*sequence.registry.known, *reported] for part in (s.value, s.label)]
    ranges += [text.tokens_for(span) for span in sequence.scan.scanner.header]
    ends = [p.span for p in sequence.ranges.protected if p.unit == "chars"]
    for first, last in ((s.start, s.end - 1) for s in map(text.tokens_for, ends) if len(s)):
        ranges += [Span(first, first + 2), Span(last, last + 2)]  # as ``marks_of`` counts them
    return np.unique(np.concatenate([*held, *(np.arange(s.start, s.end) for s in ranges)]))
