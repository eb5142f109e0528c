"""Login and password that a sentence tells together: ``User demo.ottavia, password Pear-Wagon``,
``username harbour_guest and password teal8Kettle``, ``login kioskadm / pass Gr0ve``,
``login kioskadm / Gr0ve``.

Both are values, a plain word as well, where one of them at least is no word of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..joining import is_common
from ..spoken import Book, phrase, spoken

TOGETHER = 0.8
_QUOTE = r"[\"'“‘`*]{0,2}"
_CLOSE = r"[\"'”’`*]{0,2}"
_LINK = r"(?:(?:,| /| \||;| -| –| —)?(?: and| with)?(?: the)?)"
_PAIR = re.compile(
    rf"(?:[ ]?name|[ ]id)?(?:[ ](?:is|was)|:)?[ ]{_QUOTE}(?P<login>[\w][\w.@+\-]{{1,63}}?){_CLOSE}"
    rf"(?:{_LINK}[ ]"
    rf"(?:password|passphrase|passcode|pass|pw|pwd|pin)(?:[ ](?:is|was)|:)?[ ]|[ ]/[ ]){_QUOTE}"
    rf"(?P<secret>[^\s\"'”’`*,;]{{3,64}}?){_CLOSE}(?=[.,;!?)]{{0,2}}(?:\s|\Z))"
)
_ODD = re.compile(r"[\d._@\-]|(?<=[a-z])[A-Z]|[a-z][!#$%&*+?][A-Za-z]")
_BOOK = Book(phrase(said, None) for said in ("user", "username", "login", "log in as", "account"))


def told_logins(text: str) -> Iterator[Anchor]:
    """A login and its password."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _PAIR.match(text, end)
        if match is None:
            continue
        login, secret = match["login"], match["secret"]
        if not (_ODD.search(login) or _ODD.search(secret)):
            continue
        if is_common(login.lower()) or is_common(secret.lower()):
            continue
        for group, label in (("login", begin), ("secret", match.end("login"))):
            value = Span(*match.span(group))
            yield Anchor(Span(label, value.start), value, TOGETHER, "prose:login", True)
