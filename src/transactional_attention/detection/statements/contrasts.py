"""Names that a sentence sets against what does not hold: ``no es en la sala Ur, sino en la sala
Tiro``, ``nicht Lindenweg, sondern Ahornweg``, ``use prod-elm instead of prod-oak``, ``wolf is the
old one. staging-lynx``.

Both are names of one kind: rooms, streets and doors with the same noun, or names in parts of which
they share one. What sentences contrast otherwise, oak and elm, is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..joining import is_common
from ..name_parts import name_parts
from ..spoken import Book, phrase, spoken

CONTRASTED = 0.68
_REACH = 64  # characters before a word of negation that may hold a name
_BEFORE_NAME = (  # nouns that stand before a name
    "salas?|aulas?|calle|avenida|plaza|puerta|edificio|rama|servidor|oficina|sede|cuenta|pasillo"
    "|salón|via|viale|piazza|corso|porta|stanza|ufficio|ramo|palazzo|rua|praça|travessa|portão"
    "|auditório|prédio|salle|rue|porte|place|bâtiment|amphi|quai|bureau|branche|serveur|hall|room"
    "|gate|building|wing|platform|studio|[Rr]aum|Saal|Zimmer|Tor|Gebäude|Haus|Halle|Platz|Zweig"
    "|Rechner|Server|зал[еау]?|улиц[аеыу]|кабинет[еа]?|корпус[еа]?|комнат[аеыу]|аудитори[яию]"
    "|площад[ьи]|переул(?:ок|ке)|ворот(?:а|ах)"
)
_BEHIND_NAME = (
    "Room|Hall|Street|Road|Lane|Avenue|Gate|Building|Wing|House|Court|Square|Park|Station|Office"
    "|Entrance|Terrace|Drive|Close|Studio|Ward|Theatre|Library|Clinic|Suite|Branch"
    "|Soka(?:k|ğı)|Cadde(?:si)?|Salonu?|Odası|Kapısı|Binası|Meydanı|Parkı|Oteli|улица"
)
_COMPOUND = "straße|strasse|gasse|weg|platz|saal|raum|halle|allee|ufer|ring|damm|haus"
_CAP = r"[^\W\d_a-zß-öø-ÿа-яё][\wß]{1,20}"
_JOINT = r"[A-Za-z]\w{1,20}(?:[-/][\w.]{0,20}\w){1,4}"
_THING = (
    rf"(?:(?:{_BEFORE_NAME})(?:[ ](?:d[eou]s?|del|della|dei|da|la|le|les|los|l['’]))?"
    rf"(?:[ ]{_CAP}){{1,3}}|{_CAP}(?:[ ]{_CAP})?[ ](?:{_BEHIND_NAME})\b"
    rf"|[A-ZÄÖÜ][a-zäöüß-]{{2,20}}(?:{_COMPOUND})\b|{_JOINT})"
)
_WORD = r"(?:[^\W\dA-ZА-Я_]{1,9}(?:[ ]|['’]))"
_BUT = (
    r"[\"'”»`]?(?:['’]\w{1,4})?(?:[ ][a-z]{2,5})?[.,;:]?(?:[ ]?[—–-])?[ ]"
    r"(?:(?:sino|mais|sondern|bensì|ma|mas|e[ ]sim|а|but|jetzt|ahora|now|use|usa|nimm|heißt)[ ])?"
)
_FORWARD = re.compile(
    rf"{_WORD}{{0,5}}[\"'“«`]?(?P<old>{_THING}){_BUT}{_WORD}{{0,4}}[\"'“«`]?(?P<value>{_THING})"
)
_OLD = re.compile(rf"{_WORD}{{0,5}}[\"'“«`]?(?P<old>{_THING})")
_NEW_BEFORE = re.compile(rf"(?<!\w)(?P<value>{_THING})[\"'”»`]?,?[ ](?:(?:and|y|et|e|und|и)[ ])?\Z")
_NEGATIONS = (
    "not|isn't|isn’t|wasn't|no|ne|pas|non|nicht|não|не|instead of|rather than|statt|anstatt"
    "|en lugar de|en vez de|au lieu de|invece di|invece della|em vez de|вместо"
).split("|")
# Turkish: the name that does not hold stands before the word.
_OLD_BEFORE = re.compile(rf"(?<!\w)(?P<value>{_THING})(?:['’]?\w{{1,4}})?[ ]\Z")
_NEW = re.compile(rf",?[ ]{_WORD}{{0,3}}[\"'“«`]?(?P<old>{_THING})")
_OUTDATED = "the old one|the wrong one|the old name|is outdated|no longer exists".split("|")
_THEN = re.compile(
    r"[.,;:!]?(?:[ ]?[—–-])?\s(?:(?:it['’]s|it|is|use|the|new|right|correct|one|now|take|should|be"
    r"|please|go|with|switch|to|that's|i|meant|mean)[ ]){0,5}[\"'“`]?"
    r"(?P<value>[a-z][a-z0-9]{1,20}(?:[-_/.][a-z0-9]{1,20}){1,4})(?=[\"'”`]?[.,;!?)]?(?:\s|\Z))"
)
_MAY_NAME = re.compile(r"[A-ZÀ-ÖØ-ÞА-Я]|\w[-/]\w")
_NEAR = 48  # characters behind a negation that hold the first letter of a name
_PARTS = re.compile(r"[-_/.]")
_NOUN = re.compile(rf"(?:{_BEFORE_NAME})(?= )|(?:{_BEHIND_NAME})\Z|(?:{_COMPOUND})\Z")
_BOOK = Book(
    [
        *(phrase(f"{word} ", _FORWARD) for word in _NEGATIONS),
        *(phrase(word, _THEN) for word in _OUTDATED),
        phrase("değil", _NEW),
    ]
)


def contrasts(text: str) -> Iterator[Anchor]:
    """Names that hold, beside others that do not."""
    for begin, end, pattern in spoken(text, _BOOK):
        for value in _holding(text, begin, end, pattern):
            label = min(begin, value[0])
            yield Anchor(Span(label, value[0]), Span(*value), CONTRASTED, "prose:correction", True)


def _holding(
    text: str, begin: int, end: int, pattern: re.Pattern[str]
) -> Iterator[tuple[int, int]]:
    """The names that hold around the words ``text[begin:end]``, which take another back."""
    if pattern is _FORWARD and not _MAY_NAME.search(text, end, end + _NEAR):
        return  # most of them
    match = pattern.match(text, end)
    if pattern is _THEN:
        if match and _is_name(match["value"]):
            yield match.span("value")
    elif pattern is _NEW:
        old = _OLD_BEFORE.search(text, max(0, begin - _REACH), begin) if match else None
        if match and old and _alike(old["value"], match["old"]):
            yield match.span("old")
    elif match and _alike(match["old"], match["value"]):
        yield match.span("value")
    else:
        old = _OLD.match(text, end)
        new = _NEW_BEFORE.search(text, max(0, begin - _REACH), begin) if old else None
        if old and new and _alike(old["old"], new["value"]):
            yield new.span("value")


def _is_name(value: str) -> bool:
    """Whether a word in parts is no compound of a sentence."""
    parts = _PARTS.split(value)
    bent = any(len(part) > 2 and is_common(part) for part in parts[1:])
    return len(name_parts(value)) > 1 and not bent


def _alike(old: str, new: str) -> bool:
    """Whether two names are of one kind, and not the same."""
    if old.lower() == new.lower():
        return False
    noun, other = _NOUN.search(new), _NOUN.search(old)
    if noun and other:
        return noun.group().lower()[:4] == other.group().lower()[:4]
    if noun or other or " " in old + new:
        return False
    before, after = _PARTS.split(old.lower()), _PARTS.split(new.lower())
    shared = set(before) & set(after)
    odd = all(re.search(r"[\d/]", name) for name in (old, new))
    return odd or (_is_name(new.lower()) and _is_name(old.lower()) and bool(shared))
