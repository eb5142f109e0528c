"""Values by their shape alone, with no label: what nobody could guess is worth keeping.

Chunks (no white space, no delimiters) that hold a digit or a telling symbol are compared with the
known shapes; values that need more (URLs, coordinates, times, phone numbers, file names) are found
by a rare character inside them. A shape marks the end of its value: ``delimited``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .competition import strongest
from .detector import MAX_VALUE, MIN_CONFIDENCE
from .extent import trim
from .opacity import opacity

OPAQUE = 0.64
"""Confidence of a fully opaque chunk of no known shape. Shapes stand below most labelled values:
nobody announced them, and documentation holds about one in 4,096 tokens."""
MIN_CHUNK, MIN_OPAQUE = 4, 6

Found = tuple[int, int, str, float]
"""Start, end, rule, confidence."""

_OUT = r"\s\"'`<>()\[\]{},;|=“”‘’"
# Possessive, and begun only at a delimiter: every chunk is walked once.
_CHUNK = re.compile(rf"[{_OUT}]([^{_OUT}\d@/\\]*+[\d@/\\][^{_OUT}]*+={{0,2}})")

_EXTENSIONS = (
    "pdf|txt|csv|jsonl?|ya?ml|toml|ini|cfg|conf|log|md|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|py|sh|js"
    "|ts|go|rs|java|cpp|html?|xml|sql|db|sqlite|zip|tar|t?gz|env|pem|key|crt|lock|bak|ipynb|parquet"
)
# A pattern that begins with a rare character, and what may stand before it, read backwards.
_INNER: tuple[tuple[str, float, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "url",
        0.62,
        re.compile(rf"://[^\s\"'`<>\\|{{}}“”]{{3,{MAX_VALUE}}}"),
        re.compile(r"[a-zA-Z0-9+.\-]{1,20}(?<=[a-zA-Z])"),
    ),
    (
        "coordinates",
        0.64,
        re.compile(r"\.\d{3,12}°?(?: ?[NS]\b)?, ?[-+]?\d{1,3}\.\d{3,12}(?!\d)°?(?: ?[EW]\b)?"),
        re.compile(r"\d{1,3}[-+]?(?![\w.])"),
    ),
    (
        "time",
        0.52,
        re.compile(r"-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\w)"),
        re.compile(r"\d{4}(?![\w.\-])"),
    ),
    (
        "phone",
        0.6,
        re.compile(r"\+\d{1,4}(?:[ -]\(?\d{2,4}\)?){2,5}(?![\w\-]|\.\w)"),
        re.compile(r"(?!\w)"),
    ),
    (
        "file",
        0.51,
        re.compile(rf"\.(?:{_EXTENSIONS})(?![\w/(\[]|\.\w)"),
        re.compile(r"[\w\-./]{0,200}\w"),
    ),
)

SHAPES: tuple[tuple[str, float, re.Pattern[str]], ...] = (
    ("uuid", 0.7, re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")),
    ("jwt", 0.7, re.compile(r"eyJ[\w\-]{5,}\.[\w\-]{5,}\.[\w\-]*")),
    (
        "prefixed",
        0.7,
        re.compile(
            r"(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[abprs]|hf|npm|pypi|tok|key|whsec|SG|shpat)"
            r"[-_.](?=\D*\d)[\w\-.]{8,}|(?:AKIA|ASIA)[A-Z0-9]{8,}|AIza[\w\-]{20,}|ya29\.[\w\-]{8,}"
        ),
    ),
    (
        "hash",
        0.66,
        re.compile(
            r"(?:sha\d{1,3}[:-])?(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])(?:[0-9a-f]{16,}|[0-9A-F]{16,})"
        ),
    ),
    ("email", 0.62, re.compile(r"[\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{1,64}){1,8}")),
    ("ip", 0.62, re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?::\d{2,5})?")),
    ("mac", 0.62, re.compile(r"[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}")),
    ("host", 0.58, re.compile(r"[a-zA-Z][\w\-]*(?:\.[\w\-]+)*:\d{2,5}(?:/\S*)?")),
    ("path", 0.55, re.compile(r"(?:~|\.{1,2})?(?:/[\w.@+\-~%]+){2,}/?|[A-Z]:\\[\w.\\\-]{3,}")),
    ("number", 0.51, re.compile(r"\d{9,20}")),
)
_NOTATION = re.compile(
    # numbers as programs write them, escapes, formats, protocol versions, dimensions, times
    r"[-+]?\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?[jJlLuUfF%]{0,2}|[-+]?0[xXbBoO][\w]{0,7}|0[bBoO][01_]+"
    r"|.*\\[xuUnrtN0-9{].*|[uU]\+\w{1,6}(?:-.*)?|%.*|[A-Z]{2,6}/\d(?:\.\d)?|\d+(?:[xX×/:-]\d+)+|\d{4}-\d\d-\d\dT.*"
)


class Shapes:
    """Values recognised by their form."""

    name = "shapes"

    def __init__(self, minimum: float = MIN_CONFIDENCE) -> None:
        self.minimum = minimum

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors that begin at or after ``start``; their labels are empty (see ``Detector``)."""
        return strongest(
            Anchor(Span(begin, begin), Span(begin, end), confidence, f"shape:{rule}", True)
            for begin, end, rule, confidence in shaped(text)
            if confidence >= self.minimum and begin >= start
        )


def shaped(text: str) -> Iterator[Found]:
    """Every value that may have a shape; confidence 0 when it has none."""
    for rule, confidence, inner, before in _INNER:
        for match in inner.finditer(text):
            at = match.start()
            left = before.match(text[max(0, at - 200) : at][::-1])
            if left is not None:
                begin = at - left.end()
                yield begin, trim(text, begin, match.end(), sentence=True), rule, confidence
    for match in _CHUNK.finditer(" " + text):
        begin, end = match.start(), min(match.end() - 1, match.start() + MAX_VALUE)
        if end - begin < MIN_CHUNK:
            continue
        while begin < end and text[begin] in "*_:-#$" and text[begin + 1 : begin + 2] != "/":
            begin += 1
        end = trim(text, begin, end, sentence=True)
        if end - begin >= MIN_CHUNK:
            yield begin, end, *classify(text[begin:end])


def classify(value: str) -> tuple[str, float]:
    """The shape of a chunk and its confidence, 0 for a plain word."""
    if "://" in value or (_NOTATION.fullmatch(value) and not value.isdigit()):
        return "", 0.0
    for rule, confidence, pattern in SHAPES:
        if pattern.fullmatch(value):
            return rule, confidence
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    if len(value) >= MIN_OPAQUE and letters and digits:
        return "opaque", OPAQUE * opacity(value)
    return "", 0.0
