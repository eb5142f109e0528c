"""Patterns of street addresses in Latin, Cyrillic, Arabic, Devanagari and East Asian script.

Name first: one pattern up to the house number, another (``..._REST``) from it on. Number first: one
pattern of the whole. A town counts when a clause ends behind it, or a postcode stands beside it.
"""

from __future__ import annotations

# Latin script: names begin with a capital and may be joined by small words.
_SMALL = "A-Za-zÀ-ÖØ-öø-ſ"
_CAPITAL = "[A-ZÀ-ÖØ-ÞČĆŁŚŠŽİĞŞŒ]"
_PROPER = rf"{_CAPITAL}[{_SMALL}]{{0,24}}(?:['’.-][{_SMALL}]{{1,24}}){{0,3}}"
_PROPER += rf"(?:(?<![{_SMALL}]{{4}})\.)?"  # of an abbreviation
_JOIN = (
    r"(?:(?:de|del|la|las|los|el|le|les|du|des|della|delle|dello|dei|degli|di|da|do|das|dos|van|von"
    r"|y|e|den|der|sur|aux?) |[ldLD]['’]|[dD]ell['’]|(?:de|du|des|la|le|les|sur)-)"
)
_NAME = rf"(?:{_JOIN}){{0,3}}{_PROPER}(?:[ -](?:{_JOIN}){{0,3}}{_PROPER}){{0,3}}"
_CITY = rf"(?:St\. )?{_CAPITAL}[{_SMALL}]{{0,24}}(?:['’-][{_SMALL}]{{1,24}}){{0,3}}"
_NEAR = "am|an der|de|do|da|del|la|sur|sous|upon|im"
_TOWN = rf"{_CITY}(?:[ -](?:(?:{_NEAR})[ -])?{_CITY}){{0,2}}"
_CLAUSE_END = r"(?=[.,;:!?)\]\"'”»«“|<\n\\।،。，、）」』]|\s*\Z| [–—-] )"
_COUNTED = (
    r"(?! ?(?:km|m²|m|kg|min|h|Uhr|years?|percent|people|times|points|euros?|personas|км|кв\. ?м"
    r"|млн|тыс|га)\b)"
)
_NO_TIME = r"(?![:.,]\d)"
HOUSE = (
    rf"\d{{1,4}}(?:[A-Za-z]| [A-D])?(?:[-/–]\d{{1,4}}[A-Za-z]?)?(?![\w%°€$£]){_NO_TIME}{_COUNTED}"
)
_UNIT = (
    r"(?:,? (?:ground|first|second|third|fourth|fifth|sixth|top|\d{1,2}(?:st|nd|rd|th)) floor\b"
    r"|,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Apto|apto|Piso|piso|Esc|esc|Bldg|Top|int)"
    r"\b\.? ?[\w-]{1,5}|,? #\d{1,5}|,? \d{1,2}[.]?[ºª°][.]?"
    r"(?: ?[A-Z]{1,3}\b| (?:izquierda|derecha|izda|dcha|centro)\b)?)?"
)
_POSTED = (
    rf"(?:(?:[A-Z]{{1,2}}-)?\d{{4,5}} {_TOWN}(?: \([A-Z]{{2}}\))?|\d{{5}}-\d{{3}}(?: {_TOWN})?"
    rf"|[A-Z]{{2}}(?=, \d{{5}}-\d{{3}}))"
)
PLACE = (
    rf"{_UNIT}(?:(?:,? | [-–—] |\n)(?:{_POSTED}"
    rf"|(?:(?<=, )|(?<=[-–—] )){_TOWN}{_CLAUSE_END})){{0,4}}"
)
_STATE = (
    r"(?:[A-Z]{2} \d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d"
    r"|[A-Z]{2,3} \d{4}|[A-Z]\d[\dW] [A-Z\d]{4})\b"
)

_WAYS = (
    "Street|Road|Avenue|Boulevard|Lane|Drive|Court|Place|Square|Terrace|Way|Close|Crescent|Parkway"
    "|Highway|Row|Mews|Quay|Gardens|Grove|Hill|Walk|Alley|Circle|Wharf|Embankment"
    "|Rise|Wynd|Yard|Croft|Parade|Brae"
)
_SHORT_WAYS = "St|Rd|Ave|Blvd|Ln|Dr|Ct|Pl|Sq|Pkwy|Hwy"
_HOUSE_NUMBER = r"\d{1,5}[A-Za-z]?(?:[-–/]\d{1,4})? "
_ENGLISH_STREET = (
    rf"(?:(?:{_PROPER}|\d{{1,3}}(?:st|nd|rd|th)|of|the) ){{1,4}}?"
    rf"(?:(?:{_WAYS})\b|(?:{_SHORT_WAYS})\b(?:\.(?=,| [A-Z#\d]))?)"
    rf"(?: (?:NW|NE|SW|SE|[NSEW])\b)?{_UNIT}"
    rf"(?P<place>(?:, ?{_TOWN}){{1,2}},? {{1,2}}{_STATE}|,? {_STATE}"
    rf"|(?:, {_TOWN}{_CLAUSE_END}){{1,2}})?"
)
ENGLISH = _HOUSE_NUMBER + _ENGLISH_STREET
IN_HOUSE = rf"\d{{1,4}}[A-Za-z]?, (?:{_HOUSE_NUMBER})?{_ENGLISH_STREET}"
"""Behind the word for a part of a house, which stands before its number."""
_RUE = "rue|avenue|av\\.|boulevard|bd\\.?|quai|impasse|chemin|allées?|ruelle|faubourg|sentier"
FRENCH = (
    r"\d{1,4}(?: ?(?:bis|ter|quater)\b|[A-D]\b)?(?: ?[-/] ?\d{1,4})?,? "
    rf"(?:(?i:{_RUE}|place|route|cours|passage|square|esplanade|villa) {_NAME}"
    rf"|(?i:{_RUE}) (?:{_JOIN}){{1,3}}[{_SMALL}]{{3,}}){PLACE}"
)
_NUM = r"(?:(?:,? (?i:n\. ?[º°]|n[º°o]\.?|n\.|núm\.|num\.|número|numero|nr\.|#) ?|, ?| ))"
_CALLE = (
    "calle|c/|avenida|avda\\.?|av\\.|plaza|pza\\.|paseo|carrer|carretera|travesía|glorieta|viale"
    "|v\\.le|piazza|p\\.zza|piazzale|corso|vicolo|lungomare|rua|travessa|praça|alameda|rodovia"
)
ROMANCE = (
    rf"(?<!\w)(?:(?i:{_CALLE})|rue|avenue|boulevard|quai|chemin|Rue|Chemin|Quai|Largo|Camino|Ronda"
    r"|Carrera|Cra\.|Strada|Estrada|Via|(?:\A|(?<=in )|(?<=di )|(?<=è )|(?<=da )|(?<=alla )"
    rf"|(?<=[:,\"“«(] )|(?<=[\"“«(:]))via) ?(?:{_NAME}|(?:\d{{1,2}}|[IVX]+) (?:de |di )?{_PROPER}"
    rf"|\d{{1,3}}[A-Z]?(?= ?#| No)){_NUM}"
)
STRASSE = (
    "straße|strasse|str\\.|gasse|weg|platz|allee|chaussee|stieg|steig|pfad|straat|laan|gracht|plein"
)
GERMAN = (
    rf"(?<!\w)(?:[A-ZÄÖÜ][{_SMALL}-]{{2,30}}(?:{STRASSE})"
    rf"|(?:{_PROPER}[ -]){{1,2}}(?:Straße|Strasse|Str\.|Allee|Weg|Platz|Gasse|Chaussee)"
    rf"|[A-ZÄÖÜ][{_SMALL}]{{2,20}}er (?:Ring|Damm|Ufer|Tor|Markt|Hof|Wall|Berg)"
    rf"|(?:Straße|Strasse|Platz|Allee) (?:des|der|am) (?:\d{{1,2}}\. )?{_PROPER}) "
)
_CADDE = (
    r"Caddesi|Cad\.|Cd\.|Sokak|Sokağı|Sok\.|Sk\.|Bulvarı|Bulv\.|Blv\.|Mahallesi|Mah\.|Yolu|Meydanı"
)
TURKISH = (
    rf"(?<!\w)(?:(?!Adres|\w+m[iıuü]z )(?:{_PROPER} ){{1,3}}?(?:{_CADDE}),? ?){{1,3}}"
    rf"(?:\d{{1,4}}\. (?:{_CADDE}),? ?)?(?:(?:[Nn]o|Numara)\b[.:]? ?)?"
)
TURKISH_REST = (
    rf"\d{{1,4}}(?:/\d{{1,3}}|[A-Z]\b)?(?![\w%]){_NO_TIME}"
    r"(?:,? (?:D|Daire|Kat|K|Blok)\b[:.]? ?\d{1,3}){0,2}"
    rf"(?:,? (?:\d{{5}} ?)?{_TOWN}(?: ?/ ?{_TOWN})?{_CLAUSE_END})?(?: ?/ ?{_TOWN})?"
)

# Cyrillic.
_WORD = r"[А-ЯЁ][\w.-]{0,24}"
_ULITSA = (
    r"ул\.|улиц[аеыу]|пр\.|пр-т|просп\.|проспекте?|пер\.|переул(?:ок|ке)|пл\.|площад[ьи]|наб\."
    r"|набережн(?:ая|ой)|б-р|бул\.|бульваре?|ш\.|шоссе|проезде?|пр-д|мкр\."
)
RUSSIAN = (
    rf"(?<!\w)(?:(?:г\. ?)?{_WORD}, )?(?:(?i:{_ULITSA}) ?(?:\d{{1,3}}(?:-\w{{1,2}})? )?"
    rf"(?:{_WORD} ?){{1,3}}|(?:{_WORD} ){{1,2}}(?:{_ULITSA})),? ?(?:д\. ?|дом )?"
)
RUSSIAN_REST = (
    rf"\d{{1,4}}[а-яА-Я]?(?:/\d{{1,3}})?(?!\w){_NO_TIME}{_COUNTED}"
    r"(?:,? ?(?:к\.|корп\.?|корпус|стр\.|строение|кв\.|квартира|оф\.|офис|под\.|подъезд|эт\.|этаж)"
    rf" ?\d{{1,4}}[а-я]?){{0,4}}(?:, (?:г\. ?)?{_WORD}{_CLAUSE_END}|, \d{{6}}\b){{0,2}}"
)

# Arabic and Devanagari: no capitals, so names end where a clause does or after few words.
_ARABIC_WORD = "[\u0621-\u0652]{1,24}"
SHARI = "شارع|طريق|جادة|حارة|ميدان|زقاق"
ARABIC_TOWN = (
    rf"(?:[،,] ?(?:(?:شقة|الشقة|الدور|الطابق) {_ARABIC_WORD}"
    rf"|{_ARABIC_WORD}(?: {_ARABIC_WORD})?{_CLAUSE_END})){{0,2}}"
)
ARABIC = (
    rf"(?<!\w)(?:{SHARI}) (?:{_ARABIC_WORD} ){{0,2}}{_ARABIC_WORD}[،,]? ?"
    r"(?:(?:مبنى|المبنى|عمارة|بناية|منزل|بيت) )?(?:رقم )?"
)
ARABIC_FIRST = (
    rf"\d{{1,4}}[،,]? (?:{SHARI}) {_ARABIC_WORD}(?: ال{_ARABIC_WORD}){{0,2}}"
    rf"(?: {_ARABIC_WORD}{_CLAUSE_END})?{ARABIC_TOWN}"
)
_HINDI_WORD = "[\u0900-\u0963\u0970-\u097f]{1,24}"
MARG = "मार्ग|रोड|गली|सड़क|पथ|लेन|नगर|कॉलोनी|विहार|चौक|स्ट्रीट|बाज़ार|बाजार|मोहल्ला|एन्क्लेव"
_HINDI_END = rf"(?:{_CLAUSE_END}|(?= ?[–-]? ?\d{{6}}| (?:में|पर|है)))"
_HINDI_TOWN = rf"(?:, ?{_HINDI_WORD}(?: {_HINDI_WORD})??{_HINDI_END}){{0,2}}(?: ?[–,-]? ?\d{{6}})?"
_HINDI_NAME = rf"(?:{_HINDI_WORD} ){{1,3}}?(?:{MARG})(?![\u0900-\u0963\u0970-\u097f]){_HINDI_TOWN}"
HINDI_FIRST = rf"\d{{1,4}}(?:[-/]\w{{1,3}})?, {_HINDI_NAME}"
HINDI_HOUSE = (
    rf"(?:मकान|प्लॉट|फ़्लैट|फ्लैट|दुकान|(?:{_HINDI_WORD} ){{1,2}}(?:{MARG}),?)"
    r" (?:(?:नंबर|नं\.?|संख्या|क्रमांक) )?"
)
HINDI_REST = rf"\d{{1,4}}(?:[-/]\w{{1,3}})?(?!\w){_NO_TIME}(?:,? {_HINDI_NAME})?"

# Scripts without spaces: a name begins behind a particle or a verb.
_HAN = "\u4e00-\u9fff"
HAN_NAME = (
    rf"(?:(?![在到了是为於于至往去从由我你他她们的与及请寄送来住址搬叫即就]|和(?!平))[{_HAN}])"
)
CHINESE = rf"{HAN_NAME}{{2,16}}(?:路|街|道|巷|弄|胡同)(?:[东西南北中一二三四]段?)?[甲乙丙]?"
CHINESE_REST = (
    r"\d{1,5}(?:号院?|號|弄)(?!线)"
    rf"(?:[{_HAN}A-Z]{{0,4}}?\d{{1,4}}(?:号楼|号|楼|栋|幢|座|单元|室|层|號)){{0,4}}"
)
CHINESE_FIRST = r"\d{1,3}号楼(?:\d{1,3}(?:单元|门))?\d{2,4}室?"
KANJI = rf"(?:[{_HAN}々ァ-ヶー]|(?<=[{_HAN}])[がのケ](?=[{_HAN}]))"
JAPANESE = rf"(?={KANJI}*?[都道府県市区町村郡丘台]){KANJI}{{2,24}}"
_GROUP = r"[1-9]\d{0,3}"
BLOCK = rf"{_GROUP}丁目(?:{_GROUP}(?:番地?|[-−‐ー])?(?:の?{_GROUP}号?)?)?"
ROOM = r"(?:[ 　]?[ァ-ヶー]{2,12}\d{2,4}(?:号室|号)?)?"
JAPANESE_REST = (
    rf"(?!(?:19|20)\d\d)(?:{BLOCK}|{_GROUP}(?:[-−‐]{_GROUP}){{1,3}}(?![\d-])"
    rf"|{_GROUP}番地?(?:の?{_GROUP})?号?){ROOM}"
)
_HANGUL = "[가-힣]"
KOREAN = (
    rf"(?<!\w)(?:(?:{_HANGUL}{{1,6}}(?:시|도|구|군|동|읍|면) ){{1,4}}{_HANGUL}{{2,8}}로"
    rf"|(?:{_HANGUL}{{1,6}}(?:시|도|구|군|동|읍|면) ){{0,4}}{_HANGUL}{{2,8}}(?:길|대로)"
    rf"|(?:주소|곳|집|본사|사무실|매장|회사)[은는이가도]?:? ({_HANGUL}{{2,8}}(?<!으)로)"
    rf"|\A{_HANGUL}{{2,8}}(?<!으)로) ?(?:\d{{1,3}}번?길 )?"
)
KOREAN_REST = (
    r"\d{1,4}(?:-\d{1,4})?(?:번지)?(?!\d|[:.,]\d|분|시|명|개|원|년|월|일|번|회|점|%|km|미터|위|초|도|살"
    r"|세|배|인)(?:,? ?(?:\d{1,4}동 ?)?\d{1,4}(?:호|층))?"
)
