"""Names that a command is given: ``useradd -m lark_deploy``, ``psql -U ledger_ro -d ledger_main``,
``docker volume create lark-data``, ``git config user.name "Odalys Fenwick"``.

Such a name has several parts, one of them a rare word; a command names nothing else in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..personal_names import NAME as PERSON
from ..personal_names import is_somebody
from ..spoken import Book, phrase, spoken
from .named import is_own

GIVEN = 0.82
_REACH = 160  # characters of a command that are read
_NAME = (
    r"[\"']?(?P<value>[A-Za-z][A-Za-z0-9]{0,31}(?:[_\-.][A-Za-z0-9]{1,31}){1,6})[\"']?(?![\w/=:@.])"
)
_OPTION = re.compile(
    rf"[ \t](?:-[UdugGt]|--(?:username|dbname|user|group|owner|name))(?:[ \t]|=){_NAME}"
)
_LAST = re.compile(rf"[ \t]{_NAME}[ \t]*(?=\r?(?:\n|\Z)|[;&|\"'`#])")
_NEXT = re.compile(rf"[ \t]{_NAME}")
_OWNED = re.compile(r"[ \t](?P<value>[a-z_][\w\-]{2,31}:[a-z_][\w\-]{2,31})(?=[ \t])")
_CALLED = re.compile(rf"[ \t][\"'](?P<value>{PERSON})[\"']")
_BRANCH = re.compile(
    r"[ \t][\"']?(?P<value>[a-z][\w.]{0,40}(?:[/\-][\w.]{1,40}){1,8})[\"']?"
    r"(?=[ \t]|\r?(?:\n|\Z)|[;&|\"'`])"
)
_BRANCHING = "git switch -c|git checkout -b|git branch -m|git worktree add -b".split("|")
_OPTIONED = "psql pg_dump pg_restore createdb mysql mysqldump sudo usermod useradd mongosh".split()
_ENDING = (
    "useradd adduser userdel usermod groupadd addgroup createdb dropdb createuser dropuser".split()
)
_FOLLOWED = (
    "volume create|network create|create namespace|create ns|create serviceaccount|create configmap"
    "|create secret generic|helm install|helm upgrade|helm uninstall|docker start|docker stop"
    "|docker restart|systemctl start|systemctl stop|systemctl restart|systemctl status"
    "|systemctl enable|tmux new -s|tmux attach -t|screen -S|conda activate|pm2 restart|pm2 start"
    "|rbenv local|allowusers|denyusers|allowgroups|match user|backend|default_backend"
).split("|")
_BOOK = Book(
    [
        *(phrase(said, _OPTION) for said in _OPTIONED),
        *(phrase(said, _LAST) for said in _ENDING),
        *(phrase(said.lower(), _NEXT) for said in _FOLLOWED),
        *(phrase(said, _BRANCH) for said in _BRANCHING),
        phrase("chown", _OWNED),
        phrase("user.name", _CALLED),
    ]
)


def command_names(text: str, minimum: float) -> Iterator[Anchor]:
    """Names behind commands and their options."""
    for begin, end, pattern in spoken(text, _BOOK):
        newline = text.find("\n", end, end + _REACH)
        stop = newline + 1 if newline >= 0 else min(len(text), end + _REACH)
        if pattern in (_NEXT, _CALLED, _BRANCH):
            found = [match for match in (pattern.match(text, end, stop),) if match]
        else:
            found = list(pattern.finditer(text, end, stop))
        for match in found:
            if _is_given(match["value"], pattern):
                value = Span(*match.span("value"))
                yield Anchor(Span(begin, end), value, GIVEN, "structure:keyword", True)


def _is_given(value: str, pattern: re.Pattern[str]) -> bool:
    """Whether a value is a name of somebody's own; of an owner and a group one is enough."""
    if pattern is _CALLED:
        return is_somebody(value)
    return any(map(is_own, value.split("/" if pattern is _BRANCH else ":")))
