"""Two to four plain words that a password is said to be, without quotes, in languages with spaces
other than English: ``la parola d'ordine è melograno storto``, ``das Losungswort ist krumme
Laterne``, ``Кодовое слово — кривая сосна``, ``kapının parolası eğri nar``.

Behind a sign and up to the end of the clause one word is enough: ``Passwort: sonnenblume``.
Passwords are said to be this or that as well ("est trop court"), so no word says how one is or goes
on with the sentence, and the clause ends behind them. For English see ``passphrases``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..joining import is_common
from ..quoted_states import is_state
from ..spoken import Book, announced, phrase, spoken
from ..tongues import SECRETS

TOLD = 0.62
_LATIN = (
    "contraseña|palabra clave|santo y seña|palabra secreta|palabra de paso|frase clave"
    "|frase secreta|mot de passe|mot de code|mot secret|phrase secrète|passwort|kennwort"
    "|losungswort"
    "|losung|codewort|parola d'ordine|parola d’ordine|parola chiave|parola segreta|frase segreta"
    "|palavra-passe|palavra-chave|palavra secreta|palavra de segurança|palabra de seguridad"
    "|geheimwort|mot de sécurité|senha|frase secreta"
    "|кодовое слово|пароль|секретное слово|кодовая фраза"
).split("|")
_TURKISH = (
    "gizli kelime|gizli kelimemiz|parolası|parolamız|parolanız|şifresi|şifremiz|şifreniz".split("|")
)
# Some of these also name keys of other kinds, or key words of a page.
_LABELS = sorted(
    {*SECRETS, *_LATIN, *_TURKISH, "mot_de_passe"}
    - {"clave", "шифр", "losung", "palabra clave", "parola chiave", "palavra-chave", "frase clave"}
)
_WORD = r"[^\W\d_]{3,16}"
_WORDS = rf"(?P<value>{_WORD}(?:[ -]{_WORD}){{1,3}})"
_END = r"(?=[.,;!)](?:\s|\Z)|\s*(?:\n|\Z)| [–—-] )"
_TAIL = (
    r"(?: (?:para|de|del|du|de la|pour|für|fürs|am|im|an|zum|zur|per|di|del|della|do|da|dos|das"
    r"|para"
    r"|от|для|на"
    r"|в)(?: [^\s.!?,;:«»\"“”]{1,16}){1,4}?)?"
)
_IS = r"(?:,? (?:es|est|ist|lautet|è|é|sarà|será|sera|heißt|будет|это|теперь|[–—])| ?:)"
_SAID = re.compile(rf"{_TAIL}{_IS} {_WORDS}{_END}")
_SAID_TURKISH = re.compile(
    r"(?: (?:ise|da|de|artık|şimdi|bugün|şu|olarak))?(?: ?:)? "
    rf"{_WORDS}(?=[.,;!)](?:\s|\Z)|\s*(?:\n|\Z)| (?:olacak|oldu|olarak)\b)"
)
_SIGNED = re.compile(
    r" ?[:：=] ?[\"'«“]?(?P<value>[^\W\d_]{4,20}(?:[ -][^\W\d_]{3,20}){0,3})"
    r"(?=[\"'»”]?(?:[.,;](?:\s|\Z)|[。，、；]|[ \t]*(?:\n|\Z)))"
)
_NO_PHRASE = frozenset(
    "la el lo una uno más muy demasiado bastante su sus este esta cada otra otro igual distinta "
    "larga"
    " corta fácil difícil débil fuerte segura insegura simple única incorrecta caducada conocida "
    "nueva"
    " vieja misma mismo aquí dentro trop très assez plus moins bien toujours encore déjà le les "
    "son sa"
    " court courte long longue faible fort forte simple sûr sûre unique expiré expirée celui celle"
    " connu connue nouveau nouvelle identique différent zu sehr noch schon nicht das der die den "
    "dem"
    " ein eine einem lang kurz schwach stark einfach sicher unsicher abgelaufen bekannt neu alt "
    "gleich"
    " streng hier ganz recht ziemlich bereits immer è troppo molto più meno già sempre ancora stata"
    " stato lunga corto debole forte semplice sicura scaduta nuova vecchia uguale diversa questa "
    "quella"
    " muito mais menos já sempre ainda foi longa curta fraca fácil difícil segura expirada nova "
    "velha"
    " igual diferente esta essa слишком очень уже ещё всегда был была был было короткий длинный "
    "слабый"
    " сильный простой сложный надёжный новый старый этот тот такой какой один одна же только "
    "просто не"
    " çok daha artık yeni eski kısa uzun zayıf güçlü basit kolay zor aynı farklı değil gibi için "
    "ile"
    " olarak olması olmalı gerekir gerekiyor girin giriniz yazın bir bu şu o var yok lazım unuttum"
    " unutmayın değişti değiştirildi sıfırlandı sıfırlama güvenli alanı politikası kutusu kuralı"
    " texto string строка text cadena chaîne stringa null none true false nil undefined eingeben "
    "bitte"
    " introduzca introduce escriba entrez saisissez saisir inserire inserisci digite insira введите"
    " введи girin vergessen olvidada oublié oubliée dimenticata esqueceu забыли unuttum ändern "
    "cambiar"
    " changer cambiare alterar сменить değiştir confirmar bestätigen confirmer confermare"
    " mindestens maximal minimum mínimo almeno au moins pelo ao menos".split()
)
_BENT = re.compile(
    r"\w+(?:yor\w*|[ıiuü]l[ıi]r|m[ae]l[ıi]|m[ae]k|m[ae]s[ıi]|[lnr]d[ıi]|[ae]c[ae]k|m[ıi]ş)"
)
_BOOK = Book(
    [
        *(phrase(said, _SAID) for said in dict.fromkeys(_LATIN)),
        *(phrase(said, _SAID_TURKISH) for said in _TURKISH),
        *(phrase(said, _SIGNED) for said in _LABELS),
    ]
)


def told_phrases(text: str) -> Iterator[Anchor]:
    """Plain words that a password is said to be."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match and not _is_how(match["value"]):
            yield announced(begin, match, TOLD, "prose:words", delimited=False)


def _is_how(value: str) -> bool:
    """Whether words say how a password is, or go on with the sentence."""
    words = re.split("[ -]", value.lower())
    if value.lower() in SECRETS or _BENT.fullmatch(words[-1]):
        return True
    return any(word in _NO_PHRASE or is_common(word) or is_state(word) for word in words)
