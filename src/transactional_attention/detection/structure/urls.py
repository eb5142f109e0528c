"""Parts of URLs and connection strings: user, password, host and database after a scheme.

The whole address is a value of its own (``shapes``); a part stands in where the whole does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from .emit import emit

USER, PASSWORD, HOST, DATABASE, SEGMENT, NAME = 0.8, 1.0, 0.8, 0.8, 0.62, 0.72
INNER = 0.95  # role of a pair inside a value
BESIDE = 0.9  # what is left of a host beside a password, which is worth more

_AUTHORITY = re.compile(
    r"//(?<=[:@]//)(?:(?P<user>[^\s:/@\"'`<>]{0,64}+)(?::(?P<password>[^\s@\"'`<>]{1,256}))?@)?"
    r"(?P<host>(?:[\w.\-]{1,128}|\[[0-9a-f:.]{3,45}\])(?::\d{2,5})?)(?:/(?P<database>[\w.\-]{1,64}))?"
)
_LOCAL = re.compile(r"://(?:/(?=/))?(?P<path>/[^\s\"'`<>?#,;]{3,256}+)")
# A pair inside a percent-encoded value, once or twice: ``%26order%3DV``, ``%22id%22%3A%22V``.
_ENCODED = re.compile(
    r"%(?:25)?(?:3D|3A(?:%(?:25)?2[02])+)(?P<value>[\w.~\-+]{4,128}+)(?=[%&\s\"'`<>)\]|;,]|\Z)",
    re.IGNORECASE,
)
_ENCODED_LABEL = re.compile(r"(?:22(?:52)?%)?([\w.\-]{1,40}?)(?=[A-F\d]{2}(?:52)?%|[?&=])")
_PLAIN = re.compile(r"(?:https?|wss?|ftp)\Z", re.IGNORECASE)
_ROLES = {"user": USER, "password": PASSWORD, "host": HOST, "database": DATABASE}


def credentials(text: str, minimum: float) -> Iterator[Anchor]:
    """User, password, host and database; the path of an address without a host."""
    for match in _AUTHORITY.finditer(text):
        begin = match.start() - 1
        for part, role in _ROLES.items():
            if match[part]:
                if match["user"] is None and part == "database":
                    continue
                label = (begin, match.start(part))
                strength = _strength(text, match, role)
                start, end = match.span(part)
                if part == "host" and not match["password"] and match["host"][:1].isalpha():
                    end = start + len(match["host"].split(":")[0])  # the port goes without saying
                anchor = emit(
                    text, label, (start, end), 1.0, f"structure:{part}",
                    delimited=True, minimum=minimum, strength=strength,
                )  # fmt: skip
                if anchor is not None:
                    yield anchor
    for match in _LOCAL.finditer(text):
        anchor = emit(
            text, (match.start(), match.start("path")), match.span("path"), 1.0,
            "structure:path", delimited=True, minimum=minimum, strength=HOST,
        )  # fmt: skip
        if anchor is not None:
            yield anchor


def encoded(text: str, minimum: float) -> Iterator[Anchor]:
    """Pairs of a query or of JSON that is itself a percent-encoded value."""
    if "%" not in text:
        return
    for match in _ENCODED.finditer(text):
        at = match.start()
        label = _ENCODED_LABEL.match(text[max(0, at - 48) : at][::-1])
        if label is None:
            continue
        span = (at - label.end(1), at - label.start(1))
        anchor = emit(
            text, span, match.span("value"), INNER, "structure:part",
            delimited=True, minimum=minimum,
        )  # fmt: skip
        if anchor is not None:
            yield anchor


def _strength(text: str, match: re.Match, role: float) -> float:
    """Strength of a part: pages stand as they are, other addresses are for the host they name."""
    if match["password"]:
        return role * (1.0 if role == PASSWORD else BESIDE)
    if match["user"] is not None:
        return role
    at = match.start() - 1
    return SEGMENT if _PLAIN.search(text, max(0, at - 8), at) else NAME
