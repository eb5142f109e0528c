"""What is to be said, or waited for, and what comes of it: ``just say velvet turnip and he'll let
you in``, ``murmur herons never queue for soup and they will wave you through``, ``you go when you
hear what a patient moon``.

The words themselves may be a sentence, so they are told by what surrounds them: a verb of saying
that somebody is told to do, and behind them what then happens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken
from ..structure.named import is_own

SAID = 0.8
_REACH = 32
_WORDS = r"(?P<value>[^\W\d_A-Z][\w'’\-]{0,20}(?:[ ,]{1,2}[^\W\d_A-Z][\w'’\-]{0,20}){1,8}?)"
_THEN = (
    r"(?=[\"'”’]?,? (?:and|then)(?: then)? (?:he|she|they|it|somebody|someone|you|the [\w-]{2,16}"
    r"|[A-Z][a-z]{2,16})"
    r"(?:['’]ll|['’]s| will| lets?| opens?| waves?| knows?| can| may|['’]re| are) )"
)
_WHOM = r"(?:(?<= the)[ ][\w-]{2,16}(?:[ ](?:at|on|in|by|behind)[ ]the[ ][\w-]{2,16})?)?"
_OPENING = rf"{_WHOM}(?: to (?:him|her|them|the [\w-]{{2,16}}))?:? [\"“‘']?"
_SAYING = re.compile(_OPENING + _WORDS + _THEN)
_HEARD = re.compile(r" (?:[\"“‘'])?" + _WORDS + r"(?=[\"'”’]?[.,;])")
# Who is told to say it: nobody in a story.
_TOLD_TO = re.compile(
    r"(?:\b(?:you|just|simply|only|must|should|please|to|can|then|doubtful|asked?|door|gate|desk|trouble"
    r"|stopped|challenged)|[,:;.—–-]|\A|\n) ?\Z"
)
_GO = re.compile(
    r"\b(?:you(?:['’]re)?|we|enter|go|come|start|begin|move|cue|leave|open|run|on)\b[^.;\n]{0,20}\Z",
    re.IGNORECASE,
)
_NOT_FIRST = re.compile(
    r"(?:sorry|yes|no|that|so|something|nothing|anything|it|this|hello|goodbye|thanks|please|you"
    r"|how|why|when|where|the|a|an|my|your|his|her|their|about|from|of|more|some|any|each)\b"
)
_ORDINARY = re.compile(
    r"(?:something|anything|nothing|that|this|it|so|what|how|sorry|yes|no|hello|hi|goodbye|thanks"
    r"|thank|an?|my|your|his|her|their|one|some|few|more)\b"
)
# A word that no sentence has, which is keyed in somewhere.
_TYPED = re.compile(
    r" [\"“‘'`]?(?P<value>(?=\w*(?:[-_]\w|\d|[a-z][A-Z]))[A-Za-z][\w\-]{4,40})(?=[\"”’'`]? "
    r"(?:where|when|at the|on the|in the|into|and (?:it|the|you|wait|press))\b)"
)
_FIRST = re.compile(r"(?:(?:\b(?:just|then|must|you|please|to)|[,:;.!?—–-]) |\A|\n)\Z")
_VERBS = "say murmur whisper mutter hum mention shout call answer reply repeat".split()
_BOOK = Book(
    [
        *(phrase(verb, False) for verb in _VERBS),
        *(phrase(f"tell {whom}", False) for whom in ("him", "her", "them", "the")),
        phrase("when you hear", True),
        phrase("until you hear", True),
        phrase("as soon as you hear", True),
    ]
)
_TYPING = Book(phrase(said, None) for said in ("type", "type in", "enter", "key in"))


def door_phrases(text: str) -> Iterator[Anchor]:
    """Phrases that open something, or begin it."""
    for begin, end, _ in spoken(text, _TYPING):
        match = _TYPED.match(text, end)
        if match and is_own(match["value"]) and _FIRST.search(text, max(0, begin - 12), begin):
            yield announced(begin, match, SAID, "prose:words", delimited=True)
    for begin, end, heard in spoken(text, _BOOK):
        match = (_HEARD if heard else _SAYING).match(text, end)
        if match is None:
            continue
        refused = _NOT_FIRST if heard or text[begin] in "tT" else _ORDINARY
        if refused.match(match["value"]) or (heard and match["value"].count(" ") < 2):
            continue
        if (_GO if heard else _TOLD_TO).search(text, max(0, begin - _REACH), begin):
            yield announced(begin, match, SAID, "prose:words", delimited=True)
