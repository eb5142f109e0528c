"""CSV and Markdown tables: a cell's label is its column's header, or the first cell of its row.

A header may stand far above its rows, so an open table is handed on from one part of a text to the
next: lines are read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...types import Span
from ..candidates import Proposal

MAX_COLUMNS = 64
_HEAD_CELL = r" *+\"?[A-Za-z_#*][\w .#/*()\-]{0,40}+\"? *+"
_HEADER = re.compile(
    rf"(?:(?<=\n)|\A)(?P<line>{_HEAD_CELL}(?:"
    + "|".join(rf"(?:{mark}{_HEAD_CELL}){{1,{MAX_COLUMNS}}}+" for mark in (",", ";", r"\t", r"\|"))
    + rf")|[ \t]*+\|(?:[ \t]*+\|)?(?:{_HEAD_CELL}\|){{2,{MAX_COLUMNS}}}+[ \t]*+)\r?(?=\n|\Z)"
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
Cell = tuple[int, int, bool]
"""Begin, end, whether quoted."""


@dataclass(frozen=True, slots=True)
class Table:
    """An open table: its sign, and for each column the header's span (absolute) and words."""

    mark: str
    columns: tuple[tuple[Span, str], ...]


def follow(
    text: str, begin: int, end: int, origin: int, table: Table | None
) -> tuple[list[Proposal], Table | None]:
    """Cells of the lines in ``text[begin:end]``, and the table that is open at their end.

    ``origin``: offset of ``text`` in the whole text, where an open table has its header.
    """
    proposals: list[Proposal] = []
    if begin and text[begin - 1] != "\n":  # inside a line that is read in parts
        newline = text.find("\n", begin, end)
        table, begin = None, newline + 1 if newline >= 0 else end
    while begin < end:
        if table is None:
            header = _HEADER.search(text, begin, end)
            if header is None:
                break
            newline = text.find("\n", header.end(), end)
            begin = end if newline < 0 else newline + 1
            table = _opened(text, header, origin)
            continue
        line_end = text.find("\n", begin, end)
        line_end = end if line_end < 0 else line_end
        cells = _cells(text, begin, line_end, table.mark)
        if len(cells) != len(table.columns) and not _RULE.fullmatch(text, begin, line_end):
            table = None
            continue
        proposals += _row(text, cells, table, origin)
        begin = line_end + 1
    return proposals, table


def _opened(text: str, header: re.Match[str], origin: int) -> Table | None:
    """The table of a header; None if the header is probably a sentence."""
    line = header["line"].strip()
    mark = next(m for s, m in (("|", r"\|"), ("\t", r"\t"), (";", ";"), (",", ",")) if s in line)
    cells = _cells(text, *header.span("line"), mark)
    names = [text[a:b].strip("*` ") for a, b, _ in cells]
    if any(map(_is_sentence, names)):
        return None
    spans = [Span(origin + a, origin + b) for a, b, _ in cells]
    return Table(mark, tuple(zip(spans, names)))


def _is_sentence(name: str) -> bool:
    if len(name.split()) > 3 or name.count("(") != name.count(")"):
        return True
    return _RUNNING.search(name) is not None and (" " in name or name[-1] == ".")


def _cells(text: str, begin: int, end: int, mark: str) -> list[Cell]:
    """The cells of a line."""
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


def _row(text: str, cells: list[Cell], table: Table, origin: int) -> Iterator[Proposal]:
    head = text[slice(*cells[0][:2])] if cells and not table.columns[0][1] else ""
    for (start, stop, quoted), (label, name) in zip(cells, table.columns):
        if start < stop:
            above = label.start - origin, label.end - origin
            delimited = quoted or table.mark == r"\|"
            words = f"{head} {name}".strip()
            yield Proposal(above, (start, stop), "structure:cell", delimited, words)
