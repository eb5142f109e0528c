"""People by what they do, in scripts without capitals: ``由沈雨桐负责``, ``経理は水谷さんが担当``,
``담당자는 오하늘 님``, ``المحاسب الجديد هو باسل الخطيب``, ``बजट अब रश्मि देशपांडे संभालेंगी``.

What makes a name of words is a surname (Chinese, Korean), a word of address (Japanese, Korean), or
the place that its sentence gives it (Arabic, Hindi).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .duties import DUTY
from .spoken import Book, phrase, spoken

_REACH = 40  # characters before a word that may be a name
_HAN = "\u3400-\u9fff"
_SURNAME = (
    "(?:欧阳|司马|诸葛|上官|司徒|东方|慕容|令狐"
    "|[王李张刘陈杨黄赵周吴徐孙朱马胡郭林何高梁郑罗宋谢唐韩曹许邓萧冯曾程蔡彭潘袁于董余"
    "苏叶吕魏蒋田杜丁沈姜范江傅钟卢汪戴崔任陆廖姚方金邱夏谭韦贾邹石熊孟秦阎薛侯雷白龙段郝孔邵史毛常顾赖武康贺严尹钱施牛洪龚])"
)
_NO_NAME = (
    "(?!任何|高级|方面|石油|金融|常务|程序|马上|龙头|武汉|江苏|江西|白天|夏季|高层|方案"
    "|于是|何时|何人|金属|马来|孔子|江湖)"
)
_NO_LAST = "(?<![部局司处科组室厅院所会方员家人者们国省市区县队级层民商厂行店])"
_CHINESE = rf"{_NO_NAME}(?P<value>{_SURNAME}[{_HAN}]{{1,2}}?){_NO_LAST}"
_HONOUR = "(?:老师|经理|主任|医生|医师|工程师|师傅|先生|女士|同学|同志|律师|教授|护士|主管)?"
_JAPANESE = (
    rf"(?P<value>(?:[{_HAN}々]{{2,4}}|[ァ-ヶー]{{2,8}})(?:[ \u3000][{_HAN}々ぁ-ん]{{1,4}})?"
    r"(?:さん|様|先生|氏|課長|部長|主任|係長))(?<!皆さん)(?<!皆様)(?<!客さん)(?<!客様)(?<!者様)"
)
_KOREAN = (
    r"(?P<value>[김이박최정강조윤장임한오서신권황안송전홍유고문양손배백허남심노하곽성차주우구민류나진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용]"
    r"[가-힣]{1,2})(?: ?(?:님|씨)|(?: (?:팀장|과장|대리|부장|차장|선생|매니저|간호사|교수|주임"
    r"|사원|변호사|의사)(?:님)?))"
)
_ARABIC_WORD = "[\u0621-\u064a\u064b-\u0652]{2,16}"
_ARABIC = rf"(?P<value>{_ARABIC_WORD}(?: (?:بن|بنت|أبو|عبد))? {_ARABIC_WORD})"
_ARABIC_TITLE = r"(?:(?:د|م|أ)\. ?|(?:الدكتور|المهندس|الأستاذ|السيد)ة? )?"
_ARABIC_END = (
    r"(?=[.,،؛!)]|\s*(?:\n|\Z)| (?:من|في|منذ|ابتداء|اعتبارا|بدءا|وهو|وهي|ورقم|على"
    r"|صيانة|إدارة|مسؤولية|متابعة))"
)
_INDIC = "[\u0900-\u0963\u0970-\u097f]{2,14}"
_HINDI = (
    rf"(?P<value>(?:डॉ\.? |श्री |श्रीमती |सुश्री )?(?!का |की |के |को |से |में |अब |यह "
    rf"|है ){_INDIC} (?!का |की |के |को |से |में |अब ){_INDIC})"
)
_CHARGE = (
    "(?:जिम्मेदारी|ज़िम्मेदारी|देखरेख|प्रभारी|डॉक्टर|प्रबंधक|लेखाकार|अध्यापक|शिक्षक|वकील|संयोजक|नाम"
    "|इंचार्ज|निगरानी|का काम|का हिसाब) (?:अब )?"
)
_ROLE_AR = r"[^\n.؟!]{0,60}? (?:هو|هي|هما|سيكون|ستكون|أصبح|أصبحت)(?: الآن)? "
# What stands before a name, and what follows it.
_AFTER = (
    ("负责人|联系人|对接人|经办人|接班人|班主任|主治医生|家庭医生|会计|管理员|值班员|接口人"
     "|负责人换成|负责人改为",
     rf"[{_HAN}]{{0,6}}?(?:现在|今后|以后)?(?:是|叫|为|改为|换成|变成|："
     rf"|:) ?{_CHINESE}{_HONOUR}(?=[。，,；！.\n]|\Z)"),
    ("请联系|请找|请问|请咨询|请发给|请交给|请转给|请联络|交接给|移交给|转交给",
     rf"{_CHINESE}{_HONOUR}(?=[。，,；！.\n]|\Z)"),
    ("由", rf"{_CHINESE}{_HONOUR}(?:来|全权|统一|继续|暂时|专门|一并)?"
           r"(?:负责|接手|接任|担任|主管|跟进|处理|对接|牵头|保管|管理|审批|签字|代管|值班|主持"
           r"|接管|带队)"),
    ("担当は|担当者は|担当が|担当者が|責任者は|責任者が|窓口は|後任は|後任が|係は|主治医は"
     "|先生は|連絡先は|上司は|リーダーは",
     rf"(?:、|今後|新しく|当面|今日から)?{_JAPANESE}"),
    ("담당은|담당자는|담당자가|담당이|책임자는|책임자가|담당 의사는|담당 간호사는|담임은|후임은"
     "|후임자는|대표는|팀장은|문의는|관리자는|연락처는",
     rf" (?:이제 |앞으로 |다음 달부터 )?{_KOREAN}"),
    ("المسؤول عن|المسؤولة عن|مسؤول|مسؤولة|المحاسب|المحاسبة|الطبيب|الطبيبة|المدير|المديرة|المشرف"
     "|المشرفة|المنسق|المنسقة|المهندس|المهندسة"
     "|الممرض|الممرضة|المحامي|المحامية|جهة الاتصال|المعلم|المعلمة|أمين المستودع|الوكيل|السباك"
     "|الكهربائي|أمين الصندوق",
     rf"{_ROLE_AR}{_ARABIC_TITLE}{_ARABIC}{_ARABIC_END}"),
    ("يتولى|تتولى|سيتولى|ستتولى|تواصل مع|تواصلوا مع|يرجى التواصل مع|راجع|اتصل ب",
     rf" {_ARABIC_TITLE}{_ARABIC}{_ARABIC_END}"),
)  # fmt: skip
_BEFORE = (
    ("が担当|が行います|が引き継|が対応|が管理|が承認|が務め|が受け持|に引き継|に連絡|にご連絡"
     "|までご連絡|まで連絡|に聞いて|に相談|にお尋ね|になりました|になります|に替わり|に代わり"
     "|へ連絡",
     rf"{_JAPANESE}\Z"),
    ("负责|接手", rf"(?:\A|[。，,；\n：])(?:以后|今后|现在|今天起"
     rf"|从明天起)?{_CHINESE}{_HONOUR}\Z"),
    ("담당|맡|책임|문의|연락|관리|승인|바뀝|바뀌|변경|인수|처리|결재|합니다|해요|봅니다",
     rf"(?<![가-힣]){_KOREAN}(?:이|가|께서|으로|로|에게|께|한테)? (?:다음 달부터 |앞으로 |직접 "
     rf"|새로 )?\Z"),
    ("संभालेंग|संभालते|संभालती|संभाल रह|देखेंग|देखते हैं|देखती हैं|से संपर्क|से बात|को सौंप|से पूछ|के पास"
     "|ज़िम्मेदार हैं|जिम्मेदार हैं",
     rf"(?:\A|[।,\n] ?|{_CHARGE}|के लिए |अब ){_HINDI} \Z"),
    ("होंगे|होंगी|है|हैं", rf"{_CHARGE}{_HINDI} \Z"),
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
        if behind:
            match = pattern.match(text, end)
        else:
            match = pattern.search(text, max(0, begin - _REACH), begin)
        if match:
            value = Span(*match.span("value"))
            label = Span(min(begin, value.start), value.start)
            yield Anchor(label, value, DUTY, "prose:person", True)
