"""Who has something now or took it over, in scripts without capitals: ``المفتاح عند نورهان
الكيلاني``, ``चाबी सुधा राव के पास है``, ``鍵は水谷さんに預けて``, ``열쇠는 오하늘 씨가 갖고``,
``这摊事就交给陆文博了``.

Stories tell who has what as well. So what somebody has is a key, a paper or a task, and stands in
the same sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, beside, phrase, spoken
from .keepers import KEPT
from .wide_names import (
    ARABIC,
    ARABIC_END,
    ARABIC_TITLE,
    CHINESE,
    HINDI,
    HONOUR,
    JAPANESE,
    KOREAN,
)

_REACH = 56  # characters before a verb in which the thing and the name stand
_PART = r"[^\n.!?。！？؟।]"
_THING_AR = "مفتاح|مفاتيح|نسخة|الأوراق|الوثائق|الصندوق|العهدة|الفواتير|البطاقة"
_TASK_AR = "الملف|ملف ال|الموافقة|الموافقات|المشتريات|الحجوزات|الأمر|الموضوع|المهمة|المسؤولية"
_NOBODY_AR = (  # a place or anybody
    "(?!ال|(?:باب|مدخل|مكتب|بوابة|غرفة|كل|أي|بعض|أحد|هذا|هذه|ذلك|من|ما|صاحب|صاحبة|مدير|مديرة|رئيس"
    "|وزير|أمين|موظف|موظفي|حارس|سائق|أصحاب|أهل|فريق|قسم|إدارة|شركة|لجنة|وزارة|رجل|امرأة|صديق|جار"
    "|جارة|ابن|ابنة|والد|والدة|نهاية|بداية|سكرتير|سكرتيرة|طريق|مجموعة|جميع) )"
)
_END_AR = rf"(?:{ARABIC_END}|(?= (?:ف[\u0621-\u064a]{{3,}}|إن|إذا|لو|حتى|الآن|حاليا|بعد)))"
_NAME_AR = rf"{ARABIC_TITLE}{_NOBODY_AR}{ARABIC}{_END_AR}"
_GIVEN_AR = (
    "صار بيد|صارت بيد|أصبح بيد|أصبحت بيد|صار عند|صارت عند|أصبح عند|أصبحت عند|انتقلت إلى|آلت إلى"
    "|من مسؤولية|على عاتق|عهدة|بحوزة|استلم الملف|استلمت الملف|تسلم الملف|تسلمت الملف"
)
_TASK_ZH = (
    "钥匙|门禁卡|文件|合同|公章|印章|账本|证件|材料|资料|事|活|项目|工作|业务|采购|审批|报销|财务"
    "|这块|部门|客户|账号|工程|订单|仓库|群"
)
_AFTER_ZH = (
    rf"{CHINESE}{HONOUR}(?=了?(?:[。，,；！.\n]|\Z)|管|负责|保管|那里|那儿|那边|手里"
    rf"|手上|处|来|就行|就好|即可|吧)"
)
_THERE_ZH = rf"{CHINESE}{HONOUR}(?=那里|那儿|那边|手里|手上|处|家)"
_TASK_JA = (
    "鍵|カギ|キー|書類|通帳|印鑑|カード|原本|控え|資料|経理|承認|担当|引き継|予約|会計|窓口|管理"
    "|仕事|業務|手続|発注|請求"
)
_TASK_KO = (
    "열쇠|키|카드|서류|통장|도장|원본|자료|결재|승인|일|업무|예약|회계|계약|관리|담당"
    "|비품|발주|정산"
)
_TASK_HI = (
    "चाबी|चाबियाँ|चाभी|कुंजी|फ़ाइल|फाइल|दस्तावेज़|दस्तावेज|कागज़ात|कागज|काम|हिसाब|बजट|जिम्मा|ज़िम्मा"
    "|जिम्मेदारी|ज़िम्मेदारी|खाता|बुकिंग|मंज़ूरी|मंजूरी"
)
_NAME_HI = (
    rf"(?:{_TASK_HI})(?:(?: (?!नहीं)[^\s।,]{{1,12}}){{1,4}}?(?: नहीं,| अब| फिलहाल| फ़िलहाल| इस "
    rf"बार|,))?"
    rf" {HINDI} \Z"
)
# A phrase, what must stand before it, and the name behind it.
_BEHIND = (
    (_THING_AR, None, rf"{_PART}{{0,24}}? (?:عند|مع|لدى|بيد|بحوزة|بعهدة) {_NAME_AR}"),
    (_TASK_AR, None, rf"{_PART}{{0,24}}? (?:عند|لدى|بيد|بعهدة) {_NAME_AR}"),
    ("اطلب|استلم|تستلم|ستأخذ", None,
     rf"ي?(?: (?:ال)?(?:{_THING_AR}|{_TASK_AR})|ه|ها|وا) من {_NAME_AR}"),
    (_GIVEN_AR, None, rf"(?: من بعده| بعده)? {_NAME_AR}"),
    ("اسأل|كلّم", None, rf"(?: عن)? {_NAME_AR}"),
    ("交给|交给了|移交给|转给|托给|寄放在|留给", _TASK_ZH, rf"(?:了)?{_AFTER_ZH}"),
    ("归", _TASK_ZH, rf"{CHINESE}{HONOUR}(?=管|负责)"),
    ("在", "钥匙|门禁卡|公章|证件|合同|账本|材料|资料", rf"{_THERE_ZH}"),
    ("有事找|有事就找|直接找|去找|找", "前台|门口|窗口|传达室|有事|有问题|以后|需要|的事|的话"
                          "|报修|领|拿|取|办",
     rf"{CHINESE}{HONOUR}(?=[。，,；！.\n]|\Z|就行|就好|即可|拿|取|领|要|办|批)"),
)  # fmt: skip
# The name right before a phrase, and the thing before it.
_BEFORE = (
    ("に預け|が持って|が保管|に任せ|に渡し|が預か|が見ています|が引き受け"
     "|から受け取|に頼ん|の机|のところ|が代わりに|がまとめて",
     rf"(?:{_TASK_JA}){_PART}{{0,30}}?(?:[、はをがも]){JAPANESE}\Z"),
    ("갖고 |가지고 |보관|맡겨|맡기|이어받|넘겨|넘겼|인계|맡고|맡게|전담|보고 있|처리",
     rf"(?:{_TASK_KO}){_PART}{{0,30}}? {KOREAN}(?:이|가|께서|께|에게|한테|네)? (?:대신 |이제 |지금 "
     r"|다 |전부 |혼자 )?\Z"),
    ("के पास|को दी|को दे|को सौंप|से ले ल|से लेन|देख रह|संभाल रह|सँभाल रह", _NAME_HI),
)  # fmt: skip


def _phrases() -> Iterator[tuple[str, tuple]]:
    for said, needed, rest in _BEHIND:
        before = re.compile(rf"(?:{needed}){_PART}{{0,24}}\Z") if needed else None
        for one in said.split("|"):
            yield one, (re.compile(rest), before, True)
    for said, rest in _BEFORE:
        for one in said.split("|"):
            yield one, (re.compile(rest), None, False)


_BOOK = Book([phrase(said, rule) for said, rule in _phrases()])


def wide_keepers(text: str) -> Iterator[Anchor]:
    """Names of people who have a key, a paper or a task."""
    if text.isascii():
        return
    for begin, end, (pattern, before, behind) in spoken(text, _BOOK):
        match = beside(text, begin, end, pattern, _REACH, behind=behind)
        if match and (not before or before.search(text, max(0, begin - _REACH), begin)):
            yield announced(begin, match, KEPT, "prose:person", delimited=True)
