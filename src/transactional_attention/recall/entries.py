"""What is known of a stated value after its tokens left: where it stood, and the words around it.

Words are weighed by where they stand: the label most, then what stands beside the value, its
sentence, the sentences before, the headings and keys above. Of values only the form is read: a
word that is part of one, or has a digit, is kept as a salted hash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, pairwise

from ..types import Anchor, Source, Span
from .kinds import KIND, kinds
from .terms import HIDDEN, hidden, terms

BEFORE, AFTER, ABOVE = 400, 200, 4000
"""Characters before a value, behind it and above its line that are read."""
MOST_LABEL, MOST_WORDS, LEVELS = 80, 48, 4
LABEL, BESIDE, SENTENCE, EARLIER, HEADING, NAMED, FORM = 3.0, 1.8, 1.1, 0.6, 1.0, 0.7, 0.9
"""What a word weighs in a label, beside the value, in its sentence, in those before it, above it;
a kind that the label names, and one that the value's form allows."""
LONG = 160  # characters of a line that is taken as its sentences
FARTHER = 0.75  # what is left of a weight with every sentence and every heading farther off

SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|[。！？；]")
QUESTION = re.compile(r"[?？؟](?=\W*(?:\s|$))")
_INDENT = re.compile(r"[ \t>]*(?:[-*+] )?")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|={2,}\s|\[[^\]]+\]\s*$|\*\*[^*]+\*\*:?\s*$|Subject:).*")
_OPEN, _CLOSE = "{[(", "}])"

LINE = "line"  # the rule of entries that are lines

Excerpt = Callable[[int, int], str]
"""The text from one character to another, as far as it is known."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stated value, or with the rule ``LINE`` a line without one. Spans are in tokens; ``line``:
    of what comes back with a value beside its label.

    ``words``: what it is found by, with their weights.
    """

    value: Span
    label: Span
    rule: str
    confidence: float
    source: Source
    line: Span | None = None
    words: Mapping[str, float] = field(default_factory=dict, repr=False)

    @property
    def positions(self) -> list[int]:
        """The tokens that a recall puts back, in order: label, value, the token that closes it, the
        rest of its line."""
        return sorted({*self.label, *self.value, self.value.end, *(self.line or ())})

    def hashed(self, hide: Callable[[str], str]) -> Entry:
        """With its words as ``hide`` gives them."""
        shown = {word: hide(word) for word in self.words}
        if all(word == own for word, own in shown.items()):
            return self  # most: a copy costs as much as all the rest
        words: dict[str, float] = {}
        for word, weight in self.words.items():
            words[shown[word]] = max(weight, words.get(shown[word], 0.0))
        return replace(self, words=words)

    def labelled(self) -> Entry:
        """What to put back of it without its line."""
        return replace(self, line=None)

    def alone(self) -> Entry:
        """Without its label, too."""
        return replace(self, line=None, label=Span(self.value.start, self.value.start))


def line_of(value: Span, excerpt: Excerpt) -> Span:
    """The part of its line that belongs to a value, in characters as the value is."""
    first = max(0, value.start - BEFORE)
    text = excerpt(first, value.end + AFTER)
    left, right = _line(text, value.start - first, min(value.end - first, len(text)))
    return Span(first + left, first + right)


def lines_of(text: str, first: int = 0) -> Iterator[Span]:
    """The lines of a text that begins at the character ``first``; of long ones the sentences.
    Questions are left out: they state nothing, and later ones would find them."""
    for line in re.finditer(r"[^\n]+", text):
        start, end = line.span()
        cuts = (
            [m.end() for m in SENTENCE_END.finditer(text, start, end)] if end - start > LONG else []
        )
        for begin, stop in pairwise([start, *cuts, end]):
            said = text[begin:stop]
            left = begin + len(said) - len(said.lstrip())
            right = left + len(said.strip())
            if left < right and not QUESTION.search(said):
                yield Span(first + left, first + right)


def words_of(
    anchor: Anchor, excerpt: Excerpt, others: Sequence[Span] = (), salt: bytes = b""
) -> dict[str, float]:
    """The words that an anchor's value is found by, with their weights.

    ``others``: values [start, end) near it, in characters as the anchor's. ``salt``: of the hashes
    of words that may belong to a value, at most 64 bytes.
    """
    value, label = anchor.value, anchor.label
    weighed = _Weighed(excerpt, value, others, salt)
    said = excerpt(label.start, min(label.end, label.start + MOST_LABEL))
    names = weighed.add_text(said, LABEL, label.start - weighed.first)
    left, right = _line(weighed.text, weighed.value.start, weighed.value.end)
    beside = weighed.add_line(left, right)
    weighed.add_above(left)
    weighed.add_kinds(names or beside, [weighed.value])
    return weighed.words


def words_of_line(
    line: Span, excerpt: Excerpt, values: Sequence[Span] = (), salt: bytes = b""
) -> dict[str, float]:
    """The words that a line [start, end) is found by, which is an entry of its own: those of the
    ``values`` in it are hashed."""
    weighed = _Weighed(excerpt, Span(line.start, line.start), values, salt)
    begin = weighed.value.start
    names = weighed.add_text(excerpt(line.start, line.end), BESIDE, begin)
    weighed.add_above(begin)
    end = begin + len(line)
    weighed.add_kinds(names, [s for s in weighed.others if begin <= s.start and s.end <= end])
    return weighed.words


def hiding(secrets: Container[str], salt: bytes) -> Callable[[str], str]:
    """Gives a word as a file may hold it: as it is, or hashed where a part is one of ``secrets``,
    which are salted hashes of the words of values."""

    @cache  # labels share their words
    def hide(word: str) -> str:
        if word.startswith((HIDDEN, KIND)):
            return word
        parts = (hidden(part, salt) for part in (word, *terms(word)))
        return hidden(word, salt) if any(part in secrets for part in parts) else word

    return hide


class _Weighed:
    """Words with the largest weight that a place gave them."""

    def __init__(self, excerpt: Excerpt, value: Span, others: Sequence[Span], salt: bytes) -> None:
        first = self.first = max(0, value.start - ABOVE)
        text = self.text = excerpt(first, value.end + AFTER)
        self.value = Span(value.start - first, min(value.end - first, len(text)))
        near = [Span(max(s.start - first, 0), s.end - first) for s in others if s.end > first]
        self.others = [span for span in near if not span.overlaps(self.value)]
        self.words: dict[str, float] = {}
        self.own = frozenset(terms(text[self.value.start : self.value.end]))
        self.salt = salt

    def add(self, word: str, weight: float) -> None:
        if len(self.words) < MOST_WORDS or word in self.words:
            self.words[word] = max(self.words.get(word, 0.0), weight)

    def add_text(self, text: str, weight: float, at: int) -> list[str]:
        """Take the words of ``text``, which stands ``at`` a character; those that are readable."""
        readable: list[str] = []
        for secret, part in self._parts(text, at):
            for word in terms(part):
                if kinds().says_nothing(word):
                    continue
                if secret or word in self.own or word.isdigit():
                    self.add(hidden(word, self.salt), weight)
                    continue
                self.add(word, weight)
                readable.append(word)
        return readable

    def add_above(self, left: int) -> None:
        """Take the words of what stands above a line that begins at ``left``."""
        for level, (at, above) in enumerate(_above(self.text, left)):
            self.add_text(above[:MOST_LABEL], HEADING * FARTHER**level, at)

    def add_kinds(self, names: Sequence[str], values: Sequence[Span]) -> None:
        """Take the kinds that words name, and those that the forms of values allow."""
        named = dict.fromkeys(kinds().of_names(names), NAMED)
        formed = {k for s in values for k in kinds().of_value(self.text[s.start : s.end])}
        for kind in sorted({*named, *formed}):
            self.words[kind] = named.get(kind, 0.0) + FORM * (kind in formed)

    def _parts(self, text: str, at: int) -> Iterator[tuple[bool, str]]:
        """``text`` without the value, cut at the borders of the other values: (is one, part)."""
        end, now = at + len(text), at
        for span in sorted([*self.others, self.value]):
            if span.end <= now or span.start >= end or not len(span):
                continue
            yield False, text[now - at : max(span.start, at) - at]
            if span is not self.value:
                yield True, text[max(span.start, now) - at : span.end - at]
            now = max(now, span.end)
        yield False, text[max(now - at, 0) :]

    def add_line(self, left: int, right: int) -> list[str]:
        """The value's clause, whose words it gives, its sentence, and those before it."""
        begin, end = self.value.start, self.value.end
        cuts = [left, *self._cuts(left, begin)]
        stop = next(self._cuts(end, right), right)
        before = max([s.end for s in self.others if cuts[-1] <= s.end <= begin], default=cuts[-1])
        behind = min([s.start for s in self.others if end <= s.start < stop], default=stop)
        beside = self.add_text(self.text[before:behind], BESIDE, before)
        self.add_text(self.text[cuts[-1] : stop], SENTENCE, cuts[-1])
        weight = EARLIER
        for start, until in zip(cuts[-2::-1], cuts[:0:-1]):
            self.add_text(self.text[start:until], weight, start)
            weight *= FARTHER
        return beside

    def _cuts(self, start: int, stop: int) -> Iterator[int]:
        """Where sentences end in a part of the text, outside values."""
        for match in SENTENCE_END.finditer(self.text, start, stop):
            if not any(s.start < match.end() and match.start() < s.end for s in self.others):
                yield match.end()


def _line(text: str, begin: int, end: int) -> tuple[int, int]:
    """The part of a value's line that belongs to it: inside the nearest brackets around it."""
    left = max(text.rfind("\n", 0, begin) + 1, begin - BEFORE)
    stop = text.find("\n", end)
    right = min(len(text) if stop < 0 else stop, end + AFTER)
    left = next(_outer(text, range(begin - 1, left - 1, -1), _CLOSE, _OPEN), left - 1) + 1
    right = next(_outer(text, range(end, right), _OPEN, _CLOSE), right)
    return left, right


def _outer(text: str, places: range, inner: str, outer: str) -> Iterator[int]:
    """Where the brackets around all ``places`` stand, nearest first: ``outer`` ones beyond as many
    of them as of ``inner`` ones."""
    depth = 0
    for at in places:
        depth += (text[at] in inner) - (text[at] in outer)
        if depth < 0:
            yield at
            depth = 0


def _above(text: str, left: int) -> list[tuple[int, str]]:
    """What stands above a line, nearest first: keys before the brackets that it is in, lines that
    are less indented, headings."""
    found: list[tuple[int, str]] = []
    line = text.rfind("\n", 0, left) + 1
    before = range(left - 1, max(line, left - BEFORE) - 1, -1)
    for at in islice(_outer(text, before, _CLOSE, _OPEN), LEVELS):
        key = max(line, *(text.rfind(sign, line, at) + 1 for sign in ",{[("))
        found.append((key, text[key:at]))
    indent = _indent(text[line : text.find("\n", line) if "\n" in text[line:] else len(text)])
    stop = line - 1
    while stop > 0 and len(found) < LEVELS:
        start = text.rfind("\n", 0, stop) + 1
        said = text[start:stop]
        if said.strip() and (_indent(said) < indent or _HEADING.match(said)):
            found.append((start, said))
            indent = min(indent, _indent(said))
        stop = start - 1
    return found


def _indent(line: str) -> int:
    match = _INDENT.match(line)
    return match.end() if match else 0
