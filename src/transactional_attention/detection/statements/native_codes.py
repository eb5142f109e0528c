"""Codes with letters of scripts that have no capitals: ``ج-27``, ``44019-ب``, ``एलके-0091827``,
``B3 마-41``, ``제-1204호``, ``2024가단51823``, ``（2024）沪0105民初8812号``.

Where capitals tell a code, here a letter or two do that a hyphen or a slash joins to a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...types import Anchor, Span
from ..text_words import foreign_letters

CODE = 0.7
_FIRST = "\u0600"  # character of the scripts that have such codes
_LONGEST = 24  # characters before a joint
_LEAST, _LEAST_BESIDE_WORDS = 2, 3  # digits; two letters may be a short word
_ARABIC = "\u0621-\u064a"
_HINDI = "\u0900-\u0963\u0970-\u097f"
_HANGUL = "가나다라마바사아자차카타파하거너더러머버서어저고노도로모보소오조구누두루무부수우주제"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_KANA = "\u3041-\u30ff"
_NAMES = (  # of Latin letters
    "ए|बी|सी|डी|ई|एफ|जी|एच|आई|जे|के|एल|एम|एन|ओ|पी|क्यू|आर|एस|टी|यू|वी|डब्ल्यू|एक्स|वाई|ज़ेड|जेड"
)
_LETTERS = (
    rf"(?:(?<![{_ARABIC}])[{_ARABIC}](?:ـ|[{_ARABIC}]{{1,2}})?(?![{_ARABIC}])"
    rf"|(?<![{_HINDI}])(?:(?:{_NAMES}){{1,6}}|[{_HINDI}]{{1,3}})(?![{_HINDI}])"
    rf"|(?<![가-힣])[{_HANGUL}](?![가-힣])|[{_STEMS}]"
    rf"|(?<![\u30a1-\u30ff])[\u30a1-\u30fa](?![{_KANA}])"
    rf"|(?:(?<![{_KANA}])|(?<=[はがのをでに]))(?![はがのをでにともへや])[\u3041-\u3093](?![{_KANA}])"
    rf"|(?<=[「『“（(])[\u3041-\u3093](?![{_KANA}]))"
)
_NUMBER = r"(?:[A-Za-z]{0,4}\d{1,16}[A-Za-z]{0,2}|[A-Z]{1,5}(?=[-–/]\d))(?![A-Za-z\d])"
_JOINT = re.compile(
    rf"[-–/](?:(?<=[{_ARABIC}ـ{_HINDI}{_KANA}가-힣{_STEMS}].)(?=\d)"
    rf"|(?<=\d.)(?=[{_ARABIC}{_HINDI}{_KANA}가-힣{_STEMS}]))"
)
_CODE = re.compile(
    rf"(?<![A-Za-z\d#/–-])#?(?:{_LETTERS}|{_NUMBER})(?:[-–/](?:{_LETTERS}|{_NUMBER})){{1,5}}"
    r"(?![A-Za-z\d]|[-–/.,]\d)"
)
_WORDS = re.compile(rf"[\u0621-\u063f\u0641-\u064a]{{2,}}|[{_HINDI}]{{2,}}")
# Pages, the third person of Korean, and a year or a unit behind a number.
_NOT = re.compile(r"[صس]ـ?[-/]\d+|제-\d{1,2}|\d+[-/](?:م|هـ?|س|ث)|भाग.*")
_FLOOR = re.compile(r"(?<![A-Za-z\d])(?:B\d{1,2}|(?:지하 ?)?\d{1,2}층) \Z")
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# Numbers of cases at courts and of what offices publish.
_FILED = tuple(
    (letter, re.compile(form))
    for letter, form in (
        ("号", r"[（(〔]\d{4}[）)〕][\u4e00-\u9fff]\d{0,4}[\u4e00-\u9fff]{1,4}\d{1,6}号"
         r"(?:之[一二三四五\d]{1,2})?"),
        ("年", r"(?:令和|平成)\d{1,2}年[（(][^）)\d\n]{1,3}[）)]第?\d{1,6}号"),
        ("가", r"(?<!\d)(?:19|20)\d\d(?:가[단합소]|고[단합정]|구[단합]|드[단합]|카[합단]|헌[마바가]"
         r"|타[경채]|개회|[나다노도누두머])\d{2,7}"),
        ("제", r"제 ?-?(?:\d{1,6}-\d{1,6}|\d{3,6})호(?!실)"),
    )
)  # fmt: skip


def native_codes(text: str) -> Iterator[Anchor]:
    """Anchors of the codes."""
    for begin, end in codes(text):
        yield Anchor(Span(begin, begin), Span(begin, end), CODE, "shape:native", True)


@lru_cache(maxsize=1)
def codes(text: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of codes with such letters."""
    foreign = foreign_letters(text)
    if max(foreign, default="") < _FIRST:
        return ()
    found = [
        match.span()
        for letter, form in _FILED
        if letter in foreign
        for match in form.finditer(text)
    ]
    last = 0
    for joint in _JOINT.finditer(text):
        if joint.start() < last:
            continue
        begin, end = _around(text, max(last, joint.start() - _LONGEST), joint.start())
        if end > begin:
            last = end
            if _is_code(text[begin:end]):
                floor = _FLOOR.search(text, max(0, begin - _LONGEST), begin)
                found.append((floor.start() if floor else begin, end))
    return tuple(found)


def _around(text: str, first: int, joint: int) -> tuple[int, int]:
    """The longest code around a hyphen that begins at ``first`` or later; twice the same if none
    does."""
    for begin in range(first, joint):
        match = _CODE.match(text, begin)
        if match and match.end() > joint:
            return match.span()
    return joint, joint


def _is_code(value: str) -> bool:
    digits = len(_DIGIT.findall(value))
    least = _LEAST_BESIDE_WORDS if _WORDS.search(value) else _LEAST
    if digits < least or _NOT.fullmatch(value):
        return False
    return digits > 4 or not _YEAR.search(value)
