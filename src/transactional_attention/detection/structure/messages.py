"""Error messages: what went wrong is named there, in quotes or as the only code of the line.

``KeyError: 'usr_91fk2'``, ``panic: lease "k9-2231" expired``, ``** (RuntimeError) no handler for
job-5521x``. Names of the program's own parts (an attribute, an argument, a module) are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..worth import PROMISING
from .emit import emit

ROLE, QUOTED = 0.97, 0.95
REACH = 320  # characters of a message that are read
_SIGNS = "rror", "xception", "Fault", "Failure", "fatal", "Warning", "panic"
_BEHIND = re.compile(r"(?:: |\) | - |ked at )(?=\S)")  # an error's name, and "panicked"
_QUOTED = re.compile(r"(?:(?P<before>\w+)[ :(=]{1,2})?[\"'`](?P<value>[\w.\-]{4,64})[\"'`]")
_BARE = re.compile(
    r"(?<![\w./\\:\-\"'`(])(?:(?P<before>[a-z]{3,20}) )"
    r"(?P<value>[A-Za-z]{2,16}(?:[-_][A-Za-z0-9]{1,16}){1,4})(?=[\s,;!?)]|[.:](?:\s|\Z)|\Z)"
)
_JOINED = re.compile(r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+")
_DIGIT = re.compile(r"\d")
_KNOWN = re.compile(
    r"(?i)(?:utf|latin|iso|cp|ucs|sha|md|base|https?|tls|ssl|x|amd|arm|py|python|windows|errno"
    r"|line|code|exit|status|signal|rfc|level|version|column|step|page)[-_]?\d.*"
)
_PARTS_OF_CODE = frozenset(
    "is are be was or and as of with to than not attribute argument arguments name names "
    "module named function method methods type types class package command symbol keyword "
    "object variable parameter parameters option options from import property codec encoding "
    "operator operand instance operation syntax library macro trait struct interface "
    "annotation decorator constructor subclass descriptor format specifier flag extension "
    "identifier field mode".split()
)


def messages(text: str, minimum: float) -> Iterator[Anchor]:
    """Names in quotes, and codes, in the message of an error."""
    for begin in _begins(text):
        end = text.find("\n", begin, begin + REACH)
        end = min(len(text), begin + REACH) if end < 0 else end
        for form in (_QUOTED, _BARE):
            for found in form.finditer(text, begin, end):
                anchor = _anchor(text, found, form is _QUOTED, minimum)
                if anchor is not None:
                    yield anchor


def _begins(text: str) -> Iterator[int]:
    """Where messages begin: behind words that are found at the speed of memory."""
    for sign in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            at += len(sign)
            behind = _BEHIND.match(text, at)
            if behind:
                yield behind.end()
            at = text.find(sign, at)


def _anchor(text: str, found: re.Match[str], quoted: bool, minimum: float) -> Anchor | None:
    value = found["value"]
    if not _DIGIT.search(value):
        part = found["before"] in _PARTS_OF_CODE
        if part or not quoted or "." in value or not _JOINED.fullmatch(value):
            return None
    elif _KNOWN.fullmatch(value):
        return None
    named = found.span("before")
    label = named if named[0] >= 0 else (found.start("value"),) * 2
    return emit(
        text, label, found.span("value"), ROLE, "structure:message",
        delimited=quoted, minimum=minimum, strength=QUOTED if quoted else PROMISING,
    )  # fmt: skip
