"""Several hosts that commas join: ``k1:9092,k2:9092``, ``mongodb://app@a,b,c/shop?replicaSet=rs``.

A comma ends most values, and one host of a list is not the list: here the whole is found. Behind a
scheme a host needs no port; elsewhere each has one, so that no list of words or times is taken.
"""

from __future__ import annotations

import re

_SCHEME = r"(?:jdbc:)?[A-Za-z][A-Za-z0-9+.\-]{1,24}://"
_LOGIN = r"(?:[^\s:/@,;\"'`<>]{1,64}(?::[^\s@/\"'`<>]{1,128})?@)?"
_NAME = r"(?:[A-Za-z](?:[\w.\-]{0,100}\w)?|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]{3,45}\])"
_PORT = r":\d{2,5}(?!\d)"
_REST = r"(?:/[^\s\"'`<>,;{}()|\\]{0,512})?(?:\?[^\s\"'`<>,;{}()|\\]{1,512})?"
_AFTER_SCHEME = re.compile(
    rf"{_SCHEME}{_LOGIN}{_NAME}(?:{_PORT})?(?:,{_NAME}(?:{_PORT})?){{1,32}}+{_REST}"
)
_WITH_SCHEMES = re.compile(rf"{_SCHEME}{_NAME}{_PORT}(?:,{_SCHEME}{_NAME}{_PORT}){{1,32}}+{_REST}")
_WITH_PORTS = re.compile(rf"{_NAME}{_PORT}(?:,{_NAME}{_PORT}){{1,32}}+(?:/[\w./\-]{{0,128}}\w)?")
_ON = re.compile(r"[\w@:]|\.\w")  # such a list would go on
_SPARE = ".?!&/"


def hosts_end(text: str, start: int) -> int:
    """Where a list of hosts that begins at ``start`` ends; ``start`` where there is none."""
    for form in (_WITH_SCHEMES, _AFTER_SCHEME, _WITH_PORTS):
        match = form.match(text, start)
        if match:
            end = match.end()
            while text[end - 1] in _SPARE and not text[end : end + 1].strip():
                end -= 1
            return start if _ON.match(text, end) else end
    return start
