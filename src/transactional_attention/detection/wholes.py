"""Values that white space, quotes or signs inside them part, whatever announces them: places in
degrees and minutes, paths with spaces, telephones with an extension, public keys.

Detectors find where such a value begins, or one chunk of it; here it becomes the whole one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text_words import places

MOST = 256  # characters; a scanner sees more before what it reads
_ANGLE = (
    r"\d{1,3}° ?\d{1,2}(?:\.\d{1,8})?(?: ?['′’](?: ?\d{1,2}(?:\.\d{1,8})?(?: ?(?:\\?\"|″|”|'')))?)?"
)
_PLACE = re.compile(
    rf"(?:{_ANGLE} ?[NSEW](?:,? ?{_ANGLE} ?[NSEW])?|[NSEW] ?{_ANGLE},? ?[NSEW] ?{_ANGLE})(?!\w)"
)
_BEFORE_DEGREES = re.compile(r"\d{1,3}(?: ?[NSEW](?!\w))?(?!\w)")
_NAME = r"[\w.$()+@~\-]{1,64}+(?: [\w$()+@][\w.$()+@~\-]{0,64}+){0,4}"
_DRIVE = re.compile(rf":\\(?:{_NAME}\\){{1,12}}[\w.$()+@~\-]{{1,64}}+")
_ESCAPED = re.compile(r"/(?:[\w.@+~()/\-]|\\ ){3,250}+")
_QUOTED = tuple(
    re.compile(rf"{sign}(?<=[\"'`“~.:].)(?:{_NAME}[/\\]){{0,12}}{_NAME}(?=(?P<closing>[\"'`”]))")
    for sign in ("/", r"\\")
)
_TO_LINE_END = re.compile(rf"/(?<=[:= \t\n~]/)(?:{_NAME}/){{1,12}}{_NAME}(?=[ \t]*\r?(?:\n|\Z))")
_SPACED_NAME = re.compile(r"[^/\\ ] [^/\\]*[/\\]")  # of a folder
_FILE = re.compile(r"[/\\][^/\\.]* [^/\\]*\.\w{1,5}\Z")
_NAMED = re.compile(r"\.\w{1,5}\Z")
_FINISHED = re.compile(r"\.[A-Za-z]\w{0,4} ")  # a file's name, before what is no part of it
_PROGRAM = re.compile(r"/s?bin/| -")
_ARGUMENT = re.compile(r" [^A-Z]")  # what a line that begins with a program may go on with
_QUOTE_BEFORE = re.compile(r"(?:~|\.{1,2}|:[A-Z])?(?P<opening>[\"'`“])")
_SIGN_BEFORE = re.compile(r"~?[ \t]{0,8}[:=]")
_CLOSING = {"“": "”"}
_COLOUR = re.compile(
    r"#(?<![\w&#/.\-]#)(?=\d*[a-fA-F])(?=[a-fA-F]*\d)[\da-fA-F]{6}(?:[\da-fA-F]{2})?(?![\w\-])"
)
_WIDE_PORT = re.compile(r"：\d{2,5}(?!\d)")
_ADDRESS_BEFORE = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")
_ABROAD = r"(?:[NSEWKGDBOСЮВЗ]|[сю]\. ?ш\.|[вз]\. ?д\.)"  # Turkish, Romance, Russian
_HEMISPHERE = re.compile(
    r"° ?[NSEW](?:,? ?-?\d{1,3}\.\d{1,12}° ?[NSEW])?(?!\w)"
    rf"|° ?{_ABROAD},? ?\d{{1,3}}\.\d{{1,12}}° ?{_ABROAD}(?!\w)"
)
_DECIMAL_BEFORE = re.compile(r"\d{1,12}\.\d{1,3}-?(?![\w.])")
_GERMAN, _CLOCK_BEFORE = re.compile(r" Uhr(?!\w)"), re.compile(r"\d\d[:.]\d{1,2}(?![\w.:])")
_PUBLIC_KEY = re.compile(r"AAAA[\w+/]{12,4000}+={0,2}(?!\w)")
_ALGORITHM_BEFORE = re.compile(r" (?:asr-hss|91552de-hss|[\d\-a-z]{4,24}asdce)(?!\w)")
_EXTENSION = re.compile(
    r",? ?(?:(?i:ext(?:ension|n)?|durchwahl|poste|interno|int|anexo|ramal|доб)\.?|x) ?\d{1,6}(?!\w)"
)
_NUMBER = re.compile(r"[+\d() .\-/]{7,32}")


def wholes(text: str) -> Iterator[tuple[int, int]]:
    """Places and paths that hold white space or quotes."""
    yield from places_in_degrees(text)
    if ":\\" in text:
        for match in _DRIVE.finditer(text):
            begin = match.start() - 1
            if text[begin : begin + 1].isupper() and " " in match.group():
                yield begin, match.end()
    if "\\ " in text:
        for match in _ESCAPED.finditer(text):
            begin, mark = match.start(), text[match.start() - 1 : match.start()]
            if "\\ " in match.group() and not mark.isalnum():
                yield begin - (mark == "~"), match.end()
    yield from _signed(text)
    for match in (*_QUOTED[0].finditer(text), *_QUOTED[1].finditer(text)):
        before = _QUOTE_BEFORE.match(text[max(0, match.start() - 3) : match.start()][::-1])
        if before and _CLOSING.get(before["opening"], before["opening"]) == match["closing"]:
            yield from _spaced(text, match.start() - before.start("opening"), match.end())
    for match in _TO_LINE_END.finditer(text):
        before = _SIGN_BEFORE.match(text[max(0, match.start() - 9) : match.start()][::-1])
        home = text[match.start() - 1] == "~"
        alone = text[max(0, match.start() - home - 1) : match.start() - home] in ("", "\n")
        alone = alone and not _ARGUMENT.search(match.group())
        if (before or alone) and _NAMED.search(match.group()):
            yield from _spaced(text, match.start() - home, match.end())


def _signed(text: str) -> Iterator[tuple[int, int]]:
    """Colours, addresses with a wide colon, degrees, public keys, German clocks."""
    if "#" in text:
        yield from (match.span() for match in _COLOUR.finditer(text))
    for sign, after, before in (
        ("：", _WIDE_PORT, _ADDRESS_BEFORE),
        ("°", _HEMISPHERE, _DECIMAL_BEFORE),
        ("AAAA", _PUBLIC_KEY, _ALGORITHM_BEFORE),
        (" Uhr", _GERMAN, _CLOCK_BEFORE),
    ):
        for place in places(text, sign):
            begin = before.match(text[max(0, place - MOST) : place][::-1])
            end = after.match(text, place) if begin else None  # which may take longer
            if begin and end:
                yield place - begin.end(), end.end()


def places_in_degrees(text: str) -> Iterator[tuple[int, int]]:
    """Places such as ``40°26'46"N 79°58'56"W``."""
    last = 0
    at = text.find("°")
    while at >= 0:
        before = _BEFORE_DEGREES.match(text[max(0, at - 6) : at][::-1])
        place = _PLACE.match(text, at - before.end()) if before and at >= last else None
        if place:
            last = place.end()
            yield place.span()
        at = text.find("°", at + 1)


def _spaced(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A path with spaces in the name of a folder or of a file, which is no command."""
    path = text[begin:end]
    if end - begin > MOST or _PROGRAM.search(path) or _FINISHED.search(path):
        return
    if _SPACED_NAME.search(path) or _FILE.search(path):
        yield begin, end
