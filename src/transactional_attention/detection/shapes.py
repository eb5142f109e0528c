"""Values by their shape alone, with no label: what nobody could guess is worth keeping.

Chunks (no white space, no delimiters) that hold a digit or a telling symbol are compared with the
known shapes; values that need more (URLs, coordinates, times, phone numbers, file names) are found
by a rare character inside them. A shape marks the end of its value: ``delimited``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Anchor, Span
from .chunk_spans import untied
from .clusters import winners
from .demonstrations import lessened
from .detector import MIN_CONFIDENCE
from .drawn import phrases
from .extent import trim
from .forms import BARE_VERSION, CHOSEN, CLIENT, INNER, PHRASE, PLACE, classify
from .notations import SCALE, is_estimate, written
from .notations import confidence as written_confidence
from .numbers import is_chosen
from .prices import prices
from .streets import CONFIDENCE as STREET
from .streets import is_street
from .versions import versions
from .wholes import places_in_degrees, wholes

MIN_CHUNK = 4

Found = tuple[int, int, str, float]
"""Start, end, rule, confidence."""


class Shapes:
    """Values recognised by their form: what the default preset adds to the paper's detectors."""

    name = "shapes"

    def __init__(self, minimum: float = MIN_CONFIDENCE) -> None:
        self.minimum = minimum

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors that begin at or after ``start``; their labels are empty (see ``Detector``)."""
        found = (
            Anchor(Span(begin, begin), Span(begin, end), confidence, f"shape:{rule}", True)
            for begin, end, rule, confidence in shaped(text)
            if confidence >= self.minimum and begin >= start
        )
        return winners(a for a in lessened(found, text) if a.confidence >= self.minimum)


def forms(text: str) -> Iterator[Anchor]:
    """Proposals of what has a known form; their labels are empty."""
    for begin, end, rule, _ in shaped(text):
        if rule and begin < end:
            yield Anchor(Span(begin, begin), Span(begin, end), 0.0, f"shape:{rule}", True)
    for begin, end in wholes(text):
        yield Anchor(Span(begin, begin), Span(begin, end), 0.0, "shape:whole", True)


def is_client(text: str, begin: int, end: int) -> bool:
    """Whether an address begins a line of a server's log, as the client's does in each."""
    return text[begin - 1 : begin] in ("", "\n") and text.startswith(" - ", end)


def shaped(text: str) -> Iterator[Found]:
    """Every value that may have a shape; confidence 0 when it has none."""
    for rule, confidence, inner, before in INNER + prices(text):
        for match in inner.finditer(text):
            at = match.start()
            left = before.match(text[max(0, at - 200) : at][::-1])
            if left is None:
                continue
            begin, end = at - left.end(), match.end()
            if rule == "money" and is_estimate(text[begin:end], text[end : end + SCALE]):
                continue
            yield begin, trim(text, begin, end, sentence=True), rule, confidence
    for begin, end in places_in_degrees(text):
        yield begin, end, "coordinates", PLACE
    for begin, end in versions(text):
        yield begin, end, "version", BARE_VERSION
    for begin, end, composite in untied(text):
        if end - begin >= MIN_CHUNK:
            rule = written(text, begin)[1] if composite else ""
            if rule:
                confidence = written_confidence(text[begin:end], rule)
            elif composite and is_street(text[begin:end]):
                rule, confidence = "street", STREET
            else:
                rule, confidence = classify(text[begin:end])
            if rule == "ip" and is_client(text, begin, end):
                confidence = CLIENT
            if not rule and is_chosen(text, begin, end):
                rule, confidence = "chosen", CHOSEN
            yield begin, end, rule, confidence
    for begin, end in phrases(text):
        yield begin, end, "phrase", PHRASE
