"""Values by their role in a structure: a detector over local grammars, one file a family.

No grammar parses a document: each reads a few characters around a sign that is rare in prose, so
broken and cut documents are read as far as they go. Confidence = role x label x worth.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...types import Anchor
from ..clusters import winners
from ..demonstrations import lessened
from ..detector import MIN_CONFIDENCE, Undivided
from ..refusal import admitted
from .below import below
from .block_rest import Rest
from .blocks import blocks
from .calibrations import calibrations
from .code import arguments, commands, directives
from .command_names import command_names
from .created import created
from .digests import digests
from .dotted import dotted
from .items import items
from .keyword_lines import keyword_lines
from .leaders import leaders
from .markup import elements
from .messages import messages
from .nested import nested
from .options import options
from .pairs import pairs
from .parts import parts
from .sections import sections
from .servers import servers
from .sql import statements
from .sql_names import sql_names
from .tables import Table, follow, keyed_rows
from .test_ids import test_ids
from .urls import credentials, encoded

GRAMMARS = (
    pairs, elements, credentials, encoded, parts, below, statements, commands, directives,
    options, arguments, keyed_rows, leaders, messages, nested, servers, items,
    sections, dotted, created, digests, test_ids,
    keyword_lines, sql_names, calibrations, command_names,
)  # fmt: skip


class Structure:
    """JSON to Terraform: labels and values by their place in a structure."""

    name = "structure"

    def __init__(self, minimum: float = MIN_CONFIDENCE) -> None:
        self.minimum = minimum

    def find(self, text: str, start: int = 0) -> list[Anchor]:
        """Anchors whose label begins at or after ``start`` (see ``Detector``)."""
        cells, _ = self.follow(text, 0, len(text), 0, None)
        every = list(self.spanning(text, 0, len(text), final=True))
        wholes = [lines.anchor for lines in every if lines.anchor]
        refused = [lines for lines in every if lines.anchor is None]
        found = self.local(text) + cells + wholes
        return admitted(winners(a for a in found if a.label.start >= start), refused, 0)

    def local(self, text: str) -> list[Anchor]:
        """Anchors that need no more than what stands around them."""
        found = (anchor for grammar in GRAMMARS for anchor in grammar(text, self.minimum))
        return [a for a in lessened(found, text) if a.confidence >= self.minimum]

    def spanning(
        self, text: str, begin: int, end: int, *, final: bool, rest: Rest | None = None
    ) -> Iterator[Undivided]:
        """Values of several lines (see ``Spanning``)."""
        return blocks(text, begin, end, final, self.minimum, rest)

    def follow(
        self, text: str, begin: int, end: int, origin: int, state: Table | None
    ) -> tuple[list[Anchor], Table | None]:
        """Anchors whose label may stand far above, in absolute offsets (see ``Following``)."""
        return follow(text, begin, end, origin, state, self.minimum)


__all__ = ["Structure"]
