"""Tables that white space aligns, as tools print them: ``docker ps``, ``kubectl get``, ``psql``.

A line of titles in capitals, two spaces or more between them, opens one; a cell begins where
its title does. What has a shape of its own is found without; here it is names, which have none.
"""

from __future__ import annotations

import re

from ..name_parts import name_parts
from .named import is_numbered

COLUMNS = "  "
NAME = 0.66
_TITLE = r"[A-Z][A-Z0-9_%/\-]*+(?: [A-Z][A-Z0-9_%/()\-]*+){0,2}"
TITLES = rf"{_TITLE}(?: {{2,60}}{_TITLE}){{1,24}}[ \t]*+"
_EACH = re.compile(_TITLE)
_THING = re.compile(
    r"(?:.* )?(?:names?|node|host|hostname|user|username|login|owner|cluster|namespace|pod|service"
    r"|volume|database|queue|topic|bucket|branch|runner|job|instance|machine|server)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[A-Za-z][A-Za-z0-9]{1,32}+(?:[-_.][A-Za-z0-9]{1,32}+){1,6}")
_EXPLAINED = frozenset(
    "DESCRIPTION TYPE DEFAULT MEANING SUMMARY EFFECT VALUE SHORTNAMES APIVERSION KIND OPTION"
    " SYNOPSIS EXAMPLE REQUIRED PURPOSE USAGE".split()
)
_SYSTEM = frozenset("kube default system local docker example library test lib k8s io".split())


def titles(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Begin and end of each title of a line."""
    return [match.span() for match in _EACH.finditer(text, begin, end)]


def is_title(title: str) -> bool:
    """Whether a column holds names."""
    return _THING.fullmatch(title) is not None


def holds_names(titles: list[str]) -> bool:
    """Whether a table of these columns lists what somebody named, and explains nothing."""
    return any(map(is_title, titles)) and _EXPLAINED.isdisjoint(titles)


def is_listed(value: str, worded: bool) -> bool:
    """Whether a cell is a name that somebody gave: a word and a number, or (``worded``) two
    words."""
    if not worded:
        return is_numbered(value)
    if not _LISTED.fullmatch(value):
        return False
    parts = [part.lower() for part in name_parts(value)]
    return bool(parts) and max(map(len, parts)) > 3 and _SYSTEM.isdisjoint(parts)


def aligned(text: str, begin: int, end: int, offsets: list[int]) -> list[tuple[int, int, bool]]:
    """Begin and end of the cells of a line, one for each title; none where a cell begins before its
    title, as in a sentence."""
    cells = []
    for offset, after in zip(offsets, [*offsets[1:], end - begin]):
        start, stop = min(begin + offset, end), min(begin + max(offset, after), end)
        if offset and start < end and text[start - 1] not in " \t":
            return []
        cell = text[start:stop]
        cells.append((start, start + len(cell.rstrip()), False))
    return cells if text[begin:end].strip() else []
