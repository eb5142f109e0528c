"""The turns of a session, read back from its tokens and who wrote them: nothing else is kept for
it. Values are masked as on every page, unless they are revealed."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from ..engines.session import Session
from ..retention.masking import masked_text
from ..types import Source, SourceRange, Span

TITLE = 60  # characters


@dataclass(frozen=True)
class ConversationTurn:
    """What one source says before another does: its ``contents``, and what the template has
    ``written`` beside them."""

    source: Source
    contents: Sequence[str] = field(repr=False)
    written: str = field(repr=False)


def turns_of(session: Session, unread: Sequence[int], *, reveal: bool) -> list[ConversationTurn]:
    """All of a conversation; nothing where the text is not at hand. A plain prompt, and its answer,
    are of an ``unknown`` source. ``unread``: tokens after those that the session has read."""
    flow = session.flow
    if flow is None or flow.sequences[0].text is None or not flow.sequences[0].whole:
        return []
    sequence, text = copy.copy(flow.sequences[0]), flow.sequences[0].text.copy()
    text.append(unread)
    text.settle()
    sequence.text, size = text, len(text)
    shown = text.text if reveal else masked_text(sequence)

    def of(known: SourceRange) -> str:
        tokens = Span(min(known.span.start, size), min(known.span.end, size))
        place = text.chars_for(tokens) if len(tokens) else Span(0, 0)
        return shown[place.start : place.end]

    source: Source = "assistant" if sequence.ranges.sources else "unknown"
    end = max((known.span.end for known in sequence.ranges.sources), default=0)
    ranges = [*sequence.ranges.sources, SourceRange(Span(end, max(end, size)), source)]
    turns = []
    for source, turn in groupby(ranges, attrgetter("source")):
        parts = list(turn)
        contents = [of(part) for part in parts if not part.template]
        turns.append(
            ConversationTurn(source, contents, "".join(of(part) for part in parts if part.template))
        )
    return turns


def title_of(turns: Sequence[ConversationTurn]) -> str:
    """What a list of sessions calls one: what its user said first."""
    user_turns = (turn for turn in turns if turn.source in ("user", "unknown"))
    contents = (content for turn in user_turns for content in turn.contents)
    words = " ".join(next(contents, "")[: 8 * TITLE].split())
    return words if len(words) <= TITLE else words[: TITLE - 1] + "…"
