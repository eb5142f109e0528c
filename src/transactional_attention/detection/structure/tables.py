"""CSV and Markdown tables: a cell's label is its column's header, or the first cell of its row.

A header may stand far above its rows, so a table that is open is handed on from one part of a text
to the next: lines are read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...types import Anchor, Span
from ..numbers import is_chosen_alone
from ..roles import UNKNOWN, label_role
from ..worth import PROMISING, worth
from .asked_cells import ASKED, is_answer, is_asking
from .columns import COLUMNS, NAME, TITLES, aligned, holds_names, is_listed, is_title, titles
from .lines import LinePattern

ROLE = 0.95
MAX_COLUMNS = 64

_HEAD_CELL = r" *+\"?[A-Za-z_#*][\w .#/*()\-]{0,40}+\"? *+"
_HEADER = LinePattern(
    rf"(?P<line>{_HEAD_CELL}(?:"
    + "|".join(rf"(?:{mark}{_HEAD_CELL}){{1,{MAX_COLUMNS}}}+" for mark in (",", ";", r"\t", r"\|"))
    + rf")\r?$|[ \t]*+\|(?:[ \t]*+\|)?(?:{_HEAD_CELL}\|){{2,{MAX_COLUMNS}}}+[ \t]*+\r?$"
    rf"|(?P<titles>{TITLES})\r?$)"
)
_CELLS = {
    mark: re.compile(
        rf" *+(?:\"(?P<quoted>(?:[^\"\n]|\"\")*+)\"[ \t]*+|(?P<bare>[^{mark}\n]*+))(?:{mark}|\Z)"
    )
    for mark in (",", ";", r"\t", r"\|")
}
_SIGNS = {",": ",", ";": ";", r"\t": "\t", r"\|": ""}
_RULE = re.compile(r"[ \t|:\-+]*-[ \t|:\-+]*\r?")
_RUNNING = re.compile(r"\.$|\b(?:and|or|the|is|are|to|with|that)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:[^\W\d_]+[,;:]? ){2}[^\W\d_]")
_KEYED = LinePattern(
    r"[ \t]*+\|[ \t]*+(?P<label>[^|\n]{2,48}?)[ \t]*+\|[ \t]*+[`*\"]{0,2}(?P<value>[^"
    r"|\n]{1,512}?)[`*\"]{0,2}[ \t]*+\|?[ \t]*+\r?$"
)


@dataclass(frozen=True, slots=True)
class Table:
    """An open table: its sign, and for each column the header's span (absolute) and strength."""

    mark: str
    columns: tuple[tuple[Span, float, str], ...]


def keyed_rows(text: str, minimum: float) -> Iterator[Anchor]:
    """Rows of two cells, a name and a value."""
    if "|" not in text:
        return
    for match in _KEYED.finditer(text):
        label, value = match["label"].strip("*` "), Span(*match.span("value"))
        strength = label_role(label)
        if strength < PROMISING and is_chosen_alone(match["value"]):
            strength = PROMISING if strength >= UNKNOWN else strength
        asked = is_answer(label, match["value"])
        if strength < UNKNOWN and not asked:
            continue
        confidence = ROLE * strength * worth(match["value"], strength, label)
        if is_title(label) and is_listed(match["value"], strength >= PROMISING):
            confidence = max(confidence, NAME)
        confidence = max(confidence, ASKED if asked else 0.0)
        if confidence >= minimum:
            yield Anchor(Span(*match.span("label")), value, confidence, "structure:row", True)


def follow(
    text: str, begin: int, end: int, origin: int, table: Table | None, minimum: float
) -> tuple[list[Anchor], Table | None]:
    """Cells of the lines in ``text[begin:end]``, and the table that is still open at their end.

    ``origin``: offset of ``text`` in the whole text; anchors are in offsets of the whole text.
    """
    found: list[Anchor] = []
    if begin and text[begin - 1] != "\n":  # inside a line that is read in parts
        newline = text.find("\n", begin, end)
        table, begin = None, newline + 1 if newline >= 0 else end
    while begin < end:
        if table is None:
            header = _HEADER.search(text, begin, end)
            if header is None:
                break
            begin = _next_line(text, header.end(), end)
            table = _opened(text, header, origin)
            continue
        line_end = text.find("\n", begin, end)
        line_end = end if line_end < 0 else line_end
        if table.mark == COLUMNS:
            starts = [span.start for span, _, _ in table.columns]
            cells = aligned(text, begin, line_end, [at - starts[0] for at in starts])
        else:
            cells = _cells(text, begin, line_end, table.mark)
        if len(cells) != len(table.columns) and not _RULE.fullmatch(text, begin, line_end):
            table = None
            continue
        found += _row(text, cells, table, origin, minimum)
        begin = line_end + 1
    return found, table


def _next_line(text: str, at: int, end: int) -> int:
    newline = text.find("\n", at, end)
    return end if newline < 0 else newline + 1


def _opened(text: str, header: re.Match, origin: int) -> Table | None:
    """The table of a header, when it names at least one column that promises a value."""
    line = header["line"].strip()
    if header["titles"]:
        places = titles(text, *header.span("line"))
        if not holds_names([text[a:b] for a, b in places]):
            return None
        columns = tuple((Span(origin + a, origin + b), UNKNOWN, text[a:b]) for a, b in places)
        return Table(COLUMNS, columns)
    mark = next(m for s, m in (("|", r"\|"), ("\t", r"\t"), (";", ";"), (",", ",")) if s in line)
    cells = _cells(text, *header.span("line"), mark)
    names = [text[a:b].strip("*` ") for a, b, _ in cells]
    roles = [label_role(name) for name in names]
    matrix = mark == r"\|" and not names[0]  # its rows are named by their first cells
    if max(roles) < 0.75 and not matrix and not is_asking(names):
        return None
    if any(map(_is_sentence, names)):
        return None
    spans = [Span(origin + a, origin + b) for a, b, _ in cells]
    return Table(mark, tuple(zip(spans, roles, names)))


def _is_sentence(name: str) -> bool:
    """Whether the name of a column is rather a piece of a sentence."""
    if len(name.split()) > 3 or name.count("(") != name.count(")"):
        return True
    return _RUNNING.search(name) is not None and (" " in name or name[-1] == ".")


def _cells(text: str, begin: int, end: int, mark: str) -> list[tuple[int, int, bool]]:
    """Begin, end and whether quoted, of the cells of a line."""
    end -= 1 if end > begin and text[end - 1] == "\r" else 0
    if mark == r"\|":
        while begin < end and text[begin] in " \t":
            begin += 1
        begin += text.startswith("|", begin, end)
        while end > begin and text[end - 1] in " \t":
            end -= 1
        end -= text.endswith("|", begin, end)
    cells = []
    for match in _CELLS[mark].finditer(text, begin, end):
        quoted = match["quoted"] is not None
        start, stop = match.span("quoted" if quoted else "bare")
        cut = text[start:stop]
        if not quoted:
            start += len(cut) - len(cut.lstrip(" \t`*"))
            stop -= len(cut) - len(cut.rstrip(" \t`*"))
        cells.append((start, max(start, stop), quoted))
        if match.end() >= end or len(cells) > MAX_COLUMNS:
            if text[end - 1 : end] == _SIGNS[mark] and not quoted and stop < end:
                cells.append((end, end, False))  # the last one is empty
            break
    return cells


def _names(
    text: str, cells: list[tuple[int, int, bool]], table: Table, origin: int, minimum: float
) -> Iterator[Anchor]:
    """Names in columns that white space aligns."""
    for (start, stop, _), (label, _, title) in zip(cells, table.columns):
        if is_title(title) and is_listed(text[start:stop], True) and minimum <= NAME:
            yield Anchor(label, Span(origin + start, origin + stop), NAME, "structure:cell", True)


def _row(
    text: str, cells: list[tuple[int, int, bool]], table: Table, origin: int, minimum: float
) -> Iterator[Anchor]:
    if table.mark == COLUMNS:
        yield from _names(text, cells, table, origin, minimum)
        return
    head = text[slice(*cells[0][:2])] if cells and not table.columns[0][2] else ""
    role = label_role(head) if head else 0.0
    for (start, stop, quoted), (label, strength, name) in zip(cells, table.columns):
        if role > strength and head:
            strength, name = role, head
        value = text[start:stop]
        asked = is_answer(name, value)
        if start >= stop or (ROLE * strength < minimum and not asked):
            continue
        if strength < 1.0 and _SENTENCE.match(value) and not asked:
            continue
        confidence = ROLE * strength * worth(value, strength, name)
        if confidence < minimum and is_title(name) and is_listed(value, strength >= PROMISING):
            confidence = NAME
        confidence = max(confidence, ASKED if asked else 0.0)
        if confidence >= minimum:
            where = Span(origin + start, origin + stop)
            yield Anchor(label, where, confidence, "structure:cell", quoted or table.mark == r"\|")
