"""Plain numbers that somebody chose: a PIN, a meter reading, a docket, told from a quantity.

A quantity is followed by what it counts, or announced by words such as "almost"; years, round
numbers, powers of two and rows of digits are no secrets. What is left, at the end of a clause of
running text, names something. Behind signs ``structure`` decides, behind labels ``prose``.
"""

from __future__ import annotations

import re

LEAST, MOST = 4, 8
"""Digits; longer numbers have a form of their own (see ``forms``)."""

_ENDS = re.compile(
    r"[\"'`”’»」』*]{0,3}(?:[.,;!?](?![\w/])|[)\]。，；：！？、）।؟،…]|\s*(?:\n|\Z)| [–—-] "
    # particles of scripts without spaces; counters are left out
    r"|[のとをはがにでへもやだ를을은는이가로으라에의]|[，。是为為这這那放在就即的而和与及或]"
    r"| (?:all|on|for|at|to|into|in|as|is|was|were|when|then|but|so|and|or|from|via|by|with"
    r"|because|if"
    r"|before|after|until|again|now|today|please|not|the|my|your|this|that|you|we|i|he|she|they|it"
    r"|while|where|which|who|whose|whereas|though|although|since|during|unless|across|under|over"
    r"|inked|written|engraved|painted|stamped|printed|pencilled|scribbled|carved|typed"
    r"|above|below|twice|once|instead|appears?|stands?|stood|meant?|means|opens?|unlocks?"
    r"|y|en|por|para|al|con|et|à|au|sur|pour|und|auf|im|am|bei|für|bitte|e|il|per|sul|su|no|na|em"
    r"|и|на|в|для|по|لا|فقط|ثم|قرب|في|على|है|पर|लिख\w*|yaz\w*|oldu)\b)",
    re.IGNORECASE,
)
_COUNTS = re.compile(
    # behind another number, as a range ends, or behind a sign
    r"(?:\d[.,;:–-]?|\d (?:to|and|or|through|a|à|bis|до)"
    r"|[\"'\])}]:|[^\s\w.,;:!?\"'`“‘«»„”’「『()*–—-]) ?\Z"
    r"|(?<!\w)(?:about|nearly|almost|approximately|around|roughly|some|than|least|most|under"
    r"|exceeds?|times|by|page|pages|lines?|section|chapter|year|in|since|until|rfc|pep|iso|issue|bug"
    r"|plus|minus|between|total of|all|first|last|next|every|of|=|up to|more|population"
    r"|más de|unos|unas|casi|plus de|environ|près de|etwa|rund|circa|über|fast|mehr als|oltre|quasi"
    r"|cerca de|mais de|около|более|почти|yaklaşık|حوالي|लगभग|en|im|nel|em|в|jahr|año"
    r"|anno|january|february|march|april|may|june|july|august|september|october|november|december"
    r")\W{1,2}\Z"
    r"|(?:约|約|共|超过|近|약|[年月日第])\Z",
    re.IGNORECASE,
)
_RANGE = re.compile(r" (?:to|and|or|through|a|à|al|bis|до|–|-) ?\d{3}| [–-] ?\d\d\b|[–-]\d")
LONG = 6
"""Digits from which a quantity would be written with separators."""
ROUND = 3  # digits of a round number before its zeros
_RISING, _FALLING = "01234567890", "09876543210"
_BINARY = frozenset("01")
_YEAR = re.compile(r"(?:1[4-9]|20)\d\d")
_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_BEFORE = 16  # characters that may say that it is a quantity
_SERIES = re.compile(r"(?<!\w)(?!PIN|OTP|ID|SN|PO|NIP|CODE)[A-Z]{2,4} ?\Z")  # BWV 1007
_QUOTED = re.compile(r"(?:\A|\n)[ \t]*[>|•*-][ \t]*\Z")


def is_chosen(text: str, begin: int, end: int) -> bool:
    """Whether the digits ``text[begin:end]`` name something and count nothing."""
    digits = text[begin:end]
    if not (LEAST <= len(digits) <= MOST and digits.isascii() and digits.isdigit()):
        return False
    ends = len(digits) >= LONG or _ENDS.match(text, end) is not None
    if not ends or _RANGE.match(text, end) or not is_odd(digits):
        return False
    return _is_named(text, begin) and _SERIES.search(text, max(0, begin - 8), begin) is None


def _is_named(text: str, begin: int) -> bool:
    """Whether no sign, number or word of quantity stands before; a quoted line is no sign."""
    before = text[max(0, begin - _BEFORE) : begin]
    if before[-1:] in ("(", "[", ",") or not before.strip():
        return before[-2:] == " ("
    return _QUOTED.search(before) is not None or _COUNTS.search(before) is None


def is_odd(digits: str) -> bool:
    """Whether chance, and no rule, made these digits."""
    told = digits.rstrip("0")
    if (
        len(told) <= min(ROUND, len(digits) - 2)
        or digits in _RISING
        or digits in _FALLING
        or set(digits) <= _BINARY
        or len(set(digits)) == 1
    ):
        return False
    if _YEAR.fullmatch(digits) or _DAY.fullmatch(digits):
        return False
    number = int(digits)
    return bool(number & (number - 1)) and bool(number & (number + 1))
