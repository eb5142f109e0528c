"""Slots of texts: ``⟦FORM⟧`` is drawn afresh, ``⟦!FORM⟧`` is a value that is stated or kept.

After a bar stands the label that a question uses: ``⟦!uuid|trace id⟧``. What a caller gives, and
does not draw, stands in braces: ``{key}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

SLOT = re.compile(r"⟦(!?)([^⟦⟧|]+)(?:\|([^⟦⟧]*))?⟧")


@dataclass(frozen=True)
class Filled:
    """What a slot has become: characters [start, end) of the text; ``label``: None without one."""

    start: int
    end: int
    kept: bool
    label: str | None


def fill(template: str, draw: Callable[[str], str]) -> tuple[str, list[Filled]]:
    """A text with its slots filled by ``draw``, from what a slot names, and where they are."""
    text, cursor = "", 0
    filled: list[Filled] = []
    for slot in SLOT.finditer(template):
        text += template[cursor : slot.start()]
        value = draw(slot[2])
        filled.append(Filled(len(text), len(text) + len(value), bool(slot[1]), slot[3]))
        text, cursor = text + value, slot.end()
    return text + template[cursor:], filled
