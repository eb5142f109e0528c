"""What of a sequence's text asks for values, and what is sponsored while it does (recall)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..recall.asking import READ, unstated
from ..recall.entries import LINE, QUESTION, Entry
from ..recall.recall import Recalled
from ..recall.terms import terms
from ..sponsorship.trust import SURE
from ..text.chat_markers import markers_of
from ..text.token_text import TokenText
from ..types import Source, Span, SponsoredSpan
from .recall_state import RecallState
from .sequence import TAIL, SequenceState

WHOLE = 400  # characters of a new text without sources that ask as one
LEAST_WORDS = 3  # of a paragraph that asks by itself
_BETWEEN = re.compile(r"\n{2,}")  # paragraphs


def asks(sequence: SequenceState, *, final: bool) -> list[Recalled]:
    """What the end of a prompt asks for, of all values that it does not state itself, best first.

    ``final``: the prompt ends here, what comes next asks for itself.
    """
    state, text = _recalling(sequence)
    known = note(sequence)
    if final:
        end = sequence.heard = text.num_chars
        state.book.begin(_said(sequence, max(end - TAIL, text.first), end))
    said, its = sequence.request
    if not (known or its):  # of a saved cache without its text
        return asked_before(sequence)
    found = state.book.wanted(said, its)
    # what the request states is needed to do what it asks
    own = [Recalled(entry, 0.0, ()) for entry in _stated(state, its)] if found else []
    return [*(r for r in found if r.first), *own, *(r for r in found if not r.first)]


def opens(sequence: SequenceState) -> list[Recalled]:
    """What the newest generated text asks for: a slot that it opens."""
    state, text = _recalling(sequence)
    new = text.scan_text(max(sequence.heard, text.first))
    sequence.heard = text.num_chars
    return state.book.opened(new)


def asked_before(sequence: SequenceState) -> list[Recalled]:
    """What the prompt asked for, as far as it still stands, behind what is asked for now."""
    state, _ = _recalling(sequence)
    entries = map(state.book.entry, sorted(sequence.registry.asked))
    return [Recalled(entry, 0.0, (), first=False) for entry in entries if entry is not None]


def is_present(sequence: SequenceState, span: SponsoredSpan) -> bool:
    """Whether a value is sponsored while a text asks: what it asks for, and what is said in it and
    behind it, as tools do."""
    start = span.value.start
    if span.value in sequence.registry.asked or start >= sequence.request_end:
        return True
    return any(start in part for part in sequence.request[1])


def note(sequence: SequenceState) -> bool:
    """Note what asks now, as long as its text is known; whether it is."""
    parts = _asking(sequence)
    if parts is None:
        return False
    _, text = _recalling(sequence)
    its = text.tokens_for_each(parts)
    said = [
        unstated(_said(sequence, p.start, p.end), p.start, _values(sequence, p, labelled=True))
        for p in parts
    ]
    sequence.request = "\n".join(said), its
    sequence.request_end = max((span.end for span in its), default=sequence.num_tokens)
    return True


def _recalling(sequence: SequenceState) -> tuple[RecallState, TokenText]:
    """What a sequence recalls, and its text; its retention must recall."""
    assert sequence.recall is not None and sequence.text is not None
    return sequence.recall, sequence.text


def _stated(state: RecallState, tokens: Sequence[Span]) -> list[Entry]:
    """What is rather a value than none: a guess may be what a question is about."""
    found = state.book.within(tokens)
    return [entry for entry in found if entry.rule != LINE and entry.confidence >= SURE]


def _values(sequence: SequenceState, part: Span, *, labelled: bool = False) -> list[Span]:
    """The characters of values that a part of the text states, each with its label if wanted."""
    state, text = _recalling(sequence)
    spans = [
        Span(e.labelled().positions[0] if labelled else e.value.start, e.value.end)
        for e in _stated(state, [text.tokens_for(part)])
    ]
    return [text.chars_for(span) for span in spans]


def _said(sequence: SequenceState, start: int, stop: int) -> str:
    """The text from one character to another, without what the chat template writes of roles."""
    _, text = _recalling(sequence)
    found, markers = text.scan_text(start), markers_of(sequence.role_reader.tokenizer)
    for begin, end in markers.places(text.shown_text(start)):
        found = found[:begin] + "\n" * (end - begin) + found[end:]
    return found[: stop - start]


def _asking(sequence: SequenceState) -> list[Span] | None:
    """The characters that ask: the end of a chat's last message that no tool wrote, so that a
    request stands while tools answer; else of what nothing heard yet. None where they are
    forgotten.

    The end are the last paragraphs up to one that states values, of a long text without sources the
    last one; with the first paragraphs of a message that are questions, or those alone before a
    paragraph that states.
    """
    _, text = _recalling(sequence)
    (begin, stop), in_chat = _request(sequence)
    start = max(begin, stop - READ)
    if start < text.first:
        return None
    found = _said(sequence, start, stop)
    values = [v.start - start for v in _values(sequence, Span(start, max(start, stop)))]
    most = READ if in_chat else WHOLE if len(found) <= WHOLE else 0
    at = _last_paragraphs(found, values, most)
    asks = [Span(start + at, stop)] if start + at < stop else []
    whole = in_chat and begin >= text.first
    head = _first_questions(_said(sequence, begin, start + at)) if whole else 0
    if head:
        tells = max(values, default=-1) >= at and not QUESTION.search(found, at)
        asks = [Span(begin, begin + head), *([] if tells else asks)]
    return asks


def _request(sequence: SequenceState) -> tuple[tuple[int, int], bool]:
    """Begin and end of the message that asks, in characters, and whether a chat's user wrote it.
    Text of no source is a message behind the first ``heard`` characters."""
    (_, text), heard = _recalling(sequence), sequence.heard
    said = sorted((s for s in sequence.sources if s.span.start < len(text)), key=lambda s: s.span)
    spans, end = _characters(text, [s.span for s in said]), heard
    messages: list[tuple[int, int, Source]] = []
    for span, source in zip(spans, said, strict=True):
        if span.start > end:
            messages.append((end, span.start, "unknown"))
        if not source.template:
            messages.append((span.start, span.end, source.source))
        end = max(end, span.end)
    messages.append((end, text.num_chars, "unknown"))
    short = None
    for begin, stop, whose in reversed(messages):
        if whose in ("user", "unknown"):
            if begin == stop and whose == "user":
                return (begin, stop), True  # forgotten
            words = len(terms(_said(sequence, begin, stop)))
            if words and whose == "user":
                return (_run_begin(messages, begin), stop), True
            if words >= (1 if begin == heard else LEAST_WORDS):  # between messages: a template's
                return (begin, stop), False
            short = short or ((begin, stop) if words else None)
    for wanted in ("system", "assistant"):
        short = short or next(((a, b) for a, b, s in messages[::-1] if s == wanted), None)
    return short or (end, end), short is not None and bool(said)


def _run_begin(messages: Sequence[tuple[int, int, Source]], last: int) -> int:
    """Where the user's messages begin that follow one another up to the one at ``last``, each
    behind its header."""
    begins = [begin for begin, _, _ in messages]
    at = begins.index(last)
    while at > 0 and messages[at - 1][2] == "user" and messages[at - 1][1] < begins[at]:
        at -= 1
    return begins[at]


def _first_questions(text: str) -> int:
    """Where the first paragraphs of a text end that are questions."""
    end = 0
    for part in _BETWEEN.split(text[:WHOLE]):
        if not QUESTION.search(part):
            break
        end = text.index(part, end) + len(part)
    return end


def _last_paragraphs(text: str, values: Sequence[int], most: int) -> int:
    """Where the last paragraphs of a text begin that have words; before them those that fit in
    ``most`` characters and state none of ``values``."""
    begin = len(text)
    for start in [0, *(match.end() for match in _BETWEEN.finditer(text))][::-1]:
        states = any(start < at < begin for at in values)  # what begins it may number a list
        if (states or len(text) - start > most) and len(terms(text[begin:])) >= LEAST_WORDS:
            break
        begin = start
    return begin


def _characters(text: TokenText, spans: Sequence[Span]) -> list[Span]:
    """The characters of spans of tokens, as far as they are known."""
    numbers = text.numbers[:-1]
    firsts = numbers.searchsorted([span.start for span in spans]).tolist()
    lasts = numbers.searchsorted([span.end for span in spans]).tolist()
    return [
        Span(int(text.starts[a]), int(text.ends[b - 1])) if a < b else Span(0, 0)
        for a, b in zip(firsts, lasts, strict=True)
    ]
