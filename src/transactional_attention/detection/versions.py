"""Version numbers without a ``v``: three numbers joined by dots, which number no section.

What numbers a section stands behind a word that says so, or begins a line that goes on: a heading.
Days of the month, months and years joined by dots are dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_REST = re.compile(r"\.\d{1,4}\.\d{1,5}(?![\w/:%+\-]|\.\w)")
_FIRST = re.compile(r"\d{1,4}(?![\w.,:/+\-$€£°=~<>^])")  # behind a sign its label decides
_WORD = re.compile(r"[ \t(\[]{0,3}\.?(?P<word>[^\W\d_]{0,16})")
_HEADING = re.compile(r"[ \t#*\->|]{0,12}(?:\n|\Z)")
_ENDS = re.compile(r"[ \t.*`\"')\]]{0,4}(?:\r?\n|\Z)")
_DATE = re.compile(r"(?:[0-2]?\d|3[01])\.(?:0?\d|1[0-2])\.(?:19|20)\d\d")
_NUMBERED = frozenset(
    "section sections sec subsection chapter chapters ch appendix figure figures fig table tables"
    " tab clause article paragraph para part step rule exercise equation eq item listing example"
    " theorem lemma page pages see cf kapitel abschnitt abbildung tabelle sección capítulo figura"
    " sezione capitolo seção chapitre tableau раздел глава рисунок".split()
)
BEFORE = 40  # characters before the number that may say what it numbers


def versions(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of bare version numbers."""
    for match in _REST.finditer(text):
        at, end = match.span()
        before = text[max(0, at - BEFORE) : at][::-1]
        first = _FIRST.match(before)
        if first is None or _DATE.fullmatch(text, at - first.end(), end):
            continue
        heading = _HEADING.match(before, first.end()) and not _ENDS.match(text, end)
        word = _WORD.match(before, first.end())
        named = before.startswith("§", first.end()) or (
            word is not None and word["word"][::-1].lower() in _NUMBERED
        )
        if not heading and not named:
            yield at - first.end(), end
