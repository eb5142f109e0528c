"""Blocks in which the same fields stand under several owners: environments, people, services."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .format_blocks import TEXTS, Pattern, breakable, put_field, rows
from .format_keys import Field, fill

SECTIONS = rows(TEXTS.sections)


def section_block(
    rng: random.Random,
    pattern: Pattern,
    sections: Sequence[tuple[str, Sequence[Field]]],
    words: Sequence[str],
) -> str:
    """The text of (owner, fields) pairs; all owners have the same names in the same order."""
    _, _, opening, begin, each, joint, end, between, closing = pattern
    names = joint.join(field.name for field in sections[0][1])
    blocks = []
    for owner, fields in sections:
        owned = [part.replace("{s}", owner).replace("{S}", owner.upper()) for part in (begin, each)]
        body = joint.join(put_field(fill(rng, owned[1], words), field) for field in fields)
        blocks.append(fill(rng, owned[0], words) + body + end)
    first = fill(rng, opening, words).replace("{names}", names)
    return first + breakable(between).join(blocks) + fill(rng, closing, words)
