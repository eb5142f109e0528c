"""Parts of a longer value: the digest of an image, the host before a path, a tag, a segment.

The whole (an address, a path, a reference) is a value of its own, found elsewhere; a part stands in
where the whole does not fit. A part's label is what stands beside it in the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..candidates import candidates
from ..drawn import phrases
from .emit import emit

PART = 0.72
LEAST = 6
WORDS = 0.6  # confidence of words joined by hyphens, and of an address between angle brackets

_JOINT = re.compile(r"[@/:#]|\.\.|-[0-9a-f]{16}")
_PIECE = re.compile(
    r"(?:^|(?<=[@/:#?&])|(?<=\.\.))(?:[^@/:#.?&=\s]|\.(?!\.)){6,256}+(?=[@/:#?&]|\.\.|\Z)"
)
_HEX = re.compile(r"(?<=-)[0-9a-f]{16,64}(?=-[0-9a-f])")
_EXTENSION = re.compile(r"\.(?:git|[a-z]{2,4}|tar\.gz)\Z")
_VERSION = re.compile(r"v?\d+(?:\.\d+){2,3}(?:[-+][\w.\-+]+)?")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}+=|[A-Za-z0-9/]*\+[A-Za-z0-9+/]*\Z").match
# Pieces each of which mixes capitals with small letters, or letters with digits: no path.
_SECRET = re.compile(
    r"(?=.{24})(?!/)(?:(?:^|/)(?:(?=[^/]*\d)(?=[^/]*[A-Za-z])|(?=[^/]+[A-Z]))[A-Za-z0-9+]+)+"
)
_ADDRESS = re.compile(r"\d+(?:\.\d+){3}")
_SIGNS = ("@", "/", ":", "=", "#")


def parts(text: str, minimum: float) -> Iterator[Anchor]:
    """Opaque pieces of chunks that signs join, and phrases and addresses inside a longer value."""
    for begin, end, composite in candidates(text):
        if text[begin - 1 : begin] == "<" and text.startswith(">", end) and "@" in text[begin:end]:
            yield _part(begin - 1, begin, begin, end)
        elif composite or "\\n" in text[begin:end]:
            continue  # lines of one value
        elif _JOINT.search(text, begin, end) and not _is_one(text, begin, end):
            for start, stop in _pieces(text, begin, end):
                label = (begin, start) if begin < start else (stop, end)
                anchor = _emitted(text, label, start, stop, minimum)
                if anchor is not None:
                    yield anchor
    for begin, end in phrases(text):
        if text[begin - 1 : begin] in _SIGNS and "-" in text[begin:end]:
            yield _part(begin - 1, begin, begin, end)


def _is_one(text: str, begin: int, end: int) -> bool:
    """Whether no piece of a chunk is a value: of the name of a resource, and of what is encoded."""
    if text.startswith("arn:", begin) or _BASE64(text, begin, end):
        return True
    return _SECRET.fullmatch(text[begin:end]) is not None


def _pieces(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    chunk = text[begin:end]
    for piece in _PIECE.finditer(chunk):
        start, stop = piece.span()
        if stop - start == len(chunk) or _ADDRESS.fullmatch(chunk, start, stop):
            continue
        extension = _EXTENSION.search(chunk, start, stop)
        if extension and stop == len(chunk) and extension.start() > start:
            stop = extension.start()
        yield begin + start, begin + stop
    for inner in _HEX.finditer(chunk) if "-" in chunk else ():
        yield begin + inner.start(), begin + inner.end()


def _emitted(
    text: str, label: tuple[int, int], start: int, stop: int, minimum: float
) -> Anchor | None:
    if _VERSION.fullmatch(text, start, stop):
        return _part(*label, start, stop)
    return emit(
        text, label, (start, stop), 1.0, "structure:part",
        delimited=True, minimum=minimum, strength=PART,
    )  # fmt: skip


def _part(label: int, label_end: int, start: int, stop: int) -> Anchor:
    return Anchor(Span(label, label_end), Span(start, stop), WORDS, "structure:part", True)
