"""What somebody decided, chose or has to type, in words that no other value has: ``keep
max_connections at 350``, ``we settled on a cutoff of 0.62``, ``use code SPRING-OTTER``.

A verb of decision stands before them; mere measures and descriptions have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, announced, phrase, spoken
from ..text_words import lowered, words_of

DECIDED, CODE = 0.66, 0.68
_REACH = 32  # characters before a code that may say how it is used
_CODES = frozenset("code código codigo gutscheincode cupón coupon".split())
_END = r"(?=[\"'”’`*]{0,2}[,;:!?)]?(?:\s|\Z|\.(?:\s|\Z)))"
_NUMBER = rf"(?P<value>-?\d{{1,12}}(?:\.\d{{1,12}})?(?:e-?\d{{1,3}})?){_END}"
_NO_UNIT = r"(?![ ](?!(?:for|from|in|and|on|so|now|throughout|please|until|but|as|then)\b)\w)"
# The words that a pattern stands behind, the pattern, and how sure it is.
_RULES: tuple[tuple[str, str, float], ...] = (
    (
        "settled agreed decided landed",
        r" (?:on|with|upon) (?:an?|the|our) (?!average|mean|total)(?:[a-z][a-z\-]{1,20} ){1,3}of "
        rf"(?![12]?\d{_END}){_NUMBER}",
        DECIDED,
    ),
    (
        "remember",
        r"[,:]? (?:it['’]s|it is|that it['’]s|you['’]re (?:in|at)|my|our|your|i['’]m (?:in|at))"
        r" (?:locker|gate|room|seat|bay|dock|desk|platform|box|shelf|table|pitch|cabin)(?: is)?"
        rf"(?: number| no\.?)? (?P<value>[A-Z]?\d{{1,4}}[A-Z]?){_END}",
        DECIDED,
    ),
    (
        "code código codigo gutscheincode cupón coupon",
        r" [\"'“`]?(?P<value>[A-Z]{3,16}(?:-(?:[A-Z]{3,16}|\d{2,4})){1,3}"
        r"|[A-Z]{5,16}(?=[\"'”`]? at (?:the )?(?:checkout|till|counter|register|desk)\b))"
        rf"{_END}",
        CODE,
    ),
    (
        "type enter apply use redeem quote",
        r" (?:[\"'“`]|<\w{1,6}>)?(?P<value>[A-Z]{3,16}(?:-(?:[A-Z]{3,16}|\d{2,4})){1,3})"
        r"(?=(?:[\"'”`]|</\w{1,6}>)? (?:at (?:the )?(?:checkout|till|counter|register|desk)"
        r"|when you (?:pay|order|book))\b)",
        CODE,
    ),
    (
        "threshold cutoff offset tolerance temperature",
        rf" (?:is|at|to)(?: now)? (?P<value>\d{{1,4}}\.\d{{1,6}}){_END}{_NO_UNIT}",
        DECIDED,
    ),
    (
        "locker seat box shelf desk cabin combination bay berth",
        rf"(?: is| number| no\.?|:) (?P<value>\d{{1,3}}-\d{{2,3}}){_END}{_NO_UNIT}",
        DECIDED,
    ),
    (
        "code otp pin passcode código codice kod код",
        rf"(?: is| est| es| è| é| ist| lautet|:)? (?P<value>\d{{3}}-\d{{3}}(?:-\d{{3}})?){_END}",
        DECIDED,
    ),
    ("make", rf" (?:that|it) (?P<value>\d{{1,3}}-\d{{2,3}}){_END}", DECIDED),
    (
        "promo coupon discount voucher",
        r" code(?: is|:)? [\"'“`]?"
        rf"(?P<value>[A-Z]{{5,16}}(?:-[A-Z]{{3,16}}){{0,3}}){_END}",
        CODE,
    ),
    (
        "join",
        r"(?: the)? [\"'“`]?(?P<value>[A-Z][A-Za-z0-9]{2,24}(?:_[A-Za-z0-9]{1,24}){1,3})"
        r"(?=[\"'”`]?[,;!?]|[\"'”`]?\.?(?:\n|\Z|\. ))",
        CODE,
    ),
    (
        "bucket namespace tenant queue cluster",
        r" [\"'“`]?(?!\S*-(?:in|of|to|and|or|the|out|on|by|with|for|at|a|up|down|per|first|last)\b)"
        r"(?P<value>[a-z][a-z0-9]{2,24}(?:-[a-z0-9]{2,24}){2,5}"
        r"|[a-z][a-z0-9]{2,24}(?:_[a-z0-9]{2,24}){2,5})"
        rf"{_END}",
        CODE,
    ),
)
# The code is used: of an error it is none.
_USED = re.compile(
    r"\b(?:use|using|enter|apply|type|quote|redeem|with|mention|usa|ingresa|utilisez|utilise|nutze"
    r"|promo|coupon|discount|voucher|gift)(?: (?:the|my|our|this|your|el|le|den|promo|coupon|gift"
    r"|discount|voucher))*[ -]\Z"
)
# From a joint of a name in small or in capital letters, and what stands before it.
_JOINT = re.compile(
    rf"_(?:[a-z]{{2,24}}(?:[`\"']? (?:at|to|=|around) [`\"']?|=)(?!\d{_END}){_NUMBER}"
    r"|[A-Z0-9]{1,24}=(?P<words>[A-Za-z_][\w\-]{2,40}+(?:[:,.][\w\-]{1,40}+){1,8})"
    rf"{_END})"
)
_KEEP = "keep|set|raise|lower|bump|cap|pin|leave|limit|with|use|using|try"
_KEEPING = re.compile(
    rf"\b(?:{_KEEP})(?: the)?(?: value of)?"
    r" [`\"']?[a-z]{2,24}(?:_[a-z]{2,24}){0,3}\Z",
    re.IGNORECASE,
)
_SETTING = re.compile(r"\b(?i:set|export|use) `?\Z")
_VERBS = frozenset(f"{_KEEP}|export".encode().split(b"|"))
_UPPER = re.compile(r"`?[A-Z][A-Z0-9_]{1,63}")
# What follows a word, how sure it is, and whether a verb of use must stand before the word.
_PHRASES = Book(
    phrase(word, (re.compile(rest), confidence, confidence == CODE and word in _CODES))
    for words, rest, confidence in _RULES
    for word in words.split()
)


def _used(text: str, place: int) -> bool:
    """Whether a verb of use stands before a word for a code."""
    return _USED.search(lowered(text), max(0, place - _REACH), place) is not None


def settings(text: str) -> Iterator[Anchor]:
    """Numbers, settings and codes that a verb of decision or use stands before."""
    for begin, end, (rest, confidence, used) in spoken(text, _PHRASES):
        match = rest.match(text, end)
        if match and (not used or _used(text, begin)):
            yield announced(begin, match, confidence, "prose:setting", delimited=False)
    yield from _joined(text)


def _joined(text: str) -> Iterator[Anchor]:
    """Settings whose names have joints, behind a verb that sets them."""
    if text.isascii() and _VERBS.isdisjoint(words_of(text)):
        return  # most files of settings
    for match in _JOINT.finditer(text):
        at = match.start()
        if match["words"]:
            name = text.rfind(" ", max(0, at - 2 * _REACH), at) + 1
            spoken = name > 1 and text[name - 2] in "teTE"  # how the verbs end
            if not spoken or not _UPPER.fullmatch(text, name, at):
                continue
            said, group = _SETTING.search(text, max(0, name - 8), name), "words"
        else:
            said, group = _KEEPING.search(text, max(0, at - 4 * _REACH), at), "value"
        if said:
            value = Span(*match.span(group))
            yield Anchor(Span(said.start(), value.start), value, DECIDED, "prose:setting", False)
