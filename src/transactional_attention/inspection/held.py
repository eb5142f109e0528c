"""What a cache holds right now, for a page: every token with its reason, and the values."""

from typing import Any

from ..retention.flow import RetentionFlow
from ..text.token_text import TokenText
from .masking import characters, masked_text
from .report import build_report, reasons


def held_tokens(flow: RetentionFlow, *, reveal: bool) -> dict[str, Any]:
    """Pieces of the text with the reason why each is held, and values with theirs.

    ``runs``: [text, reason, tokens], neighbours with one reason together; "evicted" where nothing
    holds them. Without ``reveal`` values are masked wherever they occur. Empty runs where the text
    is not at hand.
    """
    sequence, report = flow.sequences[0], build_report(flow, 0, reveal=False)
    why = reasons(flow, 0)
    text = sequence.text
    runs: list[list[Any]] = []
    if text is not None and type(text) is TokenText:
        shown, done = text.text if reveal else masked_text(sequence), 0
        for token, end in enumerate(text.ends.tolist()):
            reason = why[token][0] if token in why else "evicted"
            if not runs or runs[-1][1] != reason:
                runs.append(["", reason, 0])
            runs[-1][0] += shown[done:end]
            runs[-1][2] += 1
            done = max(done, end)
    values = []
    for span in [*(span for span, _ in sequence.explicit()), *sequence.registry.spans]:
        values.append(
            {
                "start": span.value.start,
                "end": span.value.end,
                "label": _shown(sequence, span.label, reveal=reveal),
                "rule": span.rule,
                "source": span.source,
                "confidence": round(float(span.confidence), 3),
                "held": all(token in why for token in span.value),
                "text": sequence.characters(span.value) if reveal and runs else None,
            }
        )
    return {
        "method": report.method,
        "budget": report.budget,
        "tokens": report.tokens_seen,
        "live": report.tokens_kept,
        "runs": runs,
        "values": values,
    }


def _shown(sequence: Any, tokens: Any, *, reveal: bool) -> str:
    """Words of a label in one line, values in it masked."""
    text = sequence.text
    if text is None or type(text) is not TokenText or not len(tokens):
        return ""
    span = characters(text, tokens)
    shown = text.text if reveal else masked_text(sequence)
    return " ".join(shown[span.start : span.end].split())[:80]
