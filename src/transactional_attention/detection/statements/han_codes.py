"""Codes that begin with characters of a name: ``编号是青禾-2026-0391``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import foreign_letters

CODE = 0.8
_HAN = "\u4e00-\u9fff"
_FIRST = "\u3040"  # character of the scripts that have such codes
_SAID = r"(?:编号|号码|单号|合同号|代码|型号|批号|案号|编码|番号|コード|型番|品番)"
_CODE = re.compile(
    rf"(?P<label>{_SAID}(?:是|为|：|:|は|）?[:：])? ?)"
    rf"(?P<value>[{_HAN}]{{1,4}}[-–]\d[\dA-Za-z]*(?:[-/][\dA-Za-z]+){{0,4}})(?![\w-])"
)


def han_codes(text: str) -> Iterator[Anchor]:
    """Codes that hold Chinese, Japanese or Korean characters."""
    if max(foreign_letters(text), default="") < _FIRST:
        return
    for match in _CODE.finditer(text):
        label, value = Span(*match.span("label")), Span(*match.span("value"))
        yield Anchor(label, value, CODE, "prose:label", False)
