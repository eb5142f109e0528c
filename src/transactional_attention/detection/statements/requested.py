"""What somebody asks to have remembered: ``remember this for later: blue heron seven``, ``merk dir
das: blauer Reiher``, ``remember the word heron``.

Such a request is as plain as a label, so what follows it needs neither a digit nor a form; it is
the rest of the clause, unless that is a sentence ("remember: always wear a helmet").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..joining import JOINING
from ..spoken import Book, announced, phrase, spoken

REQUESTED, NUMBER, MIXED, PLAIN = 0.8, 0.86, 0.7, 0.6
WORDS, CHARACTERS = 8, 64  # a clause is no longer
_FULL = (
    "remember this|remember these|remember the following|memorize this|memorise this"
    "|memorize these|memorise these|memorize the following|memorise the following"
    "|note this|note these|note the following|write this|write these|write the following"
    "|jot this|jot these|make a note of this|take a note of this|keep this|keep these"
    "|save this|save these|store this|store these|retain this|retain these"
    "|hold on to this|hold onto this|hold on to these|hold onto these|don't forget this"
    "|don’t forget this|do not forget this|don't forget these|don't lose this|don’t lose this"
    "|do not lose this|you'll need this|you’ll need this|you will need this|words to remember"
    "|numbers to remember|names to remember|things to remember|note to self"
    "|recuerda esto|recuerde esto|recuérdame esto|anota esto|anote esto|apunta esto|apunte esto"
    "|guarda esto|guarde esto|no olvides esto|no olvide esto|memoriza esto|memorice esto"
    "|recuerda estas|recuerda estos|retiens ceci|retenez ceci|retiens bien ceci"
    "|retenez bien ceci|retiens ça|note ceci|notez ceci|note ça|notez ça|souviens-toi de ceci"
    "|souvenez-vous de ceci|n'oublie pas ceci|n’oublie pas ceci|n'oubliez pas ceci"
    "|n’oubliez pas ceci|garde ceci|gardez ceci|mémorise ceci|mémorisez ceci|merk dir das"
    "|merk dir bitte|merke dir das|merke dir bitte|merken sie sich das|merken sie sich bitte"
    "|merk dir folgendes|notier dir das|notiere dir das|notieren sie sich das|notieren sie bitte"
    "|schreib dir das auf|schreib das auf|schreiben sie sich das auf|vergiss das nicht"
    "|vergessen sie das nicht|ricorda questo|ricordati questo|ricordi questo|annota questo"
    "|annotati questo|segnati questo|non dimenticare questo|tieni a mente questo"
    "|memorizza questo|lembre-se disto|lembre-se disso|lembra-te disto|lembra disto|anote isto"
    "|anote isso|anota isto|anota isso|guarde isto|guarde isso|guarda isto|guarda isso"
    "|não esqueça isto|não esqueça isso|não te esqueças disto|memorize isto|memorize isso"
    "|запомни|запомните|запиши|запишите|не забудь|не забудьте|bunu unutma|bunu unutmayın"
    "|şunu unutma|bunu aklında tut|bunu not et|bunu not al|şunu not et|bunu hatırla"
    "|şunu hatırla|bunu kaydet|تذكر هذا|تذكّر هذا|تذكر هذه|احفظ هذا|لا تنس هذا|دوّن هذا|دون هذا"
    "|याद रखना|याद रखें|याद रखो|याद रखिए|नोट कर लो|नोट करें|नोट कर लें|लिख लो"
    "|记住|記住|记下来|记一下|别忘了|覚えておいて|覚えて|メモして|メモしておいて|忘れないで"
    "|기억해|기억해줘|기억해둬|기억하세요|메모해|적어 둬|적어둬|잊지 마"
).split("|")
# Advice is given with these words too.
_PLAIN = ("remember", "don't forget", "don’t forget", "keep in mind", "remember for later")
_NAMING = [
    f"{verb} {which} {noun}"
    for verb in ("remember", "memorize", "memorise", "note down", "write down")
    for which in ("the", "my", "this", "our")
    for noun in ("word", "words", "phrase", "name", "code word", "codeword", "secret word")
]
_OUT = r"\n!?。！？；。\"“”«»「」()<>{}\[\]="
_INSIDE = rf"(?:[^{_OUT}.:;]|[.:](?=\w))"
_STOP = r"(?=[ \u00a0]?[\"”»」]?(?:[.!?;](?:\s|\Z)|[。！？；।]|\s*(?:\n|\Z)))"
_CLAUSE = rf"(?P<value>(?![\s,'’]){_INSIDE}{{2,{CHARACTERS}}}?){_STOP}"
_SIGN = r"[ \u00a0]?(?:[:：]|[–—-] )[ \u00a0]?"
_OPENING = rf"{_SIGN}[\"“«„「]?[ \u00a0]?"
# A few words, as "for later", "please" or "down", a sign, and the clause.
_ASKED = re.compile(
    rf"(?:,?[ ][^\s.,:;!?：。]{{1,16}}){{0,5}}?[ ]?[^\W\d]{{0,4}}{_OPENING}"
    rf"(?:(?:the|my|our|its|her|his|their) (?:[^\W\d]{{1,24}} ){{1,4}}(?:is|are|was) [\"“]?)?"
    rf"{_CLAUSE}"
)
_NAMED = re.compile(rf"(?:{_OPENING}|[ ][\"“]?){_CLAUSE}")
_BARE = re.compile(rf"{_OPENING}{_CLAUSE}")
_BOOK = Book(
    [
        phrase(said, pattern)
        for phrases, pattern in ((_FULL, _ASKED), (_NAMING, _NAMED), (_PLAIN, _BARE))
        for said in phrases
    ]
)
_NUMBERS = re.compile(r"[+(]?\d[\d ()/.-]*")
# Words and endings of sentences that no list of joining words holds.
_SENTENCE = frozenset(
    "is are was were has have had will would can could must shall should may might do does "
    "did don't don’t it's it’s that's i'm i'll we'll you'll if when because that which who "
    "you they them our your not there than the this with from and es está son hay el la le "
    "les l'est est c'est sont il è sono ist sind hat è é são tem está это есть надо нужно "
    "нельзя он она они في على هو هي تحت إلى من".split()
)
_SPOKEN = re.compile(
    r"[はがをも](?=\S)|(?:です|ます|だ|ない|して)\Z|[在是了的不有]|(?:다|요|까)\Z|(?:है|हैं|था|थी|हो)\Z"
)


def requested(text: str) -> Iterator[Anchor]:
    """What follows a request to remember it."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match is None or _is_sentence(match["value"]):
            continue
        confidence = _confidence(match["value"])
        if pattern is _BARE:
            confidence = min(confidence, PLAIN)
        yield announced(begin, match, confidence, "prose:asked", delimited=True)


def _confidence(value: str) -> float:
    """Less for digits among words, which other grammars may know by name."""
    if _NUMBERS.fullmatch(value):
        return NUMBER
    return MIXED if any(char.isdigit() for char in value) else REQUESTED


def _is_sentence(clause: str) -> bool:
    """Whether a clause tells something rather than being what is told."""
    words = [word.strip(",'’").lower() for word in clause.split()]
    if len(words) > WORDS or _SPOKEN.search(clause):
        return True
    return any(word in _SENTENCE or word in JOINING for word in words if len(word) > 1)
