"""Parsers of formats: each proposes labels and values by their place, none decides.

No parser reads a whole document. Each reads a few characters around a sign that is rare in prose,
so that broken and cut documents are read as far as they go.
"""

from __future__ import annotations

from .below import below
from .commands import arguments, directives, flags
from .markup import elements
from .pairs import pairs
from .sql import literals
from .tables import rows
from .urls import credentials, encoded, pieces

GRAMMARS = (
    pairs, elements, credentials, encoded, pieces, below, flags, directives, arguments, rows,
    literals,
)  # fmt: skip

__all__ = ["GRAMMARS"]
