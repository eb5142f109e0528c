"""What a cache holds right now, for a page: every token with its reason, and the values."""

from typing import Any

from ..retention.flow import RetentionFlow
from ..retention.masking import masked_labels, masked_text
from ..retention.sequence import SequenceState
from ..types import Span
from .report import CAME_BACK, Reasons, reasons


def held_tokens(flow: RetentionFlow, *, reveal: bool) -> dict[str, Any]:
    """Pieces of the text with the reason why each is held, and values with theirs.

    ``runs``: [text, reason, tokens], neighbours with the same reason together; "evicted" if nothing
    holds them. Without ``reveal`` values are masked wherever they occur. Runs are empty if the text
    is not available. ``values``: those that are sponsored, then those of lines that came back, with
    what their line says before them as label and no confidence.
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
    back = [] if text is None else [(v, text.chars_for(v)) for v in _returned(sequence, why)]
    for value, place in back:
        line = shown[shown.rfind("\n", 0, place.start) + 1 : place.start]
        values.append(
            {
                "start": value.start,
                "end": value.end,
                "label": " ".join(line.split())[-80:],
                "rule": CAME_BACK,
                "source": sequence.ranges.at(value.start).source,
                "confidence": None,
                "held": True,
                "text": sequence.characters(value) if reveal else None,
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


def _returned(sequence: SequenceState, why: Reasons) -> list[Span]:
    """Tokens of the values that are held because their line came back: the registry has forgotten
    them."""
    if sequence.text is None:
        return []
    known = {span.value for span in sequence.registry.known}
    spans: list[Span] = []
    for value in sequence.text.tokens_for_each(sorted(sequence.scan.stated)):
        back = len(value) and all(why.get(token, ("",))[0] == CAME_BACK for token in value)
        if back and value not in known and not (spans and spans[-1].overlaps(value)):
            spans.append(value)
    return spans
