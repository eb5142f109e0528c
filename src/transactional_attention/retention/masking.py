"""The text of a sequence with its values masked: what pages, plans, reports and saved files may
show."""

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..config import DEFAULT_METHOD
from ..detection.detector import MAX_VALUE
from ..detection.label_words import PIECE
from ..detection.opacity import unreadable
from ..detection.scanner import Scanner
from ..methods.registry import get_method
from ..retrieval.terms import HIDDEN, folded, hidden, terms
from ..types import Span
from .sequence import SequenceState

MASK = "•"
WORD = 4  # characters: a shorter value is masked elsewhere only where it stands alone
EDGES = re.compile(r"\w(?:.*\w)?", re.DOTALL)
BEGINS = re.compile(r"(?<!\w)\w")
GOES_ON = re.compile(r"\w")
CHARACTER = re.compile(r"\S")
PHRASE = re.compile(r"[^\W\d_]+(?:[ \-][^\W\d_]+)+")
WORDS, NO_WORD = re.compile(r"\w+"), re.compile(r"[\W_]+")
WORD_END = re.compile(r"\s|\Z")
REST = re.compile(r"\w*")


def masked_text(sequence: SequenceState) -> str:
    """The decoded text, of the same length, with every value that was ever found in it masked
    wherever it occurs, evicted ones too, and with what begins one where the model stopped.

    Also masked are values that the default method finds, because another method may look for less,
    and ranges that the caller names. White space stays.
    """
    if sequence.text is None:
        return ""
    values = [*_values(sequence), *sequence.named()]
    texts = sequence.text.texts(values)
    return _masked(sequence.text.text, [*values, *_unfinished(sequence, texts)], texts)


def masked_labels(sequence: SequenceState, spans: Sequence[Any]) -> dict[Span, str]:
    """What may be shown of the labels of spans, by their tokens; only of labels whose text is
    known.

    Masked are characters of values inside a label, everything that ``masked_text`` masks, and words
    that may be secrets although no detector found them (``opacity.unreadable``).
    """
    return {label: shown for label, (_, shown) in _labels(sequence, spans).items()}


def _labels(sequence: SequenceState, spans: Sequence[Any]) -> dict[Span, tuple[str, str]]:
    """Labels as they are, as far as known, and as they may be shown."""
    known = sequence.lost.labels
    labels = sorted({span.label for span in spans if len(span.label)})
    labels = [at for at in labels if at in known or at.start >= sequence.lost.num_tokens]
    if sequence.text is None or not labels:
        return {}
    values = _values(sequence)
    apart = _apart(values)
    starts, ends = np.array([(s.start, s.end) for s in apart], int).reshape(-1, 2).T
    texts = [known[label] if label in known else sequence.characters(label) for label in labels]
    covered, begins, size = [], [], 0
    for label, text in zip(labels, texts, strict=True):
        begins.append(size)
        if label.start >= sequence.lost.num_tokens:
            first = sequence.text.chars_for(label).start
            last = first + len(text)
            for i in range(ends.searchsorted(first, "right"), starts.searchsorted(last)):
                start, end = max(apart[i].start, first), min(apart[i].end, last)
                covered.append(Span(size + start - first, size + end - first))
        size += len(text) + 1
    joined_texts = "\n".join(texts)
    if not sequence.whole:  # of values whose text is forgotten only this is known
        words = ((_joined(m.group()), Span(*m.span())) for m in WORDS.finditer(joined_texts))
        covered += [
            at for word, at in words if _value_hash(word, sequence) in sequence.lost.secrets
        ]
    masked = _masked(joined_texts, covered, sequence.text.texts(values))
    shown = _blotted(masked, unreadable(masked))
    return {
        label: (text, shown[begin : begin + len(text)])
        for label, begin, text in zip(labels, begins, texts, strict=True)
    }


def _apart(spans: Iterable[Span]) -> list[Span]:
    """The same characters as ordered spans that neither touch nor overlap."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            span = Span(merged[-1].start, max(merged.pop().end, span.end))
        merged.append(span)
    return merged


def secrets_of(sequence: SequenceState, *, labelled: bool = False) -> frozenset[str]:
    """Salted hashes of words that reveal a value: words of values and of phrases that are values,
    words of labels that may not be shown, and whole values (``_value_hash``). ``labelled``: only
    those that a known label contains, so that they stay few."""
    if sequence.text is None:
        return sequence.lost.secrets
    texts = sequence.text.texts(_values(sequence))
    values = set(map(_joined, texts))
    words = {word for words in sequence.registry.words() for word in words.split()}
    names = {word for word in words if not word.startswith(HIDDEN)}
    known = names.union(*map(terms, names))
    spoken = values | {word for text in texts if PHRASE.fullmatch(text) for word in terms(text)}
    spoken |= _unseen(sequence, names)
    holding = _holding(known, values)
    hashes = sequence.lost.secrets | {hidden(word, sequence.salt) for word in spoken | holding}
    hashes |= {_value_hash(word, sequence) for word in values | holding}
    if not labelled:
        return hashes
    kept = {hidden(word, sequence.salt) for word in known}
    return hashes & (kept | {_value_hash(word, sequence) for word in known})


def hiding(secrets: Container[str], salt: bytes) -> Callable[[str], str]:
    """A function that gives a word as a file may contain it: unchanged, or hashed if a part of it
    is one of ``secrets``."""

    @cache  # labels share their words
    def hide(word: str) -> str:
        if word.startswith(HIDDEN):
            return word
        parts = (hidden(part, salt) for part in (word, *terms(word)))
        return hidden(word, salt) if any(part in secrets for part in parts) else word

    return hide


def _unseen(sequence: SequenceState, names: set[str]) -> set[str]:
    """Words of labels that no label shows in full, or that some label masks. So no word in a file
    reveals what its labels hide."""
    seen, hides = set[str](), set[str]()
    for label, shown in _labels(sequence, sequence.registry.known).values():
        for match in PIECE.finditer(label):
            whole = match.group() == shown[match.start() : match.end()]
            (seen if whole else hides).add(match.group().lower())
    return {word for word in names if word in hides or word not in seen}


def _joined(text: str) -> str:
    return "".join(NO_WORD.split(folded(text).lower()))


def _value_hash(word: str, sequence: SequenceState) -> str:
    """The hash of a word that is a value, or contains one; no label shows such a word."""
    return hidden(f"={word}", sequence.salt)


def _holding(words: Collection[str], values: set[str]) -> set[str]:
    """Those of ``words`` that are a value, or contain one that is not short."""
    text = "\n".join(words)
    places = _inside(text, {value for value in values if len(value) >= WORD})
    begins = [text.rfind("\n", 0, span.start) + 1 for span in places]
    return values.intersection(words).union(text[begin:].partition("\n")[0] for begin in begins)


def _values(sequence: SequenceState) -> list[Span]:
    """Characters of all values that were found, and of those that the default method finds. Where
    only the begin of a value is known, the rest of the word is included."""
    values = [*sequence.scan.stated, *sequence.scan.open]
    default_detectors = get_method(DEFAULT_METHOD).detectors
    if sequence.text is None or not sequence.whole:
        return values
    values += [span for span in sequence.named() if len(span) <= MAX_VALUE]
    if not set(default_detectors) <= set(sequence.scan.detectors):
        scanner = Scanner(default_detectors)
        values += [anchor.value for anchor in scanner.feed(sequence.text.scan_text(), final=True)]
        values += scanner.sealed
    ends_of_cut_values = [span.end for span in values if len(span) >= MAX_VALUE]
    return values + [
        Span(end, max(end, word_end.start()))
        for end in ends_of_cut_values
        if (word_end := WORD_END.search(sequence.text.text, end - 1))
    ]


def _unfinished(sequence: SequenceState, values: Iterable[str]) -> list[Span]:
    """Characters with which the model began one of ``values`` and stopped, for the length of an
    answer may end inside a value. Like whole values, those of ``WORD`` characters are found also
    inside words."""
    text, cores = sequence.text, _cores(values)
    if text is None or not cores or not sequence.whole:
        return []
    lowered, longest = _lowered(text.text), max(map(len, cores))
    short_beginnings = {core[:size] for core in cores for size in range(1, WORD)}
    cores_by_start: dict[str, list[str]] = {}
    for core in cores:
        cores_by_start.setdefault(core[:WORD], []).append(core)

    def begins(start: int, end: int) -> bool:
        rest = lowered[start:end]
        if len(rest) < WORD:
            return rest in short_beginnings and BEGINS.match(lowered, start) is not None
        return any(core.startswith(rest) for core in cores_by_start.get(rest[:WORD], ()))

    unfinished = []
    for answer in _answers(sequence, len(text)):
        answer_chars = text.chars_for(answer)
        end = REST.match(lowered, answer_chars.end).end()  # type: ignore[union-attr]  # the last token
        starts = range(max(answer_chars.start, end - longest), end)
        unfinished += [Span(start, end) for start in starts if begins(start, end)][:1]
    return unfinished


def _answers(sequence: SequenceState, size: int) -> Iterator[Span]:
    """Tokens that were generated between two prompts, or are the assistant's in a history; of a
    text of ``size`` tokens."""
    border = 0
    for read in (*sequence.ids.counted, Span(size, size)):
        if 0 < border < read.start:
            yield Span(border, read.start)
        border = read.end
    for known in sequence.ranges.sources:
        span = Span(known.span.start, min(known.span.end, size))
        if known.source == "assistant" and not known.template and span.start < span.end:
            yield span


def _cores(values: Iterable[str]) -> set[str]:
    """Values in lower case, without the punctuation around them."""
    return {_lowered(core.group()) for value in values if (core := EDGES.search(value))}


def _masked(text: str, covered: list[Span], values: Iterable[str]) -> str:
    """A text without what is ``covered``, and without ``values`` wherever they occur."""
    cores = _cores(values)
    inside = _inside(_lowered(text), {core for core in cores if len(core) >= WORD})
    alone = _alone(_lowered(text), {core for core in cores if len(core) < WORD})
    return _blotted(text, [*covered, *inside, *alone])


def _lowered(text: str) -> str:
    """A text in lower case, unless that changes its length."""
    low = text.lower()
    return low if len(low) == len(text) else text


def _inside(text: str, values: set[str]) -> list[Span]:
    """Where one of ``values`` occurs, also inside other words; in time linear in the text, however
    many values there are."""
    sizes: dict[str, set[int]] = {}
    for value in values:
        sizes.setdefault(value[:WORD], set()).add(len(value))
    starts = range(len(text) if values else 0)
    at = ((start, size) for start in starts for size in sizes.get(text[start : start + WORD], ()))
    return [Span(start, start + size) for start, size in at if text[start : start + size] in values]


def _alone(text: str, values: set[str]) -> list[Span]:
    """Where one of ``values`` occurs as a word of its own."""
    sizes = {len(value) for value in values}
    at = ((match.start(), size) for size in sizes for match in BEGINS.finditer(text))
    spans = (Span(start, start + size) for start, size in at)
    matches = (span for span in spans if text[span.start : span.end] in values)
    return [span for span in matches if not GOES_ON.match(text, span.end)]


def _blotted(text: str, spans: Iterable[Span]) -> str:
    parts, done = [], 0
    for span in sorted(spans):
        if span.end <= done:
            continue
        start = max(span.start, done)
        parts += [text[done:start], CHARACTER.sub(MASK, text[start : span.end])]
        done = span.end
    return "".join([*parts, text[done:]])
