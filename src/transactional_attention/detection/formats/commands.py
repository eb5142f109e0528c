"""Commands and settings without a sign between label and value: flags and directives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..candidates import Place, Proposal, proposed
from ..quotes import IN_DOUBLE, IN_SINGLE

_VALUE = (
    rf"(?:\"(?P<double>{IN_DOUBLE}{{1,4096}}+)\"(?![\w'\\])"
    rf"|'(?P<single>{IN_SINGLE}{{1,4096}}+)'(?![\w\"\\])"
    r"|(?P<bare>[^\s\"'|&;<>(){}]{1,4096}+(?<!\\)(?<!\$(?=\{))))"
)
_FLAG = re.compile(
    rf"-(?<!\S-)-?(?P<label>[A-Za-z][\w\-]{{0,40}}+)(?:[ \t]++(?!-)|=(?=[\"'])){_VALUE}"
)


def _of_lines(pattern: str) -> Callable[[str], Iterator[re.Match[str]]]:
    """A function that finds the matches of a pattern that begin a line and end on it.

    Searching for a line break is several times as fast as searching for ``^``.
    """
    first, later = re.compile(pattern), re.compile(rf"\n{pattern}")

    def found(text: str) -> Iterator[re.Match[str]]:
        match = first.match(text)
        if match is not None:
            yield match
        yield from later.finditer(text, 0 if match is None else match.end())

    return found


_LINES = _of_lines(  # ssh, nginx, redis, #define; what follows the value on its line is no more
    r"[ \t]*+(?:[-*] )?"
    r"(?:#define |set -g |export |git remote add |(?:Request)?Header set )?"
    rf"(?P<label>[A-Za-z_][\w.\-]{{1,40}}+)[ \t]++{_VALUE}"
    r"(?:[ \t]+[\w.=*\-]{1,64}){0,2};?[ \t]*+\r?(?=\n|\Z)"
)
_LOGIN = re.compile(r"(?P<label>machine|login|password|account)\s++(?P<value>[^\s\"']{1,256}+)")


def flags(text: str) -> Iterator[Proposal]:
    """``--api-key V``, ``-token "V"``."""
    if "-" not in text:
        return
    for match in _FLAG.finditer(text):
        group, span = _quoted(match)
        named = group == "bare" and match["bare"].split("=")[0].isidentifier()
        if match["label"] not in ("H", "header") and not (named and "=" in match["bare"]):
            delimited = group != "bare"
            yield proposed(match.span("label"), span, "flag", delimited=delimited)


def directives(text: str) -> Iterator[Proposal]:
    """Lines of a word and a value, and entries of .netrc."""
    for match in _LINES(text):
        group, span = _quoted(match)
        yield proposed(match.span("label"), span, "directive", delimited=group != "bare")
    for match in _LOGIN.finditer(text) if "machine" in text else ():
        yield proposed(match.span("label"), match.span("value"), "login", delimited=False)


def _quoted(match: re.Match[str]) -> tuple[str, Place]:
    group = next(name for name in ("double", "single", "bare") if match[name] is not None)
    return group, match.span(group)
