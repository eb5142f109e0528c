"""Names of resources in files, which need no digit: a ``name`` in the block of a user or a queue,
``"target": "nas-cellar-archive"``, ``sudo -u svc_mail``, the entries of .netrc.

A plain word may be a kind or a mode; a name has parts, and who it is of stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..name_parts import name_parts
from ..text_words import may_hold, places, words_of

NAMED, TARGET, USER, ENTRY = 0.68, 0.6, 0.72, 0.75
_REACH = 160  # characters before a name in which its block begins
_VALUE = (
    r"[ \t]*(?P<open>[\"']?)"
    r"(?P<value>[A-Za-z][A-Za-z0-9]{1,32}+(?:[-_][A-Za-z0-9]{1,32}+){1,6}+)(?P=open)"
    r"(?=[ \t]*[,;}]?[ \t]*\r?(?:\n|\Z|[},]))"
)
_NAME = re.compile(_VALUE)
_BLOCK = re.compile(
    r"(?P<indent>[ \t]*)(?:- )?[\"']?(?P<kind>user|account|bucket|queue|host|server|database|topic"
    r"|channel|cluster|machine|owner|serviceAccount|service_account|tenant|volume|benutzer|nutzer"
    r"|warteschlange|rechner|utilisateur|compte|serveur|cola|usuario|servidor|cubo|utente|coda|fila"
    r"|usuário|очередь|сервер)[\"']?[ \t]*:[ \t]*\{?[ \t]*\r?\n"
    r"(?:(?P=indent)[ \t]+[^\n]*\n){0,5}(?P=indent)[ \t]+[\"']?\Z"
)
_TARGETS = "target destination dest ziel destino destinazione cible archive bucket queue".split()
_NAMES = "name nombre nom nome имя".split()
_TRIPLE = re.compile(r"(?:.*[-_])?(?:gnu\w*|musl\w*|msvc|darwin|eabi\w*|unknown|none|wasm\w*)")
_SUDO = re.compile(
    r"(?:-u|--user)[ =]?[ ]?(?!www-data)(?P<value>[a-z_][a-z0-9]*+(?:[_\-][a-z0-9]+){1,4}+)"
    r"(?=[ \t\n;&|]|\Z)"
)
_RUN = frozenset(b"sudo runuser docker crontab".split())
_SIGNS = (":", '":')
_ENTRY = re.compile(
    r"machine[ \t]+(?P<host>[\w\-]{1,63}(?:\.[\w\-]{1,63}){1,6})"
    r"(?:(?P<alone>[ \t]*\r?(?:\n|\Z))|[ \t]+(?=(?:login|account|password)[ \t]))[ \t]*"
    r"(?:(?:login|account)[ \t]+(?P<user>[\w.@+\-]{4,64}+))?"
)


def nested(text: str, minimum: float) -> Iterator[Anchor]:
    """Names under the labels of resources, and users of commands."""
    present = words_of(text)
    for words, in_block in ((_NAMES, True), (_TARGETS, False)):
        for word in words:
            if may_hold(text, word):
                for sign in _SIGNS:
                    yield from _named(text, word + sign, in_block)
    if not present.isdisjoint(_RUN):
        yield from _users(text)
    yield from _entries(text)


def _named(text: str, named: str, in_block: bool) -> Iterator[Anchor]:
    for place in places(text, named):
        match = _NAME.match(text, place + len(named))
        if match is None or text[place - 1 : place].isalnum():
            continue
        parts = name_parts(match["value"])
        if not parts or _TRIPLE.fullmatch(match["value"]):
            continue
        label = Span(place, match.start("value"))
        value, quoted = Span(*match.span("value")), bool(match["open"])
        if not in_block:
            if len(parts) > 2:
                yield Anchor(label, value, TARGET, "structure:named", quoted)
        elif _in_block(text, place):
            yield Anchor(label, value, NAMED, "structure:named", quoted)


def _in_block(text: str, place: int) -> bool:
    """Whether a label stands in the block of a resource, which begins a few lines above."""
    line = text.rfind("\n", max(0, place - _REACH), place)
    for _ in range(6):
        if line < 0:
            return False
        line = text.rfind("\n", max(0, place - _REACH), line)
        if _BLOCK.match(text, line + 1, place):
            return True
    return False


def _users(text: str) -> Iterator[Anchor]:
    """Whom a command runs as."""
    for command in ("sudo ", "runuser ", "docker exec ", "docker run ", "crontab "):
        for place in places(text, command):
            end = text.find("\n", place, place + 96)
            match = _SUDO.search(text, place, end if end >= 0 else place + 96)
            if match:
                label = Span(match.start(), match.start("value"))
                yield Anchor(label, Span(*match.span("value")), USER, "structure:named", False)


def _entries(text: str) -> Iterator[Anchor]:
    """Hosts and users of .netrc."""
    for place in places(text, "machine"):
        entry = _ENTRY.match(text, place)
        if entry is None or (entry["alone"] and text[place - 1 : place] not in ("", "\n")):
            continue
        for group in ("host", "user") if entry["user"] else ("host",):
            value = Span(*entry.span(group))
            yield Anchor(Span(place, value.start), value, ENTRY, "structure:named", False)
