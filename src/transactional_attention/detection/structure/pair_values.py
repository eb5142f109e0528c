"""Where the value of a pair begins and ends: between its quotes, to the end of its word, or to that
of its line (see ``pairs``). Where the whole of a value cannot be told it has none, rather than a
part of it."""

from __future__ import annotations

import re

from ..detector import MAX_VALUE
from ..extent import composite_end, trim
from ..groups import grouped_end
from ..quotes import QUOTES, goes_on, mate
from .rest_of_line import line_value

SPREAD = 0.95  # role of a value that ends at white space inside a line
_STRUCK = re.compile(r"~~[^~\n]{1,256}~~[ \t]*")  # what follows it holds
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|bot) +(?=\S{6})|(?:mailto|tel):", re.IGNORECASE
)
SCHEMES = frozenset("bBtTdDaAmM")  # how they begin
_ARG_END = "([{"
_JOINED = re.compile(r"[\w$]")  # what is no other string, behind the end of one
_SHELL_WORD = re.compile(
    r"(?:\"(?:[^\"\\\n]|\\[^\n])*+\"|'[^'\n]*+'|\\[^\n]|\$\{[^{}\n]{1,64}\}"
    r"|[^\s\"'`\\|&;<>(){}])++(?=[\s;&|)\"']|\Z)"
)


def value_of(
    text: str, match: re.Match, label: int, strength: float
) -> tuple[int, int, bool, float]:
    """Begin and end of the value, whether its end is marked, and the role of its place."""
    start, stop = match.span("value")
    struck = _STRUCK.match(text, start) if text[start] == "~" else None
    if struck:
        start = stop = struck.end()
    if match["open"]:
        stop = _string_end(text, match)
        if stop < start:
            return start, start, False, 0.0
        closed = text[stop : stop + 1] in "\"'`\\“”」』»"
        words = text[start:stop].strip() or text[start:stop]
        start = text.index(words, start)
        stop = start + len(words)
        return _without_scheme(text, start, stop), stop, closed, 1.0
    composite = start
    if not text[start].islower():
        composite = grouped_end(text, start)
        composite = composite if composite > start else composite_end(text, start)
    if composite > start:
        return start, composite, True, 1.0
    bare = _without_scheme(text, start, len(text))
    if bare > start:
        return bare, _bare_end(text, bare, stop), False, 1.0
    stop = _bare_end(text, start, stop)
    if label and text[label - 1] in "?&":
        fragment = text.find("#", start + 1, stop)  # where on its page an address points to
        stop = fragment if fragment > 0 else stop
    if text[stop : stop + 1] == "&" and text[label - 1 : label] not in _QUERIES:
        stop = _address_end(text, start, stop)
    whole = stop
    if match.end("sign") == start and match["sign"] == "=":
        whole = _shell_word(text, label, start, stop)
    if whole == stop and text[stop : stop + 1] == " ":
        sign = match["sign"] if match.end("sign") == start else ""
        whole = line_value(text, label, start, stop, strength, sign)
    if whole != stop:
        return start, whole, True, 1.0
    after = text[stop : stop + 2].lstrip(" \t,;)]}\r")
    return start, stop, False, 1.0 if not after or after[0] == "\n" else SPREAD


def _string_end(text: str, match: re.Match) -> int:
    """Where a quoted value ends; -1 where its quote has no mate on the line."""
    mark, stop, at = match["open"], match.end("value"), match.start("open")
    if match["sign"] == "==" and text.startswith(mark * 2, stop):
        return stop  # code in a quotation: "a == "b"" is false
    if goes_on(text, mark, stop):
        end = mate(text, at)
        typed = mark in QUOTES or mark[0] in "\\`"
        stop = end if end >= 0 or typed else stop  # other marks are mixed at will
    if mark not in QUOTES or match["sign"] != "=" or match.end("sign") < at:
        return stop
    if not _JOINED.match(text, stop + 1):
        return stop
    word = _SHELL_WORD.match(text, at, at + MAX_VALUE)
    return word.end() if word and text[stop] == mark else stop


def _shell_word(text: str, label: int, start: int, stop: int) -> int:
    """End of a word as a shell reads it, behind an escaped space, a quote or a variable in braces;
    ``start`` where it cannot be told, ``stop`` where none of them follows."""
    after, last = text[stop : stop + 1], text[stop - 1]
    escaped = last == "\\" and after == " "
    if not escaped and not (last == "$" and after == "{"):
        if after not in QUOTES:
            return stop
        line = text[max(text.rfind("\n", 0, label), label - MAX_VALUE, 0) : label]
        if line.count(after) % 2:
            return stop  # it closes the string that holds the pair
    word = _SHELL_WORD.match(text, start, start + MAX_VALUE)
    return word.end() if word and word.end() > stop else start


def _without_scheme(text: str, start: int, stop: int) -> int:
    """Where the value begins, after ``Bearer`` or ``mailto:`` if it stands there."""
    if text[start] not in SCHEMES:
        return start
    scheme = _SCHEME.match(text, start, stop)
    return scheme.end() if scheme else start


_CHUNK_END = re.compile(r"[^\s\"'`]*")
_STOP = re.compile(
    r"&(?=(?:amp;)?[\w\[\]%.\-]{1,40}=)|;(?=\s|\w+=|$)|\\[nrt\"']|[（）。，；、！？]|(?<=[!-~])[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\](?!:\d)"
)


def _bare_end(text: str, start: int, stop: int) -> int:
    """A bare value ends at white space or a delimiter; ``stop`` is where the pattern stopped."""
    if stop <= start:
        chunk = _CHUNK_END.match(text, start, start + MAX_VALUE)
        stop = chunk.end() if chunk else start
    cut = None if text[start + 1 : start + 3] == ":\\" else _STOP.search(text, start, stop)
    stop = cut.start() if cut else stop
    stop = trim(text, start, stop, sentence=False)
    return start if stop > start and text[stop - 1] in _ARG_END else stop


_QUERIES = ("?", "&", ";", "#")
_PARAMETERS = re.compile(r"(?:&[\w%.\[\]\-]{1,40}=[^\s\"'`<>&;,]{0,256}+)+")


def _address_end(text: str, start: int, stop: int) -> int:
    """End of an address with a query of several parameters, else ``stop``."""
    if text.find("://", start, stop) < 0 or text.find("?", start, stop) < 0:
        return stop
    rest = _PARAMETERS.match(text, stop, start + MAX_VALUE)
    return rest.end() if rest else stop
