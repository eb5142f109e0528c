"""Keywords whose own tokens are kept (control; the fix of 2510.00231, its abstract alone)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from transactional_attention.types import Anchor, Span

# Chosen by hand, as the paper's fix asks for: what announces a value, and what gives an order.
KEYWORDS = (
    "key code password secret token credential pin id endpoint url path port email address hash"
    " commit branch version must never always only not do ignore remember important"
).split()
_KEYWORD = re.compile(r"\b(?:" + "|".join(KEYWORDS) + r")\b", re.IGNORECASE)


@dataclass(frozen=True)
class Whitelist:
    """Every keyword is itself a value without a label, and is ranked as values are.

    It knows nothing about the text after a keyword: that is the difference from sponsorship. Under
    the paper preset the vouchers go to the L tokens from the keyword on. It does not detect values,
    so ``DETECTORS`` does not include it. The paper's own list was not available.
    """

    name = "whitelist"

    def find(self, text: str) -> list[Anchor]:
        """Anchors whose values are the keywords themselves."""
        return [
            Anchor(Span(m.start(), m.start()), Span(m.start(), m.end()), 0.7, self.name)
            for m in _KEYWORD.finditer(text)
        ]
