"""Settings that are a line of a keyword and a value, without a sign: ssh (``User tern``), nginx,
Apache, Dockerfiles; and the command lines of systemd, which are one value each.

A keyword alone is a word of sentences. Its line holds nothing else, and one that is common stands
below another line of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor
from ..detector import LOOKBACK
from ..spoken import Book, announced, phrase, spoken
from .created import is_everybodys

SET, COMMAND = 0.86, 0.8
_END = r"[\"']?[ \t]{0,4};?[ \t]{0,4}\r?(?:\n|\Z)"
_HOST = r"(?=[^\n]{0,200}[.\d-])[\w\-]{1,63}(?:\.[\w\-]{1,63}){0,8}(?::\d{2,5})?"
_DOTTED = r"(?:\*\.)?[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,8}(?::\d{2,5})?"
_LOGIN = r"[A-Za-z_][\w.@\-]{1,62}"
_LISTENED = r"(?:[\w.\-\[\]:*]{1,64}:)?\d{4,5}(?:/(?:tcp|udp))?"
_SSH = re.compile(
    r"(?:\A|\n)[ \t]*(?:Host|HostName|Hostname|Match|Port|IdentityFile|ProxyJump)[ \t]+\S"
)
_DOCKER = re.compile(r"(?:\A|\n)(?:FROM|RUN|COPY|WORKDIR|ENV|EXPOSE|ARG|ADD|LABEL)[ \t]+\S")
_BLOCK = re.compile(r"[{;][ \t]*(?:#[^\n]*)?\r?\n")  # how the lines of nginx end


class _Rule(NamedTuple):
    """What follows a keyword, its forms, and what stands above it."""

    rest: re.Pattern[str]
    written: frozenset[str]
    above: re.Pattern[str] | None


def _rules(written: str, form: str, above: re.Pattern[str] | None, after: str = "") -> list:
    forms = frozenset(written.split())
    rest = re.compile(rf"[ \t]{{1,16}}[\"']?(?P<value>{form}){after}{_END}")
    said = sorted({word.lower() for word in forms})
    return [phrase(word, _Rule(rest, forms, above)) for word in said]


_PARAMETERS = r"(?:[ \t]+[\w=.\-]{1,32}){0,6}"
_BOOK = Book(
    [
        *_rules("Host", rf"{_HOST}", None),
        *_rules("HostName Hostname ProxyJump", rf"(?:[\w.\-]{{1,40}}@)?{_HOST}", None),
        *_rules("User RemoteUser", _LOGIN, _SSH),
        *_rules("USER", _LOGIN + r"(?::[\w\-]{1,32})?", _DOCKER),
        *_rules("ServerName ServerAlias", _DOTTED, None),
        *_rules("server_name", _DOTTED, None, r"(?:[ \t]+[\w.*\-]{1,64}){0,4}"),
        *_rules("listen Listen", _LISTENED, None, _PARAMETERS),
        *_rules("EXPOSE", _LISTENED, None, r"(?:[ \t]+\d{2,5}(?:/(?:tcp|udp))?){0,4}"),
        *_rules("upstream", r"[A-Za-z][\w.\-]{2,62}", None, r"[ \t]*\{"),
        *_rules("server", _DOTTED, _BLOCK, _PARAMETERS),
        *_rules(
            "server pool", _DOTTED, None, r"[ \t]+(?:iburst|prefer|minpoll|maxsources)[\w \t]{0,40}"
        ),
    ]
)
_STANDARD = frozenset("root nobody www-data nginx apache node app appuser localhost".split())
_EXECUTED = re.compile(
    r"=[-@:+!]{0,3}(?P<value>(?!/(?:usr/)?lib/systemd/)"
    r"/\S{2,128}[ \t]\S[^\n]{0,250}[^\s\\])[ \t]*\r?(?:\n|\Z)"
)
_EXECUTING = Book(
    phrase(f"exec{when}", None)
    for when in ("start", "startpre", "startpost", "stop", "stoppost", "reload", "condition")
)


def keyword_lines(text: str, minimum: float) -> Iterator[Anchor]:
    """Values of lines that begin with a keyword."""
    for begin, end, rule in spoken(text, _BOOK):
        if text[begin:end] not in rule.written or not _begins_line(text, begin):
            continue
        match = rule.rest.match(text, end)
        if match is None or match["value"] in _STANDARD or is_everybodys(match["value"]):
            continue
        if rule.above is None or rule.above.search(text, max(0, begin - LOOKBACK), begin):
            yield announced(begin, match, SET, "structure:keyword", delimited=True)
    for begin, end, _ in spoken(text, _EXECUTING):
        match = _EXECUTED.match(text, end)
        if match and _begins_line(text, begin):
            yield announced(begin, match, COMMAND, "structure:command", delimited=True)


def _begins_line(text: str, place: int) -> bool:
    """Whether nothing but white space stands before a place on its line."""
    before = text[max(0, place - 24) : place].rstrip(" \t")
    return not before or before[-1] == "\n"
