"""Where something was put away: ``I hid the spare under the cracked birdbath by the gate``, ``they
are inside the hollow lamp in the attic``.

Somebody says that it was hidden, left or is kept there; the place is told in words, from its
article to the end of its clause. A story puts many things somewhere: what somebody tells is meant,
of whom the sentence speaks, or in a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken
from .register import is_message

HIDDEN = 0.7
_REACH = 100  # characters before a preposition that say what is there
_ON = "and|because|so|while|until|if|when|as|but|which|where|before|after"  # of another clause
_PLACE = re.compile(
    r" (?P<value>(?:the|a|an|that|my|our|your|his|her|one of the) [a-z][\w'’\-]{2,20}"
    rf"(?: (?!(?:{_ON})\b)"
    r"[\w'’\-]{1,20}){1,8})"
    rf"(?=[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)| (?:{_ON})\b| [—–-])"
)
_PUT = re.compile(
    r"\b(?:tucked|hid|hidden|stashed|stowed|buried|taped|slipped|wedged|squirrelled|left|put|placed"
    r"|keep|kept|leave|dropped|hanging|lives|live|concealed|stuck)\b"
    r"[^.;:!?\n]{0,40}\b(?:spare|key|keys|card|note|letter|envelope|money|cash|parcel|package|box"
    r"|passport|will|it|them|one|ring|remote|torch|fob|ladder|jewel\w*|negatives|copy|usb|stick|drive"
    r"|padlock|medicine|present|gift)\b[^.;:!?\n]{0,16}\Z"
    r"|\b(?:spare|spares|keys?|card|note|letters?|envelope|money|cash|passports?|negatives|copy|fob)\b"
    r"[^.;!?\n]{0,32}\b(?:is|are|lives?|hidden|stashed|taped|tucked|sits?|hangs?)\b[^.;:!?\n]{0,16}\Z"
    r"|\b(?:stashed|hidden|hid|tucked away|buried)\b[^.!?\n]{0,40}[:;—–,.] (?:they|it|she|he)"
    r"(?: is| are|['’]s|['’]re)[^.;:!?\n]{0,16}\Z",
    re.IGNORECASE,
)
_ONESELF = re.compile(r"\b(?:I|I['’]ve|we|We|you|You|your|our|spare|taped|Mum|Dad)\b[^.!?\n]*\Z")
_PREPOSITIONS = (
    "under|underneath|beneath|behind|inside|on top of|taped to the back of|at the back of"
    "|at the bottom of|in the back of|below|between"
).split("|")
_BOOK = Book(phrase(said, None) for said in _PREPOSITIONS)


def hidden_places(text: str) -> Iterator[Anchor]:
    """Places in words behind what was put there."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _PLACE.match(text, end)
        if match is None or not _PUT.search(text, max(0, begin - _REACH), begin):
            continue
        said = text[max(0, begin - _REACH) : begin]
        if _ONESELF.search(said) or is_message(text, begin, match.end()):
            yield announced(begin, match, HIDDEN, "prose:lodging", delimited=True)
