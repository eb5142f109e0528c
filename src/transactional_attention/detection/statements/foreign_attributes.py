"""What people say that theirs are, in other languages than English: ``nuestro perro se llama
Galleta``, ``meine Lieblingsfarbe ist Türkis``, ``好きな色は青緑です``. See ``attributes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..joining import JOINING
from ..quoted_states import is_state
from ..spoken import Book, announced, phrase, spoken
from .attributes import NAMED, WORDS

_REACH = 40  # characters before a verb of naming that say whose it is
_FAVOURITES = (
    *"color comida plato animal fruta bebida postre flor".split(),
    *"couleur plat animal fruit boisson dessert fleur".split(),
    *"colore piatto animale frutto bevanda dolce fiore".split(),
    *"cor prato bebida sobremesa".split(),
)
_LIKED = "favorito favorita préférée préféré preferito preferita preferido preferida".split()
_CHOSEN = (
    *(f"{noun} {liked}" for noun in _FAVOURITES for liked in _LIKED),
    *(f"lieblings{noun}" for noun in "farbe essen tier obst getränk blume gericht".split()),
    *("grupo sanguíneo", "groupe sanguin", "blutgruppe", "gruppo sanguigno", "tipo sanguíneo"),
    *("любимый цвет", "любимое блюдо", "любимое животное", "любимый цветок", "группа крови"),
    *("sevdiğim renk", "sevdiğim yemek", "sevdiğim hayvan", "kan grubum"),
    *("لوني المفضل", "طعامي المفضل", "فصيلة دمي"),
)
_PLACES = (
    *("proveedor", "proveedora", "punto de encuentro", "lugar de encuentro", "cliente"),
    *("nombre en clave", "fournisseur", "lieu de rendez-vous", "lieu du rendez-vous"),
    *("point de rencontre", "client", "nom de code", "lieferant", "treffpunkt", "kunde"),
    *("veranstaltungsort", "deckname", "codename", "fornitore", "punto d'incontro"),
    *("punto di ritrovo", "nome in codice", "fornecedor", "ponto de encontro", "codinome"),
    *("поставщик", "место встречи", "клиент", "кодовое имя", "tedarikçimiz", "buluşma yeri"),
    *("köpeğimizin adı", "köpeğimin adı", "kedimizin adı", "kedimin adı", "oğlumun adı"),
    *("kızımın adı", "اسم كلبنا", "اسم كلبي", "اسم قطتنا", "اسم قطتي", "المورد", "مكان اللقاء"),
)
_NAMING = ("se llama", "s'appelle", "s’appelle", "heißt", "heisst", "si chiama", "se chama")
_CALLED = [
    f"{whom} зовут"
    for whom in "собаку кота кошку сына дочь сестру брата мужа жену попугая хомяка".split()
]
_WIDE = (
    *(f"喜欢的{noun}是" for noun in ("颜色", "菜", "动物", "水果", "花")),
    *(
        "血型是",
        "的狗叫",
        "的猫叫",
        "小狗叫",
        "小猫叫",
        "儿子叫",
        "女儿叫",
        "供应商是",
        "见面地点是",
    ),
    *("集合地点是", "项目代号是"),
    *(f"好きな{noun}は" for noun in ("色", "食べ物", "動物", "果物", "花")),
    *("血液型は", "犬の名前は", "猫の名前は", "待ち合わせ場所は", "集合場所は", "仕入先は"),
    *(f"좋아하는 {noun}은" for noun in ("색", "색깔", "음식", "동물", "과일", "꽃")),
    *("혈액형은", "강아지 이름은", "고양이 이름은", "약속 장소는", "거래처는"),
)
_HINDI = ("पसंदीदा रंग", "पसंदीदा खाना", "ब्लड ग्रुप", "कुत्ते का नाम", "बिल्ली का नाम", "मिलने की जगह")
_IS = r"(?: (?:es|est|ist|è|é|[–—-]|هو|هي))? "
_ARTICLE = r"(?:(?:el|la|le|il|lo|o|a|der|die|das|die Firma) |l['’])?"
_END = (
    r"(?=[\"'”’»]?(?:[.,;!?)،](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:y|et|und|e|и|ve|و|pero|mais|aber|ma|но|ama)\b| [–—-] ))"
)
_OPENING = r"[\"'“«„]?"
_CAPITAL = r"[A-ZÀ-ÖØ-ÞĆČĎĞİŁŃŘŚŞŠŤŽŻА-ЯЁ\u0620-\u064a]"
_TYPE = r"(?:AB|A|B|O|0)(?:[+-]| (?:positivo|negativo|positif|négatif|positiv|negativ))"
_CHOICE = re.compile(
    rf"{_IS}{_ARTICLE}{_OPENING}(?P<value>{_TYPE}"
    rf"|[^\W\d_]{{3,20}}(?:[ -][^\W\d_]{{3,20}}){{0,2}}){_END}"
)
_NAME = re.compile(
    rf"{_IS}{_ARTICLE}{_OPENING}(?P<value>{_CAPITAL}[\w'’-]{{1,24}}"
    rf"(?: (?:& |de |del |da |do |di )?{_CAPITAL}[\w'’-]{{0,24}}){{0,3}}){_END}"
)
_TOLD = re.compile(
    r" ?[「“\"]?(?P<value>[^\W\d_][\w・ +-]{0,16}?)"
    r"(?=[」”\"]?(?:です|だと|だって|とのこと|らしい|だよ|だ。|입니다|이에요|예요|이야|야\.|[。，,！!.\n]|\Z))"
)
_BEFORE_IS = re.compile(
    r" [\"“']?(?P<value>[^\W\d_][^\s।,.]{0,20}(?: [^\s।,.]{2,20})?)[\"”']?"
    r" (?:है|हैं|निकला|निकली|था|थी|बताया|लिखा)"
)
_OWN = re.compile(
    r"(?<!\w)(?:mi|mis|nuestr[oa]|su|tu|mon|ma|notre|son|sa|votre|mein|meine|unser|unsere|ihr|ihre"
    r"|sein|seine|mio|mia|nostr[oa]|suo|sua|meu|minha|noss[oa]|seu) (?:[^\s.!?,]{1,20} ){1,3}\Z"
)
_BOOK = Book(
    [
        phrase(said, pattern)
        for phrases, pattern in (
            (_CHOSEN, _CHOICE),
            (_PLACES, _NAME),
            (_NAMING, _NAME),
            (_CALLED, _NAME),
            (_WIDE, _TOLD),
            (_HINDI, _BEFORE_IS),
        )
        for said in phrases
    ]
)


def foreign_attributes(text: str) -> Iterator[Anchor]:
    """What sentences say that somebody's or something is."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match is None or _is_how(match["value"]):
            continue
        naming = pattern is _NAME and text[begin:end].lower() in _NAMING
        if naming and not _OWN.search(text.lower(), max(0, begin - _REACH), begin):
            continue
        sure = NAMED if pattern is _NAME else WORDS
        yield announced(begin, match, sure, "prose:attribute", delimited=False)


def _is_how(value: str) -> bool:
    """Whether words say how something is, and not what."""
    return is_state(value) or any(word in JOINING for word in value.lower().split())
