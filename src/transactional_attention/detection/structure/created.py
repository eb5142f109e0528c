"""Numbers that a command gives to what it makes: ``adduser -D -u 10917 scanner``, ``chown
10917:20881``, ``docker run -p 8917:80``, ``ssh -L 15432:db:5432``.

Somebody chose them, and nothing tells them but the command. Those that every machine has are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import places, words_of

OWNER, PUBLISHED = 0.86, 0.82
_REACH = 160  # characters of a command that are read
_ID = re.compile(
    r"[ \t](?P<label>-[ug]|--(?:uid|gid|user|group))(?:[ \t]{1,4}|=)"
    r"(?P<value>\d{3,7}(?::\d{3,7})?)(?![^\s;&|])"
)
_OWNED = re.compile(r"(?P<label>(?:[ \t]+-\w{1,3})*[ \t]+)(?P<value>\d{3,7}:\d{3,7})(?!\S)")
_PORTS = re.compile(
    r"[ \t](?P<label>-p|--publish|-L|-R|-D|--port|-l)(?:[ \t]{1,4}|=)?"
    r"(?P<value>(?:\d{1,3}(?:\.\d{1,3}){3}:)?\d{4,5}(?::[\w.\-]{2,64}){0,2}(?:/(?:tcp|udp))?)(?![^\s;&|])"
)
_FORWARDED = re.compile(
    r"(?P<label>[ \t][\w./\-]{3,64}(?:[ \t]+--?[\w\-]{1,16}[ =][\w.\-]{1,40})?[ \t]+)"
    r"(?P<value>\d{4,5}:(?:\d{2,5}|[a-z][\w\-]{1,14}))(?!\S)"
)
_COMMANDS: tuple[tuple[str, re.Pattern[str], float], ...] = (
    *((word, _ID, OWNER) for word in "adduser useradd usermod groupadd addgroup groupmod".split()),
    ("chown", _OWNED, OWNER),
    *((word, _PORTS, PUBLISHED) for word in ("docker run", "podman run", "docker create", "ssh")),
    *((word, _ID, OWNER) for word in ("docker run", "podman run")),
    ("port-forward", _FORWARDED, PUBLISHED),
)
_WORDS = frozenset(
    b"adduser useradd usermod groupadd addgroup groupmod chown docker podman ssh kubectl".split()
)
_COMMON_IDS = frozenset("100 101 500 501 999 1000 1001 1002 10000 65532 65533 65534".split())
_COMMON_PORTS = re.compile(
    r"(?:(?:127\.0\.0\.1|0\.0\.0\.0):)?(?:2222|3000|3306|4000|5000|5432|6379|80\d\d|8443|8888|9000"
    r"|9090|9200|27017|1080|5601|1883)(?::(?:localhost:|127\.0\.0\.1:)?\d{2,5})?(?:/\w+)?"
)


def created(text: str, minimum: float) -> Iterator[Anchor]:
    """Numbers of users, groups and ports behind a command that makes or opens them."""
    present = words_of(text)
    if present.isdisjoint(_WORDS):
        return
    for command, option, confidence in _COMMANDS:
        if command.split(" ")[0].split("-")[-1].encode() not in present:
            continue
        for place in places(text, command):
            begin = place + len(command)
            if text[place - 1 : place].isalnum() or text[begin : begin + 1] not in (" ", "\t"):
                continue
            newline = text.find("\n", begin, begin + _REACH)
            end = newline if newline >= 0 else min(len(text), begin + _REACH)
            for match in option.finditer(text, begin, end):
                if not is_everybodys(match["value"]):
                    label, value = Span(*match.span("label")), Span(*match.span("value"))
                    yield Anchor(label, value, confidence, "structure:flag", False)


def is_everybodys(value: str) -> bool:
    """Whether a number is that of many machines."""
    ids = value.split(":")
    return _COMMON_PORTS.fullmatch(value) is not None or all(one in _COMMON_IDS for one in ids)
