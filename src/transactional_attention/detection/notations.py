"""Values of several words as countries write them: sums, telephones, moments, plates, file numbers.

A form is read from its first character, which a digit or a capital is: no text is searched.
``earlier`` finds what stands before a number and belongs to it (``R$ 1.250,00``, ``AB 123 CD``,
``July 4, 2031 at 9:15``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from .clock_words import ABROAD, HAN, HANGUL
from .weekdays import BEFORE, BEHIND, weekday_before

_SPACE = "[ \u00a0\u202f]"
_SUM = (
    r"(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2}(?!\d))?"
    r"|\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d\d)?|\d+(?:[.,]\d{1,2}(?!\d))?)(?:,[-–—](?!\w))?"
)
_CODES = (
    "USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|TRY|RUB|INR|KRW|CNY|BRL|MXN|AED|SAR"
    "|EGP|MAD|COP|CLP|ARS|PEN|UAH|KZT|QAR|KWD|HKD|TWD|SGD|THB|IDR|PHP|VND|ZAR|NGN|KES|RMB"
)
_SIGNS = "$€£¥￥₹₩₽₺"
_AFTER = (  # what follows a sum, by scripts: words that end, and characters that need no border
    r"(?:(?:тысяч[аи]?|тыс\.|mil|mila|bin|Tausend) )?"
    rf"(?:{_CODES}|[Ee]uros?|[Dd]ollars?|[Dd]ollari|d[oó]lares|pounds|reais|pesos|soles|francs"
    r"|quid|bucks|Franken|Kronen|kroner|kronor|rupees|yen|yuan|TL|[Ll]ira(?:s[ıi])?|[Ll]ire|dolar|avro|kr\.?"
    r"|zł|Kč|лв|грн|тенге|евро|долл\.|доллар(?:ов|а)?|руб\.|руб(?:л(?:ей|я|ь))?|р\.|тыс\. руб\."
    r"|(?:دولار|ريال|درهم|جنيه|دينار)(?:ا|ًا|اً|ات)?|يورو|ليرة|रुपये|रुपए|रुपया|रु\.?|डॉलर)(?!\w)"
    rf"|[{_SIGNS}]|万?元|万?円|(?:억 ?\d[\d,]{{0,5}}만|만 ?\d{{1,4}}[천백]?|[만천백]{{0,2}}) ?원"
    r"|块钱?|美元|欧元|港元|日元|ドル|ユーロ|달러|유로"
)
MONTHS = (
    "jan(?:uary|eiro|vier|uar)?|feb(?:ruary|rero|braio|ruar)?|fevereiro|février|mar(?:ch|zo|ço|s|t)?"
    "|märz|apr(?:il|ile)?|abril|avril|may|mayo|maio|maggio|mai|jun(?:e|io|ho|i)?|giugno|juin"
    "|jul(?:y|io|ho|i)?|luglio|juillet|aug(?:ust)?|agosto|août|sep(?:t|tember|tiembre|tembre)?"
    "|setiembre|setembro|settembre|oct(?:ober|ubre|obre)?|outubro|ottobre|oktober|okt"
    "|nov(?:ember|iembre|embro|embre)?|dec(?:ember)?|diciembre|dezembro|dicembre|décembre|dezember"
    "|dez|enero|janeiro|gennaio|ocak|şubat|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım"
    "|aralık|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря"
    "|يناير|فبراير|مارس|أبريل|إبريل|ابريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر"
    "|जनवरी|फ़रवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|सितम्बर|अक्टूबर|अक्तूबर|नवंबर|नवम्बर"
    "|दिसंबर|दिसम्बर|كانون (?:الثاني|الأول)|شباط|آذار|نيسان|أيار|حزيران|تموز|آب|أيلول"
    "|تشرين (?:الثاني|الأول)|جانفي|فيفري|أفريل|جوان|جويلية|أوت|غشت"
)
_HOUR = (
    r"(?:Uhr|hrs?|hs|h|horas|ore|heures|часов|часа|час|ч\.?|बजे|[ap]m|[ap]\.m\.?|[AP]M|[AP]\.M\.?"
    r"|ص|م|(?:صباح|مساء|ظهر|عصر|ليل|فجر)(?:ا|ًا|اً|ً)?)"
)
CLOCK = (
    rf"(?:\d{{1,2}}[:.h]\d\d(?::\d\d)?(?: ?{_HOUR}(?!\w))?"
    rf"|\d{{1,2}} ?(?:h|Uhr|ч|час(?:ов|а)?) \d\d(?!\w)|\d{{1,2}} ?{_HOUR}(?!\w))"
)
_TOLD = (  # a clock in words
    r"(?:noon|midnight|(?:half|(?:a )?quarter|five|ten|twenty) (?:past|to) {0}"
    r"|{0} (?:o['’]clock|[ap]m|fifteen|thirty|forty-five))"
).format("(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)")
_AT = (
    r"(?:,| [–—-])? (?:(?:at|в|às|as|a las|a la|alle ore|alle|ore|à|um|gegen|saat|الساعة|على|في"
    r"|को|सुबह|शाम|दोपहर|kl\.?|@|o|u|около) ){0,2}"
)
_YEAR = r"(?: ?г(?:ода|\.)| yılı| م)?"
_DAY = rf"\d{{1,2}}(?:st|nd|rd|th|\.|º|°|er)? (?:de |of )?(?:{MONTHS})\.?(?!\w)"
_WEEKDAY = (
    r"(?:(?:(?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun)(?:[a-z]{3,6})?"
    rf"|(?i:{BEFORE}))[.,]{{0,2}} (?:den |the )?)?"
)
_ZONE = r"(?: [+-]\d{4}(?!\d)| (?:UTC|GMT|CES?T|[ECMP][SD]T|Z)(?!\w))?"
_AS_PRINTED = re.compile(  # by C and by openssl
    r"(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?: [A-Z]{3,4})? \d{4}"
    r"(?: [A-Z]{3,4})?(?!\w)"
)
_LOGGED = r"\d{1,2}/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d"
_DATED = rf"(?:,? (?:de |del )?\d{{4}}(?!\d){_YEAR})"
_NUMERIC = (
    r"(?:\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d\d)|\d{4}[./]\d{1,2}[./]\d{1,2})"
    rf"(?!\.?\d){_YEAR}"
)
_SHORT_DAY = r"\d{1,2}[./]\d{1,2}\.?,? (?:à|at|ore|alle ore|alle|um|às|a las|a la|saat|в|kl\.?) "
_SPOKEN = r"\d{1,2}(?:[:.]\d\d)? ?(?:[ap]m|[ap]\.m\.|[AP]M|[AP]\.M\.)"
HALF = "上午|下午|午前|午後|晚上|早上|中午|傍晚|夜|朝|오전|오후|저녁|밤|아침"
_WIDE_DAY = (
    rf"(?:\d{{4}}年{_SPACE}?)?\d{{1,2}}月\d{{1,2}}[日号](?:[（(][^）)\n]{{1,3}}[）)])?"
    rf"|(?:\d{{4}}년 ?)?\d{{1,2}}월 ?\d{{1,2}}일(?: ?\([^)\n]{{1,3}}\)| [월화수목금토일]요일)?"
)
_WIDE_CLOCK = rf",? ?の?(?:{HALF})? ?(?:{HAN}|{HANGUL}|\d{{1,2}}[:：]\d\d)"
_PHONE = (
    r"(?:\+?\d{1,3}[ -])?\(\d{1,5}\)[ -]?\d{2,8}(?:[ -]\d{2,4}){0,3}"
    r"(?:,? (?:ext|x|poste|Durchwahl|int)\.? ?\d{1,6})?"
    r"|0[ \u00a0]8\d\d(?:[ \u00a0]\d\d){3}|0\d{1,5} ?[/–-] ?\d{2,8}(?:[ -]\d{2,8}){0,4}"
    r"|\+\d{1,3}(?:[ -]\d{1,8}){2,6}|(?!\d{4}-\d\d-\d\d)\+?\d{2,5}(?:[ /-]\d{2,8}){1,5}"
)
_PROVINCES = (  # the first sign of a Chinese plate
    "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领港澳台滬雲遼蘇贛晉陝貴寧瓊"
)
_PLATE = (
    r"[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?|[A-Z]{2}[ -]\d{3}[ -][A-Z]{2}|[A-Z]{2}\d\d [A-Z]{3}"
    r"|(?!RFC|PEP|ISO|DIN|IEC|BIP|USB|UTF|HTTP|GMT|UTC|NYC|BWV|NGC|CVE|PDF|CSV)[A-Z]{3} \d{3,4}"
    r"(?!\.\d)"
    r"|\d{4} [B-DF-HJ-NP-TV-Z]{3}|(?!19|20)\d{4} [A-Z]{3}|\d\d [A-Z]{1,3} \d{2,5}"
    r"|[A-Z]{2}[ -]\d\d[ -][A-Z]{1,2}[ -]\d{4}"
    r"|[A-Z]{3} \d[A-Z]\d\d|\d{2,3}[가-힣] ?\d{4}"
    rf"|[{_PROVINCES}][A-Z][·•・ ]?[A-Z\d]{{5,6}}"
    r"|[А-Я] ?\d{3} ?[А-Я]{2} ?\d{2,3}"
    r"|[\u4e00-\u9fff]{2,4} ?\d{3} ?[あ-ん] ?\d\d-\d\d"
)
_SURE_PLATE = re.compile(r"[A-Z]{1,3}-[A-Z]{1,2} \d{3,4}[EH]?|[A-Z]{2}\d\d [A-Z]{3}")
_QUANTITY = r"\d{1,3}(?:\.\d{3}|[' ]\d{3})+,\d{2,3}|\d{1,3}(?:[,' ]\d{3})+\.\d{2,3}"
_FILE = r"\d{1,4} [A-Z][A-Za-z]{0,3} \d{1,5}/\d\d(?:\d\d)?|[A-Z]{1,3} \d{1,6}/(?:\d\d|\d{4})"
_FILE += r"|(?:19|20)\d\d/\d{1,6} [EK]\.(?:,? (?:19|20)\d\d/\d{1,6} K\.)?"  # of a Turkish court
_FILE += r"|\d{1,6}(?:/[\u0621-\u064a]{1,2})? لسنة (?:19|20)\d\d"
_END = r"(?![A-Za-z0-9_])"
_FORM = re.compile(
    rf"(?P<moment>{_WEEKDAY}"
    rf"(?:(?i:{_DAY}{_DATED}?(?:{BEHIND}{_AT}(?:{CLOCK}|{ABROAD})|,? at {_TOLD})){_ZONE}"
    rf"|{_NUMERIC}{_AT}{CLOCK}{_ZONE}|{_SHORT_DAY}{CLOCK})"
    rf"|(?:{_WIDE_DAY}){_WIDE_CLOCK}){_END}|(?P<logged>{_LOGGED}{_ZONE}){_END}"
    rf"|(?P<day>(?i:{_DAY}{_DATED})|{_NUMERIC}|{_WIDE_DAY}){_END}"
    rf"|(?P<money>{_SUM}{_SPACE}?(?:{_AFTER})"
    rf"|(?:[A-Z]{{0,3}}[{_SIGNS}]|Rs\.?|kr\.?|{_CODES}|人民币){_SPACE}?{_SUM}(?:万?元)?){_END}"
    rf"|(?P<clock>{_SPOKEN}){_END}|(?P<file>{_FILE}){_END}|(?P<plate>{_PLATE}){_END}"
    rf"|(?P<quantity>{_QUANTITY}){_END}|(?P<phone>{_PHONE})(?![A-Za-z0-9_:-]|\.\w)"
)
# How a form goes on behind its first number or capitals; no form is a day as computers write it.
# A word: by the first letters of months, currencies, "of", "at" and "p.m.".
_WORD_ON = (
    r"(?i:a|b[iu]|d[eioóé]|e[knuy]|f[eér]|g[ei]|ha|j[au]|k[alr]|l[iu]|m[aäi]|n[io]|o[cfkrtu]|p[emo.]|qu"
    r"|r[eu]|s[aeo]|t[ae]|um|y[eu]|z[lł])|[A-Z]|[^\x00-\x7f]"
)
_BEHIND_SPACE = rf"(?:{_WORD_ON}|[\d($/-]| 원)"
_BEHIND_DECIMALS = rf"(?:[./'{_SIGNS}]|,[\d -]|,?[^\x00-\x7f]| {_BEHIND_SPACE}|{_WORD_ON})"
_MAY_BE = re.compile(
    rf"(?!\d{{4}}-\d\d-\d\d)\+?\(?\d{{1,8}}(?:[.,]\d{{1,3}}{_BEHIND_DECIMALS}"
    rf"|(?:st|nd|rd|th|[.°º])? {_BEHIND_SPACE}|['’]\d|/[ \dA-Z]|,[–—-]|-[ \d(]"
    rf"|[{_SIGNS}\u00a0\u202f\u0590-\uffef]"
    rf"|\)\d{{0,4}}[ .,'’/°º{_SIGNS}\u00a0\u202f\u0590-\uffef-])"
    rf"|\d{{1,2}}:\d\d ?[aApP]|[A-Z]{{0,4}}[ {_SIGNS}-]"
    rf"|(?:[A-Z]{{2}}\d\d|[A-Z][a-z]{{2,8}}[.,]?) |Rs|kr|[^\x00-\x7f]"
    r"|[A-Z]?[a-zà-ÿ]{2,12}(?:-feira)?[.,]{0,2} "
)
_ENGLISH = "January|February|March|April|May|June|July|August|September|October|November|December"
_NAMED_DAY = re.compile(
    rf"(?:{_ENGLISH}|[JFMASOND][a-z]{{2}}\.?) \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"(?:,| at|,? @)? {CLOCK}{_END}"
)
# Read backwards from a number.
_BEFORE = re.compile(
    rf"{_SPACE}(?:\$[A-Z]{{0,3}}|[{_SIGNS}]|\.?sR|\.?rk|[A-Z]{{3}})(?!\w)|币民人"
    r"| [A-Z]{1,2}-[A-Z]{1,3}(?![\w.])|(?: ?[A-Z]{1,2})? [A-Z]{1,4}(?![\w.])| [a-z]{2,8}[A-Z](?!\w)"
    r"| ?[\u4e00-\u9fff]{2}| ,?(?:noM|euT|deW|uhT|irF|taS|nuS)(?!\w)"
)
_MAY_STAND_BEFORE = frozenset(f".,{_SIGNS}")  # besides letters
_SECOND = re.compile(r":\d\d:\d\d [\w\[<]")
_DIGITS = re.compile(r"\d+")
_YEARS = re.compile(r"(?:19|20)\d\d\D(?:19|20)\d\d(?!\d)")
LEAST, MOST = 9, 19
"""Digits of a number in groups."""
LEAST_SUM = 4
"""Digits of a whole sum that is a value without a label; one with cents has one more."""
_ROUND = "000"  # how one ends that is rounded
SCALE = 12
"""Characters after a sum that may say "million"."""
_SCALE = re.compile(r" (?:thousand|million|billion|trillion|mill?ion[ei]n?|mld|mln)\b")
_CENTS = re.compile(r"[.,]\d\d(?!\d)")
_PAST = re.compile(r"(?<!\d)1[0-8]\d\d(?!\d)|(?<!\d)19[0-4]\d(?!\d)")
CONFIDENCE = {"moment": 0.6, "phone": 0.55, "money": 0.51, "plate": 0.51, "quantity": 0.5}
"""By what a value is, without a label (see ``forms``)."""


def written(text: str, at: int) -> tuple[int, str]:
    """Where a value that begins at ``at`` ends, and what it is; (``at``, "") when none does."""
    if _MAY_BE.match(text, at) is None:
        return at, ""  # most values
    return _written(text, at)


@lru_cache(maxsize=256)  # several detectors ask for the same place
def _written(text: str, at: int) -> tuple[int, str]:
    if text[at].isalpha() and text[at].isascii():
        match = _AS_PRINTED.match(text, at) or _NAMED_DAY.match(text, at)
        if match is not None:
            return (at, "") if _is_stamp(text, at, match.end()) else (match.end(), "moment")
    match = _FORM.match(text, at)
    if match is None or match.lastgroup is None:
        return at, ""
    if match.lastgroup == "phone" and not is_telephone(match.group()):
        return at, ""
    return match.end(), match.lastgroup


def _is_stamp(text: str, at: int, end: int) -> bool:
    """Whether a program stamped its line: the second, and words after it, where the line begins."""
    return text[at - 1 : at] in ("", "\n") and _SECOND.match(text, end - 6) is not None


def earlier(text: str, begin: int) -> int:
    """Where a value begins of which ``text[begin:]`` is a number: ``begin`` in most cases."""
    before = text[begin - 1 : begin]
    if before not in (" ", "\u00a0", "\u202f") and before < "\u4e00":
        return begin
    if "A" <= text[begin : begin + 1] <= "Z":
        return begin - (before >= "\u4e00")  # a plate
    last = text[begin - 2 : begin - 1]
    if before < "\u4e00" and not (last.isalpha() or last in _MAY_STAND_BEFORE):
        return begin  # most values
    match = _BEFORE.match(text[max(0, begin - 14) : begin][::-1])
    return begin - match.end() if match else weekday_before(text, begin)


def is_telephone(value: str) -> bool:
    """Whether groups of digits are as many as a number has, and no round ones."""
    groups = _DIGITS.findall(value)
    counted = LEAST <= sum(map(len, groups)) <= MOST and not groups[-1].endswith("000")
    return counted and _YEARS.match(value) is None


def is_estimate(value: str, after: str = "") -> bool:
    """Whether a sum is a small price or a round one, which nobody needs to the cent.

    ``after``: what follows it, which may be "million".
    """
    digits = sum(map(len, _DIGITS.findall(value)))
    least = LEAST_SUM + 1 if _CENTS.search(value) else LEAST_SUM
    return digits < least or is_rounded(value, after)


def is_rounded(value: str, after: str = "") -> bool:
    """Whether a sum is told in thousands or millions."""
    if _SCALE.match(after):
        return True
    return not _CENTS.search(value) and "".join(_DIGITS.findall(value)).endswith(_ROUND)


def is_past(value: str) -> bool:
    """Whether a written value is a day before anybody's lifetime."""
    return written(value, 0)[1] in ("day", "moment") and _PAST.search(value) is not None


def confidence(value: str, kind: str) -> float:
    """Confidence of a written value without a label."""
    if kind == "money" and is_estimate(value):  # what follows it is part of it
        return 0.0
    if kind == "moment" and _PAST.search(value):
        return 0.0
    if value.endswith(("pounds", "dollars")):
        return 0.0  # English prose counts so: other detectors read what announces it
    if kind == "plate" and value.isascii() and not _SURE_PLATE.fullmatch(value):
        return 0.0  # as abbreviations beside numbers are
    return CONFIDENCE.get(kind, 0.0)
