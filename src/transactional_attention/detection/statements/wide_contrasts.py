"""Names set against what does not hold, in scripts without capitals: ``不是桂花路，是
樱花路``, ``さくら室ではなくかえで室``, ``dev-달 말고 dev-해``, ``ليس في قاعة النخيل بل في قاعة
الزيتون``, ``गुलाब कक्ष नहीं, कमल कक्ष``.

Both names end, in Arabic begin, with the same noun for a place or a thing, or have parts of ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from .contrasts import CONTRASTED

_REACH = 48  # characters before words that take back a name
_HAN, _HANGUL = "\u3400-\u9fff", "가-힣"
_INDIC = "[\u0900-\u0963\u0970-\u097f]{1,14}"
_JOINT = r"[A-Za-z][\w.]{1,20}(?:[-/][\w.]{0,20}\w){1,4}"
_CHINESE = (
    rf"[A-Za-z\d{_HAN}]{{1,10}}?(?:路|街|巷|室|厅|楼|馆|酒店|餐厅|站|号门|门|桥|园|仓库"
    rf"|号库|广场|大厦|教室|分支|服务器|方案|栋|层)"
)
_JAPANESE = (
    rf"[A-Za-z\d{_HAN}々ぁ-んァ-ヶー]{{1,12}}?(?:通り|室|館|店|駅|棟|門|ホール|会議室"
    rf"|サーバー|ブランチ|号室|橋|公園|ビル|番線|口|案)"
)
_KOREAN = (
    rf"[{_HANGUL}A-Za-z\d]{{1,10}}?(?:실|관|점|역|문|길|대로|동|층|호실|홀|서버|브랜치"
    rf"|공원|빌딩|카페|식당|안)"
)
_NOUN_AR = "قاعة|شارع|غرفة|بوابة|مبنى|فرع|خادم|حساب|مكتب|صالة|محطة|ميدان|فندق|مطعم|باب|طريق|حي"
_WORD_AR = "[\u0621-\u0652]{2,16}"
_ARABIC = rf"(?:ال)?(?:{_NOUN_AR}) {_WORD_AR}"
_HINDI = (
    rf"(?:{_INDIC} )?{_INDIC} (?:कक्ष|सड़क|मार्ग|हॉल|गेट|कमरा|कमरे|शाखा|सर्वर|गली|भवन|चौक|नगर"
    rf"|द्वार|रोड|होटल)"
)
_QUOTE = "[“「『\"‘']?"
# What takes a name back, what stands right before it, and what follows.
_BEHIND = (
    ("不是|不在|并非|別去|别去|不去",
     rf"(?:在|去|到|走)?{_QUOTE}(?P<old>{_CHINESE}|{_JOINT})[”」』\"’']?(?:了|开"
     rf"|见)?[，,、；;。]? ?"
     rf"(?:而是|应该是|改为|改成|而)?(?:是|在|去|到|用|走)?(?:在"
     rf"|去)?{_QUOTE}(?P<value>{_CHINESE}|{_JOINT})"),
    ("ليس|ليست|لا تذهب|لا تذهبوا|بدلا من|وليس",
     rf"(?: (?:في|إلى|هو|هي|من|عند|على))? (?P<old>{_ARABIC}|{_JOINT})(?: {_WORD_AR})?[،,.]? ?"
     rf"(?:بل|ولكن|لكن|وإنما|إنما)?(?: (?:في|إلى|هو|هي|من|عند|على))? ?(?P<value>{_ARABIC}"
     rf"|{_JOINT})"),
)  # fmt: skip
_BETWEEN = (
    ("ではなく|じゃなくて|でなく|ではありません|じゃないです"
     "|ではなくて", _JAPANESE, "[、。]? ?(?:次は|正しくは)?"),
    ("말고", _KOREAN, " "),
    ("아니라|아니고|아니에요|아닙니다|대신", _KOREAN, "[,.]? "),
    ("नहीं|की जगह|के बजाय", _HINDI, "[,।]? (?:बल्कि )?"),
)  # fmt: skip
_CASES = r"(?:이|가|은|는|에서|으로|로|에|을|를| में| को| पर)?"


def _rules() -> Iterator[tuple[str, re.Pattern[str] | None, re.Pattern[str]]]:
    for words, rest in _BEHIND:
        for word in words.split("|"):
            yield word, None, re.compile(rest)
    for words, name, between in _BETWEEN:
        old = re.compile(
            rf"(?<![A-Za-z\d{_HANGUL}])(?P<old>{name}"
            rf"|{_JOINT}){_CASES}[」』”\"]? ?\Z"
        )
        if name == _JAPANESE:
            old = re.compile(rf"(?P<old>{name}|{_JOINT})[」』”\"]?\Z")
        new = re.compile(rf"{between}{_QUOTE}(?P<value>{name}|{_JOINT})")
        for word in words.split("|"):
            yield word, old, new


_BOOK = Book([phrase(said, (old, new)) for said, old, new in _rules()])
_NOUN = re.compile(
    rf"\A(?:ال)?(?:{_NOUN_AR})(?= )|(?:通り|口|[{_HAN}]|[ァ-ヶー]+|[{_HANGUL}]|[\u0900-\u097f]+)\Z"
)
_ENDING = re.compile(r"(?:에서|으로|로|에|를|을|가|이|은|는|입니다|이에요)\Z")


def wide_contrasts(text: str) -> Iterator[Anchor]:
    """Names that hold, beside others that do not."""
    if text.isascii():
        return
    for begin, end, (before, behind) in spoken(text, _BOOK):
        new = behind.match(text, end)
        old = before.search(text, max(0, begin - _REACH), begin) if before and new else new
        if new is None or old is None or not _alike(old["old"], new["value"]):
            continue
        first, last = new.span("value")
        ending = _ENDING.search(text, first, last) if text[first].isascii() else None
        value = Span(first, ending.start() if ending else last)
        yield Anchor(Span(begin, first), value, CONTRASTED, "prose:correction", True)


def _alike(old: str, new: str) -> bool:
    """Whether two names are of one kind, and not the same."""
    if old == new:
        return False
    noun, other = _NOUN.search(new), _NOUN.search(old)
    if noun and other and noun.group() == other.group():
        return True
    return bool(re.match(_JOINT, old) and re.match(_JOINT, new))
