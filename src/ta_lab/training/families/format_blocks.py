"""Blocks of several fields: configuration, payloads, headers, tables, code and commands.

The parts of a pattern are described in ``data/training/formats.toml``.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...data import texts
from .format_keys import Field, fill

TEXTS = texts("training/formats")

Pattern = tuple[str, ...]
BREAK = "\ue100"  # stands where a block may be cut, between two of its fields


def rows(lines: Sequence[str]) -> tuple[Pattern, ...]:
    """Patterns from lines in which a broken bar separates the parts."""
    return tuple(tuple(line.split("¦")) for line in lines)


FLAT, COLUMNS = rows(TEXTS.flat), rows(TEXTS.columns)


def breakable(joint: str) -> str:
    """A joint with the break in it, before its white space."""
    mark = len(joint.rstrip()) if joint.rstrip() not in ("&", "|", "") else 0
    return joint[:mark] + BREAK + joint[mark:]


def put_field(template: str, field: Field) -> str:
    """A field's text: its name and value in a template."""
    quoted = field.value if field.bare else f'"{field.value}"'
    text = template.replace("{n}", field.name).replace("{q}", quoted)
    return text.replace("{v}", field.value)


def flat_block(
    rng: random.Random, pattern: Pattern, fields: Sequence[Field], words: Sequence[str]
) -> str:
    """The text of fields in one pattern."""
    _, _, opening, each, joint, closing = pattern
    body = breakable(joint).join(put_field(fill(rng, each, words), field) for field in fields)
    return fill(rng, opening, words) + body + fill(rng, closing, words)


def column_block(
    rng: random.Random, index: int, fields: Sequence[Field], words: Sequence[str]
) -> str:
    """The text of fields in columns: all names, then all values."""
    _, _, opening, name, joint, rule, value, closing = COLUMNS[index]
    names = joint.join(put_field(name, field) for field in fields)
    values = joint.join(put_field(value, field) for field in fields)
    return fill(rng, opening, words) + names + rule + values + closing
