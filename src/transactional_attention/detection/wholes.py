"""Values that white space, quotes or signs inside them part, whatever announces them: places in
degrees and minutes, paths with spaces, telephones with an extension, public keys.

Detectors find where such a value begins, or one chunk of it; here it becomes the whole one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ..types import Anchor, Span
from .host_lists import hosts_end
from .notations import is_telephone
from .statements.eastern_degrees import eastern_degrees
from .statements.foreign_paths import paths
from .statements.native_codes import codes
from .statements.weekday_clocks import days_with_clocks
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


def widened(anchors: list[Anchor], text: str) -> list[Anchor]:
    """The anchors; the value of one that overlaps a whole becomes the whole."""
    wholes = _apart([*_wholes(text), *_telephones(anchors, text)])
    if ":" in text:
        anchors = [_listed(anchor, text) for anchor in anchors]
    if not wholes:
        return anchors
    ends = [end for _, end in wholes]
    return [_wide(anchor, wholes, bisect_right(ends, anchor.value.start)) for anchor in anchors]


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The first ones, in order, of spans that overlap, and the longest of those."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or begin >= found[-1][1]:
            found.append((begin, end))
    return found


def _wide(anchor: Anchor, wholes: list[tuple[int, int]], at: int) -> Anchor:
    """The anchor, or that of the whole with the index ``at`` where its value overlaps it."""
    label, value = anchor.label, anchor.value
    begin, end = wholes[at] if at < len(wholes) else (value.end, value.end)
    if begin >= value.end or (value.start <= begin and end <= value.end):
        return anchor  # it stands apart, or is a string that holds the whole
    label = Span(min(label.start, begin), min(label.end, begin))
    return Anchor(
        label, Span(begin, end), anchor.confidence, anchor.rule, True, anchor.source, anchor.share
    )


def _listed(anchor: Anchor, text: str) -> Anchor:
    """The anchor; that of all hosts where its value is the first of a list."""
    value = anchor.value
    if text[value.end : value.end + 1] != "," or text.find(":", value.start, value.end) < 0:
        return anchor
    end = hosts_end(text, value.start)
    if end <= value.end:
        return anchor
    return anchor._replace(value=Span(value.start, end), delimited=True)


def _wholes(text: str) -> Iterator[tuple[int, int]]:
    """Places and paths that hold white space or quotes."""
    yield from places_in_degrees(text)
    yield from paths(text)
    yield from codes(text)
    yield from eastern_degrees(text)
    yield from days_with_clocks(text)
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


def _telephones(anchors: list[Anchor], text: str) -> Iterator[tuple[int, int]]:
    """Telephones and what is dialled behind them."""
    for anchor in anchors:
        begin, end = anchor.value.start, anchor.value.end
        if text[end : end + 1] not in (" ", ",", "x"):
            continue
        extension = _EXTENSION.match(text, end)
        if extension and _NUMBER.fullmatch(text, begin, end) and is_telephone(text[begin:end]):
            yield begin, extension.end()
