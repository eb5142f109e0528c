"""What somebody cannot have, where the word for it stands behind or languages write no articles:
``对青霉素严重过敏``, ``エビを食べると蕁麻疹が出ます``, ``땅콩에 심한 알레르기``, ``fıstığa
karşı alerjisi``.

For languages that name it behind ``allergic to`` see ``preferences``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, beside, phrase, spoken

NEEDED = 0.66
_REACH = 40  # characters before a word for it
_HAN = r"[\u4e00-\u9fffA-Za-z]"
_STRONGLY_ZH = "(?:严重|非常|特别|重度|轻度|有些|有点|有|也|都|会|很|高度|极度)?"
_THING_JA = r"(?:\A|[^\w]|は|も|が|の)(?P<value>[\u4e00-\u9fffァ-ヴー]{1,10}|[ぁ-ん]{2,5})"
_STRONGLY_KO = "(?:(?:심한|약간의|중증|강한|심각한|가벼운) )?"
_THING_KO = r"(?<![가-힣])(?P<value>[가-힣]{1,8}?)"
_STRONGLY_HI = "(?:बहुत |सख़्त |सख्त |गंभीर |तेज़ |काफ़ी |भारी |भी )?"
_INDIC = r"[\u0900-\u0963\u0970-\u097f]"
_STRONGLY_TR = "(?:çok |ciddi |ağır |şiddetli |hafif )?"
_LETTERS = r"[^\W\d_]"
# Two nouns are bent as one; the last letter of one noun may be another when it is bent.
_THING_TR = (
    rf"(?:(?P<value>(?!\S*[ıiuü]n |bana |ona |size |ama |için ){_LETTERS}{{2,20}} "
    rf"{_LETTERS}{{2,20}}"
    rf"[ıiuü])n[ae] karşı|(?P<one>{_LETTERS}{{3,20}}?)(?:['’]?y[ae]|(?:['’]|(?<![ğbcd]))[ae]|) "
    rf"karşı"
    rf"|(?P<bare>{_LETTERS}{{3,20}}))"
)
_ARABIC = "[\u0620-\u064a]"
_EATING = ("먹으면", "먹어도", "먹고 나면", "복용하면", "맞으면", "마시면", "만지면")
_BEFORE = (
    ("过敏", rf"(?:对(?!这|那|此|什么|任何)(?P<value>{_HAN}{{1,8}}?)"
           rf"|(?:吃|喝|用|碰)(?:了)?(?P<other>{_HAN}{{1,6}}?))[，,]?{_STRONGLY_ZH}\Z"),
    ("アレルギー", rf"{_THING_JA}(?:(?:に対する|に対して|への|に|で|の)(?:重い|強い|ひどい)?)?\Z"),
    ("蕁麻疹|じんましん|発疹|アナフィラキシー|湿疹|呼吸困難|息が苦し|ショック",
     rf"{_THING_JA}(?:で|を(?:飲むと|食べると|打つと|使うと|口にすると|飲んだら|食べたら))"
     r"(?:必ず|すぐ|いつも|ひどい|全身に|、){0,2}\Z"),
    ("알레르기|알러지", rf"{_THING_KO}(?:에게|에는|에도|에)? ?{_STRONGLY_KO}\Z"),
    ("|".join(_EATING),
     rf"{_THING_KO}(?:을|를|만|이나)? (?:조금만 |조금 |약간만 |잘못 )?\Z"),
    ("एलर्जी",
     rf"(?:\A|[।,\n ])(?P<value>(?!मुझे|उसे|दवा){_INDIC}{{2,16}}) (?:की दवा )?से {_STRONGLY_HI}\Z"),
    ("alerjim|alerjisi|alerjimiz|alerjik",
     rf"(?<!\w){_THING_TR} {_STRONGLY_TR}\Z"),
)  # fmt: skip
_ILL = re.compile(
    r"[^\n.!?]{0,20}?(?:두드러기|숨을 못|숨이|호흡|알레르기|알러지|쇼크|발진|부어|붓|응급)"
)
_BEHIND = (
    ("أتحسس|يتحسس|تتحسس", rf" من (?:دواء |أكل )?(?P<value>{_ARABIC}{{3,16}})"),
    ("حساسية",
     rf"(?<!الحساسية)(?: (?!من |ضد |تجاه ){_ARABIC}{{3,10}}){{0,2}} (?:من|ضد|تجاه) (?:دواء |مادة "
     rf"|عقار |أكل |تناول )?"
     rf"(?P<value>{_ARABIC}{{2,16}}(?: ال{_ARABIC}{{3,12}})?)"),
)  # fmt: skip
_BOOK = Book(
    phrase(one, (re.compile(pattern), behind))
    for table, behind in ((_BEFORE, False), (_BEHIND, True))
    for said, pattern in table
    for one in said.split("|")
)


def foreign_allergies(text: str) -> Iterator[Anchor]:
    """What sentences of other languages say that somebody is allergic to."""
    for begin, end, (pattern, behind) in spoken(text, _BOOK):
        match = beside(text, begin, end, pattern, _REACH, behind=behind)
        if match is None or (text.startswith(_EATING, begin) and not _ILL.match(text, end)):
            continue
        group = match.lastgroup or "value"
        yield announced(begin, match, NEEDED, "prose:preference", delimited=False, group=group)
