"""Names of resources that options, commands and keys give: ``kubectl -n payments-eu``, ``terraform
workspace select ivory-tower``, ``KUBE_CONTEXT=heron-staging``, ``secretRef:`` above ``name:
tern-db``.

Such a name is small letters in parts, which a hyphen or an underscore joins. Behind a key in
small letters none of them is a word of sentences: a context may be ``read-only``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor
from ..joining import is_common
from ..name_parts import name_parts
from ..spoken import Book, Phrase, announced, phrase, spoken

GIVEN = 0.66
_NAME = (
    r"[\"'`]?(?!kube-)(?P<value>[a-z][a-z0-9]{1,31}+(?:[-_][a-z0-9]{1,31}+){1,7}+)"
    r"(?=[\"'`]?[,;)}\]]{0,2}(?:\s|\Z))"
)
_OPTIONS = "namespace context kube-context profile project cluster bucket queue tenant workspace"
_KEYS = "context namespace cluster bucket queue tenant workspace leader"
_REFERENCES = "secretkeyref secretref configmapkeyref configmapref persistentvolumeclaim"
_FIELDS = "claimname serviceaccountname secretname configmapname nodename"
_OPTION = r"(?<=--{word})(?: |=)"
_KEY = r"(?:_?name)?[\"']?[ \t]?[:=][ \t]?"
_NO_VARIABLE = r"(?:(?<=[A-Z]=)|(?=[\"'`]?[a-z\d]+-))"
_REFERENCE = r":[ \t]*\r?\n[ \t]{2,40}name:[ \t]"
# The words of a command, what stands between the last of them and the name, and its line before.
_COMMANDS = (
    ("use-context", " ", r"kubectl .*"),
    ("select", " ", r"(?:terraform|tofu|pulumi) .*"),
    ("project", " ", r"(?:gcloud .*set|oc) "),
    ("kubectl", r" (?:[^\n|;&]{1,64} )?-n[ =]?", ""),
    ("helm", r" (?:[^\n|;&]{1,64} )?-n[ =]?", ""),
    ("exec", r" (?:-\w{1,3} ){0,2}", r"(?:docker|podman|nerdctl)(?: compose)? "),
    ("logs", r" (?:-\w{1,3} ){0,2}", r"(?:docker|podman|nerdctl|kubectl)(?: compose)? "),
    ("checkout", r" (?:-[bBt] )?", r"git "),
    ("switch", r" (?:-[cC] )?", r"git "),
)
_KINDS = frozenset(f"{_OPTIONS} {_KEYS} branch name container instance release".split())
_REACH = 48  # characters of a line before the last word of a command


class _Rule(NamedTuple):
    """What follows a word, what stands before it, and whether it is a key."""

    rest: re.Pattern[str]
    before: re.Pattern[str] | None = None
    keyed: bool = False


def _phrases() -> Iterator[Phrase[_Rule]]:
    for word in _OPTIONS.split():
        yield phrase(word, _Rule(re.compile(f"{_OPTION.format(word=word)}{_NAME}")))
    for word in _KEYS.split():
        yield phrase(word, _Rule(re.compile(f"{_KEY}{_NO_VARIABLE}{_NAME}"), keyed=True))
    for word in _FIELDS.split():
        yield phrase(word, _Rule(re.compile(r"[\"']?:[ \t]?" + _NAME)))
    for word in _REFERENCES.split():
        yield phrase(word, _Rule(re.compile(_REFERENCE + _NAME)))
    for word, between, before in _COMMANDS:
        said = re.compile(rf"(?<![\w\-]){before}\Z") if before else None
        yield phrase(word, _Rule(re.compile(between + _NAME), said))


_PHRASES = Book(_phrases())


def given_names(text: str) -> Iterator[Anchor]:
    """Names behind options, commands, keys and references."""
    for begin, end, rule in spoken(text, _PHRASES):
        match = rule.rest.match(text, end)
        told = rule.keyed and not text[begin:end].isupper()
        if match is None or not _is_name(match["value"], told):
            continue
        if rule.before is None or rule.before.search(text, max(0, begin - _REACH), begin):
            yield announced(begin, match, GIVEN, "prose:resource", delimited=False)


def _is_name(value: str, told: bool) -> bool:
    """Whether the parts of a word make a name, which ends in no kind of names as examples do;
    ``told``: it may be a word of a sentence, so that no part of it joins others or is bent."""
    parts = name_parts(value)
    if not parts or max(map(len, parts)) < 3 or parts[-1] in _KINDS:
        return False
    return not told or not any(len(part) > 2 and is_common(part) for part in parts)
