"""Parsers of formats: each proposes labels and values by their place, none decides.

No parser reads a whole document. Each reads a few characters around a sign that is rare in prose,
so that broken and cut documents are read as far as they go.
"""

from __future__ import annotations

from .commands import directives, flags
from .markup import elements
from .pairs import pairs
from .sql import literals
from .urls import credentials, pieces

GRAMMARS = (pairs, elements, credentials, pieces, flags, directives, literals)

__all__ = ["GRAMMARS"]
