"""What a value of several lines is worth under its label: the same as a value on one line, except
prose and settings, which are no values themselves."""

from __future__ import annotations

import re

from ..forms import is_known
from ..label_words import is_common
from ..opacity import opacity

SHAPED, CODE, PHRASE = 0.85, 0.62, 0.62
"""Least worth of a value of known form, of one under a label that promises a value, and of randomly
drawn words."""
TRUST = 0.55
"""A label that promises a value adds this part of what is missing to 1."""
PROMISING = 0.9  # label strength from which it does
PLACEHOLDER = re.compile(
    r"(?i)(?:none|null|nil|true|false|undefined|todo|tbd|n/?a|x{3,}|\*+|\$\{?(?:[a-z_]\w*|\d)\}?"
    r"|%\(?\w+\)?s?|\$\(.*|\{{2,}[\w. ]*\}+|\{[\w. ]{0,28}\}|<[\w .-]*>|your[-_ ].*|.*\.\.\.)"
)
"""What stands in for a value that is not written."""
OPAQUE = 0.5  # opacity of every line but the last of what no one could read
MOST_DRAWN = 0.75  # of the characters, in lines that no one could read
MAX_DRAWN = 24
MAX_WORDS = 8
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


def block_worth(body: str, strength: float) -> float:
    """Worth in [0, 1] of a block's value under a label of the given strength."""
    if _JOINT.search(body):
        return _worth(_JOINT.sub("", body), strength)
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    if len(lines) == 1:
        return _worth(lines[0], strength)
    if ARMOUR.match(lines[0]):
        return _armoured(lines, strength)
    if is_settings(body) if strength >= 1.0 else any(map(_SETTING.match, lines)):
        return 0.0
    if all(" " not in line for line in lines) and _is_opaque(lines, strength):
        return _worth("".join(lines), strength)
    return _worth(" ".join(lines), strength) if strength >= 1.0 else 0.0


def _worth(value: str, strength: float) -> float:
    """Worth of one line: text that could be guessed is worth little."""
    words = value.split(" ")
    if not value or PLACEHOLDER.fullmatch(value):
        return 0.0
    if is_phrase(words):
        weight = PHRASE
    elif len(words) > (MAX_WORDS if strength >= PROMISING else 2):
        return 0.0
    else:
        weight = max(opacity(value), SHAPED if is_known(value) else 0.0)
        weight = max(weight, CODE) if strength >= PROMISING and not value.isalpha() else weight
    return weight + TRUST * (1 - weight) if strength >= PROMISING else weight


def _armoured(lines: list[str], strength: float) -> float:
    """Worth of armour: its lines must be encoded data, not words of a manual."""
    if not any(_ENCODED.fullmatch(line) and opacity(line) >= OPAQUE for line in lines[1:]):
        return 0.0
    return SHAPED + TRUST * (1 - SHAPED) if strength >= PROMISING else SHAPED


def is_settings(body: str) -> bool:
    """Whether every line of a block names a value of its own, or is a bracket, section or comment
    between such lines."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    keyed = [line for line in lines if not _FRAME.fullmatch(line)]
    return bool(keyed) and all(map(_KEYED.match, keyed))


def _is_opaque(lines: list[str], strength: float) -> bool:
    """Whether no line could be guessed. The last line may be short; under a label that promises a
    value any line may be."""
    if all(opacity(line) >= OPAQUE for line in lines[:-1]):
        return True
    drawn = sum(len(line) for line in lines if opacity(line) >= OPAQUE)
    return strength >= PROMISING and drawn >= MOST_DRAWN * sum(map(len, lines))


def is_phrase(words: list[str]) -> bool:
    """Whether words were drawn at random, as those of passphrases."""
    plain = 3 <= len(words) <= MAX_DRAWN and all(map(_WORD.fullmatch, words))
    return plain and (len(words) in RECOVERY or not any(map(is_common, words)))
