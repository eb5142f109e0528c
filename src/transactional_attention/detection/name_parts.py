"""The parts of a name, which hyphens, underscores and full stops join."""

from __future__ import annotations

import re

from .joining import JOINING

_JOINT = re.compile(r"[-_.]")


def name_parts(value: str) -> list[str]:
    """The parts of a name; none where one is a word that joins others, as no name holds it."""
    parts = _JOINT.split(value)
    return [] if any(part.lower() in JOINING for part in parts) else parts
