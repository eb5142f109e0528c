"""Who has the key or took something over, in languages with capitals other than English: ``les clés
sont chez Bruno Lefort``, ``den Schlüssel hat Heike Brandt``, ``Anahtarı Nermin teyzeye bıraktım``,
``işleri Ece Aydın devraldı``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..personal_names import NAME, is_person
from ..spoken import Book, phrase, spoken
from .foreign_duties import whole_name_before

KEPT = 0.75
"""Sure enough that the network over characters, which knows few names, has no say."""
_KEYS = (
    "llave|llaves|clé|clés|clef|clefs|double|schlüssel|schlüsselbund|ersatzschlüssel|chiave|chiavi"
    "|chave|chaves|ключ|ключи|ключей|ключа|anahtar|anahtarı|anahtarlar|anahtarları|yedek anahtar"
).split("|")
_CAPITAL, _SMALL = "A-ZÀ-ÖØ-ÞĆČĎĞİŁŃŘŚŞŠŤŽŻА-ЯЁ", "a-zß-öø-ÿā-žа-яё"
_FIRST = rf"[{_CAPITAL}][{_SMALL}]{{1,20}}"
# What stands before one name, and in Turkish behind it.
_ADDRESS = (
    r"(?:dona|doña|don|seu|tante|madame|monsieur|tonton|zia|zio|nonn[ao]|signora|tía|tío|tia|tio"
    r"|Oma|Opa|тёт[яеиь]|дяд[яеи]|бабушк[аеи])"
)
_KIN = r"(?:teyze|amca|abla|abi|ağabey|hala|dayı|[Hh]anım|[Bb]ey|[Hh]oca|usta)"
WHO = rf"(?:{_ADDRESS} {_FIRST}(?: {_FIRST})?|{NAME})"
_END = r"(?=[\"'”»)]?[.,;:!?](?:\s|\Z)|[\"'”»)]?\s*(?:\n|\Z)| [^\W\d_A-ZÀ-Þ]| [—–(-])"
_HOLDING = (
    r"l[ao]s? tienen?|con|en casa de|a|quedan? con|estão com(?: [ao])?|está com(?: [ao])?|com(?: "
    r"[ao])?"
    r"|chez|avec|auprès de|à|confiée?s? à|hat|bei|haben|an|l[ae] ha|ce l['’]ha|ce le ha|da|dal"
    r"|dalla|ao"
    r"|у|отдала?|оставила?|передала?|хранятся у|хранится у|лежат у"
)
_NO_KEY = (
    r"(?! (?:zum|zur|к|ко|шифрования|доступа|подписи|di lettura|di volta|del successo|del éxito"
    r"|de bóveda|de paso|du succès"
    r"|de voûte|do sucesso|de leitura)(?!\w))"
)
_KEPT = re.compile(
    rf"{_NO_KEY}(?: [^\s.!?,;:]{{1,16}}){{0,5}}? (?:{_HOLDING}) (?P<value>{WHO}){_END}"
)
_TURKISH = re.compile(
    rf"(?: [^\s.!?,;:{_CAPITAL}]{{1,16}}){{0,3}}? (?P<value>{NAME}(?= {_KIN})|{_FIRST} {_KIN}"
    rf"|{NAME})(?: {_KIN})?"
    r"(?:['’](?:[yn]?[ae]|[dt][ae]n?)|(?:[yn]?[ae]|[dt][ae]))(?= |[.,;!?]|\Z)"
)
_TOOK = (
    "devraldı|devralmış|hat das von|hat es von|hat das übernommen|hat übernommen|a pris le "
    "relais|a repris|ha tomado el relevo|ha preso il posto|se ha quedado con"
    "|assumiu|принял дела|приняла дела|hat seine aufgaben|hat ihre aufgaben"
).split("|")
_GONE = re.compile(
    r"(?:ayrıl|emekli|izn|yerine|işler|işini|görev|artık|nachfolg|rente|urlaub|gekündigt|aufgab"
    r"|zuständig|retraite|congé|départ|dossier|jubil|baja|vacaciones|puesto|pension|ferie|ufficio"
    r"|aposent|férias|cargo|пенси|отпуск|уволил|дела)",
    re.IGNORECASE,
)
_TAKEN = ("дела принял", "дела приняла", "дела передали", "işleri devralan")
_BEHIND = re.compile(rf" (?P<value>{NAME}){_END}")
_REACH = 96  # characters of a sentence before a verb
_KEPT_BY = Book(
    [
        *(phrase(said, _TURKISH if "anahtar" in said else _KEPT) for said in _KEYS),
        *(phrase(said, _BEHIND) for said in _TAKEN),
    ]
)
_TAKEN_BY = Book(phrase(said, None) for said in _TOOK)


def keepers(text: str) -> Iterator[Anchor]:
    """Names of people who have a key, or took something over."""
    for begin, end, pattern in spoken(text, _KEPT_BY):
        match = pattern.match(text, end)
        if match and is_person(match["value"]):
            yield _anchor(begin, *match.span("value"))
    for begin, _, _ in spoken(text, _TAKEN_BY):
        if _GONE.search(text, max(0, begin - _REACH), begin):
            name = whole_name_before(text, begin)
            if name:
                yield _anchor(name[0], *name)


def _anchor(label: int, begin: int, end: int) -> Anchor:
    return Anchor(Span(label, begin), Span(begin, end), KEPT, "prose:person", True)
