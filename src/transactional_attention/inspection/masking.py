"""The text of a sequence with its values blotted out: what pages, plans and terminals may show."""

import re
from collections.abc import Iterable

from ..config import DEFAULT_METHOD
from ..detection.scanner import Scanner
from ..methods.registry import get_method
from ..retention.sequence import SequenceState
from ..types import Span

MASK = "•"
WORD = 4  # characters: a shorter value is masked elsewhere only where it stands alone
EDGES = re.compile(r"\w(?:.*\w)?", re.DOTALL)
BEGINS = re.compile(r"(?<!\w)\w")
GOES_ON = re.compile(r"\w")
CHARACTER = re.compile(r"\S")


def masked_text(sequence: SequenceState) -> str:
    """The decoded text, as long as it is, with every value masked wherever it occurs that was ever
    found in it, evicted ones too.

    What the default method finds is masked as well: another one may look for less, or for nothing.
    Ranges that the caller names count as values; white space stays.
    """
    if sequence.text is None:
        return ""
    text = sequence.text.text
    covered = [*sequence.stated, *sequence.open]
    covered += [sequence.text.characters(span.value) for span, _ in sequence.explicit()]
    default = get_method(DEFAULT_METHOD).detectors
    if not set(default) <= set(sequence.detectors):
        anchors = Scanner(default).feed(sequence.text.scan_text(), final=True)
        covered += [anchor.value for anchor in anchors]
    found = {text[span.start : span.end] for span in covered}
    cores = {core.group() for value in found if (core := EDGES.search(value))}
    covered += _inside(text, {core for core in cores if len(core) >= WORD})
    covered += _alone(text, {core for core in cores if len(core) < WORD})
    return _blotted(text, covered)


def _inside(text: str, values: set[str]) -> list[Span]:
    """Where one of ``values`` stands, in other words too; in time linear in the text, however many
    they are."""
    sizes: dict[str, set[int]] = {}
    for value in values:
        sizes.setdefault(value[:WORD], set()).add(len(value))
    starts = range(len(text) if values else 0)
    at = ((start, size) for start in starts for size in sizes.get(text[start : start + WORD], ()))
    return [Span(start, start + size) for start, size in at if text[start : start + size] in values]


def _alone(text: str, values: set[str]) -> list[Span]:
    """Where one of ``values`` stands between other characters than those of words."""
    sizes = {len(value) for value in values}
    at = ((match.start(), size) for size in sizes for match in BEGINS.finditer(text))
    spans = (Span(start, start + size) for start, size in at)
    found = (span for span in spans if text[span.start : span.end] in values)
    return [span for span in found if not GOES_ON.match(text, span.end)]


def _blotted(text: str, spans: Iterable[Span]) -> str:
    parts, done = [], 0
    for span in sorted(spans):
        if span.end <= done:
            continue
        start = max(span.start, done)
        parts += [text[done:start], CHARACTER.sub(MASK, text[start : span.end])]
        done = span.end
    return "".join([*parts, text[done:]])
