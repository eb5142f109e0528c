"""Phrases behind a name and a colon, whatever their words are: ``Key phrase for the safe (say it
slowly): seven otters over Turin``. Elsewhere no word of one joins others (see ``passphrases``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

NAMED = 0.8
_PHRASE = re.compile(
    r"(?:[ ](?:for|of|to|at|on)[^.:;!?\n()]{1,40})?(?:[ ]\([^()\n]{1,40}\))?[ ]?:[ ][\"“‘'`*]{0,2}"
    r"(?P<value>[^\W\d_][\w'’\-]{0,20}(?: [^\W\d_][\w'’\-]{0,20}){2,8})"
    r"(?=[\"”’'`*]{0,2}(?:[.!](?:\s|\Z)|[ \t]*\r?(?:\n|\Z)))"
)
_EXPLAINS = re.compile(
    r"(?:leave|enter|type|use|used|required|optional|the|an?|your|this|that|these|must|should|see|not"
    r"|no|if|it|is|are|was|can|may|will|please|ask|any|some|what|how|which|same|to)\b",
    re.IGNORECASE,
)
_BOOK = Book(
    phrase(said, None)
    for said in (
        "key phrase|pass phrase|passphrase|code phrase|secret phrase|recovery phrase|safe phrase"
        "|watchword|countersign|challenge phrase|seed phrase|magic words|secret words"
    ).split("|")
)


def named_phrases(text: str) -> Iterator[Anchor]:
    """Phrases to the end of their sentence or line."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _PHRASE.match(text, end)
        if match and not _EXPLAINS.match(match["value"]):
            yield announced(begin, match, NAMED, "prose:words", delimited=True)
