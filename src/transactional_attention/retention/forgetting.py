"""What a text that streams by may forget: all that nobody asks for again.

Asked for again are the tokens that a table holds, the values and labels that are registered or
reported, the headers of open tables, the ends of ranges that the caller named in characters, and
the last characters of the text, which the detectors look back on.
"""

import numpy as np

from ..text.partial_text import StreamedText
from ..text.token_text import TokenText
from ..types import Ints, Span
from .flow import RetentionFlow
from .flow_state import reported_spans
from .sequence import TAIL, SequenceState

KEEP = 1 << 15  # characters from which a text forgets


def forget_text(flow: RetentionFlow, keep: int = KEEP) -> None:
    """Let the texts of a flow forget, between two forwards, when they hold ``keep`` characters.

    What it decides stays as it is. Without a budget every token is held, and nothing forgotten.
    """
    if any(table.budget is None for table in flow.tables.values()):
        return
    for row, sequence in enumerate(flow.sequences):
        text = sequence.text
        if text is None:
            continue
        if not isinstance(text, StreamedText):
            text = sequence.text = StreamedText(text)
        if text.num_chars - text.first < keep:
            continue
        before = max(text.first, min(sequence.scanner.start, text.num_chars - TAIL))
        text.forget(before, _needed(flow, row, sequence, text))


def _needed(flow: RetentionFlow, row: int, sequence: SequenceState, text: TokenText) -> Ints:
    """Tokens that are asked for again; some are not read yet or forgotten already."""
    tables = flow.tables.values()
    held = [table.positions[table.rows == row].reshape(-1) for table in tables]
    reported = [span for spans in reported_spans(flow, row) for span in spans]
    ranges = [part for s in [*sequence.registry.known, *reported] for part in (s.value, s.label)]
    ranges += [text.tokens_for(span) for span in sequence.scanner.header]
    ends = [p.span for p in sequence.protected if p.unit == "chars"]
    for first, last in ((s.start, s.end - 1) for s in map(text.tokens_for, ends) if len(s)):
        ranges += [Span(first, first + 2), Span(last, last + 2)]  # as ``marks_of`` counts them
    return np.unique(np.concatenate([*held, *(np.arange(s.start, s.end) for s in ranges)]))
