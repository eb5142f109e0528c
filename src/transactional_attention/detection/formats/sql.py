"""SQL: columns of INSERT with the literals of VALUES, and literals after a word.

``WHERE col = 'v'`` and ``SET col = 'v'`` are pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from ..candidates import Place, Proposal, proposed
from ..quotes import DOUBLE, IN_DOUBLE, IN_SINGLE, SINGLE

MAX_ROW, MAX_ROWS = 2048, 64
_VALUES = re.compile(r"[vV](?<!\w.)(?i:alues)\s{0,8}(?=\()")
_COLUMNS = re.compile(r"\s{0,8}\)(?P<columns>[^()]{1,1024})\(")  # backwards
_ROW = re.compile(
    rf"\s{{0,8}}\((?P<row>(?:{SINGLE}|{DOUBLE}|[^()'\"\n]"
    rf"|\([^()\n]{{0,64}}\)){{1,{MAX_ROW}}}+)\)\s{{0,4}},?"
)
_CELL = re.compile(
    rf"\s{{0,8}}(?:'(?P<single>{IN_SINGLE}*+)'|\"(?P<double>{IN_DOUBLE}*+)\"|(?P<bare>[^,'\"]*+))"
    r"[^,]*+(?:,|\Z)"
)
_LITERAL = re.compile(rf"'(?<=[ (]')(?P<value>{IN_SINGLE}{{1,512}}+)'")
_LABEL = re.compile(  # backwards: the word before a literal, or before LIKE, IN or BY
    r"\(?[ ]{1,4}(?:(?:EKIL|ekil|NI|ni|YB|yb)[ ]{1,4})?(?P<label>[\w.]{2,40})"
)
REACH = 64


def literals(text: str) -> Iterator[Proposal]:
    """Literals of SQL statements without an equals sign."""
    for match in _VALUES.finditer(text):
        before = text[max(0, match.start() - 1024) : match.start()][::-1]
        columns = _COLUMNS.match(before)
        spans = _columns(match.start(), columns) if columns else []
        yield from _rows(text, match.end(), spans)
    for match in _LITERAL.finditer(text):
        at = match.start()
        label = _LABEL.match(text[max(0, at - REACH) : at][::-1])
        if label is not None:
            place = at - label.end("label"), at - label.start("label")
            yield proposed(place, match.span("value"), "sql", delimited=True)


def _columns(at: int, match: re.Match[str]) -> list[Place]:
    """Spans of the column names, in text order."""
    begin, spans = at - match.end("columns"), []
    for name in match["columns"][::-1].split(","):
        left = len(name) - len(name.lstrip(' \t\n"`'))
        spans.append((begin + left, begin + len(name.rstrip(' \t\n"`'))))
        begin += len(name) + 1
    return spans


def _rows(text: str, at: int, columns: list[Place]) -> Iterator[Proposal]:
    for _ in range(MAX_ROWS):
        row = _ROW.match(text, at)
        if row is None:
            return
        cells = [m for m in _CELL.finditer(text, *row.span("row")) if m.end() > m.start()]
        for cell, column in zip_longest(cells, columns):
            if cell is None:
                break
            group = cell.lastgroup or "bare"
            start, end = cell.span(group)
            end = start + len(text[start:end].rstrip())
            if start < end:
                label = column or (row.start(), row.start())
                yield proposed(label, (start, end), "sql", delimited=group != "bare")
        at = row.end()
