"""Branches and networks by their names as people write them: ``push to the branch release/7.2``,
``our wifi is BlueHeron``, ``join the network SeaHorse_5G``.

A branch has a slash behind one of a few words, a network a name that no dictionary holds: a capital
inside, or several words with capitals behind "called".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, announced, phrase, spoken
from ..text_words import lowered, may_hold, places, words_of

BRANCH, NETWORK = 0.65, 0.65
_TYPES = "feature feat bugfix hotfix fix release chore topic epic".split()
_BRANCH = re.compile(r"/[A-Za-z0-9]\w*(?:[./\-]\w+)*+(?![/\-]|\.(?=\w))")
_BRANCHES = "branch rama ramo branche zweig ветка ветку ветке dal dalı".split()
_LABELLED = re.compile(
    r"(?: (?:for|of|to|with|de|del|della|da|do|du|für|des|для)(?: [^\W\d_]{1,20}){1,3}| name)?"
    r"(?::| (?:is|was|called|named|es|è|é|est|ist|heißt|называется|—))(?: now| called| named)?"
    r" [\"'`“]?(?P<value>(?=\w+/(?:\w+[./])*\w*(?:[-\d_]))[A-Za-z]\w{1,30}"
    r"(?:/\w[\w\-]{0,60}+(?:\.\w[\w\-]{0,30}+){0,3}){1,4})"
    r"(?=[\"'`”]?[.,;:!?)]?(?:\s|\Z))"
)
_FILE = re.compile(r"\.(?:[a-z]{2,4}|[ch]|7z)\Z")
_JOINT = re.compile(r"[\d\-_/]")  # which no two words have that a slash parts
_SAID = re.compile(r"\b(?:branch|git|merge|rebase|checkout|switch|push|pull)\b[^\n.;]*\Z")
# The remote that a branch is of, by a name that many have, or in brackets behind a commit.
_REMOTE = re.compile(
    r"(?:(?<=[\s\"'`(:=,\[])|\A)(?:remotes/)?"
    r"(?:origin|upstream|fork|mirror|backup|downstream|github|gitlab)/\Z"
)
_TRACKED = re.compile(
    r"\[(?<=[0-9a-f]{7} \[)(?P<value>[\w.\-]{2,32}/"
    r"[\w\-]{1,64}(?:[./][\w\-]{1,64}){0,4}+)(?=\]|: )"
)
_USUAL = re.compile(r".*/(?:main|master|develop|trunk|HEAD|dev|gh-pages|staging|production)")
_OUT = frozenset(" \t\n\"'`(:=,[")
_KINDS = "wifi wlan hotspot network ssid".split()
_LABEL = re.compile(
    r"(?:wi-?fi|wlan|hotspot|network|ssid)(?: (?:network|name|ssid))?", re.IGNORECASE
)
_NAMED = re.compile(
    r" ?(?P<sign>: ?| (?:is|was|est|es|ist|è|é|heißt|se llama|s'appelle|si chiama|se chama)"
    r"(?: now| still)?(?P<called> called| named)? "
    r"| (?P<bare>called|named) | )[\"'`“]?"
    r"(?P<first>[A-Za-z][\w\-]{2,31})(?P<more>(?: [A-Z][\w\-]{0,31}){0,3})"
    r"(?=[\"'`”]?[.,;:!?)]?(?:\s|\Z))"
)
# A name that a network shows, and the word for a network in the sentence before it.
_SHOWN = re.compile(
    r" (?:as )?[\"'`“]?(?P<value>[A-Za-z][\w\-]{3,31})(?=[\"'`”]?(?:[.,;:!?)](?:\s|\Z)|\s))"
)
_NET = re.compile(
    r"\b(?:wi-?fi|wlan|hotspot|network|internet|router|ssid)\b[^.;!?\n]*\Z", re.IGNORECASE
)
_SHOWING = Book(
    phrase(said, None)
    for said in "goes by|shows up|appears|comes up|is listed|broadcasts|announces itself".split("|")
)
_JOINING = re.compile(r"\b(?:join|connect to|log (?:in|on)to|use)(?: the| our)? \Z")
_REACH = 24  # characters before a network that may say that somebody joins it
_ODD = re.compile(r"[a-z]-?[A-Z]|[A-Za-z][_]?\d|_\w")


def branches(text: str) -> Iterator[Anchor]:
    """Branches by the word that they begin with."""
    present = words_of(text)
    if "/" not in text:
        return
    for word in _TYPES:
        if word.encode() not in present:
            continue
        for place in places(text, word + "/"):
            match = _BRANCH.match(text, place + len(word))
            begin = _remote(text, place) if match else place
            if match is None or (begin and text[begin - 1] not in _OUT):
                continue
            value = Span(begin, match.end())
            said = _SAID.search(text, max(0, place - 32), place)
            odd = said or begin < place or _JOINT.search(text, place + len(word) + 1, value.end)
            if odd and not _FILE.search(text, place, value.end):
                yield Anchor(Span(begin, begin), value, BRANCH, "prose:resource", False)


def tracked(text: str) -> Iterator[Anchor]:
    """Branches of remotes in brackets behind a commit, as ``git branch -vv`` lists them."""
    if "]" not in text or "/" not in text:
        return
    for match in _TRACKED.finditer(text):
        value = Span(*match.span("value"))
        if not _USUAL.fullmatch(match["value"]):
            yield Anchor(Span(value.start, value.start), value, BRANCH, "prose:resource", True)


def _remote(text: str, place: int) -> int:
    """Where the name of the remote before a branch begins; ``place`` where there is none."""
    if text[place - 1 : place] != "/":
        return place
    remote = _REMOTE.search(text, max(0, place - _REACH), place)
    return remote.start() if remote else place


def labelled(text: str) -> Iterator[Anchor]:
    """Branches by the word before them, whatever they begin with."""
    lower = lowered(text)
    if "/" not in text:
        return
    for word in _BRANCHES:
        if not may_hold(text, word):
            continue
        for place in places(lower, word):
            match = _LABELLED.match(text, place + len(word))
            if match is None or lower[place - 1 : place].isalnum():
                continue
            value = Span(*match.span("value"))
            if not _FILE.search(text, value.start, value.end):
                yield Anchor(Span(place, value.start), value, BRANCH, "prose:resource", False)


def networks(text: str) -> Iterator[Anchor]:
    """Names of wireless and other networks."""
    present, lower = words_of(text), lowered(text)
    for kind in _KINDS if b"fi" not in present else [*_KINDS, "wi-fi"]:
        if kind != "wi-fi" and kind.encode() not in present:
            continue
        for place in places(lower, kind):
            label = _LABEL.match(text, place)
            match = _NAMED.match(text, label.end()) if label else None
            if label is None or match is None or lower[place - 1 : place].isalnum():
                continue
            joined = _JOINING.search(lower, max(0, place - _REACH), place)
            end = _name_end(match, bool(joined) or label.group().lower() != "network")
            if end > match.start("first"):
                value = Span(match.start("first"), end)
                yield Anchor(Span(place, value.start), value, NETWORK, "prose:resource", False)


def shown_networks(text: str) -> Iterator[Anchor]:
    """Names that a network goes by."""
    for begin, end, _ in spoken(text, _SHOWING):
        match = _SHOWN.match(text, end)
        if match and _ODD.search(match["value"]) and _NET.search(text, max(0, begin - 80), begin):
            yield announced(begin, match, NETWORK, "prose:resource", delimited=False)


def _name_end(match: re.Match[str], sure: bool) -> int:
    """Where a network's name ends; where it begins if it is none. ``sure``: its label speaks of no
    other networks."""
    named = bool(match["called"] or match["bare"] or ":" in match["sign"])
    if named and match["first"][0].isupper() and match["more"]:
        return match.end()
    odd = _ODD.search(match["first"]) and (named or sure)
    return match.end("first") if odd else match.start("first")
