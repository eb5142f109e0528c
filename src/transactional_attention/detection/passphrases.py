"""Passwords and phrases of plain words: by the label that names them as such.

One or two words need the label, a copula and the end of the clause; three words or more, none of
which joins others, are a list that no sentence holds, so a comment may stand between, the verb may
be one of saying, and the language any that puts the label first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .joining import is_common
from .text_words import begins_of, has_letters, lowered, places, seek, split, words_of

WORDS, ONE_WORD = 0.8, 0.65
_QUOTES = "\"'`“”‘’«»"

_WORD_LABEL = re.compile(
    r"\b(?P<label>(?:pass(?:word|phrase|code|key)|code ?(?:word|name|phrase)|safe ?word|magic word"
    r"|user ?name|login|handle|callsign"
    r"|(?:seed|recovery|secret|backup) (?:phrase|words?)|phrase|ssid"
    r"|(?:wifi|wi-fi|network) (?:name|key))"
    r"(?: (?:for|of|to|on|at|in) (?:[\w'’\-]+ ){0,3}[\w'’\-]+)?(?: (?:is|was|will be|stays"
    r"|remains|became)| ?[:=–—-])(?: now)? )"
    r"[\"'“‘`*]{0,2}(?P<value>(?P<marked>[^\W\d_]+(?:[!#$%&+=@~][^\W\d_]+){1,4}+)"
    r"|[^\W\d_]+(?:[ _-][^\W\d_]+){0,7}+)"
    r"(?P<after>[\"'”’`*]{0,2}(?(marked)(?=[\s.,;!?)]|\Z)|(?:[.,;!?)\n]|\s*\Z| -)))",
    re.IGNORECASE,
)
_PHRASES = ("phrase", "word")
_NAMES = (
    *"password passphrase passcode passkey codeword codename safeword username login".split(),
    *"handle callsign ssid phrase".split(),
    *("code word", "code name", "code phrase", "safe word", "magic word", "user name"),
    *(f"{kind} {noun}" for kind in "seed recovery secret backup".split() for noun in _PHRASES),
    *(f"{kind} {noun}" for kind in "wifi wi-fi network".split() for noun in ("name", "key")),
)
_ENDS_OF_NAMES = {
    name: (words[0], words[-1], words[-1] + b"s") for name in _NAMES if (words := split(name))
}
_FUNCTION = re.compile(
    r"(?i)(?:the|a|an|not|to|of|that|this|it|in|for|on|at|as|by|you|we|they|he|she|very|so|too"
    r"|no|be|been|and|or|only|also|all|any|one)"
)
_STATE = re.compile(
    r"(?i)(?:wrong|correct|right|incorrect|invalid|valid|required|optional|missing|empty|lost"
    r"|safe|secret|secure|weak|strong|new|old"
    r"|here|there|below|above|unknown|available|needed|case|sensitive|expired|\w+ed|\w+ing|\w+ly"
    r"|\w+able|set|kept|sent|hidden|known|given|taken|shown)"
)

# What names a phrase, in the languages that put the name before it.
_CALLED = (
    "passphrase password passcode phrase words mnemonic countersign codeword parola parole frase"
    " palabra clave losung stichwort mot"
    " contraseña senha palavra passe kennwort passwort losung codewort пароль фраза 合言葉 口令 "
    "暗号"
    " 암호"
).split()
_TYPED = ("type", "enter", "key in")  # before these words stand in documentation as well
_UTTERED = (
    *_TYPED,
    *"whisper say says said utter murmur mutter shout yell chant recite wants expects".split(),
    *"whispered uttered murmured muttered shouted yelled chanted recited screeched croaked".split(),
    *"awaits hissed answered replied repeated repeat told namely wrote write writes".split(),
    *"written pencilled scrawled scribbled jotted penned inked painted chalked carved".split(),
    *"engraved etched printed stamped typed stitched embroidered tattooed spelled spell".split(),
    *"read reads texted posted entered chose chosen pick picked drew drawn".split(),
    *("settled on", "agreed on", "landed on", "went with"),
)


def _forms(said: str) -> frozenset[bytes]:
    """The first word of a name, and its plural; nothing of other scripts."""
    first = said.split()[0]
    return frozenset((first.encode(), first.encode() + b"s")) if first.isascii() else frozenset()


_CALLED_FORMS = {name: _forms(name) for name in _CALLED}
_FIRST_WORDS = {verb: split(verb)[0] for verb in _UTTERED}
seek(_FIRST_WORDS.values())
_ASCII_STARTS = frozenset(_FIRST_WORDS.values()).union(*_CALLED_FORMS.values())
_TO_RUN = re.compile(
    r"[^\W\d_]{0,4}(?: \([^()\n]{1,40}\))?(?:[ ,]{1,2}[^\s.!?:;=]{1,16}){0,7}?"
    r"(?:[ ,]{1,2}(?:is|was|are|reads|remains|stays|became|goes|will be|es|son|será|queda|quedó|est"
    r"|c['’]est|reste|sera|ist|lautet|heißt|bleibt|è|sono|resta|é|são|ficou|fica|continua|это"
    r"|теперь|هي|هو)|[ ]?[:=–—-]|は|是|为)(?=[\s\"“«「„『'*])[\s\"“«「„『'*]{1,3}"
)
_LINE = re.compile(r"[ \t]+")
_ITEM = re.compile(r"[^\W\d_]{1,16}(?![\w'’@/])")
_STOPS = re.compile(r"[\"'”’»」』*]{0,2}(?:[.,;!?)<。、，]|です|\s*\Z|[ \t]*\n| [–—-])")
_STARTS = re.compile(r"(?:\A|\n)[^\n.:]{0,24}\Z")
_ARTICLE = re.compile(
    r"(?:(?<!\w)(?:the|this|that|your|an?|el|la|los|las|una?|tu|su|les?|une|cette|ce|vos|votre|notre"
    r"|ta|sa|der|die|das|den|dem|eine?|diese[rsn]?|dein\w*|ihre?|il|lo|gli|quest[ao]|os?|as?|sua|seu"
    r"|est[ae]|эт[аоу]т?|ваш\w?)[ ](?:[^\s.:]{1,16}[ ]){0,2}|(?<!\w)l['’])\Z",
    re.IGNORECASE,
)
LEAST, MOST = 3, 8  # words of a list


def _runs(text: str) -> Iterator[Anchor]:
    """Lists of words behind a name or a verb of saying."""
    present = words_of(text)
    if text.isascii() and _ASCII_STARTS.isdisjoint(present):
        return
    lower = lowered(text)
    for name in _held(text):
        for place in places(lower, name):
            end = place + len(name)
            gap = _TO_RUN.match(text, end, end + 120)
            if gap is None:
                gap = _LINE.match(text, end)
                if gap and _STARTS.search(text, max(0, place - 32), place):
                    run = _run(text, place, gap.end(), stopped=False)
                    yield from (anchor for anchor in run if not _tells(text, anchor))
                continue
            yield from _run(text, place, gap.end(), stopped=False)
    begins = begins_of(text)
    for verb, first in _FIRST_WORDS.items():
        for place in begins.get(first, ()):
            if not lower.startswith(verb + " ", place) or lower[place - 1 : place].isalnum():
                continue
            end = place + len(verb)
            for anchor in _run(text, place, end + 1, stopped=True):
                many = text.count(" ", anchor.value.start, anchor.value.end) >= LEAST
                if many or verb not in _TYPED:
                    yield anchor
            gap = _TO_RUN.match(text, end, end + 120)  # what they say is ...
            if gap is not None:
                yield from _run(text, place, gap.end(), stopped=False)


def _tells(text: str, anchor: Anchor) -> bool:
    """Whether words right behind a name are a sentence about what it names: an article stands
    before it, or a full stop behind them. A note has neither."""
    label, value = anchor.label, anchor.value
    if _ARTICLE.search(text, max(0, label.start - 32), label.start):
        return True
    return text[value.end : value.end + 1] in (".", "。", "।")


def _held(text: str) -> Iterator[str]:
    """The names of which the first word, or its plural, may stand in a text."""
    present = words_of(text)
    for said, forms in _CALLED_FORMS.items():
        if not forms.isdisjoint(present) or (not forms and has_letters(text, said.split()[0])):
            yield said


def _run(text: str, label: int, begin: int, *, stopped: bool) -> Iterator[Anchor]:
    """The words from ``begin`` on; ``stopped``: a word that joins others may end them too."""
    at, end, count = begin, begin, 0
    joined = False
    while count <= MOST:
        word = _ITEM.match(text, at)
        if word is None or not (word.group().islower() or not word.group().isascii()):
            break
        if is_common(word.group()):
            joined = True
            break
        end, count = word.end(), count + 1
        if text[end : end + 1] != " ":
            break
        at = end + 1
    if LEAST <= count <= MOST and (_STOPS.match(text, end) or (stopped and joined)):
        quoted = text[begin - 1] in _QUOTES
        yield Anchor(Span(label, begin), Span(begin, end), WORDS, "prose:words", quoted)


def _word_labels(text: str) -> Iterator[re.Match[str]]:
    """Matches of ``_WORD_LABEL``, tried only where one of its names stands."""
    present = words_of(text)
    names = [
        name
        for name, (first, *lasts) in _ENDS_OF_NAMES.items()
        if first in present and not present.isdisjoint(lasts)
    ]
    if not names:
        return
    lower = lowered(text)
    starts = sorted({place for name in names for place in places(lower, name)})
    last = 0
    for place in starts:
        match = _WORD_LABEL.match(text, place) if place >= last else None
        if match:
            last = match.end()
            yield match


def passphrases(text: str) -> Iterator[Anchor]:
    """Passwords and phrases of plain words, named as such; several anchors may find one value."""
    yield from _runs(text)
    for match in _word_labels(text):
        words = re.split("[ _-]", match["value"])
        quoted = match["after"][:1] in _QUOTES and text[match.start("value") - 1] in _QUOTES
        refused = any(_FUNCTION.fullmatch(word) for word in words)
        refused = refused or (len(words) < 3 and any(_STATE.fullmatch(word) for word in words))
        if (refused and not quoted) or len(match["value"]) < 3:
            continue
        if text.startswith("phrase", match.start()) and (not quoted or len(words) < LEAST):
            continue  # that any phrase may be named so
        confidence = WORDS if quoted or len(words) > 2 else ONE_WORD
        label, value = Span(*match.span("label")), Span(*match.span("value"))
        yield Anchor(Span(label.start, value.start), value, confidence, "prose:words", quoted)
