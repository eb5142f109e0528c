"""Parsers of formats: each proposes labels and values by their place, none decides.

No parser reads a whole document. Each reads a few characters around a sign that is rare in prose,
so that broken and cut documents are read as far as they go.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..candidates import Proposal
from .commands import directives, flags
from .markup import elements
from .pairs import pairs
from .sql import literals
from .urls import credentials, pieces

GRAMMARS = (pairs, elements, credentials, pieces, flags, directives, literals)

__all__ = ["GRAMMARS", "proposals"]


def proposals(text: str) -> Iterator[Proposal]:
    """What the parsers propose that read a few characters alone."""
    for grammar in GRAMMARS:
        yield from grammar(text)
