"""Street addresses: a house number beside a word for a thoroughfare, to the end of the town.

Two orders: the number first (``42 Elm Street``, ``12 rue de la Paix``) and the name first
(``Hauptstraße 12``, ``ул. Ленина, д. 5``). A house number leads to both: what stands behind it is
read on; what stands before it is read over a short reach, in texts that hold such a word alone.
The patterns are in ``street_forms``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .street_forms import (
    ARABIC,
    ARABIC_FIRST,
    ARABIC_TOWN,
    BLOCK,
    CHINESE,
    CHINESE_FIRST,
    CHINESE_REST,
    ENGLISH,
    FRENCH,
    GERMAN,
    HINDI_FIRST,
    HINDI_HOUSE,
    HINDI_REST,
    HOUSE,
    IN_HOUSE,
    JAPANESE,
    JAPANESE_REST,
    KANJI,
    KOREAN,
    KOREAN_REST,
    MARG,
    PLACE,
    ROMANCE,
    ROOM,
    RUSSIAN,
    RUSSIAN_REST,
    SHARI,
    TURKISH,
    TURKISH_REST,
)
from .text_words import foreign_letters, lowered, split

REACH = 72
"""Characters before a house number in which the name of its street begins."""
CONFIDENCE = 0.6
"""Confidence without a label (see ``forms``)."""


@dataclass(frozen=True, slots=True)
class _Named:
    """An order with the name first. ``head`` ends at the number, ``rest`` begins there; a text
    without one of the ``words`` or ``stems`` has none of them."""

    words: frozenset[bytes]
    stems: tuple[str, ...]
    ascii_stems: tuple[str, ...]
    head: re.Pattern[str]
    rest: re.Pattern[str]


def _named(words: str, stems: str, head: str, rest: str) -> _Named:
    every = tuple(stems.split("|")) if stems else ()
    return _Named(
        frozenset(words.encode().split()),
        every,
        tuple(filter(str.isascii, every)),
        re.compile(rf"(?:{head})\Z"),
        re.compile(rest),
    )


_LATIN = (
    _named(
        "calle c avenida avda av plaza pza paseo carrer carretera carrera cra glorieta viale piazza"
        " piazzale corso vicolo lungomare rua travessa alameda rodovia estrada rue avenue boulevard"
        " quai chemin largo camino ronda strada via",
        "travesía|praça|v.le|p.zza",
        ROMANCE,
        HOUSE + PLACE,
    ),
    _named(
        "",
        "straße|strasse|str.|gasse|weg |platz |allee |chaussee|stieg |steig |pfad |straat|laan "
        "|gracht|plein |er ring |er damm|er ufer|er tor |er markt|er hof |er wall |er berg ",
        GERMAN,
        HOUSE + PLACE,
    ),
    _named(
        "caddesi cad cd sokak sok sk bulv blv mahallesi mah yolu",
        "sokağı|bulvarı|meydanı",
        TURKISH,
        TURKISH_REST,
    ),
)
_OTHER = (
    _named("", "ул|пр|пер|пл|наб|б-р|ш.|шоссе|мкр", RUSSIAN, RUSSIAN_REST),
    _named("", SHARI, ARABIC, rf"\d{{1,4}}(?!\d|[:./]\d){ARABIC_TOWN}"),
    _named("", "मकान|प्लॉट|फ़्लैट|फ्लैट|दुकान|" + MARG, HINDI_HOUSE, HINDI_REST),
    _named("", "路|街|道|巷|弄|胡同", CHINESE, CHINESE_REST),
    _named("", "都|道|府|県|市|区|町|村|郡|丘|台", JAPANESE, JAPANESE_REST),
    _named("", "丁目", rf"{KANJI}{{2,24}}", BLOCK + ROOM),
    _named("", "로|길", KOREAN, KOREAN_REST),
)
_FIRST_ENGLISH = re.compile(ENGLISH)
_IN_HOUSE = re.compile(IN_HOUSE)
_PART_OF_HOUSE = re.compile(r"\b(?:Unit|Flat|Apartment|Apt|Suite|Studio|Workshop|Office|Shop) \Z")
_FIRST = re.compile("|".join((FRENCH, ARABIC_FIRST, HINDI_FIRST, CHINESE_FIRST)))
_POSTCODE_FIRST = re.compile(
    rf"\d{{6}}, {RUSSIAN}{RUSSIAN_REST}|\d{{3}}-\d{{4}}[ 　]?{JAPANESE}{JAPANESE_REST}"
)
# How they go on behind the number: most numbers do not.
_NUMBERED = re.compile(
    r"\d{1,6}+\w?(?:[-–/]\d{1,4}| ?(?:bis|ter|quater))?(?:, \d{1,4}\w? |[,،]? ?)"
    r"(?:[^\W\da-z_]|[a-z]{2,9}\.? )"
)
# What stands before a number that a year may be, and before that of a title.
_STATED = re.compile(r"(?:\b(?:at|to|is|near|from|address)|[:,\"“(]|\A) ?\Z")
_TITLED = re.compile(r"[A-Z]\w* \Z")
_NAMES_TOO = re.compile(
    r" (?:Hill|Walk|Row|Way|Place|Court|Close|Circle|Gardens|Grove|Square|St|Dr|Drive)\b"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?!\d)")
_NAMED = re.compile(r"(?:[\w.,º°#]|[oOaA]:) ?\Z")  # how the orders of Latin script end
_DIGIT = re.compile(r"(?<!\d)\d")


def street(text: str, at: int, last: int = 0) -> tuple[int, int]:
    """Begin and end of the address whose first number begins at ``at``; (``at``, ``at``) if none.
    It begins at ``last`` or later."""
    return _behind_name(text, at, last) or _in_house(text, at, last) or (at, _numbered(text, at))


def _in_house(text: str, at: int, last: int) -> tuple[int, int] | None:
    """Begin and end of the address whose first number is that of a flat or a unit."""
    if text[at - 1 : at] != " " or not text[at - 2 : at - 1].isalpha():
        return None  # most numbers
    part = _PART_OF_HOUSE.search(text, max(last, at - 12), at)
    match = _IN_HOUSE.match(text, at) if part else None
    return (part.start(), match.end()) if part and match else None


def _behind_name(text: str, at: int, last: int) -> tuple[int, int] | None:
    """Begin and end of the address in which a name stands before the number at ``at``."""
    first = max(last, at - REACH)
    near = _near(text, first, at) if _NAMED.search(text, max(0, at - 3), at) else []
    for form in (*near, *(() if text.isascii() else _foreign(text))):
        head = form.head.search(text, first, at)
        rest = form.rest.match(text, at) if head else None
        if head and rest and not _YEAR.fullmatch(rest.group()):
            return head.start(head.lastindex or 0), rest.end()
    return None


def is_street(value: str) -> bool:
    """Whether a whole value is an address."""
    if value.isascii() and (not (" " in value or "," in value) or value.lower() == value.upper()):
        return False  # in Latin script a name, and white space or a comma before its number
    whole = 0, len(value)
    if value[:1].isdigit() and _numbered(value, 0) == len(value):
        return True
    houses = (match.start() for match in _DIGIT.finditer(value[:REACH], 1))
    return any(street(value, house) == whole for house in houses)


def _numbered(text: str, at: int) -> int:
    """Where an address ends that its number begins; ``at`` if there is none."""
    if _NUMBERED.match(text, at) is None:
        return at
    match = _FIRST_ENGLISH.match(text, at)
    if match is None:
        match = _FIRST.match(text, at) or _POSTCODE_FIRST.match(text, at)
        return match.end() if match else at
    if not match["place"]:
        before = text[max(0, at - 24) : at]
        if _YEAR.match(text, at) and not _STATED.search(before):
            return at
        if _NAMES_TOO.search(match.group()) and _TITLED.search(before):
            return at
    return match.end()


def _near(text: str, first: int, at: int) -> list[_Named]:
    """The orders of Latin script of which a word stands before a house number."""
    before = text[first:at]
    lower = before.lower()
    if lower == before and "#" not in before:
        return []  # a name has a capital, a number for a name a sign behind it
    words, ascii_alone = split(lower), lower.isascii()
    return [
        form
        for form in _LATIN
        if not form.words.isdisjoint(words)
        or any(map(lower.__contains__, form.ascii_stems if ascii_alone else form.stems))
    ]


@lru_cache(maxsize=1)
def _foreign(text: str) -> tuple[_Named, ...]:
    """The orders of other scripts of which a text holds a word."""
    letters = foreign_letters(text)
    lower = lowered(text)
    return tuple(
        form
        for form in _OTHER
        if any(stem in lower for stem in form.stems if not letters.isdisjoint(stem))
    )
