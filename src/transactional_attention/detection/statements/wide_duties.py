"""People by what they do, in scripts without capitals: ``由沈雨桐负责``, ``経理は水谷さんが担当``,
``담당자는 오하늘 님``, ``المحاسب الجديد هو باسل الخطيب``, ``बजट अब रश्मि देशपांडे संभालेंगी``.

How a name is written there, ``wide_names`` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, beside, phrase, spoken
from .duties import DUTY
from .wide_names import (
    ARABIC,
    ARABIC_END,
    ARABIC_TITLE,
    CHINESE,
    HAN,
    HINDI,
    HONOUR,
    JAPANESE,
    KOREAN,
)

_REACH = 40  # characters before a word that may be a name
_CHARGE = (
    "(?:जिम्मेदारी|ज़िम्मेदारी|देखरेख|प्रभारी|डॉक्टर|प्रबंधक|लेखाकार|अध्यापक|शिक्षक|वकील|संयोजक|नाम"
    "|इंचार्ज|निगरानी|का काम|का हिसाब) (?:अब )?"
)
_ROLE_AR = r"[^\n.؟!]{0,60}? (?:هو|هي|هما|سيكون|ستكون|أصبح|أصبحت)(?: الآن)? "
# What stands before a name, and what follows it.
_AFTER = (
    ("负责人|联系人|对接人|经办人|接班人|班主任|主治医生|家庭医生|会计|管理员|值班员|接口人|值班的|管事的|负责的|接班的"
     "|负责人换成|负责人改为",
     rf"[{HAN}]{{0,6}}?(?:现在|今后|以后)?(?:是|叫|为|改为|换成|变成|："
     rf"|:) ?{CHINESE}{HONOUR}(?=[。，,；！.\n]|\Z)"),
    ("请联系|请找|请问|请咨询|请发给|请交给|请转给|请联络|交接给|移交给|转交给",
     rf"{CHINESE}{HONOUR}(?=[。，,；！.\n]|\Z)"),
    ("由", rf"{CHINESE}{HONOUR}(?:来|全权|统一|继续|暂时|专门|一并)?"
           r"(?:负责|接手|接任|担任|主管|跟进|处理|对接|牵头|保管|管理|审批|签字|代管|值班|主持"
           r"|接管|带队)"),
    ("担当は|担当者は|担当が|担当者が|責任者は|責任者が|窓口は|後任は|後任が|係は|主治医は"
     "|先生は|連絡先は|上司は|リーダーは",
     rf"(?:、|今後|新しく|当面|今日から)?{JAPANESE}"),
    ("담당은|담당자는|담당자가|담당이|책임자는|책임자가|담당 의사는|담당 간호사는|담임은|후임은"
     "|후임자는|대표는|팀장은|문의는|관리자는|연락처는",
     rf" (?:이제 |앞으로 |다음 달부터 )?{KOREAN}"),
    ("المسؤول عن|المسؤولة عن|مسؤول|مسؤولة|المحاسب|المحاسبة|الطبيب|الطبيبة|المدير|المديرة|المشرف"
     "|المشرفة|المنسق|المنسقة|المهندس|المهندسة"
     "|الممرض|الممرضة|المحامي|المحامية|جهة الاتصال|المعلم|المعلمة|أمين المستودع|الوكيل|السباك"
     "|الكهربائي|أمين الصندوق",
     rf"{_ROLE_AR}{ARABIC_TITLE}{ARABIC}{ARABIC_END}"),
    ("يتولى|تتولى|سيتولى|ستتولى|تواصل مع|تواصلوا مع|يرجى التواصل مع|راجع|اتصل ب",
     rf" {ARABIC_TITLE}{ARABIC}{ARABIC_END}"),
)  # fmt: skip
_BEFORE = (
    ("を呼んでください|をお呼びください|を訪ねて|に声をかけて|にお願いします|が全部見|が代わりに見|が見ることにな|が担当|が行います|が引き継|が対応|が管理|が承認|が務め|が受け持|に引き継|に連絡|にご連絡"
     "|までご連絡|まで連絡|に聞いて|に相談|にお尋ね|になりました|になります|に替わり|に代わり"
     "|へ連絡",
     rf"{JAPANESE}\Z"),
    ("负责|接手", rf"(?:\A|[。，,；\n：])(?:以后|今后|现在|今天起"
     rf"|从明天起)?{CHINESE}{HONOUR}\Z"),
    ("찾으세요|찾으시면|불러 주|담당|맡|책임|문의|연락|관리|승인|바뀝|바뀌|변경|인수|처리|결재"
     "|합니다|해요|봅니다",
     rf"(?<![가-힣]){KOREAN}(?:이|가|께서|으로|로|에게|께|한테|를|을)? (?:다음 달부터 |앞으로 "
     rf"|직접 "
     rf"|대신 |이제 |지금은 "
     rf"|새로 )?\Z"),
    ("संभालेंग|संभालते|संभालती|संभाल रह|देखेंग|देखते हैं|देखती हैं|से संपर्क|से बात|को सौंप|से पूछ|के पास"
     "|ज़िम्मेदार हैं|जिम्मेदार हैं",
     rf"(?:\A|[।,\n] ?|{_CHARGE}|के लिए |अब ){HINDI} \Z"),
    ("होंगे|होंगी|है|हैं", rf"{_CHARGE}{HINDI} \Z"),
)  # fmt: skip
_BOOK = Book(
    [
        phrase(said, (re.compile(rest), behind))
        for table, behind in ((_AFTER, True), (_BEFORE, False))
        for phrases, rest in table
        for said in phrases.split("|")
    ]
)


def wide_duties(text: str) -> Iterator[Anchor]:
    """Names of people beside what they do."""
    if text.isascii():
        return
    for begin, end, (pattern, behind) in spoken(text, _BOOK):
        match = beside(text, begin, end, pattern, _REACH, behind=behind)
        if match:
            yield announced(begin, match, DUTY, "prose:person", delimited=True)
