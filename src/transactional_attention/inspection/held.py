"""What a cache holds right now, for a page: every token with its reason, and the values."""

from typing import Any

from ..retention.flow import RetentionFlow
from ..retention.masking import masked_labels, masked_text
from .report import reasons


def held_tokens(flow: RetentionFlow, *, reveal: bool) -> dict[str, Any]:
    """Pieces of the text with the reason why each is held, and values with theirs.

    ``runs``: [text, reason, tokens], neighbours with the same reason together; "evicted" if nothing
    holds them. Without ``reveal`` values are masked wherever they occur. Runs are empty if the text
    is not available.
    """
    sequence, why, runs = flow.sequences[0], reasons(flow, 0), list[list[Any]]()
    text = sequence.text if sequence.whole else None
    shown = "" if text is None else text.text if reveal else masked_text(sequence)
    done = 0
    for token, end in enumerate([] if text is None else text.ends.tolist()):
        reason = why[token][0] if token in why else "evicted"
        if not runs or runs[-1][1] != reason:
            runs.append(["", reason, 0])
        runs[-1][0] += shown[done:end]
        runs[-1][2] += 1
        done = max(done, end)
    values = []
    named = sequence.explicit(pinned=False)
    spans = [*(span for span, _ in named), *sequence.registry.spans]
    labels = {} if reveal else masked_labels(sequence, spans)
    for span in spans:
        label = sequence.characters(span.label) if reveal and runs else labels.get(span.label, "")
        values.append(
            {
                "start": span.value.start,
                "end": span.value.end,
                "label": " ".join(label.split())[:80],
                "rule": span.rule,
                "source": span.source,
                "confidence": round(float(span.confidence), 3),
                "held": all(token in why for token in span.value),
                "text": sequence.characters(span.value) if reveal and runs else None,
            }
        )
    memory, budget = sequence.memory, flow.table.budget
    return {
        "method": flow.retention.method,
        "budget": None if budget is None else budget - flow.num_pinned,
        "pinned": flow.num_pinned,
        "waiting": 0 if memory is None else len(memory.waiting()),
        "tokens": int(flow.lengths[0]),
        "live": len(why),
        "runs": runs,
        "values": values,
    }
