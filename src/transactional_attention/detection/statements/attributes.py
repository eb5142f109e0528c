"""What people say that theirs are: ``our dog is called Biscuit``, ``my favourite colour is teal``,
``the venue is the Blue Lantern``, ``our tenant id is contoso-emea``.

The noun says which words may be the value: a name with a capital, words joined by a hyphen, or,
where the noun asks for one of many, any rare word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..joining import is_common
from ..name_parts import name_parts
from ..quoted_states import is_state
from ..spoken import Book, announced, phrase, spoken

NAMED, SLUG, WORDS = 0.64, 0.62, 0.6
_REACH = 40  # characters before a noun that say whose it is
_BEINGS = (
    "dog|cat|puppy|kitten|horse|pony|parrot|rabbit|hamster|tortoise|goldfish|pet|boat|yacht|ship"
    "|robot|band|team|squad|teacher|dentist|doctor|neighbour|neighbor|manager|boss|mentor|tutor"
    "|coach|assistant|secretary|sister|brother|wife|husband|daughter|son|mother|father|aunt|uncle"
    "|cousin|grandmother|grandfather|roommate|flatmate|colleague|sponsor|lawyer|accountant|plumber"
    "|electrician|builder|nurse|therapist|optician|vet|babysitter|cleaner|gardener|landlord"
    "|project|product|school|employer|bank|insurer|pharmacy|clinic|hometown|home town|birthplace"
    "|nickname|middle name|surname|first pet|first school|first teacher|best friend|godmother"
    "|godfather|username|street|village|company|agency|studio"
)
_PLACES = (
    "venue|supplier|vendor|caterer|courier|carrier|airline|meeting point|meeting place|rendezvous"
    "|assembly point|guest of honour|guest of honor|keynote speaker|emergency contact|next of kin"
    "|sponsor|restaurant|pub|café|client|customer|contractor|subcontractor|insurer|operator"
    "|distributor|manufacturer|publisher|registrar|isp|answer to the security question"
    "|answer to my security question|security answer|secret answer|winner|codename|code name"
    "|working title|internal name|release name|project name|team name|name of the project"
    "|name of the release|name of the team"
)
_ONE_OF_MANY = (
    "favourite colour|favorite color|favourite food|favorite food|favourite dish|favorite dish"
    "|favourite fruit|favorite fruit|favourite animal|favorite animal|favourite flower"
    "|favorite flower|favourite drink|favorite drink|favourite sport|favorite sport"
    "|favourite tea|favorite tea|favourite dessert|favorite dessert|favourite season"
    "|favorite season|favourite book|favorite book|favourite film|favorite movie|favourite song"
    "|favorite song|favourite band|favorite band|eye colour|eye color|hair colour|hair color"
    "|accent colour|accent color|brand colour|brand color|star sign|birth sign|shoe size|ring size"
    "|shirt size|dress size|hat size|collar size|blood type|blood group|mother tongue"
    "|native language|preferred language|preferred editor|preferred shell|preferred airline"
    "|preferred seat|preferred name|preferred pronouns|seat preference|meal preference"
    "|dietary requirement|time zone|timezone|security answer|secret answer|password hint"
    "|rollout strategy|deployment strategy|release strategy|branching strategy"
)
_RESOURCES = (
    "namespace|tenant|tenant id|tenant name|bucket|queue|cluster|workspace|environment name"
    "|node pool|service account|database|schema|topic|channel|stack|container|account name"
    "|organisation|organization|org|project id|project key|profile|datasource|dataset|subnet"
    "|resource group|security group|consumer group|deployment|slot|feature flag|flag"
)
_IS = (
    r"(?:,? (?:is|was|will be|remains|stays)(?: now| still)?(?P<called> (?:called|named))?"
    r"|(?P<bare>,? called|,? named)) "
)
_NAME = (
    r"(?:[Tt]he )?(?P<value>(?!The |A |An |In |On |At |Not )[A-Z][\w'’-]{1,24}"
    r"(?: (?:& |and |of |de |la |von |van )?[A-Z][\w'’-]{0,24}){0,3})"
)
_SLUG = r"(?P<value>[a-z][a-z0-9]{1,24}(?:[-_.][a-z0-9]{2,24}){1,4})"
_TYPE = r"(?:AB|A|B|O|0)(?:[+-]| (?:positive|negative))"
_WORDS = (
    rf"(?P<value>{_TYPE}|\d{{1,3}}(?:½|[.,]\d{{1,2}})?"
    r"|(?:[^\W\d_]{3,16}[ -]){0,2}[^\W\d_]{3,16})"
)
_END = (
    r"(?=[\"'”’*`]{0,2}(?:[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:and|but|because|since|so|from|until|by the way|if|for|in|on|at|not|these days|now)\b"
    r"| [–—-] ))"
)
_OPENING = r"[\"'“‘*`]{0,2}"
_OF = r"(?: (?:for|of|in|on|at) (?:[\w'’-]{1,20} ){0,3}?[\w'’-]{1,20})?"
_FORMS = {
    kind: re.compile(_OF + _IS + _OPENING + value + _END)
    for kind, value in (("name", _NAME), ("slug", _SLUG), ("words", _WORDS))
}
_SOMEBODYS = re.compile(
    r"\b(?:my|our|his|her|their|your|[\w-]{2,20}['’]s?)(?: [a-z][a-z-]{1,16}){0,2} \Z", re.I
)
_ANYBODYS = re.compile(
    r"(?:\b(?:the|my|our|his|her|their|your|[\w-]{2,20}['’]s?) (?:[a-z][a-z-]{1,16} ){0,2}"
    r"|\A|\n)\Z",
    re.I,
)
# Where people come from, and what they believe, have capitals in English.
_ADJECTIVE = re.compile(
    r"[A-Z]\w*(?:an|ish|ese|ic)|French|Greek|Dutch|Swiss|Czech|Thai|Welsh|German|I"
)
_ASIDE = frozenset("unknown here there mine yours gone dead alive late important different".split())
_BLOOD = re.compile(_TYPE)
_BOOK = Book(
    [
        *(phrase(noun, (_SOMEBODYS, "name")) for noun in _BEINGS.split("|")),
        *(phrase(noun, (_ANYBODYS, "name")) for noun in _PLACES.split("|")),
        *(phrase(noun, (_SOMEBODYS, "words")) for noun in _ONE_OF_MANY.split("|")),
        *(phrase(noun, (_ANYBODYS, "slug")) for noun in _RESOURCES.split("|")),
    ]
)
_SURE = {"name": NAMED, "slug": SLUG, "words": WORDS}


def attributes(text: str) -> Iterator[Anchor]:
    """What sentences say that somebody's or something is."""
    for begin, end, (whose, kind) in spoken(text, _BOOK):
        match = _FORMS[kind].match(text, end) if text[end : end + 1] in (" ", ",") else None
        if match is None or not whose.search(text, max(0, begin - _REACH), begin):
            continue
        if _is_told(match, kind):
            yield announced(begin, match, _SURE[kind], "prose:attribute", delimited=False)


def _is_told(match: re.Match[str], kind: str) -> bool:
    """Whether words are what something is, and not how it is."""
    value = match["value"]
    called = bool(match["called"] or match["bare"])
    if kind == "name":
        return called or " " in value or _ADJECTIVE.fullmatch(value) is None
    if kind == "slug":
        parts = name_parts(value)
        return bool(parts) and (called or not any(map(is_common, parts)))
    if value[0].isdigit() or _BLOOD.fullmatch(value):
        return True
    words = re.split("[ -]", value.lower())
    return not (is_state(value) or any(word in _ASIDE or is_common(word) for word in words))
