"""Parts of addresses and of longer values: user, password, host and database after a scheme, and
the pieces of a chunk between its joining signs. The whole is a value of its own. A part takes its
place where the whole does not fit; its label is the text before it in the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..candidates import Proposal, proposed
from ..text_codes import chunks

_AUTHORITY = re.compile(
    r"//(?<=[:@]//)(?:(?P<user>[^\s:/@\"'`<>]{0,64}+)(?::(?P<password>[^\s@\"'`<>]{1,256}))?@)?"
    r"(?P<host>(?:[\w.\-]{1,128}|\[[0-9a-f:.]{3,45}\])(?::\d{2,5})?)(?:/(?P<database>[\w.\-]{1,64}))?"
)
_PARTS = ("user", "password", "host", "database")
_PIECE = re.compile(
    r"(?:^|(?<=[@/:#?&])|(?<=\.\.))(?:[^@/:#.?&=\s]|\.(?!\.)){6,256}+(?=[@/:#?&]|\.\.|\Z)"
)
_EXTENSION = re.compile(r"\.(?:git|[a-z]{2,4}|tar\.gz)\Z")


def credentials(text: str) -> Iterator[Proposal]:
    """User, password, host and database."""
    for match in _AUTHORITY.finditer(text):
        for part in _PARTS:
            if match[part] and (match["user"] is not None or part == "host"):
                label = match.start() - 1, match.start(part)
                yield proposed(label, match.span(part), part, delimited=True)


def pieces(text: str) -> Iterator[Proposal]:
    """Pieces of chunks between joining signs: the digest of an image, a segment of a path."""
    for begin, end in chunks(text):
        if "\\n" in text[begin:end]:
            continue
        chunk = text[begin:end]
        for piece in _PIECE.finditer(chunk):
            start, stop = piece.span()
            if start == 0 and not any(map(str.isalnum, chunk[stop:])):
                continue  # the whole chunk, with or without a mark after it
            extension = _EXTENSION.search(chunk, start) if stop == len(chunk) else None
            if extension and extension.start() > start:
                stop = extension.start()
            joint = begin + chunk.rfind("=", 0, start) + 1  # NAME=address: of the address
            label = (joint, begin + start) if start else (begin + stop, end)
            yield proposed(label, (begin + start, begin + stop), "part", delimited=True)
