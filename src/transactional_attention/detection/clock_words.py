"""How clocks are told in words, for patterns: 两点半, 세 시 반, साढ़े छह बजे, siete y media."""

from __future__ import annotations

_NUMERAL = "[一二两三四五六七八九十]{1,3}"
_TENS = "[二三四五]?十[一二三四五六七八九]?|[零〇][一二三四五六七八九]"
HAN = (
    rf"(?:\d{{1,2}}|{_NUMERAL})[时時点點]"
    rf"(?:(?:\d{{1,2}}|{_NUMERAL})分|半|[一三]刻|整|(?:{_TENS})(?![多几余个]))?"
)
"""Chinese and Japanese."""
_HOURS_KO = "(?:열한|열두|다섯|여섯|일곱|여덟|아홉|한|두|세|네|열)"
_MINUTES_KO = "(?:이십|삼십|사십|오십)?(?:십)?[일이삼사오육칠팔구]?"
HANGUL = rf"(?:{_HOURS_KO}|\d{{1,2}}) ?시(?: ?(?:\d{{1,2}}|{_MINUTES_KO}) ?분| ?반)?"
HINDI = (
    "(?:सुबह |शाम |दोपहर |रात |सवेरे |तड़के ){0,1}(?:के )?(?:(?:साढ़े|साढ़े|सवा|पौने) )?"
    "(?:एक|दो|तीन|चार|पांच|पाँच|छह|छः|छे|सात|आठ|नौ|दस|ग्यारह|बारह|डेढ़|डेढ़|ढाई) बजे"
)
_ES = "(?:una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce)"
_TIME_ES = "(?: de la (?:mañana|tarde|noche))"
_PART_ES = "(?: (?:y|menos) (?:media|cuarto|cinco|diez|veinte|veinticinco)| en punto)"
_SURE_ES = rf"{_ES}(?:{_PART_ES}{_TIME_ES}?|{_TIME_ES})"
_FR = "(?:une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze)"
FRENCH = (
    rf"(?:\d{{1,2}} h(?: \d\d)?|{_FR} heures?(?: (?:et (?:demie|quart)|moins (?:le quart|cinq|dix"
    r"|vingt)|cinq|dix|quinze|vingt|trente|quarante-cinq))?|midi et demi|midi et quart)"
    r"(?: du (?:matin|soir)| de l['’]après-midi)?(?!\w)"
)
_DE = "(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)"
GERMAN = (
    rf"(?:halb|[Dd]reiviertel|(?:[Vv]iertel|fünf|zehn|zwanzig)(?: (?:vor|nach))?(?: halb)?) {_DE}"
    r"(?: Uhr)?(?: (?:morgens|abends|früh))?"
)
_IT = "(?:una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici)"
ITALIAN = (
    rf"{_IT} (?:e (?:mezza|mezzo|un quarto|tre quarti|cinque|dieci|venti)|meno (?:un quarto|cinque"
    r"|dieci|venti)|in punto)(?: d(?:el|i) (?:mattina|mattino|pomeriggio|sera))?"
)
_PT = "(?:uma|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze)"
PORTUGUESE = (
    rf"{_PT} (?:e (?:meia|um quarto|quinze|dez|vinte|cinco|trinta)|horas|em ponto)"
    r"(?: da (?:manhã|tarde|noite))?"
)
_RU = (
    "(?:первого|второго|третьего|четв[её]ртого|пятого|шестого|седьмого|восьмого|девятого|десятого"
    "|одиннадцатого|двенадцатого)"
)
RUSSIAN = (
    rf"(?:половин[еу]|пол|(?:двадцать|десять|пять|четверть)(?: минут)?) ?{_RU}"
    r"|без (?:четверти|десяти|пяти|двадцати) (?:час|два|три|четыре|пять|шесть|семь|восемь|девять"
    r"|десять|одиннадцать|двенадцать)"
)
_TR = "(?:on bir|on iki|bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on)"
TURKISH = rf"{_TR} buçuk|{_TR}(?:y?[ıiuüea]) (?:çeyrek|yirmi|beş|on) (?:geçe|kala|geçiyor|var)"
_AR = (
    "(?:الواحدة|الثانية عشرة|الثانية|الثالثة|الرابعة|الخامسة|السادسة|السابعة|الثامنة|التاسعة"
    "|العاشرة|الحادية عشرة)"
)
_PART_AR = "(?: (?:والنصف|والربع|والثلث|إلا (?:ال)?(?:ربعا?|ثلثا?)ً?))"
_TIME_AR = "(?: (?:صباحا|مساء|ظهرا|عصرا|فجرا)ً?)"
_SURE_AR = rf"{_AR}(?:{_PART_AR}{_TIME_AR}?|{_TIME_AR})"
ARABIC = rf"{_AR}{_PART_AR}?{_TIME_AR}?"
ENGLISH = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: [ap]m)?"
"""The hour of one."""
ABROAD = "|".join(
    (HINDI, _SURE_ES, FRENCH, GERMAN, ITALIAN, PORTUGUESE, RUSSIAN, TURKISH, _SURE_AR)
)
"""Those that may stand behind a day and a word for at."""
