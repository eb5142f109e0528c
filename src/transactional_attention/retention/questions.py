"""What a text asks: its questions, and the part of it that asks for what is no longer held."""

import re
from contextlib import suppress

from ..errors import InputError
from ..retrieval.terms import terms
from ..text.chat_markers import markers_of
from ..text.token_text import TokenText
from ..types import Span
from .chunks import ASKING
from .named_ranges import NamedRanges

MOST_ASKING = 600  # characters at the end of a text that ask
QUESTION, QUESTIONS = 200, 16  # characters of a question, and how many of a text are read
_ASKED, _SENTENCE_END = re.compile("[?？؟]"), re.compile(r"[.!?。！？؟\n](?:\s|$)")


def questions(text: str) -> list[str]:
    """The text before each of the last question marks, within its own sentence."""
    sentences: list[str] = []
    if text.isascii() and "?" not in text:
        return sentences  # most texts, at the speed of memory
    for match in list(_ASKED.finditer(text))[-QUESTIONS:]:
        before = text[max(0, match.start() - QUESTION) : match.start()]
        sentences.append(_SENTENCE_END.split(before)[-1])
    return sentences


def asking_text(text: TokenText, ranges: NamedRanges, heard: int) -> tuple[str, Span]:
    """The part of a text that asks, and its tokens. ``heard``: characters that have asked already.

    New text without a known source, such as a plain prompt, asks with its end. If it says nothing,
    the last message asks that was written by no tool and no model.
    """
    sources, length = ranges.sources, len(text)
    known = max((s.span.end for s in sources), default=0)
    places = []
    if known < length:
        places.append(Span(max(heard, text.first), text.num_chars))
    asks = [s for s in sources if s.source in ASKING and not s.template]
    read = [s.span for s in asks if s.span.start < length and len(s.span)]
    with suppress(InputError):  # a stream has forgotten it
        if known and known < length:
            new = text.chars_for(Span(known, length))
            places = [Span(max(places[0].start, new.start), new.end)]
        if read:
            places.append(text.chars_for(Span(read[-1].start, min(read[-1].end, length))))
    for place in places:
        begin = max(place.start, place.end - MOST_ASKING)
        question = _without_roles(ranges, text, Span(begin, place.end))
        if terms(question):
            return question, text.tokens_for(Span(begin, place.end))
    return "", Span(0, 0)


def _without_roles(ranges: NamedRanges, text: TokenText, place: Span) -> str:
    """Characters of the text without the role marks of a chat template."""
    content, markers = text.scan_text(place.start), markers_of(ranges.role_reader.tokenizer)
    for begin, end in markers.places(text.shown_text(place.start)):
        content = content[:begin] + "\n" * (end - begin) + content[end:]
    return content[: len(place)]
