"""How names of people are written: two words with capitals at least, or one behind a title."""

from __future__ import annotations

import re

from .ordinary import is_ordinary

_CAPITAL = "A-ZÀ-ÖØ-ÞĆČĎĐĞİŁŃŘŚŞŠŤŽŻŹŐŰÇА-ЯЁ"
_SMALL = "a-zß-öø-ÿā-žа-яё"
_WORD = (
    rf"[{_CAPITAL}](?:['’]?[{_CAPITAL}])?[{_SMALL}]{{1,20}}(?:[{_CAPITAL}][{_SMALL}]{{1,20}})?"
    rf"(?:['’-][{_CAPITAL}][{_SMALL}]{{1,20}}){{0,2}}"
)
_TITLE = (
    r"(?:Mrs?|Ms|Dr|Prof|Frau|Herrn?|Sr|Sra|Dra|Mme|Mlle|M|Sig|Sig\.ra|Dott|Dott\.ssa|Av|г-жа|г-н"
    r"|Dona|Doña|Seu|Tante|Onkel|Madame|Monsieur|Signora?|Zia|Zio)"
    r"\.? (?:Dr\.? )?"
)
_LINK = r"(?: (?:[A-Z]\.|van der|van|von|de la|de|da|dos|do|del|di|der|la|den|bin|al|el|ten|y))?"
NAME = rf"(?:{_TITLE}{_WORD}(?:{_LINK} {_WORD}){{0,2}}|{_WORD}(?:{_LINK} {_WORD}){{1,2}})"
"""A whole name; for a pattern."""
REACH = 72  # characters before a place in which a name ends there
_LAST = re.compile(rf"(?<!\w){NAME}\Z")
_TITLED = re.compile(_TITLE)
# Words with a capital that begin a sentence, or that stand in names of bodies, days and places.
_NOT_FIRST = frozenset(
    "the our your my his her their its this that these those if when while since because as and but"
    " or so for from to in on at by with after before until today tomorrow tonight please also then"
    " now once only even here there what who which where how why no not yes ok okay note starting"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december reminder update hello hi dear ab für im"
    " am bei seit mit und der die das den dem ein eine unser unsere neu neue künftig heute morgen"
    " el la los las un una para por con desde en y le les des une pour avec dès sur et il lo gli i"
    " dal da per con nel e o os um uma com no na quem но и за с в по от на если когда bu bundan"
    " bugün yarın artık ve için mai juin juillet mayo junio julio maggio giugno luglio maio junho"
    " julho мая июня que qui che quando heute ihr ihre frage fragen".split()
)
_BODIES = frozenset(
    "team teams support resources department office service services board committee group company"
    " council inc ltd corp corporation bank university college school institute agency ministry"
    " court church army navy police government state states city county street road union club"
    " association society foundation party league house centre center desk security management"
    " operations finance sales marketing engineering affairs protection relations control data"
    " customer human world international national royal supreme foreign public united north south"
    " east west google microsoft kreuz stadt amt bundesamt ministerium"
    " verein gmbh ag abteilung firma haus cruz roja comune ministero ministerio ministère cruz"
    " vermelha croix rouge mairie ayuntamiento prefeitura câmara banco banca banque società"
    " compañía université universidad università министерство крест красный внутренних дел банк"
    " отдел комитет компания derneği bakanlığı belediyesi bankası şirketi kızılay müdürlüğü lady"
    " lord king queen saint prince princess sir god jesus christ president pope emperor django"
    " windows python linux java script http act bill law code river lake mount island".split()
)


def is_person(name: str) -> bool:
    """Whether words with capitals are a person's: none of them is a body's or begins a phrase."""
    words = _TITLED.sub("", name, count=1).lower().replace("i̇", "i").split()
    return bool(words) and words[0] not in _NOT_FIRST and _BODIES.isdisjoint(words)


def is_somebody(name: str) -> bool:
    """The same where a key or a title of a column may have named a thing as well."""
    return is_person(name) and not any(map(is_ordinary, name.lower().split()))


def name_before(text: str, end: int) -> tuple[int, int] | None:
    """The name that ends at ``end``, without what begins its sentence; None when there is none."""
    first = max(0, end - REACH)
    while True:
        match = _LAST.search(text, first, end)
        if match is None:
            return None
        if is_person(match.group()):
            return match.span()
        word = match.group().split(" ", 1)[0]
        if word.lower() not in _NOT_FIRST:
            return None
        first = match.start() + len(word)
