"""Commands and code without a sign between label and value: flags, directives, arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..quotes import IN_DOUBLE, IN_SINGLE
from ..roles import label_role
from ..worth import CODE, given_worth
from .emit import emit, given
from .flags import MOST_LETTERS, takes_none
from .lines import LinePattern
from .named import name_of

DIRECTIVE, ARGUMENT, POSITIONAL, LOGIN = 0.9, 1.0, 0.75, 0.95
SHORT = 0.75  # strength of a flag of one letter

_VALUE = (
    rf"(?:\"(?P<double>{IN_DOUBLE}{{1,4096}}+)\"(?![\w'\\])"
    rf"|'(?P<single>{IN_SINGLE}{{1,4096}}+)'(?![\w\"\\])"
    r"|(?P<bare>[^\s\"'|&;<>(){}]{1,4096}+(?<!\\)(?<!\$(?=\{))))"
)
_FLAG = re.compile(rf"--?(?P<label>[A-Za-z][\w\-]{{0,40}}+)(?:[ \t]++(?!-)|=(?=[\"'])){_VALUE}")
_LINE = LinePattern(
    rf"[ \t]*+(?:[-*] )?(?:#define |set -g |setenv |ENV |ARG |export |git remote add "
    rf"|SetEnv |(?:proxy_set_header|add_header|fastcgi_param|(?:Request)?Header set) )?"
    rf"(?P<label>[A-Za-z_][\w.\-]{{1,40}}+)[ \t]++{_VALUE};?[ \t]*+\r?$"
)
_LOGIN = re.compile(r"(?P<label>machine|login|password|account)\s++(?P<value>[^\s\"']{1,256}+)")
_NETRC = re.compile(
    r"(?<!\S)machine[ \t]++[\w\-]{1,64}+(?:\.[\w\-]{1,64}+){1,8}+"
    r"(?:\s{1,8}+(?:login|account|password)[ \t]++[^\s\"']{1,256}+){1,4}+"
)
_ON_LINE = re.compile(r"[ \t]++(?:login|account|password)[ \t]")
_USER = re.compile(r"(?P<label>-u|--user)[ =]([^\s:\"']{1,64}:(?P<value>[^\s\"']{3,256}))")
_ATTACHED = re.compile(r" (?P<label>-p)(?=\S*\d)(?P<value>[\w!.*~+\-@]{6,256}+)")
# What openssl is told to read itself: the password stands behind the sign, and no shell changes it.
_PASSED = re.compile(r"-pass(?:in|out|word)?[ \t]{1,4}[\"']?pass:(?P<value>[^\s\"']{3,256})")
_SIGNS = re.compile(r"[\d/@]")
_STRING = (
    r"(?P<open>[\"'])(?P<value>(?:[^\"'\\\n]|\\[^\n]|(?!(?P=open))[\"']){{{least},4096}}+)(?P=open)"
)
_CALL = re.compile(
    r"\((?:[^()\"'\n]{0,64}, ?)?[\"':](?P<label>[\w.\-]{2,48})[\"']?,"
    rf" ?[fbr]?{_STRING.format(least=1)}"
)
_METHOD = re.compile(rf"\([fbr]?{_STRING.format(least=4)}\)")
_NAME = re.compile(r"\w{3,40}")


def _quoted(match: re.Match) -> tuple[str, tuple[int, int]]:
    group = next(name for name in ("double", "single", "bare") if match[name] is not None)
    return group, match.span(group)


def commands(text: str, minimum: float) -> Iterator[Anchor]:
    """``--api-key V``, ``-token V``."""
    if " -" not in text and "\n-" not in text and not text.startswith("-"):
        return
    for match in _FLAG.finditer(text):
        if match.start() and not text[match.start() - 1].isspace():
            continue
        group, span = _quoted(match)
        if match["label"] in ("H", "header"):
            continue  # a header is a pair
        if len(match["label"]) <= MOST_LETTERS and takes_none(text, match.start(), match["label"]):
            continue
        if group == "bare" and "=" in match["bare"] and match["bare"].split("=")[0].isidentifier():
            continue  # -e KEY=value is a pair
        anchor = emit(
            text, match.span("label"), span, 1.0, "structure:flag",
            delimited=group != "bare", minimum=minimum,
            strength=SHORT if len(match["label"]) == 1 else None,
        )  # fmt: skip
        if anchor is None and group != "bare":
            anchor = given(text, match.span("label"), span, minimum)
        if anchor is None and len(match["label"]) > 1:
            anchor = name_of(text, match.span("label"), span, "-", 1.0)
        if anchor is not None:
            yield anchor
    if "pass:" in text:
        for match in _PASSED.finditer(text):
            label, value = Span(*match.span()), Span(*match.span("value"))
            yield Anchor(Span(label.start, value.start), value, LOGIN, "structure:login", True)
    for match in (*_USER.finditer(text), *_ATTACHED.finditer(text)):
        anchor = emit(
            text, match.span("label"), match.span("value"), LOGIN, "structure:login",
            delimited=False, minimum=minimum, strength=1.0,
        )  # fmt: skip
        if anchor is not None:
            yield anchor


def directives(text: str, minimum: float) -> Iterator[Anchor]:
    """Lines of a word and a value (ssh, nginx, redis, ``#define``), and entries of .netrc."""
    for match in _LINE.finditer(text):
        group, span = _quoted(match)
        if label_role(match["label"]) < 0.9 or (
            group == "bare" and not _SIGNS.search(match["bare"])
        ):
            continue
        anchor = emit(
            text, match.span("label"), span, DIRECTIVE, "structure:directive",
            delimited=group != "bare", minimum=minimum,
        )  # fmt: skip
        if anchor is not None:
            yield anchor
    if "machine" in text:
        yield from _entries(text, minimum)


def _entries(text: str, minimum: float) -> Iterator[Anchor]:
    """What .netrc says of each machine: a plain word is a name or a password as well."""
    for entry in _NETRC.finditer(text):
        for match in _LOGIN.finditer(text, *entry.span()):
            if match["label"] == "machine" and not _ON_LINE.match(text, match.end()):
                continue  # what follows on other lines may not be read yet
            weight = given_worth(match["value"], 1.0, match["label"])
            confidence = LOGIN * max(weight, CODE) if weight else 0.0
            if confidence >= minimum:
                label, place = Span(*match.span("label")), Span(*match.span("value"))
                yield Anchor(label, place, confidence, "structure:login")


def arguments(text: str, minimum: float) -> Iterator[Anchor]:
    """``define("KEY", "V")``, ``headers.set("X-Key", "V")``, ``with_token("V")``."""
    if "(" not in text:
        return
    for match in _CALL.finditer(text):
        anchor = emit(
            text, match.span("label"), match.span("value"), ARGUMENT, "structure:argument",
            delimited=True, minimum=minimum,
        )  # fmt: skip
        if anchor is not None:
            yield anchor
    for match in _METHOD.finditer(text):
        at = match.start()
        name = _NAME.match(text[max(0, at - 40) : at][::-1])
        if name is None:
            continue
        anchor = emit(
            text, (at - name.end(), at), match.span("value"), POSITIONAL, "structure:call",
            delimited=True, minimum=minimum,
        )  # fmt: skip
        if anchor is not None:
            yield anchor
