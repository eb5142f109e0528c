"""Values in English prose: ``the door code is 4417``, ``XK7 opens the gate``, ``type 4471 on the
pad``, ``no, make that 4472``.

A candidate (see ``candidates``) is judged by what stands before it and after it (see ``cues``);
passwords and passphrases that are plain words are found by their label. Confidence = cue x worth.
A correction carries the label of the statement before it, so that it supersedes that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..types import Anchor, Span
from .call_ids import is_call_id, ties_a_call
from .candidates import candidates, phrases
from .clusters import winners
from .cues import (
    AFTER_NUMBER,
    CORRECTING,
    DOING,
    FOLLOWS,
    IS,
    MAKES,
    NOT,
    SUBJECT,
    TELLING,
)
from .detector import LOOKBACK, MIN_CONFIDENCE
from .forms import classify
from .labels import find_label
from .mirror import Backwards, backwards
from .opacity import opacity
from .roles import label_role
from .worth import CODE, CODE_LIKE, PROMISING, SHAPED, TRUST, is_placeholder

LABELLED, OF_SUBJECT, KEYWORD, TOLD, DONE, AFTER, CORRECTED = (
    0.97,
    0.85,
    0.9,
    0.88,
    0.85,
    0.88,
    0.92,
)
WORDS, ONE_WORD = 0.8, 0.65
MIN_OPACITY, TRUSTED = 0.36, 0.8
MIN_LENGTH = 3
_COUNTED = re.compile(
    r"(?:1[5-9]|20)\d\ds?|\d{1,2}|\d+(?:st|nd|rd|th)s?|\d+-[a-z]{3,}|[-+]?\d*\.\d+|[A-Za-z]{2,5}-\d{1,2}"
)
_DAY = re.compile(r"\d{1,2} \w+ \d{4}")
DAY_WORTH, SPOKEN = 0.5, 0.7
# A label of one word that begins its line or follows a bracket: no sentence (see structure).
_FIELD = re.compile(
    r"[\"'\\ ]{0,3}(?!noitcerroc|rebmemer|eton|etadpu|won)[\w.\-]+[\"'\\]{0,3}"
    r"(?:[ \t]*(?:\n|\Z)|[{(\[,;&?])"
)
_OPENING = " #\"'`“‘(*"
_QUOTES = "\"'`“”‘’«»"

_WORD_LABEL = re.compile(
    r"\b(?P<label>(?:pass(?:word|phrase|code|key)|code ?(?:word|name)|safe ?word|magic word|user"
    r" ?name|login|handle|callsign"
    r"|(?:seed|recovery|secret|backup) (?:phrase|words?)|(?:wifi|wi-fi|network) (?:name|key)|ssid)"
    r"(?: (?:for|of|to|on|at|in) (?:[\w'’\-]+ ){0,3}[\w'’\-]+)?(?: (?:is|was|will be|stays"
    r"|remains|became)| ?[:=–—-])(?: now)? )"
    r"[\"'“‘`*]{0,2}(?P<value>[^\W\d_]+(?:["
    r" -][^\W\d_]+){0,7}+)(?P<after>[\"'”’`*]{0,2}(?:[.,;!?)\n]|\s*\Z| -))",
    re.IGNORECASE,
)
_PHRASES = ("phrase", "word")
_NAMED = (
    "password|passphrase|passcode|passkey|codeword|codename|safeword|username|login|callsign|ssid"
    "|phrase|handle|code word|code name|safe word|magic word|user name|network name|wifi name"
).split("|")
_NAMES = (
    *"password passphrase passcode passkey codeword codename safeword username login".split(),
    *"handle callsign ssid".split(),
    *("code word", "code name", "safe word", "magic word", "user name"),
    *(f"{kind} {noun}" for kind in "seed recovery secret backup".split() for noun in _PHRASES),
    *(f"{kind} {noun}" for kind in "wifi wi-fi network".split() for noun in ("name", "key")),
)
_FUNCTION = re.compile(
    r"(?i)(?:the|a|an|not|to|of|that|this|it|in|for|on|at|as|by|you|we|they|he|she|very|so|too|no|be|been|and|or|only|also|all|any|one)"
)
_STATE = re.compile(
    r"(?i)(?:wrong|correct|right|incorrect|invalid|valid|required|optional|missing|empty|lost|safe|secret|secure|weak|strong|new|old"
    r"|here|there|below|above|unknown|available|needed|case|sensitive|expired|\w+ed|\w+ing|\w+ly|\w+able|set|kept|sent|hidden|known|given|taken|shown)"
)


@dataclass(frozen=True, slots=True)
class _Cue:
    """What speaks for a candidate: its label, and how strongly."""

    label: int
    end: int
    strength: float
    rule: str


class Prose:
    """Values that sentences announce."""

    name = "prose"

    def __init__(self, minimum: float = MIN_CONFIDENCE) -> None:
        self.minimum = minimum

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors whose label begins at or after ``start`` (see ``Detector``)."""
        found = [*_words(text), *_stated(text)]
        kept = (a for a in found if a.confidence >= self.minimum)
        return winners(a for a in kept if min(a.label.start, a.value.start) >= start)


def _stated(text: str) -> Iterator[Anchor]:
    """Candidates with a cue."""
    previous: Anchor | None = None
    for begin, end, composite, weight in weighed(text):
        cue = _cue(text, begin, end, weight)
        if cue is None:
            continue
        confidence = cue.strength * boosted(weight, cue.strength)
        label = Span(cue.label, cue.end)
        if cue.rule == "correction" and previous and begin - previous.value.end < LOOKBACK:
            label = previous.label if previous.label.end <= begin else label
        anchor = Anchor(label, Span(begin, end), confidence, f"prose:{cue.rule}", composite)
        previous = anchor if anchor.confidence >= MIN_CONFIDENCE else previous
        yield anchor


@lru_cache(maxsize=1)
def weighed(text: str) -> tuple[tuple[int, int, bool, float], ...]:
    """Candidates and phrases of a text with their weight, in order."""
    found = []
    for begin, end, composite in candidates(text):
        if end - begin >= MIN_LENGTH:
            value = text[begin:end]
            weight = _weight(value, composite)
            if weight < MIN_OPACITY or is_placeholder(value) or is_call_id(value):
                continue
            if not ties_a_call(text, begin, end):
                found.append((begin, end, composite, weight))
    spoken = [
        (begin, end, True, SPOKEN)
        for begin, end in phrases(text)
        if not is_placeholder(text[begin:end])
    ]
    return tuple(sorted(found + spoken) if spoken else found)


def _weight(value: str, composite: bool) -> float:
    """Opacity of a candidate, or what its form promises; little for years and small numbers."""
    if composite:
        return DAY_WORTH if _DAY.fullmatch(value) else SHAPED
    if ("-" in value or not value[0].isalpha()) and _COUNTED.fullmatch(value):
        return MIN_OPACITY if len(value) == 4 and value.isdigit() else 0.0
    weight = opacity(value)
    if weight < SHAPED and classify(value)[0] not in ("", "opaque"):
        return SHAPED
    return max(weight, CODE) if weight < CODE and CODE_LIKE.match(value) else weight


def boosted(weight: float, strength: float) -> float:
    """A weight, raised by a cue that can be trusted."""
    return weight + TRUST * (1 - weight) if strength >= TRUSTED and weight > DAY_WORTH else weight


def _cue(text: str, begin: int, end: int, weight: float) -> _Cue | None:
    """The strongest cue of a candidate."""
    value = text[begin:end]
    number = value.isdigit() or ("," in value and value.replace(",", "").isdigit())
    counted = number and weight < 0.7 and AFTER_NUMBER.match(text, end) is None
    before = backwards(text, begin, LOOKBACK)
    cues = [] if counted else list(_before(text, begin, before, number))
    if weight >= 0.5:
        follows = FOLLOWS.match(text, end, end + 120)
        if follows:
            cues.append(_Cue(*follows.span("label"), AFTER, "after"))
        makes = MAKES.match(text, end, end + 40)
        if makes:
            cues.append(_Cue(*makes.span("verb"), DONE, "after"))
    if not cues or NOT.match(*before):
        return None
    return max(cues, key=lambda cue: cue.strength)


def _before(text: str, begin: int, before: Backwards, number: bool) -> Iterator[_Cue]:
    """Cues before a value, by what stands next to it."""
    mirror, at, stop = before
    last, first = begin + at, at
    while at < stop and mirror[at] in _OPENING:
        at += 1
    gap = at - first
    signed = at < stop and mirror[at] in ":="
    if (not gap and not signed) or (signed and _FIELD.match(mirror, at + 1, stop)):
        return
    correcting = CORRECTING.match(*before)
    if correcting:
        yield _Cue(last - correcting.end(), begin, CORRECTED, "correction")
    telling = TELLING.match(*before)
    if telling:
        yield _Cue(last - telling.end(), begin, TOLD - (0.1 if number else 0.0), "telling")
    yield from _named(text, begin, before, number)
    if signed:
        return  # see structure
    noun = find_label(text, begin - gap)
    if noun is not None and noun.adjacent:
        yield _Cue(noun.start, begin, KEYWORD * noun.strength, "keyword")
    doing = DOING.match(*before)
    if doing:
        yield _Cue(last - doing.end(), begin, DONE, "doing")


def _named(text: str, begin: int, before: Backwards, number: bool) -> Iterator[_Cue]:
    """``the door code is V``, ``our extension was V``."""
    copula = IS.match(*before)
    if copula is None:
        return
    mirror, first, stop = before
    last = begin + first
    at = last - copula.end()
    label = find_label(text, at)
    if label is not None:
        yield _Cue(label.start, begin, LABELLED * label.strength, "label")
        return
    subject = SUBJECT.match(mirror, copula.end(), stop)
    if subject:
        start = last - subject.end()
        known = label_role(text[start:at].strip()) >= PROMISING
        strength = OF_SUBJECT - (0.15 if number and not known else 0.0)
        yield _Cue(start, begin, strength, "subject")


def _word_labels(text: str) -> Iterator[re.Match[str]]:
    """Matches of ``_WORD_LABEL``, tried only where one of its names stands."""
    lower = text.lower()
    if not any(word in lower for word in _NAMED):
        return
    if len(lower) != len(text):
        yield from _WORD_LABEL.finditer(text)
        return
    places = sorted({place for name in _NAMES for place in _places(lower, name)})
    last = 0
    for place in places:
        match = _WORD_LABEL.match(text, place) if place >= last else None
        if match:
            last = match.end()
            yield match


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _words(text: str) -> Iterator[Anchor]:
    """Passwords and phrases of plain words, named as such."""
    for match in _word_labels(text):
        words = re.split("[ -]", match["value"])
        quoted = match["after"][:1] in _QUOTES and text[match.start("value") - 1] in _QUOTES
        refused = any(_FUNCTION.fullmatch(word) for word in words)
        refused = refused or (len(words) < 3 and any(_STATE.fullmatch(word) for word in words))
        if (refused and not quoted) or len(match["value"]) < 3:
            continue
        confidence = WORDS if quoted or len(words) > 2 else ONE_WORD
        label, value = Span(*match.span("label")), Span(*match.span("value"))
        yield Anchor(Span(label.start, value.start), value, confidence, "prose:words", quoted)
