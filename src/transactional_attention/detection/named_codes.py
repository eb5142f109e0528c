"""Names that end with a code of their own: ``harvest-orchid-59``, ``Heron_Guest_5G``,
``run-teal-0317-b``.

Two words and more, then a number of two digits and more, or a digit beside a letter, as people and
tools call what they make. What words of every day join are no such names (``top-of-the-15``), nor
are the colours of style sheets, nor what code joins by underscores in small letters.
"""

from __future__ import annotations

_JOINING = "of|the|and|to|in|on|for|at|by|per|or|vs|year|years|day|days|old|world|war|type|level"
_STYLES = "text|bg|border|ring|from|via|fill|stroke|divide|accent|shadow|col|row|grid|gap|space"

NAMED_CODE = (
    rf"(?=\S*[-A-Z])(?=\S*[A-Za-z]{{3}})(?!(?:{_STYLES})-)(?!(?:\S*[-_])?(?:{_JOINING})[-_])"
    r"[A-Za-z]{2,24}(?:[-_][A-Za-z]{1,24}){1,4}[-_](?:\d{2,6}|[A-Za-z]\d{1,4}|\d{1,4}[A-Za-z])"
    r"(?:[-_][A-Za-z]{1,3})?"
)
"""A pattern that a whole chunk matches (see ``forms``)."""
