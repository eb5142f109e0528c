"""Words between quotes that a secret is said to be, in other languages than English: ``le mot de
passe est « lune rousse »``, ``合言葉は「月が赤い」``. For English see ``passphrases``.

Quotes say where the words end, so one that joins others may be among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .quoted_states import is_state
from .quotes import MARKS
from .text_words import foreign_letters, lowered, places, words_of
from .tongues import SECRETS

WORDS, ONE_WORD = 0.8, 0.65
MOST = 8  # words
REACH = 64  # characters from a name to the quotes
_OPENING = re.compile(r"[«„“‘「『»›‹\".!?\n]|(?<!\w)'")
_QUOTED = re.compile(
    r"[«„“‘「『»›‹\"'][ \u00a0\u202f]?(?P<words>[^\W\d_](?:[^\W_]|[\u0300-\u036f\u064b-\u0652"
    r"\u0900-\u0dff]|[ \-'](?=\w)|’(?=[^\W가-힣])){0,80}+)[ \u00a0\u202f]?[»“”’」』«‹›\"']"
)
_CLOSING = re.compile(r"[\w ]{0,16}[»“”」』«\"']")
_NAMES = SECRETS | frozenset(
    "passe password codewort code código codigo codice losungswort lösungswort kod kodu код пароли"
    " слово parole 暗号 合言葉 暗证 暗號 暗语 コード 代码 코드"
    " 암구호 السر المرور رمز الرمز कोड 合い言葉 パスフレーズ 口令 暗語 السرية".split()
)
_PHRASES = (
    *("frase secreta", "frase de paso", "frase de acceso", "frase clave", "frase segreta"),
    *("frase de segurança", "frase de acesso", "frase d'accesso", "frase chiave"),
    *("phrase secrète", "phrase de sécurité", "phrase d'accès"),
    *("секретная фраза", "кодовая фраза", "عبارة السر", "عبارة المرور", "गुप्त वाक्य"),
    *("गुप्त शब्द", "कूट शब्द", "santo y seña", "mot de code"),
)
_UNSPACED = tuple(name for name in _NAMES if name[0] >= "\u0600")
_SOUGHT = (*_NAMES, *_PHRASES)
_ASCII_NAMES = tuple((name, name.split()[0].encode()) for name in _SOUGHT if name.isascii())
_OTHER_NAMES = tuple(
    (name, {char for char in name if not char.isascii()}) for name in _SOUGHT if not name.isascii()
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def quoted_words(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of words between the first quotes behind a secret's name, at most eight."""
    lower = lowered(text)
    begins = {
        quote.start()
        for name in _present(text)
        for place in places(lower, name)
        if (quote := _after(text, place, place + len(name)))
    }
    for begin in sorted(begins):
        match = _QUOTED.match(text, begin)
        words = match["words"] if match else ""
        if match and words.count(" ") < MOST and not is_state(words):
            yield match.span("words")


def _after(text: str, begin: int, end: int) -> re.Match[str] | None:
    """The first quote behind a name, and behind the quotation of its own that it may stand in."""
    own = text[begin - 1 : begin] in MARKS and _CLOSING.match(text, end)
    first = own.end() if own else end
    return _OPENING.search(text, first, end + REACH)


def _present(text: str) -> Iterator[str]:
    """The names of secrets that may stand in a text: in most none does."""
    present = words_of(text)
    yield from (name for name, key in _ASCII_NAMES if key in present)
    if not text.isascii():
        letters = foreign_letters(text)
        yield from (name for name, needed in _OTHER_NAMES if needed <= letters)


def names_a_secret(label: str) -> bool:
    """Whether a label's words promise a secret that may be plain words."""
    words = label.lower()
    if not _NAMES.isdisjoint(_WORD.findall(words)):
        return True
    if any(phrase in words for phrase in _PHRASES):
        return True
    return not words.isascii() and any(name in words for name in _UNSPACED)
