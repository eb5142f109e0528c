"""Numbers with what may belong to them, for the character-level detector: ``15.2 kg``,
``26 April``, ``KD 53 973 683``, ``Elephant Breath 229``, ``下午3点25分``, ``B동 306호``; hosts, and
what programs name.

Rules know many such forms behind what announces them. Here a number is offered with the word
behind it, with a month, a name or capitals before it, and beside characters that need no spaces
with few of them on either side; which of these somebody states, if any, the network says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .chunks import DIGITS
from .notations import MONTHS

_EAST = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NUMBER = re.compile(r"[0-9](?<![A-Za-z0-9_.,:/=].)(?<![A-Za-z0-9]-.)[0-9]*+")
_EASTERN_NUMBER = re.compile(  # a letter may stand before it: A909室
    rf"[{DIGITS}](?<![\d.,:/].)(?<!\d-.)\d*+"
)
_GROUPS = r"\d[\d.,٬٫:/–\-]{0,40}(?:[\u00a0\u202f ]\d{3}(?![\d.,:/\-])){0,5}"
_UNIT = re.compile(
    rf"{_GROUPS}[\u00a0\u202f ]?"
    rf"(?P<unit>[^\s\d,;()\"'”’»<>=:|~{_EAST}][^\s,;()\"'”’»<>=:|~{_EAST}]{{0,9}})"
)
_DAY = re.compile(
    r"\d{1,2}(?:st|nd|rd|th|\.|º|°|er)? (?:de |of )?([^\W\d_]\w{1,12})(?:,? (?:de |del )?\d{4})?"
)
_AFTER_MONTH = re.compile(r"\d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?![\w:])")
_SERIES = re.compile(r"\d[\d./\-]{0,40}(?: \.?[A-Z]?\d[\d./]{0,20}){0,5}(?:(?<=\d)[A-Z])?(?!\w)")
_RUN = re.compile(
    rf"\d[\w.,:：/\-－]{{0,40}}?(?=[{_EAST}]|[^\w.,:：/\-－]|[.,](?!\d)|\Z)"
    rf"(?:[{_EAST}]{{1,2}} ?\d[\dA-Za-z.\-－]{{0,20}}){{0,4}}"
)
_BEHIND = re.compile(rf"[{_EAST}]{{1,2}}")
# Read backwards from a number.
_SERIES_BEFORE = re.compile(
    r"[ \-](?:[A-ZА-ЯÄÖÜ]{1,4}|[\u0621-\u064a](?: [\u0621-\u064a]){0,3}|[\u0900-\u0963]{1,3})"
    r"(?![\w\-])"
)
_SPACED_BEFORE = re.compile(rf" [{_EAST}A-Za-z\d]{{1,4}}(?![{_EAST}A-Za-z\d])")
_WORDS_BEFORE = re.compile(r" \.?(?P<last>[^\W\d_]{2,14})(?: (?P<first>[^\W\d_]{2,14}))?(?!\w)")
_LETTERS_BEFORE = re.compile(rf"-?[A-Za-z]{{1,4}}(?![A-Za-z])|-[{_EAST}]{{1,2}}")
_JOINED_BEFORE = re.compile(rf"[{_EAST}]{{1,4}}")
_DOMAIN = re.compile(
    r"\.(?:com|org|net|io|dev|app|local|lan|internal|corp|example|test|cloud|eu|uk|de|fr|es|it|nl|pl"
    r"|ru|jp|cn|kr|br|in|tr|info|edu|gov|co|me|sh|tv)(?::\d{1,5})?(?:/[\w./\-]{0,128})?(?![A-Za-z0-9_\u00c0-\u058f.\-]{0,60}[A-Za-z0-9_\u00c0-\u058f])"
)
_HOST_BEFORE = re.compile(r"[a-z0-9.\-]{1,60}(?<=[a-z])(?![A-Za-z0-9_\u00c0-\u058f@/.\-])")
# Neither a key nor its value, which rules have read; by its quote, found at the speed of memory.
_QUOTED = {
    quote: re.compile(
        rf"{quote}(?=[\w@][\w.\-/:@]{{0,181}}+[`\"”](?! ?[:=]))(?<![:=].)(?<![:=] .)"
        r"([\w@]\w{0,60}[.\-/_:][\w.\-/:@]{0,120})[`\"”]"
    )
    for quote in '`"“'
}
# What programs name, in a sentence: ``CACHE_MAX_FANOUT``, ``--force-reindex``, ``X-Relay-Pin``.
# Most words hold letters alone.
_NAME = re.compile(
    r" (?=[A-Za-z][a-z]*+[^\x00-,.-/:-@\[-^`-\x7f]|--)(?<=[a-z,;:] )"
    r"(--[a-z][\w\-]{2,40}|[A-Za-z]\w{0,40}_\w{1,40}|[A-Z][a-z]{0,20}(?:-[A-Z][a-z]{1,20}){1,4})"
    r"(?=[.,;:!?)]?(?:\s|\Z))"
)
_LETTERED = re.compile(r"\d{1,20}(?:[/\-][^\W\d_]{1,3}[/\-]\d[\d/\-]{0,20}){1,3}")
_GIVEN = re.compile(r"=(?<=\w=)[^\s,;\"'`<>()&=$]{1,64}")
_NAME_BEFORE = re.compile(
    r"\w[\w.\-]{0,40}(?:--)?(?= [a-z,;:]|[\u3001-\u9fff\uac00-\ud7af])(?<![^\-]-)"
)
_DECIMALS = re.compile(r"\d[\d.,:/\-]{0,40}[A-Za-z]?(?!\w)|\d{1,40}")
_SIGNED = ("-", "−", "+")
# What stands next to a number and makes it needless to try a pattern.
_NO_UNITS = frozenset(("", *"\n\t\r;()\"'”’»<>=|~"))
_DAYS = frozenset(" snrt.º°e")
_JOINTS = (" ", "-")
_NO_NAMES = frozenset(("", *map(chr, range(128)))) - {"."}
_REACH, _LONGEST_NAME = 32, 48
_SIGNS = ("-", "−", "+", "±", "#", "*")
_MONTH = re.compile(MONTHS, re.IGNORECASE)


def wholes(text: str, taken: bytes | bytearray = b"") -> Iterator[tuple[int, int]]:
    """Begin and end of what a number in the text may be a part of, of hosts, of names in sentences
    and of those that a value is given to. Numbers at places that are ``taken`` are passed over."""
    eastern = not text.isascii()
    for number in (_EASTERN_NUMBER if eastern else _NUMBER).finditer(text):
        at, last = number.span()
        if (taken and taken[at]) or text.startswith("~~", at - 2):
            continue
        before = text[max(0, at - _REACH) : at][::-1]
        yield from _behind(text, at, last, before[:1])
        if before[:1] in _JOINTS and (before[1:2].isalpha() or before[1:2] not in _NO_NAMES):
            yield from _before(text, at, before)
        if eastern:
            yield from _eastern(text, at, before)
    yield from _joined(text, _DOMAIN, _HOST_BEFORE)
    yield from _joined(text, _GIVEN, _NAME_BEFORE)
    for form in (*(form for quote, form in _QUOTED.items() if quote in text), _NAME):
        for match in form.finditer(text):
            yield match.span(1)


def _behind(text: str, at: int, last: int, sign: str) -> Iterator[tuple[int, int]]:
    """A number, whose digits end at ``last``, with the word behind it, with a month or letters, and
    with its sign."""
    signed = at - (sign in _SIGNS)
    after = text[last : last + 1]
    unit = _UNIT.match(text, at) if after not in _NO_UNITS else None
    if unit:
        end = _trimmed(text, unit.start("unit") + 1, unit.end())
        yield at, end
        if signed < at:
            yield signed, end
    if sign in _SIGNED:
        yield signed, _number_end(text, at)
    lettered = _LETTERED.match(text, at) if after in ("/", "-") else None
    if lettered:
        yield at, lettered.end()
    day = _DAY.match(text, at) if last - at < 3 and after in _DAYS else None
    if day and _is_month(day[1]):
        yield at, day.end()


def _before(text: str, at: int, before: str) -> Iterator[tuple[int, int]]:
    """A number with one or two names, a month or capitals before it."""
    named = _WORDS_BEFORE.match(before)
    if named and named["last"][-1].isupper():
        two = named["first"] and named["first"][-1].isupper()
        yield at - named.end("first" if two else "last"), _number_end(text, at)
    if named and _is_month(named["last"][::-1]):
        dated = _AFTER_MONTH.match(text, at)
        if dated:
            yield at - named.end("last"), dated.end()
    series = _SERIES_BEFORE.match(before)
    numbers = series and _SERIES.match(text, at)
    if series and numbers:
        yield at - series.end(), _trimmed(text, at, numbers.end())


def _eastern(text: str, at: int, before: str) -> Iterator[tuple[int, int]]:
    """A number with up to four characters before it and up to two behind it."""
    run = _RUN.match(text, at)
    if run is None:
        return
    behind = _BEHIND.match(text, run.end())
    ends = range(run.end(), (behind.end() if behind else run.end()) + 1)
    begins = {at}
    for form in (_SPACED_BEFORE, _LETTERS_BEFORE):
        match = form.match(before)
        if match:
            begins.add(at - match.end())
    joined = _JOINED_BEFORE.match(before)
    if joined:
        begins.update(range(at - joined.end(), at))
    if len(begins) > 1 or len(ends) > 1:
        for begin in sorted(begins):
            yield from ((begin, end) for end in ends)


def _joined(
    text: str, rest: re.Pattern[str], beginning: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """What a rare sign and what stands right before it make together."""
    for match in rest.finditer(text):
        at = match.start()
        before = beginning.match(text[max(0, at - _LONGEST_NAME) : at][::-1])
        if before:
            begin = at - before.end()
            yield begin, _trimmed(text, begin, match.end())


def _number_end(text: str, at: int) -> int:
    number = _DECIMALS.match(text, at)
    return _trimmed(text, at, number.end()) if number else at + 1


def _trimmed(text: str, begin: int, end: int) -> int:
    """Where ``text[begin:end]`` ends without the marks of a sentence."""
    while end > begin and text[end - 1] in ".,;:!?-/*_":
        if text[end - 1] == "." and text[end - 3 : end - 2] == ".":
            break  # p.m.
        end -= 1
    return end


@lru_cache(maxsize=1024)
def _is_month(word: str) -> bool:
    return _MONTH.fullmatch(word) is not None
