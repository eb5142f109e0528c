"""Words that take something back: an earlier value no longer holds, the following one does.

They need not stand next to the value: "Erratum: for the rendezvous read V", "wrong seed, it is
V".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from ..detection.labels import letter_tree

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_TO_SPACES = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))


def split(lower: str) -> list[bytes]:
    """The ASCII words of a text in lower case."""
    return lower.encode("ascii", "replace").translate(_TO_SPACES).split()


def _any_of(markers: Iterable[str]) -> re.Pattern[str]:
    """One pattern for all markers. A marker in ASCII must be whole words, others may be stems."""
    return re.compile(letter_tree(map(_letters, markers)))


def _letters(marker: str) -> list[str]:
    letters = [re.escape(char) for char in marker.removesuffix("*")]
    begins = [r"\b"] if marker[0].isascii() else []
    ends = [r"\b"] if marker.isascii() and marker[-1].isalnum() else []
    return [*begins, *letters, *ends]


_MARKER = _any_of(_WORDS["markers"])
# What tells of a change speaks only beside the new value.
_CHANGES = {
    "interjection": r"(?:[.,;!?(—–-]|\A|\n) ?(?:hm+,? |oh,? |ugh,? |ah,? )?(?:no|nope|nah|wait"
    r"|sorry|ugh|argh|edit|update|hm+)\b ?[,.:;!—–-]",
    "starred": r"(?:\A|\n)[^\n]{0,14}(?<![*\w])\*(?=\w[\w ]{0,30}:|\S{3,40}\Z)",
    "until": r"\b(?:until|till) \w+\.",
    "patch": r"(?:\A|\n)-[^\n]{0,80}\n\+(?!\+)[^\n]{0,80}\Z",
    "turn": r"\b(?:really|in fact|turns out|i take (?:that|it) back|from now on"
    r"|with immediate effect|from (?:here|then|today) on)\b",
    "ended": r"\b(?:(?:is|are) (?:dead|obsolete|invalid)|closed now|rolled back|roll ?back"
    r"|successor|has been (?:rotated|reissued|cancelled|revoked|reassigned))\b",
    "they did": r"\b(?:i|we|they|he|she) (?:\w+ )?(?:rotated|reissued|regenerated|revoked|rebooked"
    r"|relocated)\b",
    "it expired": r"\b(?:one|it|that|token|key|password|code|link|secret|credentials|card|above"
    r"|account) (?:(?:has|had|have|was|were|is|are|got|been|just|now|already|since) ){0,3}"
    r"(?:expired|revoked|rotated|leaked|reissued|regenerated|retired|closed|void)\b",
    "the new one": r"\bthe (?:new|right|correct) one(?!,)\b",
    "not but": r"\bnot [^\s,]{2,80},? but\b",
    "moved": r"\b(?:no,? wait|make that|(?:has|have) (?:changed|moved)"
    r"|moved (?:\w+ ){0,2}(?:and|to)|rescheduled|renamed|changed (?:it|to)|now changed|updated? to"
    r"|instead|used to be|been (?:reset|replaced|changed))",
    "unspaced": r"改为|改成|换成|変更|수정",
}
_CHANGED = re.compile("|".join(_CHANGES.values()))
_REPLACING = re.compile(
    r"\W{0,12}(?:[\w'’]{1,12} ){0,4}?(?:in place of|instead|supersed\w+|amended|replac(?:es|ing)"
    r"|fixes|corrects|not the (?:old|earlier|former|previous|one|number|same)|no longer"
    r"|is the (?:valid|right|correct|new) one|after all|rather than|from now on|fat finger|typo"
    r"|my bad|now)\b"
)
_STARRED = re.compile(r"[ ]?\*(?:\s|\Z)")
WORDS = frozenset([*_WORDS["words"].split(), *" ".join(_WORDS["markers"]).split()])
"""Words of corrections that do not name a value."""
_FIRST = {split(marker)[0] for marker in _WORDS["markers"] if marker.isascii()}
_HINTS = {*_WORDS["hints"].encode().split(), *_FIRST, *(word + b"s" for word in _FIRST)}
_SIGNS = ("*", "\n+", *_WORDS["stems"].split())


def corrected(before: str, after: str) -> bool:
    """Whether the text before a value (its sentence and the one before), or the rest of its line,
    takes something back."""
    if _takes_back(before.lower()):
        return True
    line = after.split("\n", 1)[0].lower()
    return len(line) > 6 and bool(_REPLACING.match(line) or _STARRED.match(line))


def _takes_back(lower: str) -> bool:
    """Whether the words before a value, in lower case, take something back."""
    hinted = not lower.isascii() or not _HINTS.isdisjoint(split(lower))
    if not hinted and not any(map(lower.__contains__, _SIGNS)):
        return False  # most of them, without a pattern
    return _MARKER.search(lower) is not None or _CHANGED.search(lower) is not None
