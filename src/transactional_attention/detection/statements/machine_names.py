"""Names that people give to machines and what runs on them, without a digit: ``svc-harvester-ro``,
``backup-ural-weekly``, ``wh_prod_Nordkapp``.

Three parts and more, one of which is a word of the trade, which no English compound holds; or parts
that underscores join of which some begin with a capital and some do not, as no language of programs
writes its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..name_parts import name_parts
from ..text_words import begins_of, lowered, seek

NAMED = 0.7
_TRADE = frozenset(
    b"svc prod prd stg dlq bak ro rw uat qa db eu us mx uk apac emea sa ap k8s vm gw lb mq etl ns"
    b" srv sandbox staging backup nightly weekly queue bucket cluster runner worker replica archive"
    b" ingest dev infra ci preprod canary failover".split()
)
seek(_TRADE)
_LEFT = re.compile(r"(?:-[A-Za-z0-9]{1,24}){0,4}(?![\w./\\@#-])")  # read backwards
_RIGHT = re.compile(r"(?:-[A-Za-z0-9]{1,24}){0,5}(?![\w/\\@(=-]|[.:]\w|:\s)")
_CASES = re.compile(r"[A-Za-z][A-Za-z0-9]{0,24}(?:_[A-Za-z0-9]{1,24}){2,5}(?![\w./\\@(=-]|:\s)")
_INNER_CAPITAL, _SMALL = re.compile(r"_[A-Z][a-z]{2}"), re.compile(r"(?:\A|_)[a-z]{2,}(?=_|\Z)")
_BORDER = re.compile(r"[A-Za-z0-9]{1,24}(?:_[A-Za-z0-9]{1,24}){0,2}(?![\w./\\@=-])")  # backwards


def machine_names(text: str) -> Iterator[Anchor]:
    """Names of machines, services and stores."""
    begins = begins_of(text)
    held = (
        span for word in _TRADE & begins.keys() for span in _joined(text, len(word), begins[word])
    )
    for begin, end in sorted(set(held)):
        yield Anchor(Span(begin, begin), Span(begin, end), NAMED, "prose:machine", True)
    for capital in _INNER_CAPITAL.finditer(text):
        place = capital.start()
        before = _BORDER.match(text[max(0, place - 64) : place][::-1])
        match = _CASES.match(text, place - before.end()) if before else None
        if match and _SMALL.search(match.group()):
            value = Span(*match.span())
            yield Anchor(Span(value.start, value.start), value, NAMED, "prose:machine", True)


def _joined(text: str, size: int, begins: list[int]) -> Iterator[tuple[int, int]]:
    """Begin and end of names of three parts and more of which one is a word of the trade, ``size``
    characters from one of ``begins`` on."""
    lower = lowered(text)
    for place in begins:
        end = place + size
        before, after = lower[place - 1 : place], lower[end : end + 1]
        if "-" not in (before, after) or before.isalnum() or after.isalnum():
            continue
        left = _LEFT.match(text[max(0, place - 128) : place][::-1])
        right = _RIGHT.match(text, end)
        if left is None or right is None:
            continue
        begin, stop = place - left.end(), right.end()
        parts = name_parts(text[begin:stop])
        if len(parts) > 2 and max(map(len, parts)) > 3:
            yield begin, stop
