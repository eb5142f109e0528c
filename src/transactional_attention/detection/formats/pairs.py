"""Label, sign, value: JSON (also escaped), YAML, TOML, INI, ENV, headers, cookies, query strings,
keyword arguments, constants, attributes, log fields.

Sign and value are one pattern that begins with a rare character. The label is read backwards from
the sign, so no text is searched twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..candidates import Proposal, proposed
from ..detector import LOOKBACK, MAX_VALUE
from ..extent import trim
from ..forms import several
from ..quotes import goes_on, mate

MAXLABEL = 48
MARKS = "\u0900-\u0dff\u064b-\u0652"  # signs of vowels, which are no letters to ``re``
MAX_LINE = 96  # characters of a value of several words without quotes

_PAIR = re.compile(
    r"(?P<sign>[:=：＝→](?:[=>](?!=))?)[ \t]{0,40}+"
    r"(?:(?<=: )[&!][\w!/.\-]{1,32}+ (?=[^\s|>=]))?"  # an anchor or a tag of YAML
    r"(?:[&*]?@?(?:new |String\(|str\()?(?P<open>\\{1,3}[\"']|[\"'`“„「『«]))?"
    rf"(?P<value>(?(open)(?:[^\"'`“”「」『』«»\\\n]|(?<!\\)\\[^\"'\\\n]|(?<=\w)'(?=\w)){{1,{MAX_VALUE}}}+"
    rf"|(?:[^\s\"'`“”„「」『』«»{{}}\[\]<>(),;|]|[(\[](?=[\da-f:]{{3,40}}[)\]][ :]))"
    rf"(?:[^\s\"'`“”«»{{}}<>,;|&]|,(?=\d)|&(?!(?:amp;)?[\w%.\[\]\-]{{1,40}}=)){{0,{MAX_VALUE}}}+))"
)
_TYPES = (
    "string|str|String|&str|&'static str|char|bytes|Text|any|std::string|auto|object|Secret"
    "|SecretStr"
)
LABEL = re.compile(
    r"[ \t]{0,8}+(?:\)[^()\n]{1,72}\( )?(?:\][ \t]?\[)?(?:(?:"
    + "|".join(re.escape(t[::-1]) for t in _TYPES.split("|"))
    + r") ?:)?"
    r"(?P<close>\*{0,2}[\"'`」”»]?\\{0,3}\]?[\"'`]?)"
    rf"(?P<label>[\w\-.{MARKS}]{{1,{MAXLABEL}}}+"
    rf"(?: [\w\-'’#{MARKS}]{{1,24}}+){{0,4}})"
    r"(?P<before>[^\w]?)"
)
_INNER = re.compile(r"(?:&(?:amp;)?|[?;#,][ \t]?|(?<![\w.\-]))[\w.\-\[\]%]{1,40}+(?==[^=\s])")
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|bot) +(?=\S{6})|(?:mailto|tel):", re.IGNORECASE
)
_STOP = re.compile(  # what a bare value does not go beyond
    r"&(?=(?:amp;)?[\w\[\]%.\-]{1,40}=)|;(?=\s|\w+=|$)|\\[nrt\"']|[（）。，；、！？]"
    r"|(?<=[!-~])[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\](?!:\d)"
)
_CHUNK = re.compile(r"[^\s\"'`]*")
_REST = re.compile(r"[^\n\"'`=:{}<>|#]*+(?=\n|\Z)")  # of a line, where it is words


def pairs(text: str) -> Iterator[Proposal]:
    """Every labelled value with a sign between label and value."""
    backwards, size = text[::-1], len(text)
    for match in _signs(text):
        at = size - match.start()
        label = LABEL.match(backwards, at, at + LOOKBACK)
        if label is None:
            continue
        begin, end = size - label.end("label"), size - label.start("label")
        quoted = bool(label["close"] and label["close"].strip("*]"))
        if _is_address(text, match, begin, quoted):
            continue
        place = _label_start(text, begin, end, quoted), end
        for start, stop, delimited in _values(text, match):
            yield proposed(place, (start, stop), "pair", delimited=delimited)


def _signs(text: str) -> Iterator[re.Match[str]]:
    """Signs with their values, and signs inside such values (``?a=b&c=d``, ``x="c=d; e=f"``,
    ``"text": "host: h"``)."""
    for match in _PAIR.finditer(text):
        yield match
        start, stop = match.span("value")
        if match["open"] and text.find(": ", start, stop) >= 0:
            inside = _PAIR.finditer(text, start, stop)
            yield from (inner for inner in inside if text.startswith(": ", inner.start()))
        if text.find("=", start, stop) < 0:
            continue
        names = [named.span() for named in _INNER.finditer(text, start, stop)]
        for (_, sign), (after, _) in pairwise([*names, (stop, stop)]):
            inner = _PAIR.match(text, sign, after)
            if inner:
                yield inner


def _is_address(text: str, match: re.Match[str], begin: int, quoted: bool) -> bool:
    """Whether a colon without a space is part of a URL, a time, a host with a port, or a drive."""
    at, first = match.start(), match.start("open" if match["open"] else "value")
    if match["sign"] != ":" or match["open"] or quoted or match.end("sign") < first:
        return False
    return text[at + 1 : at + 3] == "//" or text[at + 1] in ":\\" or "." in text[begin:at]


def _label_start(text: str, begin: int, end: int, quoted: bool) -> int:
    """Where the label begins; words before an identifier do not belong to it."""
    words = text[begin:end].lstrip("-.")
    begin = end - len(words)
    last = words.rfind(" ") + 1
    if quoted and text[end : end + 1] in "\"'`\\*」":
        return begin
    named = "_" in words[last:] or words[last:].isupper()
    return begin + last if named else begin


def _values(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, bool]]:
    """Begin and end of each possible value, and whether its end is marked."""
    start, stop = match.span("value")
    if match["open"]:
        if goes_on(text, match["open"], stop):
            stop = max(stop, mate(text, match.start("open")))
        words = text[start:stop].strip() or text[start:stop]
        start = text.index(words, start)
        scheme = _SCHEME.match(text, start, stop)
        yield (scheme.end() if scheme else start), start + len(words), True
        return
    end, form = several(text, start)
    if form:
        yield start, end, True
        return
    scheme = _SCHEME.match(text, start, start + MAX_VALUE)
    if scheme:
        chunk = _CHUNK.match(text, scheme.end(), scheme.end() + MAX_VALUE)
        start, stop = scheme.end(), chunk.end() if chunk else stop
    cut = None if text[start + 1 : start + 3] == ":\\" else _STOP.search(text, start, stop)
    stop = trim(text, start, cut.start() if cut else stop, sentence=False)
    if stop > start and text[stop - 1] not in "([{":
        yield start, stop, False
        rest = _REST.match(text, stop, stop + MAX_LINE) if text[stop : stop + 1] == " " else None
        if rest and rest.end() > stop:
            words = text[start : rest.end()].rstrip(" \t\r\\.,;")
            yield start, start + len(words), True
