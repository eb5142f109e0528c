"""SQL: columns of INSERT with the literals of VALUES, ``PASSWORD 'v'``, ``LIKE``, ``IN``.

``WHERE col = 'v'`` and ``SET col = 'v'`` are pairs (see ``pairs``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from ...types import Anchor
from ..quotes import DOUBLE, IN_DOUBLE, IN_SINGLE, SINGLE
from ..roles import label_role
from ..text_words import lowered, places
from .emit import emit

MAX_ROW, MAX_ROWS = 2048, 64

_VALUES = re.compile(r"\bvalues\s{0,8}(?=\()", re.IGNORECASE)
_COLUMNS = re.compile(r"\s{0,8}\)(?P<columns>[^()]{1,1024})\(")
_ROW = re.compile(
    rf"\s{{0,8}}\((?P<row>(?:{SINGLE}|{DOUBLE}|[^()'\"\n]"
    rf"|\([^()\n]{{0,64}}\)){{1,{MAX_ROW}}}+)\)\s{{0,4}},?"
)
_CELL = re.compile(
    rf"\s{{0,8}}(?:'(?P<single>{IN_SINGLE}*+)'|\"(?P<double>{IN_DOUBLE}*+)\"|(?P<bare>[^,'\"]*+))"
    r"[^,]*+(?:,|\Z)"
)
_LITERAL = re.compile(rf"'(?<=[ (]')(?P<value>{IN_SINGLE}{{1,512}}+)'")
_KEYWORD = re.compile(
    r"\(? {0,2}(?P<label>drowssap|yb (?:\w+ htiw )?deifitnedi|di_yek|terces|ot \w{1,40} tes|ekil"
    r"|ni)(?!\w)",
    re.IGNORECASE,
)
_COLUMN_OF = re.compile(r"\s{1,4}(?P<column>[\w.]{1,48})")


def statements(text: str, minimum: float) -> Iterator[Anchor]:
    """Literals of SQL statements that no equals sign announces."""
    for match in _inserts(text):
        before = text[max(0, match.start() - 1024) : match.start()][::-1]
        columns = _COLUMNS.match(before)
        spans = _columns(match.start(), columns) if columns else []
        yield from _rows(text, match.end(), spans, minimum)
    for match in _LITERAL.finditer(text):
        at = match.start()
        keyword = _KEYWORD.match(text[max(0, at - 64) : at][::-1])
        if keyword is None or (keyword["label"].lower() == "ni" and text[at - 1] != "("):
            continue
        label, strength = (at - keyword.end("label"), at - keyword.start("label")), 1.0
        if keyword["label"].lower() in ("ekil", "ni"):
            column = _COLUMN_OF.match(text[max(0, label[0] - 60) : label[0]][::-1])
            if column is None:
                continue
            label = label[0] - column.end("column"), label[0] - column.start("column")
            strength = label_role(text[label[0] : label[1]])
        anchor = emit(
            text, label, match.span("value"), 1.0, "structure:sql",
            delimited=True, minimum=minimum, strength=strength,
        )  # fmt: skip
        if anchor is not None:
            yield anchor


def _inserts(text: str) -> Iterator[re.Match[str]]:
    """``VALUES`` before a row."""
    begins = places(lowered(text), "values")
    return filter(None, (_VALUES.match(text, place) for place in begins))


def _columns(at: int, match: re.Match) -> list[tuple[int, int]]:
    """Spans of the column names, in the text's order."""
    begin, spans = at - match.end("columns"), []
    for name in match["columns"][::-1].split(","):
        left = len(name) - len(name.lstrip(' \t\n"`'))
        spans.append((begin + left, begin + len(name.rstrip(' \t\n"`'))))
        begin += len(name) + 1
    return spans


def _rows(text: str, at: int, columns: list[tuple[int, int]], minimum: float) -> Iterator[Anchor]:
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
            anchor = emit(
                text, column or (row.start(), row.start()), (start, end), 1.0, "structure:sql",
                delimited=group != "bare", minimum=minimum,
                strength=None if column else 0.7,
            )  # fmt: skip
            if anchor is not None:
                yield anchor
        at = row.end()
