"""Places by several numbers in a row, in Chinese, Japanese and Korean: ``7号車13番E席``,
``11호차 6D``, ``4階Gの12番``, ``负二层C区088``, ``槐荫里九号院三单元五〇一``,
``은하빌딩 지하 1층 나호``.

Each number has its counter; a row of two and more is no quantity. The name of a street or of a
building before them belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from ..street_forms import HAN_NAME

PLACE = 0.74
_MOST = 6  # numbers behind the first one
_REACH = 8  # characters before a counter in which its row begins
_BEFORE_COUNTER = frozenset("0123456789一二三四五六七八九十百〇零两가나다라마바사아자차카타파하 ")
_NUMBER = r"(?:\d{1,4}(?![\d.])|[一二三四五六七八九十百〇零两]{1,5})"
_COUNTERS = (
    "号車|号车厢|号车|车厢|车|호차|号室|号房|号楼|号院|号柜|号桌|号车位|号窗口|号棟|号館|番線|番ホーム|番席"
    "|番地|番窓口|番|单元|單元|栋|幢|棟|层|層|楼|階|층|호실|동"
    "|번 출구|번 게이트|번|열|석|列|排|座|席|室|号|호"
)
_LETTERED = "区|區|席|列|座|ブロック|ゾーン|エリア|館|棟|구역|열|석|동|号楼|栋|ゲート"
_ITEM = (
    rf"(?:第|地下|地上|负|負|지하 ?|지상 ?)?{_NUMBER}(?P<c>{_COUNTERS})"
    rf"|[A-Z](?P<l>{_LETTERED})|[가나다라마바사아자차카타파하](?P<n>호|열|동)(?![가-힣]{{2}})"
    r"|(?:지하 ?\d층|B\d{1,2}) (?P<p>주차장)|B\d{1,2}(?:(?P<b>层|層|階|층)|(?![A-Za-z\d]))"
)
_LAST = (  # without a counter
    r"|\d{1,3}[A-K](?![A-Za-z\d])|[A-Z]-?\d{1,4}(?![A-Za-z\d.])|[A-Z](?=の\d)"
    r"|(?<=[楼层層区區元院座栋幢階棟])(?:\d{2,4}(?![\d.,元块円点时時名人年月日分秒个%])|[一二三四五六七八九〇零]{3,4})"
)
_FIRST = re.compile(_ITEM)
_NEXT = re.compile(rf"(?:[ の、,]|第)?(?:{_ITEM}{_LAST})")
_SURE = re.compile(r"[\dA-Z]|单元|單元|室|号[院楼车車]|负|負|地下|지하")
_HAN = "\u4e00-\u9fff"
_BEFORE = re.compile(
    rf"(?:{HAN_NAME}{{1,10}}(?:里|苑|园|小区|花园|新村|胡同|巷|弄|路|街|大厦|广场|公寓|商场)"
    rf"|(?<![{_HAN}\u30a1-\u30ff])[{_HAN}\u30a1-\u30ff]{{1,12}}(?:ビル|マンション|タワー|アパート)の?"
    r"|[东東西南北本主新别別老][馆館棟栋楼]"
    r"|(?<![가-힣])[가-힣A-Z]{1,10}(?:빌딩|아파트|타워|빌라|오피스텔|상가|센터) )\Z"
)
_BUILDING = 18
_BOOK = Book(
    phrase(said, None) for said in dict.fromkeys(f"{_COUNTERS}|区|區|구역|주차장".split("|"))
)


def eastern_places(text: str) -> Iterator[Anchor]:
    """Rows of two places and more, and one place behind a building."""
    last = 0
    for counter in sorted({begin for begin, _, _ in spoken(text, _BOOK)}):
        before = text[counter - 1 : counter]
        if counter < last or not (before in _BEFORE_COUNTER or "A" <= before <= "Z"):
            continue  # most characters that count something else
        for begin in range(max(last, counter - _REACH), counter):
            end, counters = _row(text, begin)
            if end <= counter:
                continue
            place = _BEFORE.search(text, max(last, begin - _BUILDING), begin)
            last = end
            if (place or len(counters) > 1) and _SURE.search(text, begin, end):
                value = Span(place.start() if place else begin, end)
                yield Anchor(Span(value.start, value.start), value, PLACE, "prose:designator", True)
            break


def _row(text: str, begin: int) -> tuple[int, set[str]]:
    """Where the row ends that begins at ``begin``, and the different counters in it."""
    match = _FIRST.match(text, begin)
    if match is None or text[begin - 1 : begin].isdigit():
        return begin, set()
    end, counters = match.end(), {_counter(match)}
    for _ in range(_MOST):
        match = _NEXT.match(text, end)
        if match is None:
            break
        end = match.end()
        counters.add(_counter(match))
    return end, counters


def _counter(match: re.Match[str]) -> str:
    return match[match.lastgroup] if match.lastgroup else ""
