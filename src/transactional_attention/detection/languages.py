"""Values announced in other languages than English: label words, copulas, verbs of telling.

A candidate (see ``candidates``) counts when a label of some language stands before it, or a verb
next to it, or a label after it. Full-width and native digits are digits; between the letters of
scripts without spaces a value needs none. The words are in ``tongues``
and ``tongue_verbs``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ..types import Anchor, Span
from .clusters import winners
from .detector import MIN_CONFIDENCE
from .letter_tree import backward_tree
from .mirror import backwards
from .quotations import whole
from .quoted_words import ONE_WORD, WORDS, names_a_secret, quoted_words
from .text_words import begins_of, lowered, seek
from .tongue_verbs import AFTER, VERBS, VERBS_AFTER
from .tongues import (
    CLITICS,
    COMPOUNDS,
    COPULAS,
    LABELS,
    NOT_AFTER,
    NOT_BEFORE,
    OF,
    QUESTIONS,
    TAILS,
    UNSPACED,
)
from .weighing import MIN_OPACITY, boosted, weighed
from .worth import CODE

REACH = 72  # characters before a value
NOT_REACH = 24
JOINED, NEAR, TOLD, FOLLOWED = 0.97, 0.85, 0.85, 0.88


_Marks = tuple[list[int], list[int]]
"""Where the words of a text that English has not begin and end, in order."""


def _words(table: dict[str, str], tongues: Iterable[str]) -> list[str]:
    found = {word for tongue in tongues for word in table[tongue].split("|") if word}
    return sorted(found, key=lambda word: (-len(word), word))


def _any(words: list[str], *, backwards: bool = False) -> str:
    return "|".join(re.escape(word[::-1] if backwards else word) for word in words)


_SPACED = [tongue for tongue in LABELS if tongue not in UNSPACED]
_QUOTES = r"\"'`“”„‘’«»‹›「」『』《》【】（(*_#"
_MARKS = rf"[\s{_QUOTES}]{{0,6}}"
_NEAR = rf"(?:[^\S\n]|[{_QUOTES}]){{0,6}}"  # on one line: what stands below a word is not its value
_SIGN = r"[:：=＝–—-]|→|＞"
_SPACED_LABEL = backward_tree(_words(LABELS, _SPACED))
_WIDE_LABEL = backward_tree(_words(LABELS, UNSPACED))
_BEFORE = re.compile(
    rf"(?:{_MARKS}(?P<sign>[:：=＝→–—-]){_NEAR})?"
    rf"(?:{_MARKS}(?P<copula>{backward_tree(_words(COPULAS, LABELS))}){_MARKS}(?=[\s\W]"
    rf"|[\u0590-\uffff])[,، ]{{0,2}})?{_NEAR}"
    rf"(?P<between>(?:[^\s.!?。！？:：]{{1,20}} ){{0,5}}?|[^\s.!?。！？:：a-z]{{0,8}}?)"
    rf"(?:(?:(?:{_any(TAILS.split('|'), backwards=True)})(?=[^\W\d_]{{4}}))?"
    rf"(?P<spaced>{_SPACED_LABEL})(?:{CLITICS})?(?![^\W\d_])"
    rf"|(?P<joined>{_any(COMPOUNDS.split('|'), backwards=True)})(?=[^\W\d_]{{2}})"
    rf"|(?P<wide>{_WIDE_LABEL}))"
)
_OWNED = re.compile(rf"(?:{_any(OF.split('|'))})(?: |(?<=['’]))(?:[^\s.,;]{{1,20}} ){{1,3}}")
_VERB = re.compile(
    rf"(?:{_MARKS}(?:{_SIGN}))?{_NEAR}(?:[^\s.!?。！？]{{1,12}}[ ,、，:：]{{1,2}}){{0,2}}?"
    rf"[:：,，、]?"
    rf"(?:(?:{backward_tree(_words(VERBS, _SPACED))})(?![^\W\d_])"
    rf"|(?:{backward_tree(_words(VERBS, UNSPACED))}))"
)
_FOLLOWS = re.compile(
    rf"{_MARKS},? ?(?:(?:{_any(_words(AFTER, _SPACED))})(?= )|(?:{_any(_words(AFTER, UNSPACED))}))"
    rf"(?P<between> ?(?:[^\s.!?。！？]{{1,16}} ){{0,4}}?|[^\s.!?。！？a-z]{{0,10}}?)"
    rf"(?P<label>(?:[^\W\d_]{{2,20}}?(?={_any(COMPOUNDS.split('|'))}))?"
    rf"(?:{_any(_words(LABELS, LABELS))}))",
    re.IGNORECASE,
)
# Where the verb stands last: V is your code.
_VERB_LAST = re.compile(
    rf"{_MARKS} (?:[^\s.!?。！？,;:\d]{{1,16}} ){{0,3}}?"
    rf"(?P<label>(?:{_any(_words(LABELS, ('tr', 'hi')))}))"
    rf"(?:(?:{_any(TAILS.split('|'))})?(?:d[ıiuü]r|t[ıiuü]r)| (?:है|हैं|था|थी))(?!\w)"
)
# Labels that are English too need a copula that is not: other detectors read English.
_ENGLISH = frozenset(
    "code token pin id url iban wifi version password server file port no link parola"
    " passphrase client portable lot alarm portal charge".split()
)
_COMMON = (
    "el la los las de del es un una mi tu su que para con en le les du des une est mon ma votre der"
    " die das den dem ist lautet und von ein eine mein meine ihr il lo gli di della del mio sono o"
    " os"
    " um uma meu minha do da ve bu bir benim para por auf im al dal"
).split()
_FIRST_WORDS = {words.split()[0] for table in (LABELS, VERBS) for words in _words(table, _SPACED)}
_ASCII_MARKS = {word for word in (*_COMMON, *_FIRST_WORDS) if word.isascii()} - _ENGLISH
_DONE = re.compile(rf"{_MARKS}(?P<verb>{_any(_words(VERBS_AFTER, VERBS_AFTER))})")
_NOT = re.compile(rf"{_MARKS}(?:{backward_tree(NOT_BEFORE.split('|'))})(?![a-zа-яà-ÿ])")
_NO_MORE = re.compile(rf"{_MARKS}(?:{_any(NOT_AFTER.split('|'))})(?! बदल)")
_NO_COPULA = re.compile(rf"(?:şifresi|sifresi|parolası|parolasi|kodu){_MARKS}\Z")  # Turkish
_CLAUSE = re.compile(r"[.!;\n。！；,，、،]\s*")
_TIMES = (" en", " in", " im", " em", " в", " nel", " dans", " do", " von", " de", "在", "到", "于")
_PIN = re.compile(r"(?<!\w)(?:pin|nip|пин|digicode)(?!\w)|pin-|пин-")
_MARK_BYTES = frozenset(word.encode() for word in _ASCII_MARKS)
seek(_MARK_BYTES)
_LETTER = re.compile(r"[\u00bf-\u1fff\u3040-\uffef]")
_QUESTION = re.compile(_any(QUESTIONS.split("|")), re.IGNORECASE)


class Languages:
    """Values announced in Spanish to Turkish; right-to-left text is in logical order."""

    name = "languages"

    def __init__(self, minimum: float = MIN_CONFIDENCE) -> None:
        self.minimum = minimum

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors whose label begins at or after ``start`` (see ``Detector``)."""
        marks, ascii_only = _marks(text), text.isascii()
        if ascii_only and marks is not None and not marks[0]:
            return []
        found = [*_announced(text, marks, ascii_only), *_quoted(text, marks, ascii_only)]
        kept = (a for a in found if a.confidence >= self.minimum)
        return winners(a for a in kept if min(a.label.start, a.value.start) >= start)


def _announced(text: str, marks: _Marks, ascii_only: bool) -> Iterator[Anchor]:
    """Candidates behind or before what announces them."""
    last = 0
    for begin, end, composite, weight in weighed(text):
        if not (
            _foreign(text, max(0, begin - REACH), begin, marks, ascii_only)
            or _foreign(text, end, min(len(text), end + REACH), marks, ascii_only)
        ):
            continue
        found = _label(text, begin, end, last)
        if found is None or _denied(text, begin, end):
            continue
        label, strength = found
        if weight == MIN_OPACITY and strength == JOINED and _is_pin(text[label.start : begin]):
            weight = CODE  # digits of a year behind the name of a secret
        stop = whole(text, label.start, begin, end) if label.end <= begin else end
        if stop == begin:
            continue
        composite, end = composite or stop > end, stop
        last = end
        yield Anchor(
            label,
            Span(begin, end),
            strength * boosted(weight, strength),
            "languages:label",
            composite,
        )


def _is_pin(label: str) -> bool:
    """Whether a label names a secret that digits may be, and no time: in 1987."""
    words = label.lower().rstrip(" \"'«„“")
    return not words.endswith(_TIMES) and (names_a_secret(words) or _PIN.search(words) is not None)


def _quoted(text: str, marks: _Marks, ascii_only: bool) -> Iterator[Anchor]:
    """Words between quotes that the name of a secret announces."""
    for begin, end in quoted_words(text):
        if not _foreign(text, max(0, begin - REACH), begin, marks, ascii_only):
            continue
        found = _label(text, begin, end, 0)
        if found is None or _denied(text, begin, end):
            continue
        label, strength = found
        if strength < JOINED and not _NO_COPULA.search(text, label.start, begin):
            continue  # the name quotes a word: the key word "final"
        if label.end <= begin and names_a_secret(text[label.start : begin]):
            several = " " in text[begin:end] or text[begin] >= "\u3040"  # no spaces are written
            confidence = WORDS if several else ONE_WORD
            yield Anchor(label, Span(begin, end), confidence, "languages:words", True)


def _foreign(text: str, begin: int, end: int, marks: _Marks, ascii_only: bool) -> bool:
    """Whether words of ``text[begin:end]`` may be of another language than English: a cheap test.
    Words that its ends cut do not count."""
    if begin >= end:
        return False
    if not ascii_only:
        part = text[begin:end]
        if not part.isascii() and _LETTER.search(part):
            return True
    starts, ends = marks
    at = bisect_left(starts, begin)
    return at < len(starts) and ends[at] <= end


def _marks(text: str) -> _Marks:
    """The words of a text that English has not."""
    lower = lowered(text)
    spans, begins = [], begins_of(text)
    for mark in _MARK_BYTES & begins.keys():
        for at in begins[mark]:
            end = at + len(mark)
            if not (lower[at - 1 : at].isalnum() or lower[end : end + 1].isalnum()):
                spans.append((at, end))
    spans.sort()
    return [start for start, _ in spans], [end for _, end in spans]


def _denied(text: str, begin: int, end: int) -> bool:
    """Whether the words next to a value say that it is not, or no longer, the one."""
    before = _NOT.match(*backwards(text, begin, NOT_REACH))
    return before is not None or _NO_MORE.match(text, end, end + NOT_REACH) is not None


def _label(text: str, begin: int, end: int, last: int) -> tuple[Span, float] | None:
    """The words that announce a value, and how strongly; ``last``: where the value before ends."""
    before = text[max(last, begin - REACH) : begin]
    clause = _CLAUSE.split(before)[-1]
    found = _announcing(text, begin, end, before, clause)
    return None if found is None or _QUESTION.search(clause) else found


def _announcing(
    text: str, begin: int, end: int, before: str, clause: str
) -> tuple[Span, float] | None:
    """The same, were it no question; ``clause``: the last one of what stands before."""
    mirror = backwards(text, begin, len(before))
    shift = begin + mirror[1]
    match = _BEFORE.match(*mirror)
    if match:
        joined = match["copula"] or match["sign"]
        if (match["spaced"] or "")[::-1] in _ENGLISH and not (match["copula"] or "").strip(
            "-—–:："
        ):
            return None
        owned = match["between"] and _OWNED.fullmatch(match["between"][::-1].lstrip())
        if joined or owned or not match["between"]:
            start = min(shift - match.end(), begin - len(clause.lstrip()))
            return Span(start, begin), JOINED if joined else NEAR
    verb = _VERB.match(*mirror)
    if verb:
        return Span(shift - verb.end(), begin), TOLD
    follows = _FOLLOWS.match(text, end, end + REACH)
    if follows:
        return Span(*follows.span("label")), FOLLOWED
    last_verb = _VERB_LAST.match(text, end, end + REACH)
    if last_verb:
        return Span(*last_verb.span("label")), FOLLOWED
    done = _DONE.match(text, end, end + REACH)
    return (Span(*done.span("verb")), TOLD) if done else None
