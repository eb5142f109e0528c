"""What a value of several lines is worth under its label: as one line would be, but for prose and
settings, which are no values themselves."""

from __future__ import annotations

import re

from ..joining import is_common
from ..opacity import opacity
from ..worth import PHRASE, PROMISING, SHAPED, TRUST, worth

OPAQUE = 0.5  # opacity of every line but the last of what no one could read
MOST_DRAWN = 0.75  # of the characters, in lines that no one could read
MAX_DRAWN = 24
RECOVERY = frozenset(range(12, MAX_DRAWN + 1, 3))  # words of a recovery phrase, whatever they are
ARMOUR = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]+-{4,5}")
_ENCODED = re.compile(r"[A-Za-z0-9+/=]{12,}")
_SETTING = re.compile(r"[\"']?[\w.\-/ ]{1,48}[\"']?[ \t]*(?:=[ \t]*[^=\s]|:[ \t]|:\Z)|[{}\[\]<#]")
_KEYED = re.compile(
    r"(?:-[ \t]+)?(?:[\"'][\w.\-/ ]{1,48}[\"'][ \t]*[:=]"
    r"|[\w.\-/ ]{1,48}(?:[ \t]*=[ \t]*[^=\s]|:[ \t]|:\Z))"
    r"|</?[\w.:\-]{1,48}(?:[ \t][^<>]*)?/?>"
)
# What stands between settings: brackets, sections, comments.
_FRAME = re.compile(r"[{}\[\](),;]{1,8}|\[[\w.\- \"]{1,64}\]|-{3}|(?:#|//|;)+(?:[ \t].*)?")
_WORD = re.compile(r"[a-z]{3,12}")
_JOINT = re.compile(r"\\\r?\n[ \t]*")


def block_worth(body: str, strength: float, label: str) -> float:
    """Worth in [0, 1] of a block's value under a label of the given strength (see ``worth``)."""
    if _JOINT.search(body):
        return worth(_JOINT.sub("", body), strength, label)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    if len(lines) == 1:
        return worth(lines[0], strength, label)
    if ARMOUR.match(lines[0]):
        return _armoured(lines, strength)
    if is_settings(body) if strength >= 1.0 else any(map(_SETTING.match, lines)):
        return 0.0
    if all(" " not in line for line in lines) and _is_opaque(lines, strength):
        return worth("".join(lines), strength, label)
    if strength < 1.0:
        return 0.0
    words = " ".join(lines).split(" ")
    if is_phrase(words):
        return PHRASE + TRUST * (1 - PHRASE)
    return worth(" ".join(words), strength, label)


def _armoured(lines: list[str], strength: float) -> float:
    """Worth of armour that holds what is encoded, and not the words of a manual."""
    if not any(_ENCODED.fullmatch(line) and opacity(line) >= OPAQUE for line in lines[1:]):
        return 0.0
    return SHAPED + TRUST * (1 - SHAPED) if strength >= PROMISING else SHAPED


def is_settings(body: str) -> bool:
    """Whether every line of a block names a value of its own, or frames those that do."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    keyed = [line for line in lines if not _FRAME.fullmatch(line)]
    return bool(keyed) and all(map(_KEYED.match, keyed))


def _is_opaque(lines: list[str], strength: float) -> bool:
    """Whether no one could read the lines; the last may be short, and under a label that promises
    a value any short one."""
    if all(opacity(line) >= OPAQUE for line in lines[:-1]):
        return True
    drawn = sum(len(line) for line in lines if opacity(line) >= OPAQUE)
    return strength >= PROMISING and drawn >= MOST_DRAWN * sum(map(len, lines))


def is_phrase(words: list[str]) -> bool:
    """Whether words were drawn by chance, as those of passphrases are."""
    plain = 3 <= len(words) <= MAX_DRAWN and all(map(_WORD.fullmatch, words))
    return plain and (len(words) in RECOVERY or not any(map(is_common, words)))
