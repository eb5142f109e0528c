"""Values that the name above them promises: ``[ports]`` and ``admin_console = 8917``, ``hosts:``
and ``primary: nas-cellar``, ``"secrets": {"pager": "wagtail"}``.

Their own keys say for what they are, not what they are. Only those that stand directly in the block
are read, as far from its name as a label may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..detector import LOOKBACK
from ..name_parts import name_parts
from ..quoted_states import is_state
from ..roles import UNKNOWN, label_role
from ..text_words import lowered, places, words_of
from ..worth import given_worth

SECRET, NUMBER, NAMED = 0.95, 0.78, 0.72
_SECRETS = (
    "secrets tokens passwords credentials passphrases passcodes pins codes secret token password"
    " passwort kennwörter passwörter contraseñas senhas пароли токены"
).split()
_PORTS = "ports port puertos portas puertas".split()
_NAMES = (
    "hosts servers machines databases buckets queues topics users accounts channels clusters nodes"
    " volumes repositories tenants namespaces aliases projects indexes indices"
).split()
_KINDS = {
    word.encode(): (word, kind)
    for kind, words in (("secret", _SECRETS), ("port", _PORTS), ("name", _NAMES))
    for word in words
    if word.isascii()
}
_WORDS = frozenset(_KINDS)
_NEXT = frozenset("]\"': ")
_BEFORE = re.compile(
    r"[\w.\-]{0,40}(?:\[|[\"']?(?:[ \t]*(?:-[ \t])?|[ \t]*[{,][ \t]*)(?=\n|\Z|[{,]))"
)
_OPENS = re.compile(r"(?:\][ \t]*\r?\n|[\"']?[ \t]*:[ \t]*(?:(?P<brace>\{)[ \t]*(?:\r?\n)?|\r?\n))")
_CHILD = re.compile(
    r"[ \t]*(?P<close>[\"']?)(?P<label>[A-Za-z][\w.\-]{0,40})(?P=close)"
    r"[ \t]*[:=][ \t]*(?P<open>[\"']?)"
    r"(?P<value>[^\s\"'{}\[\]#,<>$()|&*!][^\s\"'{}\[\],<>()]{1,128}+)"
    r"(?P=open)(?P<end>[ \t]*(?:,[ \t]*)?(?:\r?\n|\Z|#[^\n]*\n|(?=[ \t]*\})|(?<=[, \t])(?=[\"'])))"
)
_INDENT = re.compile(r"[ \t]*(?=[^\s#;])")
_LINE = re.compile(r"[ \t]*(?:[#;][^\n]*|[^\n\[}]*)\n")
_NUMBER = re.compile(r"\d{4,5}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,32}(?:[-_][A-Za-z0-9]{1,32}){1,6}")
_USUAL = frozenset(
    "1433 1521 1883 2181 3000 3306 5000 5432 5672 6379 8000 8080 8081 8443 8888 9000 9090 9092 9093"
    " 9200 9300 15672 27017".split()
)
# Keys of a block that say how its values are made or used.
_SETTINGS = re.compile(
    r"(?i).*(?:enabled|provider|type|kind|size|length|max|min|mode|backend|driver|format|algorithm"
    r"|ttl|policy|restart|strategy|state|status|role|roles|level|class|method|engine|image|version"
    r"|rotat\w*|expir\w*|locale|lang|language|protocol|network_mode|scheme|prefix|suffix|store"
    r"|source|from|manager|encoding|scope|scopes|auth|access|permissions?|group|default|required"
    r"|external|inherit|key_?type|unit|style|pull|command|description|theme|plan|tier|sort|order)"
)
_MODES = frozenset(
    "read only write no non self auto always never if not unless same cross on off multi single"
    " pre post en fr de es pt zh us gb time web server round robin least high low"
    " full super".split()
)


def sections(text: str, minimum: float) -> Iterator[Anchor]:
    """Values below the name of a block."""
    present, lower = words_of(text), lowered(text)
    if present.isdisjoint(_WORDS):
        return
    for key in sorted(_WORDS & present):
        word, kind = _KINDS[key]
        for place in places(lower, word):
            if lower[place + len(word) : place + len(word) + 1] not in _NEXT:
                continue
            opened = _OPENS.match(text, place + len(word))
            if opened is None:
                continue
            before = _BEFORE.match(text[max(0, place - 48) : place][::-1])
            if before:
                limit = place + LOOKBACK
                yield from _children(text, opened, limit, kind, minimum)


def _children(
    text: str, opened: re.Match[str], limit: int, kind: str, minimum: float
) -> Iterator[Anchor]:
    """The values of a block, but for those of blocks in it."""
    at, level = opened.end(), -1
    while at < limit:
        begins = text[at - 1] == "\n"
        indent = _INDENT.match(text, at)
        depth = indent.end() - at if indent else -1
        if begins and indent and level < 0:
            level = depth
        child = _CHILD.match(text, at) if not begins or depth == level else None
        if child is None:
            rest = _LINE.match(text, at)
            if rest is None or (indent and depth < level):
                return
            at = rest.end()
            continue
        at = child.end()
        if child.start("value") < limit:
            confidence = _confidence(child["label"], child["value"], kind)
            if confidence >= minimum:
                label, value = Span(*child.span("label")), Span(*child.span("value"))
                yield Anchor(label, value, confidence, "structure:named", bool(child["open"]))


def _confidence(label: str, value: str, kind: str) -> float:
    """How sure a value is one of its kind."""
    if label_role(label) < UNKNOWN or _SETTINGS.fullmatch(label):
        return 0.0
    if kind == "port":
        return NUMBER if _NUMBER.fullmatch(value) and value not in _USUAL else 0.0
    if kind == "secret":
        plain = value.isdigit() and len(value) < 4
        stated = is_state(value) or "/" in value or value.lower() in _MODES
        return 0.0 if plain or stated else SECRET * given_worth(value, 1.0, "password")
    if not _NAME.fullmatch(value):
        return 0.0
    parts = [part.lower() for part in name_parts(value)]
    return NAMED if parts and _MODES.isdisjoint(parts) and max(map(len, parts)) > 3 else 0.0
