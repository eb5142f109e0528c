"""A value alone on its line, named by the line above it: ``Your code:`` and below it the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..candidates import candidates
from ..drawn import phrases
from ..labels import find_label
from ..roles import UNKNOWN, label_role
from ..worth import PROMISING
from .emit import emit

ROLE = 0.95
MAX_ABOVE, MAX_WORDS = 80, 4
_ENDS = re.compile(r"[\"'`”»」*)]{0,3}[ \t]*+\r?(?:\n|\Z)")
_MARKS = " \t>#*\"'`“«「(-"
_BLOCK = re.compile(r"(?<=[:=])[ \t]*[|>][+-]?\d?\Z")  # of several lines: see ``blocks``
_SENTENCE = re.compile(r"[.!?,;](?: |\Z)")
# A value behind the sign of its own: such a line is a pair, and shows what it should name.
_FILLED = re.compile(r"[=：＝](?![ \t]*\\?\Z)|:[ \t]|[^\W\d_]\d|\d[^\W\d_]")
_TURN = re.compile(r"<\|[^\n]*\|>|\[[A-Z]+\]|(?:User|Human|Assistant|Tool|System)")


def below(text: str, minimum: float) -> Iterator[Anchor]:
    """Values that stand alone below a label."""
    alone = [(a, b) for a, b, _ in candidates(text) if _ENDS.match(text, b)]
    alone += [(a, b) for a, b in phrases(text) if _ENDS.match(text, b)]
    for begin, end in alone:
        line = text.rfind("\n", max(0, begin - 24), begin) + 1
        if not line or text[line:begin].strip(_MARKS):
            continue
        found = label_above(text, line - 1)
        if found is None:
            continue
        start, stop, strength = found
        anchor = emit(
            text, (start, stop), (begin, end), ROLE, "structure:below",
            delimited=True, minimum=minimum, strength=strength,
        )  # fmt: skip
        if anchor is not None:
            yield anchor


def label_above(text: str, end: int) -> tuple[int, int, float] | None:
    """Begin, end and strength of a label that fills the line which ends at ``end``, or the one
    above an empty line."""
    while end and text[end - 1] in " \t\r\n" and text.count("\n", end - 1, end + 1) < 3:
        end -= 1
    start = text.rfind("\n", max(0, end - MAX_ABOVE), end) + 1
    if not start and end > MAX_ABOVE:
        return None
    if _BLOCK.search(text, start, end):
        return None
    words = text[start:end].strip(_MARKS)
    start = text.find(words, start, end)
    end = start + len(words)
    announced = words[-1:] in (":", "：")
    name = words.rstrip(":：")
    if not name or _TURN.fullmatch(name) or _FILLED.search(name):
        return None
    if announced:
        label = find_label(text, start + len(name))
        known = label_role(name) if name.count(" ") < MAX_WORDS else 0.0
        strength = max(known, label.strength if label else 0.0)
        return (start, end, strength) if strength >= UNKNOWN else None
    if name.count(" ") >= MAX_WORDS or _SENTENCE.search(name):
        return None
    strength = label_role(name)
    return (start, end, strength) if strength >= PROMISING else None
