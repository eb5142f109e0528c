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

from ..types import Anchor, Span
from .clusters import winners
from .corrections import retracted
from .cues import (
    AFTER_NUMBER,
    AS_QUANTITIES,
    BESIDE,
    CORRECTING,
    DOING,
    FOLLOWS,
    HANDLED,
    IS,
    KEYING,
    MAKES,
    MOVED,
    NO_OBJECT,
    NOT,
    PASSIVE,
    SET,
    SUBJECT,
    TELLING,
)
from .detector import LOOKBACK, MIN_CONFIDENCE
from .labels import find_label
from .mirror import Backwards, backwards
from .namers import named
from .notations import SCALE, is_rounded, written
from .numbers import LONG, is_chosen_alone
from .passphrases import passphrases
from .quotations import whole
from .quoted_values import quoted_values
from .roles import label_role
from .value_forms import form, outline
from .weighing import DAY_WORTH, MIN_OPACITY, boosted, weighed
from .withdrawn import before_struck
from .worth import CODE, PROMISING

LABELLED, OF_SUBJECT, KEYWORD, TOLD, DONE, AFTER, CORRECTED = (
    0.97,
    0.85,
    0.9,
    0.88,
    0.85,
    0.88,
    0.92,
)
RETRACTED, HELD = 0.9, 0.82
SURE = 0.9
MAX_INSERTED = 80
_ENDED = re.compile(r"[.;!?]\s|\n")
_NUMBER = re.compile(r" {0,2}(?:\.on|\.rn|\.mun|#|№|°n|ºn|[–—-])(?= )")
# A label of one word that begins its line or follows a bracket: no sentence (see structure).
_FIELD = re.compile(
    r"[\"'\\ ]{0,3}(?!noitcerroc|rebmemer|eton|etadpu|won)[\w.\-]+[\"'\\]{0,3}"
    r"(?:[ \t]*(?:\n|\Z)|[{(\[,;&?])"
)
_NAMING = ("prose:label", "prose:subject", "prose:keyword", "prose:after", "prose:correction")
_NAMED_BEFORE = ("label", "keyword", "subject")
_BRACKET = re.compile(r"\s*\n\s*\]")  # what ends a line of a grammar names nothing on the next
_SIGN = re.compile(r"(?P<pair>[:=])|>-|[?→]")
_OPENING = " #\"'`“‘(*"


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
        found = [
            *passphrases(text),
            *named(text),
            *quoted_values(text),
            *_stated(text),
        ]
        kept = (a for a in found if a.confidence >= self.minimum)
        return winners(a for a in kept if min(a.label.start, a.value.start) >= start)


def _stated(text: str) -> Iterator[Anchor]:
    """Candidates with a cue."""
    named: list[Anchor] = []
    for begin, end, composite, weight in weighed(text):
        cue = _cue(text, begin, end, weight)
        if cue is None:
            continue
        if weight == MIN_OPACITY and cue.rule == "label" and cue.strength >= SURE:
            weight = CODE  # digits of a year behind what names a code
        confidence = cue.strength * boosted(weight, cue.strength)
        stop = whole(text, cue.label, begin, end) if cue.rule in _NAMED_BEFORE else end
        if stop == begin:
            continue
        composite, end = composite or stop > end, stop
        label = Span(cue.label, cue.end)
        if cue.rule == "correction":
            named = [anchor for anchor in named if begin - anchor.value.end < LOOKBACK]
            corrected = _corrected(text, named, text[begin:end])
            about = _topic(text, cue.label)
            if about is not None:
                label = Span(about, cue.end)
            elif corrected and corrected.label.end <= begin:
                label = corrected.label
        anchor = Anchor(label, Span(begin, end), confidence, f"prose:{cue.rule}", composite)
        if anchor.confidence >= MIN_CONFIDENCE:
            named.append(anchor)
        yield anchor


def _topic(text: str, at: int) -> int | None:
    """Where the name begins that a sentence gives before it takes something back: "as for the gate
    code, it is now"."""
    if text[at - 2 : at] != ", ":
        return None
    noun = find_label(text, at - 2)
    return noun.start if noun is not None and noun.adjacent else None


def _corrected(text: str, named: list[Anchor], value: str) -> Anchor | None:
    """Which of the values before it a correction corrects: the last one, unless one of the others
    looks more like it; None where that one has no name."""
    earlier = {anchor: text[anchor.value.start : anchor.value.end] for anchor in named}
    alike = [anchor for anchor, old in earlier.items() if outline(old) == outline(value)]
    alike = alike or [anchor for anchor, old in earlier.items() if form(old) == form(value)]
    last = (alike or named)[-1:]
    return last[0] if last and last[0].rule in _NAMING else None


def _cue(text: str, begin: int, end: int, weight: float) -> _Cue | None:
    """The strongest cue of a candidate."""
    value = text[begin:end]
    number = value.isdigit() or ("," in value and value.replace(",", "").isdigit())
    counted = number and weight < 0.7 and AFTER_NUMBER.match(text, end) is None
    at = before_struck(text, begin)
    before = backwards(text, at, LOOKBACK)
    short = number and end - begin < LONG
    dull = short and not is_chosen_alone(value)
    cues = [] if counted else list(_before(text, at, end, before, short, dull))
    if weight >= 0.5 and text[end : end + 1] != "\n":  # else nothing follows on its line
        follows = FOLLOWS.match(text, end, end + 120)
        if follows and not (dull and BESIDE.match(text, end)):
            cues.append(_Cue(*follows.span("label"), AFTER, "after"))
        makes = MAKES.match(text, end, end + 40)
        if makes and not (short and NO_OBJECT.match(text, makes.start("verb"))):
            cues.append(_Cue(*makes.span("verb"), DONE, "after"))
    if weight >= DAY_WORTH and not dull:
        marked = retracted(text, begin) if not counted else None
        if marked is not None:
            cues.append(_Cue(marked, begin, RETRACTED, "correction"))
    if not cues or NOT.match(*before):
        return None
    return max(cues, key=lambda cue: cue.strength)


def _before(
    text: str, begin: int, end: int, before: Backwards, number: bool, dull: bool
) -> Iterator[_Cue]:
    """Cues before a value, by what stands next to it; ``dull``: a number as quantities are."""
    mirror, at, stop = before
    last, first = begin + at, at
    while at < stop and mirror[at] in _OPENING:
        at += 1
    gap = at - first
    sign = _SIGN.match(mirror, at, stop)
    if (not gap and not sign) or (sign and sign["pair"] and _FIELD.match(mirror, at + 1, stop)):
        return
    correcting = CORRECTING.match(*before)
    if correcting and not (dull and correcting["cue"] in AS_QUANTITIES):
        yield _Cue(last - correcting.end(), begin, CORRECTED, "correction")
    telling = TELLING.match(*before)
    if telling:
        yield _Cue(last - telling.end(), begin, TOLD - (0.1 if number else 0.0), "telling")
    named = list(_named(text, begin, before, number))
    yield from named
    if sign:
        label = find_label(text, begin - gap - len(sign[0])) if gap and sign[0] != "=" else None
        if label is not None and not (sign["pair"] and label.adjacent):  # else see structure
            yield _Cue(label.start, begin, LABELLED * label.strength, "label")
        return
    noun = find_label(text, begin - gap - _aside(text, begin - gap, end))
    if noun is not None and noun.adjacent and not _BRACKET.match(mirror, at, stop):
        yield _Cue(noun.start, begin, KEYWORD * noun.strength, "keyword")
    doing = DOING.match(*before)
    handled = None if doing or dull or named else HANDLED.match(*before)
    if doing and not (dull and doing["cue"] not in KEYING):
        done = doing, DONE
    elif handled:
        done = handled, HELD
    else:
        return
    if not _is_rounded(text[begin:end], text[end : end + SCALE]):
        yield _Cue(last - done[0].end(), begin, done[1], "doing")


def _is_rounded(value: str, after: str) -> bool:
    """Whether a value is a sum in thousands or millions, as stories tell them."""
    return written(value, 0)[1] == "money" and is_rounded(value, after)


def _aside(text: str, begin: int, end: int) -> int:
    """Characters between a noun and a value that are no words: ``tag no. V``, ``the tag, V, "
    "...``"""
    mirror, at, stop = backwards(text, begin, 8)
    sign = _NUMBER.match(mirror, at, stop)
    if sign:
        return sign.end() - at
    return 1 if text.startswith(",", end) and text[begin - 1 : begin] == "," else 0


def _named(text: str, begin: int, before: Backwards, number: bool) -> Iterator[_Cue]:
    """``the door code is V``, ``our extension was V``."""
    mirror, first, stop = before
    last = begin + first
    copula = IS.match(*before)
    if copula is None:
        yield from _set(text, begin, before, number)
        return
    at = _before_insertion(text, last - copula.end())
    label = find_label(text, at)
    if label is not None:
        yield _Cue(label.start, begin, LABELLED * label.strength, "label")
        return
    inserted = at < last - copula.end()
    subject = SUBJECT.match(mirror, last - at - inserted, stop)
    if subject:
        start = last - subject.end()
        known = label_role(text[start:at].strip()) >= PROMISING
        strength = OF_SUBJECT - (0.15 if number and not known else 0.0)
        yield _Cue(start, begin, strength, "subject")


def _before_insertion(text: str, at: int) -> int:
    """Where the words end that an insertion before ``at`` parts from it: the tag, as I said, was
    V; else ``at``."""
    if text[at - 2 : at] != ", ":
        return at
    comma = text.rfind(", ", max(0, at - MAX_INSERTED), at - 2)
    return at if comma < 0 or _ENDED.search(text, comma, at) else comma


def _set(text: str, begin: int, before: Backwards, number: bool) -> Iterator[_Cue]:
    """``we set the cloakroom tag to V``; ``the cloakroom tag was set last year to V``."""
    last, change = begin + before[1], SET.match(*before)
    verb = change or MOVED.match(*before)
    told = verb and (PASSIVE.match(before[0], verb.end(), before[2]) or change)
    if told is None:
        return
    what = told.span("what")
    label = find_label(text, last - what[0])
    if label is not None and label.adjacent:
        yield _Cue(label.start, begin, LABELLED * label.strength, "label")
    else:
        start = last - what[1]
        known = label_role(text[start : last - what[0]].strip()) >= PROMISING
        yield _Cue(start, begin, OF_SUBJECT - (0.15 if number and not known else 0.0), "subject")
