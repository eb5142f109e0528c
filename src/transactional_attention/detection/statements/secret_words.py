"""A plain word that is a password by what its sentence says: ``marmalade is the password``, ``use
marmalade as the passphrase``, ``say marmalade when they ask``, ``today's word is cardamom``.

For passwords behind their label see ``passphrases``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..joining import JOINING, is_common
from ..passphrases import ONE_WORD
from ..quoted_states import is_state
from ..spoken import Book, phrase, spoken

_REACH = 48  # characters before a name that hold what is said to be it
_SECRETS = (
    *("password", "passphrase", "passcode", "codeword", "code word", "secret word", "magic word"),
    *("safe word", "safeword", "pass phrase", "secret phrase", "wifi password", "countersign"),
)
_WORDS = r"(?P<value>[^\W\d_]{3,20}(?:[ -][^\W\d_]{3,20}){0,3}?)"
_QUOTE, _CLOSE = r"[\"'“‘`*]{0,2}", r"[\"'”’`*]{0,2}"
_END = (
    rf"(?={_CLOSE}(?:[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:for|on|until|from|since|and|but)\b| [–—-] ))"
)
_ENDED = re.compile(r"[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)")
# One word, or several in quotes: "changed to prevent abuse".
_ONE = rf"(?:[\"“`]{_WORDS}[\"”`]|(?P<word>[^\W\d_]{{3,20}}(?:-[^\W\d_]{{3,20}}){{0,3}}){_END})"
# Set to it, behind the name of the password.
_SET = re.compile(
    r"(?: (?:for|of|to|on|at) (?:[\w'’-]{1,20} ){0,3}?[\w'’-]{1,20})?"
    r"(?: (?:has been|was|is|has|will be|gets?|got)(?: now)?)?"
    rf" (?:changed|set|reset|updated|switched) to {_ONE}"
)
_SET_VERB = re.compile(
    r"(?:set|change|changed|reset|update|updated|switch|switched) (?:the|my|our|your|his|her|their)"
    r" (?:[\w-]{1,16} ){0,3}\Z",
    re.IGNORECASE,
)
_SET_TO = re.compile(
    rf"(?: (?:for|of|on|at) (?:[\w'’-]{{1,20}} ){{0,3}}?[\w'’-]{{1,20}})? to {_ONE}"
)
# What is said to be one, before its name.
_IS_ONE = re.compile(
    r"(?:\A|[.!?:;,\n] ?|\bbut |\band |\bthat )[\"'“‘`*]{0,2}(?P<value>[^\W\d_]{3,20}"
    r"(?:[ -][^\W\d_]{3,20}){0,2}?)[\"'”’`*]{0,2} (?:is|was|will be) (?:the|my|our|your|his|her"
    r"|their|today['’]s) (?:new |secret |only |current )?\Z"
)
_USED_AS = re.compile(
    r"\b(?:use|using|used|with|take|took|chose|picked|enter|have|want)"
    r" [\"'“‘`*]{0,2}(?P<value>[^\W\d_]{3,20}(?:[ -][^\W\d_]{3,20}){0,2}?)[\"'”’`*]{0,2} "
    r"(?:as|for) (?:the|a|my|our|your|his|her|their) (?:new |secret )?\Z",
    re.IGNORECASE,
)
# Words whose word is a secret.
_WORD_OF = (
    *("today's word is", "today’s word is", "word for today is", "word of the day is"),
    *("hidden word is", "word you need is", "word to say is", "word you want is"),
    *("keyword for today is", "keyword is", "secret is the word", "secret ingredient is"),
    *(
        "opens to the word",
        "answers to the word",
        "our secret:",
        "the secret:",
        "tonight's word is",
    ),
    *("tonight’s word is", "it's the word", "it’s the word", "our word is", "just the word"),
)
_OF = re.compile(rf" {_QUOTE}{_WORDS}{_END}")
# What is said to somebody who asks for it.
_UTTERING = (
    "say",
    "answer",
    "reply",
    "whisper",
    "answer with",
    "reply with",
    "respond with",
    "give",
)
_ASKED = re.compile(
    rf" {_QUOTE}(?P<value>[^\W\d_]{{3,20}}(?:[ -][^\W\d_]{{3,20}}){{0,2}}?){_CLOSE}"
    r" (?:(?:when|if|once|as soon as) (?:they|he|she|it|someone|somebody|anyone|anybody|asked"
    r"|prompted|challenged|the \w{3,16} asks?)|at the (?:door|gate|desk|entrance|prompt)"
    r"|to (?:get in|be let in))"
)
_ENTERING = ("to get in,", "to be let in,", "to enter,", "to get past him,", "to pass,")
_TO_GET_IN = re.compile(
    rf"(?: please)? (?:just |simply )?(?:say|whisper|answer) {_QUOTE}{_WORDS}{_END}"
)
_TO_SAY = tuple(
    f"{who} say" for who in ("'ll", "’ll", "will", "should", "must", "has to", "have to", "just")
)
_SAID = re.compile(rf" [\"“«]{_WORDS}[\"”»]")
_BOOK = Book(
    [
        *(phrase(said, "secret") for said in _SECRETS),
        *(phrase(said, "word") for said in _WORD_OF),
        *(phrase(said, "uttered") for said in _UTTERING),
        *(phrase(said, "entering") for said in _ENTERING),
        *(phrase(said, "quoted") for said in _TO_SAY),
    ]
)
_NOT_WORDS = frozenset(
    "yes no okay thanks hello goodbye nothing something anything everything it them him her that"
    " this what one here there another different same default new old strong weak long short"
    " changed forgotten unknown random hard easy good bad clear text plain user email username"
    " cheese please sorry".split()
)


def secret_words(text: str) -> Iterator[Anchor]:
    """Plain words that sentences make a password."""
    for begin, end, kind in spoken(text, _BOOK):
        match = _match(text, begin, end, kind)
        if match is None:
            continue
        value = Span(*match.span("word" if match.groupdict().get("word") else "value"))
        if _is_no_word(text[value.start : value.end]):
            continue
        label = Span(min(begin, value.start), value.start)
        yield Anchor(label, value, ONE_WORD, "prose:words", False)


def _match(text: str, begin: int, end: int, kind: str) -> re.Match[str] | None:
    """What a phrase makes a password, behind it or before it."""
    if kind == "word":
        return _OF.match(text, end)
    if kind == "quoted":
        return _SAID.match(text, end)
    if kind == "entering":
        return _TO_GET_IN.match(text, end)
    if kind == "uttered":
        return _ASKED.match(text, end)
    first = max(0, begin - _REACH)
    if _SET_VERB.search(text, first, begin):
        return _SET_TO.match(text, end)
    after = _SET.match(text, end)
    if after or not _ENDED.match(text, end):
        return after
    return _IS_ONE.search(text, first, begin) or _USED_AS.search(text, first, begin)


def _is_no_word(value: str) -> bool:
    """Whether words go on with the sentence, or say how a password is."""
    words = re.split("[ -]", value.lower())
    if is_state(value) or not _NOT_WORDS.isdisjoint(words):
        return True
    return any(word in JOINING or is_common(word) for word in words)
