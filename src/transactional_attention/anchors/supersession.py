"""Which statements a later one replaces: the same label said again, by no less trusted a source.

Only sentences replace each other (``prose``, ``languages`` and the paper's detectors): records of a
list repeat their labels without taking anything back. Near-identical labels differ in a word, so
each keeps its own value. A correction carries the label of what it corrects (see ``prose``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..types import Anchor, Source

TRUSTED: dict[Source, int] = {"system": 3, "user": 3, "assistant": 2, "unknown": 2, "tool": 1}
REMEMBERED = 8  # statements of one label that stand side by side
_STATEMENTS = ("prose:", "languages:", "regex:word", "semantic:keyword")
_WORD = re.compile(r"[^\W_]+")
_LOOSE = frozenset(
    "the a an my your our his her their its this that is was are be now new of for to at in on it"
    " number please remember note es el la de le du der die das ist lautet est il è".split()
)


def statement(anchor: Anchor, text: str) -> str:
    """What an anchor states, as the words of its label; empty when it is no statement."""
    if not anchor.rule.startswith(_STATEMENTS):
        return ""
    words = _WORD.findall(text[anchor.label.start : anchor.label.end].lower())
    return " ".join(word for word in words if word not in _LOOSE)


def superseded(anchors: Sequence[Anchor], text: str) -> set[int]:
    """Indices of anchors that a later one of the same statement replaces.

    ``anchors`` in the order of their values; ``text`` is what their spans count in. A value that is
    said again is no replacement, and a source never replaces what a more trusted one said.
    """
    latest: dict[str, list[int]] = {}
    replaced: set[int] = set()
    for i, anchor in enumerate(anchors):
        key = statement(anchor, text)
        if not key:
            continue
        value = text[anchor.value.start : anchor.value.end]
        for j in latest.get(key, []):
            old = anchors[j]
            trusted = TRUSTED[anchor.source] >= TRUSTED[old.source]
            if trusted and text[old.value.start : old.value.end] != value:
                replaced.add(j)
        latest[key] = [*(j for j in latest.get(key, []) if j not in replaced), i][-REMEMBERED:]
    return replaced
