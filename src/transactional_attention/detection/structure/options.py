"""What a command is given by name: ``-e TOKEN=bluefish``, ``--build-arg KEY=V``, ``export KEY=V``,
``-H "X-Trace: blue-whale"``, ``-u anna:bluefish``.

Such a value is used as it stands, so a plain word is one as well, whatever its label promises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..quotes import IN_DOUBLE, IN_SINGLE
from ..roles import DULL, NAMED, label_role
from ..text_words import places, words_of
from ..worth import PLAIN, PROMISING, given_worth
from .lines import LinePattern

_QUOTED = rf"(?:\"(?P<double>{IN_DOUBLE}{{1,1024}}+)\"|'(?P<single>{IN_SINGLE}{{1,1024}}+)'"
_BARE = r"|(?P<bare>[^\s\"'`|&;<>(){}$%][^\s\"'`|&;<>(){}]{0,1023}+(?<!\\)))"
# A quote behind a value closes what holds the pair; before a word it would go on.
_END = r"(?=[\s`;)&|]|[\"'](?![\w$\\])|\Z)"
_PAIR = rf"(?P<label>[A-Za-z_][\w.\-]{{1,48}}+)={_QUOTED}{_BARE}{_END}"
# The dash first, so that a search for it is fast. An item of a list is given as an option is.
_OPTION = re.compile(
    r"-(?<!\S-)(?:(?:[A-Za-z](?:[ =]|(?<=[eDF]))|-?[A-Za-z][\w\-]{0,30}+[ =])[ \t]{0,4}+|[ \t]+)"
    rf"(?P<open>[\"']?){_PAIR}"
)
_ASSIGNED = re.compile(rf"[ \t]*{_PAIR}")
_BEFORE = LinePattern(rf"[ \t]*+(?:[$#%>] )?(?=[A-Z_]{{2,48}}+=){_PAIR}[ \t]++[^\s=#]")
_SETTING = {f"{word} ": word.lower().encode() for word in "export ENV ARG env make sudo".split()}
_WHOLE = re.compile(r"[A-Za-z_][\w.\-]{1,48}+=(?P<value>[^\"'\n&;]{1,1024}+)")
_HEADER = re.compile(
    r"-(?<!\S-)(?:H|-header)[ =]?[ \t]{0,4}(?P<open>[\"'])(?P<label>[A-Za-z][\w\-]{1,48}+):[ ]?"
    r"(?P<scheme>(?i:bearer|basic|token|digest|apikey|bot) +)?"
    r"(?P<value>(?:[^\"'\\\n]|\\[^\n]|(?!(?P=open))[\"']){1,1024}+)(?P=open)"
)
# Headers that say how a page is shown or was asked for, and cookies, which are pairs.
_COMMON = frozenset(
    "cookie x-requested-with x-frame-options x-content-type-options x-xss-protection x-powered-by"
    " x-ua-compatible x-dns-prefetch-control x-forwarded-proto x-forwarded-port x-robots-tag"
    " x-download-options x-permitted-cross-domain-policies x-http-method-override".split()
)
_LOGIN = re.compile(
    r"-(?<!\S-)(?P<label>u|-(?:proxy-)?user)(?:[ =][ \t]{0,4}|(?<=-u))(?P<open>[\"'])"
    r"(?P<user>[^\s:\"']{1,64}:)(?P<value>(?:[^\"'\\\n]|\\[^\n]|(?!(?P=open))[\"']){3,256}+)(?P=open)"
)


def options(text: str, minimum: float) -> Iterator[Anchor]:
    """Values that options and assignments before a command give."""
    if " -" in text or "\n-" in text or text.startswith("-"):
        for match in _OPTION.finditer(text):
            yield from _given(text, match, minimum)
        if "-H" in text or "--header" in text:
            yield from _headers(text, minimum)
        for match in _LOGIN.finditer(text):
            yield Anchor(
                Span(match.start(), match.start("value")), Span(*match.span("value")),
                PROMISING * given_worth(match["value"], 1.0, "user"), "structure:given", True,
            )  # fmt: skip
    if "=" in text:
        for match in (*_set(text), *_BEFORE.finditer(text)):
            yield from _given(text, match, minimum)


def _set(text: str) -> Iterator[re.Match[str]]:
    """Pairs behind a command that sets them."""
    present = words_of(text)
    for word in [word for word, key in _SETTING.items() if key in present]:
        for place in places(text, word):
            match = _ASSIGNED.match(text, place + len(word))
            if match and not text[place - 1 : place].isalnum():
                yield match


def _given(text: str, match: re.Match[str], minimum: float) -> Iterator[Anchor]:
    """The plain words of a pair, where its label promises a secret; other values: see ``pairs``."""
    label = match["label"]
    strength = label_role(label)
    if strength < 1.0:
        return
    group = next(name for name in ("double", "single", "bare") if match[name] is not None)
    start, stop = match.span(group)
    opened = match.groupdict().get("open")
    if opened and group == "bare":  # the quotes are around the pair
        whole = _WHOLE.match(text, match.start("label"))
        stop = whole.end() if whole and text.startswith((opened, "&", ";"), whole.end()) else stop
    weight = given_worth(text[start:stop], strength, label)
    if weight <= PLAIN and strength * weight >= minimum:
        delimited = group != "bare" or bool(opened)
        named, value = Span(match.start("label"), start), Span(start, stop)
        yield Anchor(named, value, strength * weight, "structure:given", delimited)


def _headers(text: str, minimum: float) -> Iterator[Anchor]:
    """Headers of a request, but for those that each request has."""
    for match in _HEADER.finditer(text):
        label = match["label"]
        strength = label_role(label)
        if label[:2] in ("X-", "x-") and strength > DULL:
            strength = max(strength, NAMED)
        if strength < PROMISING or label.lower() in _COMMON:
            continue
        value = match["value"].rstrip()
        confidence = strength * given_worth(value, strength, label)
        if confidence >= minimum:
            start = match.start("value")
            at = Span(start, start + len(value))
            yield Anchor(Span(match.start("label"), start), at, confidence, "structure:given", True)
