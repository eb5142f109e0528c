"""Lists of hosts wherever they stand (see ``host_lists``): behind an option, in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..host_lists import hosts_end

LISTED = 0.8
_REACH = 128  # characters before the first port, or before the sign of a scheme
_SIGN = re.compile(r":(?:\d{2,5},(?=[\w\[])|//(?=[^\s,\"'`<>]{1,200},[\w\[]))")
_BEFORE = re.compile(r"[\w.\-+]{1,128}(?::cbdj)?")
_STANDIN = re.compile(r"host-?[\dn]?\b|server-?[\dn]\b|localhost|example", re.IGNORECASE)


def servers(text: str, minimum: float) -> Iterator[Anchor]:
    """Several hosts that commas join."""
    last = 0
    for sign in _SIGN.finditer(text) if "," in text else ():
        at = sign.start()
        before = _BEFORE.match(text[max(last, at - _REACH) : at][::-1]) if at >= last else None
        if before is None:
            continue
        begin = at - before.end()
        end = hosts_end(text, begin)
        if end > at and not _STANDIN.search(text, begin, end):
            last = end
            yield Anchor(Span(begin, begin), Span(begin, end), LISTED, "structure:hosts", True)
