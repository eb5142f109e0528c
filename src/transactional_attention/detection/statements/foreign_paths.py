"""Paths of files whose names are written in other scripts than Latin: ``/srv/share/عقود/مورد.pdf``,
``D:\\लेखा\\बजट_अंतिम.xlsx``, ``\\\\filesv\\営業\\見積.xlsx``, ``/mnt/nas2/共有/議事録``.

Scripts without spaces go on right behind a path: it ends with the extension of its file, else
before a particle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...types import Anchor, Span
from ..forms import EXTENSIONS
from ..text_words import foreign_letters

PATH = 0.76
_FIRST = "\u0400"  # character of the scripts that ``forms`` and ``wholes`` do not read whole
_SIGN = r"[\w.\-+@~%$\u064b-\u065f\u0900-\u0963\u0970-\u0dff\u0e00-\u0fff]"  # vowels are no \w
_PART = rf"{_SIGN}{{1,64}}+"
_FOLDER = rf"{_PART}(?: {_PART}){{0,3}}"
_REST = rf"(?:{_FOLDER}\\){{0,12}}{_PART}(?: {_PART}){{0,2}}"
_HOME = re.compile(rf"~/{_PART}(?:/{_PART}){{0,12}}")
_UNIX = re.compile(
    r"/(?<=[\s\"'`“‘«「『（(\[:：=，、。\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/)"
    rf"{_PART}(?:/{_PART}){{1,12}}"
)
_DRIVE = re.compile(rf":\\(?<=[A-Za-z]:\\)(?<![A-Za-z0-9].:\\){_REST}")
_SHARE = re.compile(rf"\\\\(?<![A-Za-z0-9_\\]\\\\){_PART}\\{_REST}")
_MORE = "mp[34]|wav|mov|avi|mkv|hwpx?|rtf|od[tsp]|dwg|psd|epub|7z|rar|iso|webp|heic|eml|jsx|css"
_FILE = re.compile(rf"\.(?i:{EXTENSIONS}|{_MORE})(?![A-Za-z0-9_/\\\-]|\.\w)")
_TAIL = re.compile(  # of a sentence, behind the name of a folder
    r"[\u3041-\u309f].*|(?:에서는?|에|으로|를|을|은|는|입니다|이에요|里面?|下面?|中|了|内)+\Z"
)
_PATHS = ((_DRIVE, "\\", 1), (_SHARE, "\\", 0), (_UNIX, "/", 0), (_HOME, "/", 0))
_NAMED = re.compile(r"(?:~|/[A-Za-z0-9_.\-+@%]+)/")


def foreign_paths(text: str) -> Iterator[Anchor]:
    """Anchors of the paths."""
    for begin, end in paths(text):
        yield Anchor(Span(begin, begin), Span(begin, end), PATH, "shape:path", True)


@lru_cache(maxsize=1)
def paths(text: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of paths with folders or files named in such a script."""
    if max(foreign_letters(text), default="") < _FIRST:
        return ()
    found = [
        (match.start() - shift, _end(text, match.start() - shift, match.end(), sign))
        for pattern, sign, shift in _PATHS
        if sign in text
        for match in pattern.finditer(text)
    ]
    return tuple(span for span in found if max(text[span[0] : span[1]], default="") >= _FIRST)


def _end(text: str, begin: int, end: int, sign: str) -> int:
    """Where the path ends that ``text[begin:end]`` holds; ``begin`` where it is none, as words of a
    sentence with slashes between them."""
    last = text.rfind(sign, begin, end) + 1
    file = _FILE.search(text, last, end)
    if file is not None:
        return file.end()
    space = text.find(" ", last, end)
    end = space if space >= 0 else end
    tail = _TAIL.search(text, last, end)
    end = tail.start() if tail else end
    while end > last and text[end - 1] in ".-":
        end -= 1
    named = sign == "\\" or _NAMED.match(text, begin)
    return end if end > last and named else begin
