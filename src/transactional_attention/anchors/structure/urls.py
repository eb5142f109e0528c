"""Parts of URLs and connection strings: user, password, host and database after a scheme.

The whole address is a value of its own (``shapes``); a part stands in where the whole does not fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from .emit import emit

USER, PASSWORD, HOST, DATABASE, SEGMENT = 0.8, 1.0, 0.8, 0.8, 0.62

_AUTHORITY = re.compile(
    r"://(?:(?P<user>[^\s:/@\"'`<>]{0,64}+)(?::(?P<password>[^\s@\"'`<>]{1,256}))?@)?"
    r"(?P<host>(?:[\w.\-]{1,128}|\[[0-9a-f:.]{3,45}\])(?::\d{2,5})?)(?:/(?P<database>[\w.\-]{1,64}))?"
)
_PATH = re.compile(r"/(?:[\w.\-~%]{1,64}+/){1,8}(?P<segment>[\w\-]{8,256}+)(?![.\w/%])")
_TAG = re.compile(r"/[\w.\-]{1,80}:(?P<tag>[\w][\w.\-+]{2,80}+)(?![:/@])")
_ROLES = {"user": USER, "password": PASSWORD, "host": HOST, "database": DATABASE}


def credentials(text: str, minimum: float) -> Iterator[Anchor]:
    """User, password, host and database; the last part of a path, and the tag of an image."""
    for match in _TAG.finditer(text):
        anchor = emit(
            text, (match.start(), match.start("tag")), match.span("tag"), 1.0, "structure:tag",
            delimited=False, minimum=minimum, strength=SEGMENT,
        )  # fmt: skip
        if anchor is not None and not match["tag"].isdigit():
            yield anchor
    for match in _AUTHORITY.finditer(text):
        begin = match.start()
        for part, role in _ROLES.items():
            if match[part]:
                if match["user"] is None and part == "database":
                    continue
                label = (begin, match.start(part))
                strength = SEGMENT if match["user"] is None else role
                anchor = emit(
                    text, label, match.span(part), 1.0, f"structure:{part}",
                    delimited=True, minimum=minimum, strength=strength,
                )  # fmt: skip
                if anchor is not None:
                    yield anchor
    for match in _PATH.finditer(text):
        label = match.start(), match.start("segment")
        anchor = emit(
            text, label, match.span("segment"), 1.0, "structure:segment",
            delimited=True, minimum=minimum, strength=SEGMENT,
        )  # fmt: skip
        if anchor is not None:
            yield anchor
