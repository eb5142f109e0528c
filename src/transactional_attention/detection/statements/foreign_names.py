"""Names of users and machines in other languages than English, where no digit need give them away:
``El usuario es carla_moto``, ``il server si chiama srv-bari``, ``Мой ник там zimorodok_88``.

What is named stands before the verb, with a few words between. Behind a verb of naming a name has
two parts; behind a mere copula an underscore or a number as well. In scripts other than Latin,
and behind the Turkish word for a name, no verb is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..name_parts import name_parts
from ..text_words import foreign_letters, lowered, places, words_of

CALLED, IS = 0.75, 0.65
MANY = 9  # parts of a name that needs neither an underscore nor a number
_REACH = 64  # characters before a verb in which the kind stands
_CALLING = (
    "heißt heisst s'appelle s’appelle nomme chiama chiamano llama chama chama-se называется зовётся"
    " зовется"
).split()
_SAYING = "ist lautet est es è é".split()
_ALL = [(verb, CALLED) for verb in _CALLING] + [(verb, IS) for verb in _SAYING]
# A word or a letter that tells of a verb, the verb between spaces, and how sure it is.
_VERBS = [
    (re.split(r"\W", verb)[-1].encode(), f" {verb} ", sure)
    for verb, sure in _ALL
    if verb.replace("’", "").isascii()
]
_FOREIGN_VERBS = [
    (next(char for char in verb if not char.isascii()), f" {verb} ", sure)
    for verb, sure in _ALL
    if not verb.replace("’", "").isascii()
]
_KINDS = (
    "benutzer(?:name)?|nutzer(?:name)?|kennung|login(?:name)?|rechner|maschine|server|host(?:name)?"
    "|warteschlange|kanal|spiegel|konto|datenbank|zweig|bucket|cluster|laptop|drucker"
    "|identifiant|pseudo(?:nyme)?|utilisateur|nom d['’]utilisateur|machine|serveur|hôte|ordinateur"
    "|compte|file d['’]attente|miroir|seau|imprimante|base de données|branche"
    "|usuario|usuaria|apodo|servidor|máquina|equipo|ordenador|cola|cubo|espejo|cuenta|impresora"
    "|base de datos|rama|canal|utente|nome utente|soprannome|macchina|coda|specchio|stampante"
    "|ramo|canale|usuário|utilizador|apelido|computador|fila|espelho|impressora|conta|balde"
    "|сервер|машина|хост|бакет|очередь|канал|компьютер|ветка|зеркало|кластер|база"
)
_KIND = re.compile(rf"\b(?:{_KINDS})(?: [^\W\d_][\w'’\-]*){{0,3}} ?\Z", re.IGNORECASE)
_NAME = re.compile(
    r"[ ]?[\"'“„«`*]{0,2}(?P<value>[A-Za-z][A-Za-z0-9]{0,31}+(?:[-_.][A-Za-z0-9]{1,32}+){0,8}+)"
    r"(?=[\"'”“»`*]{0,2}[.,;:!?)]{0,2}(?:\s|\Z)|[\"'”“»`*]{0,2}[^\x00-\x7f])"
)
_NUMBERED = re.compile(r"\d")
_KNOWN = re.compile(r"(?i)(?:utf|iso|cp|sha|md|ipv|http|tls|ssl|usb|wi|x|windows|win|rfc)[-_]?\d.*")
# Labels that need no verb.
_LABELS = (
    "ник,никнейм,логин,сервер,сервера,хост,бакет,аккаунт,пользователь,пользователя,машина"
    ",اسم المستخدم,اسم الخادم,اسم خادم,اسم الجهاز,اسم الحساب,المعرف,用户名,帐号,账号,昵称"
    ",主机,服务器,存储桶"
    ",ユーザー名,ユーザ名,アカウント,ホスト,サーバー,バケット,사용자명,아이디,닉네임,서버,호스트,버킷"
    ",उपयोगकर्ता,यूज़रनेम,सर्वर"
    ",होस्ट,adı,adım,adımız"
).split(",")
_BETWEEN = re.compile(r"(?:[^\x00-\x7f]|[ —–:-]){0,24}+")
_TURKISH = re.compile(
    r"\b(?:kullanıcı|takma|hesap|sunucu|makine|bilgisayar|kova|kuyruk|depo)\w{0,5} \Z"
)


def foreign_names(text: str) -> Iterator[Anchor]:
    """Names that a sentence of another language gives to a user or a machine."""
    present, lower = words_of(text), lowered(text)
    for word, verb, confidence in _VERBS:
        if word in present:
            yield from _said(text, verb, confidence)
    if text.isascii():
        return
    letters = foreign_letters(text)
    for letter, verb, confidence in _FOREIGN_VERBS:
        if letter in letters:
            yield from _said(text, verb, confidence)
    yield from _unsaid(text, lower, letters)


def _said(text: str, verb: str, confidence: float) -> Iterator[Anchor]:
    """Names behind one verb."""
    for place in places(text, verb):
        name = _NAME.match(text, place + len(verb))
        if name is None or not _is_name(name["value"], 2 if confidence == CALLED else MANY):
            continue
        kind = _KIND.search(text, max(0, place - _REACH), place)
        if kind:
            label = Span(kind.start(), name.start("value"))
            yield Anchor(label, Span(*name.span("value")), confidence, "prose:resource", False)


def _unsaid(text: str, lower: str, letters: frozenset[str]) -> Iterator[Anchor]:
    """Names behind a label without a verb."""
    for word in _LABELS:
        if word[-1] not in letters and word[-2] not in letters:
            continue
        for place in places(lower, word):
            between = _BETWEEN.match(text, place + len(word))
            name = _NAME.match(text, between.end()) if between else None
            if (
                name is None
                or not _is_name(name["value"], 3)
                or (lower[place - 1 : place].isalpha() and word[0] < "\u0600")
            ):
                continue
            if word[0] == "a" and not _TURKISH.search(lower, max(0, place - _REACH), place):
                continue
            value = Span(*name.span("value"))
            yield Anchor(Span(place, value.start), value, CALLED, "prose:resource", False)


def _is_name(value: str, least: int) -> bool:
    """Whether a word is a name: it has ``least`` parts, an underscore, or two and a number."""
    parts = name_parts(value)
    if len(parts) < 2 or _KNOWN.fullmatch(value):
        return False
    if "." in value or max(map(len, parts)) < 3:
        return False
    return "_" in value or len(parts) >= least or _NUMBERED.search(value) is not None
