"""Words between quotes that somebody is told to say, in other languages than English: ``قل له
«قمر على السطح»``, ``只要说一句“桂花开得晚”``, ``암호 대라고 하면 ‘고래 세 마리’라고 해``,
``‘turnalar göçtü’ diyeceksin``.

Books quote what is said; a message orders it. So the verb is an order or what the reader will do,
next to the quotes, and shortly before them a secret is named or somebody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..quoted_states import is_state
from ..quotes import mate
from ..spoken import Book, phrase, spoken

TOLD = 0.68
_REACH = 88  # characters before the quotes in which a secret is named or somebody asks
_MOST = 64  # characters of what is said
_SECRET = (
    "كلمة السر|كلمة المرور|الكلمة السرية|الشيفرة|गुप्त|कूट|पासवर्ड|कोड वर्ड|संकेत शब्द|合言葉|合い言葉"
    "|暗号|パスフレーズ|秘密の言葉|암호|암구호|비밀번호|暗号|暗语|口令|接头|密语|parola|şifre"
    "|contraseña|santo y seña|palabra clave|mot de passe|mot de code|losung|kennwort|passwort"
    "|codewort"
    "|parola d['’]ordine|senha|palavra-passe|palavra-chave|пароль|кодовое|condizione"
)
_ASKED = (
    "سألك|سألوك|سأل|طلب منك|طلبوا|يرن|اتصل|पूछ|कहे|聞かれ|求められ|尋ねられ|問われ|確認|물으면"
    "|물어보면|물어보|대라고|전화가 오면|问你|问起|盘问|门卫|见到|对方|sorarsa|sorar|soracak"
    "|sorduğunda"
    "|isterse|preguntan?|pregunte|llamen|demande|interroge|fragt|fragen|gefragt|chiede|chiedono|domanda"
    "|pergunta|perguntar|спрос|позвон"
)
_CONTEXT = re.compile(rf"(?:{_SECRET}|{_ASKED})", re.IGNORECASE)
# Orders before what is said, with a few words between.
_BEFORE = (
    "قل|فقل|قولي|فقولي|قولوا|أجب|فأجب|أجيبي|رد عليه|फिर कहना|कहना|बोलना|बताना|पूछना|说|說|就说"
    "|回答|答"
    "|报上|di|dile|diga|dígale|responda|contesta|conteste|dis|dis-lui|dites|répondez|réponds"
    "|sag|sage|sagen sie|antworte|antworten sie|di'|dì|digli|dille|rispondi|risponda|dica|diz|diga"
    "|responda|diz-lhe|скажи|скажите|ответь|ответьте|отвечай|назови|назовите"
).split("|")
_TO_QUOTES = re.compile(
    r"(?:(?: (?:له|لها|لهم|عليه|بعبارة|بجملة|فقط|ihm|ihr|einfach|nur|simplement|solo|semplicemente"
    r"|simplesmente|только|ему|ей|тогда|sólo|seulement))){0,2}(?:一句|一声|：|:)? "
    r"?(?=[\"'“„«‘「『])"
)
# Orders behind it.
_BEHIND = (
    "と答え|と言|と伝え|とお伝え|と返|라고 해|라고 말|라고 대답|라고 답|라고 하면"
    "|이라고 해|이라고 말|이라고 대답|이라고 답|이라고 하|बोल देना|कह देना|कहना|बोलना|बताना|बोलें|कहें"
    "|dersin|dersiniz|diyeceksin|diyeceksiniz|deyin|deyiniz|demen|demeniz|diyerek|desin|de"
    "|diye cevap ver|就行|就可以|他就|他自然|即可"
).split("|")
_TOLD_PAST = re.compile(r"하?였|했|한다|하는|하며|하고")
_ORDERED = re.compile(  # behind the Japanese verbs, which tell what happened as well
    r"[えっいし]?(?:て(?:ください|下さい|ね|おいて|くれ|ほしい|。|\s*(?:\n|\Z))|れ?ば|ろ|なさい"
    r"|る(?:こと|ように|だけ)|う(?:こと|ように|だけ)|ください|下さい)"
)
_ENDS = (".", ",", "!", ";", "\n", "")
_OPEN = {"”": "“", "“": "„", "»": "«", "’": "‘", "」": "「", "』": "『", '"': '"', "'": "'"}
_WORDS = re.compile(
    r"[ \u00a0\u202f]?(?P<words>[^\W_](?:[^\W_]|[\u0300-\u036f\u064b-\u0652\u0900-\u0963]"
    r"|[ ,،、，\-'’](?=[\w\s])){2,64})[ \u00a0\u202f]?"
)
_POLITE = frozenset(
    "s'il vous plaît|s’il vous plaît|s'il te plaît|por favor|per favore|no lo sé|je ne sais pas"
    "|ich weiß nicht|não sei|non lo so|я не знаю|muchas gracias".split("|")
)
# Secrets that are said to be what stands between quotes, with a few words between.
_NAMES = (
    "كلمة سر|كلمة السر|كلمة المرور|الكود المتفق|الرمز المتفق|कोड वर्ड|पासवर्ड|秘密の言葉"
    "|合図の言葉|비밀 단어"
    "|비밀 말|암호말|geheimwort|palavra de segurança|palabra de seguridad|palabra secreta|mot "
    "secret"
    "|mot de sécurité|parola segreta|palavra secreta|секретное слово|gizli kelime|parola|parolası"
).split("|")
_STATED = re.compile(
    r"[^\n.!?。！？«»„“”‘’「」『』\"'،,]{0,40}?(?:(?:هي|هو|है|は|는|은|是| es| est| ist| lautet| "
    r"è| é| [—–]|:|：)"
    r"[ \u00a0]?|(?<=पासवर्ड) |(?<=parolası) )(?=[\"'“„«‘「『])"
)
_NAMED = Book(phrase(said, None) for said in _NAMES)
_BOOK = Book(
    [
        *(phrase(said, True) for said in _BEFORE),
        *(phrase(said, False) for said in _BEHIND),
    ]
)


def said_phrases(text: str) -> Iterator[Anchor]:
    """What the reader is to say, word for word."""
    for begin, end, before in spoken(text, _BOOK):
        opening, closing = _behind(text, end) if before else _ahead(text, begin, end)
        if opening < 0 or closing < 0:
            continue
        words = _WORDS.fullmatch(text, opening + 1, closing)
        if words is None or not _is_phrase(words["words"]):
            continue
        if _CONTEXT.search(text, max(0, opening - _REACH), opening):
            value = Span(*words.span("words"))
            label = Span(min(begin, opening), value.start)
            yield Anchor(label, value, TOLD, "prose:words", True)
    for begin, end, _ in spoken(text, _NAMED):
        between = _STATED.match(text, end)
        closing = mate(text, between.end()) if between else -1
        words = (
            _WORDS.fullmatch(text, between.end() + 1, closing) if between and closing > 0 else None
        )
        if words and _is_phrase(words["words"]):
            value = Span(*words.span("words"))
            yield Anchor(Span(begin, value.start), value, TOLD, "prose:words", True)


def _behind(text: str, end: int) -> tuple[int, int]:
    """The quotes behind an order, with nothing but whom it is said to between; else below 0."""
    between = _TO_QUOTES.match(text, end)
    return (between.end(), mate(text, between.end())) if between else (-1, -1)


def _ahead(text: str, begin: int, end: int) -> tuple[int, int]:
    """The quotes that end right before an order; else below 0."""
    closing = begin - 1 - (text[begin - 1 : begin] == " ")
    mark = _OPEN.get(text[closing : closing + 1]) if closing > 0 else None
    if mark is None or (text[begin:end] == "de" and text[end : end + 1] not in _ENDS):
        return -1, -1
    if _TOLD_PAST.match(text, end) or (text[begin] == "と" and not _ORDERED.match(text, end)):
        return -1, -1
    return text.rfind(mark, max(0, closing - _MOST), closing), closing


def _is_phrase(words: str) -> bool:
    """Whether words are two or more, or some characters of a script without spaces."""
    several = " " in words or words[0] >= "\u3040"
    return several and len(words) > 2 and not (is_state(words) or words.lower() in _POLITE)
