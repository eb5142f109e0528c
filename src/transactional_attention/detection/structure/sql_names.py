"""Names that statements of SQL make and empower: ``CREATE ROLE rpt_tern``, ``GRANT USAGE ON SCHEMA
s TO dash_reader``, ``OWNER TO bird_keeper``.

A table or an index may be called after what it holds, so its name has a number; a role, a user or
a database is somebody's own with one rare word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken
from .named import is_numbered, is_own

MADE = 0.66
OWN = 0.8
_NAME = r"[\"`'\[]?(?P<value>[A-Za-z][A-Za-z0-9]*(?:[_\-][A-Za-z0-9]+){1,6})(?!\w|[.(])"
_GUARD = r"(?:if\s+(?:not\s+)?exists\s+)?"
_MADE = re.compile(
    r"\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unlogged\s+|materialized\s+|unique\s+)?"
    rf"(?:table|view|sequence|index|function)\s+{_GUARD}{_NAME}",
    re.IGNORECASE,
)
_OWNERS = "(?:role|user|login|database|schema|group)"
_OWN = re.compile(rf"\s+{_OWNERS}\s+{_GUARD}{_NAME}", re.IGNORECASE)
_TO = re.compile(r"\s[^;\n]{1,120}?\s(?:to|from)\s+(?:role\s+|user\s+)?" + _NAME, re.IGNORECASE)
_OWNED = re.compile(r"\s+(?:to\s+|=\s*)?" + _NAME, re.IGNORECASE)
_BOOK = Book(
    [
        phrase("create", _MADE),
        *(phrase(verb, _OWN) for verb in ("create", "alter", "drop")),
        *(phrase(verb, _TO) for verb in ("grant", "revoke")),
        phrase("owner", _OWNED),
        phrase("authorization", _OWNED),
    ]
)


def sql_names(text: str, minimum: float) -> Iterator[Anchor]:
    """Names of roles, databases and tables in statements that make or empower them."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match is None or text[begin:end] not in (
            text[begin:end].upper(),
            text[begin:end].lower(),
        ):
            continue
        if pattern is _OWNED and not text[begin].isupper():
            continue  # in small letters the owner of anything
        if is_numbered(match["value"]):
            yield announced(begin, match, MADE, "structure:sql", delimited=False)
        elif pattern is not _MADE and is_own(match["value"]):
            yield announced(begin, match, OWN, "structure:sql", delimited=False)
