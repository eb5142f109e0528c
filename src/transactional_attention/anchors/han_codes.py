"""Codes that begin with characters of a name, and paths with folders named in them:
``编号是青禾-2026-0391``, ``/mnt/nas2/共有/議事録``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .text_words import foreign_letters

CODE, PATH = 0.8, 0.72
_HAN = "\u4e00-\u9fff"
_FIRST = "\u3040"  # character of the scripts that have such codes
_SAID = r"(?:编号|号码|单号|合同号|代码|型号|批号|案号|编码|番号|コード|型番|品番)"
_CODE = re.compile(
    rf"(?P<label>{_SAID}(?:是|为|：|:|は|）?[:：])? ?)"
    rf"(?P<value>[{_HAN}]{{1,4}}[-–]\d[\dA-Za-z]*(?:[-/][\dA-Za-z]+){{0,4}})(?![\w-])"
)
# Hiragana behind a path is the sentence.
_LETTER = rf"[\w.\-+@{_HAN}\u30a0-\u30ff\uac00-\ud7af]"
_PATH = re.compile(
    rf"(?<![^\s\"'`「（(:：=])(?P<value>(?:~|[A-Za-z]:)?(?:/[A-Za-z0-9_.\-+@]{{1,64}}){{1,8}}"
    rf"(?:/(?![\u3041-\u309f])(?:(?![\u3041-\u309f]){_LETTER}){{1,40}}){{1,6}})(?=[\s\"'`」）)]|\Z)"
)


def han_codes(text: str) -> Iterator[Anchor]:
    """Codes and paths that hold Chinese, Japanese or Korean characters."""
    if max(foreign_letters(text), default="") < _FIRST:
        return
    for match in _CODE.finditer(text):
        label, value = Span(*match.span("label")), Span(*match.span("value"))
        yield Anchor(label, value, CODE, "prose:label", False)
    if "/" not in text:
        return
    for match in _PATH.finditer(text):
        if not match["value"].isascii():
            value = Span(*match.span("value"))
            yield Anchor(Span(value.start, value.start), value, PATH, "shape:path", True)
