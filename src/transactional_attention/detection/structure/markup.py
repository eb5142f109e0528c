"""XML and HTML: text of elements, labelled by the element, its ``name`` or ``key`` attribute, or a
``<key>`` before it. Attributes are pairs (see ``pairs``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..joining import is_common
from ..roles import label_role
from ..worth import PROMISING
from .emit import emit, given

MAX_TEXT = 512
ROLE = 1.0

_ELEMENT = re.compile(
    rf">[ \t]{{0,8}}(?:\n[ \t]{{0,16}})?(?:<!\[CDATA\[)?(?P<value>[^<>\s][^<>\n]{{0,{MAX_TEXT}}}+)"
    r"(?:>(?=<))?(?:\n[ \t]{0,16})?(?:<[/!])"
)
# Any signs stand for themselves in it.
_VERBATIM = re.compile(
    rf">\s{{0,24}}<!\[CDATA\[\s{{0,16}}(?P<value>(?:[^\]\n]|\](?!\]>)){{1,{MAX_TEXT}}}+)\]\]>"
)
# Words that no sentence joins: a phrase, whatever the element is called.
_WORDS = re.compile(r"[^\W\d_A-Z]{3,16}(?: [^\W\d_A-Z]{3,16}){2,7}")
# A key in a list of properties: what it names follows on its line, or begins the next one.
_NAMING_KEY = re.compile(
    r"[^<>\n]{1,64}</key>[ \t]*<(?:string|integer|real|date|data|true|false|array|dict)\b"
    r"|[A-Za-z_. -]{1,64}</key>[ \t]*\r?(?:\n|\Z)"
)
_TAG = re.compile(r"(?P<attributes>[^<>]{0,120}?)(?P<name>[\w.\-:]{1,48})<(?!/)")
_NAME = re.compile(r"\b(?:name|key|id|label)=[\"']([\w.\- ]{1,48})[\"']")
_BEFORE = re.compile(
    r"(?:\s{0,40}>[^<>/]{1,80}<){0,2}\s{0,40}>(?P<name>\w{1,12})/<(?:>\w{1,12}/<){0,2}\s{0,8}"
    r"(?P<label>[^<>\n]{1,64})>"
)
_SIBLINGS = ("il", "a", "noitpo", "nottub")  # items of a list name nothing
_NAMING = frozenset("yek eman mret td ht dt lebal gnorts b".split())


def elements(text: str, minimum: float) -> Iterator[Anchor]:
    """Text between tags."""
    verbatim = _VERBATIM.finditer(text) if "<![CDATA[" in text else ()
    for match in (*_ELEMENT.finditer(text), *verbatim):
        first = max(0, match.start() - 240)
        before = text[first : match.start()][::-1]
        tag = _TAG.match(before)
        if tag is None:
            continue
        if tag["name"] == "yek" and _NAMING_KEY.match(text, match.start("value")):
            continue  # it names what follows
        label = _label(text, match.start(), before, tag)
        start, end = match.span("value")
        end = start + len(text[start:end].rstrip())
        end -= 2 if text.endswith("]]", start, end) else 0
        words = _WORDS.fullmatch(text, start, end)
        listed = words and not any(map(is_common, words.group().split()))
        anchor = emit(
            text, label, (start, end), ROLE, "structure:element", delimited=True, minimum=minimum,
            strength=PROMISING if listed else None,
        )  # fmt: skip
        if anchor is None and text.startswith("key>", label[0] - 4):
            anchor = given(text, label, (start, end), minimum)  # lists of what is used
        if anchor is not None:
            yield anchor


def _label(text: str, at: int, before: str, tag: re.Match) -> tuple[int, int]:
    """The words that name an element's text: attribute, element before it, or the tag itself."""
    attributes = at - tag.start("name")
    named = _NAME.search(text, attributes, at)
    if named:
        return named.span(1)
    key = _BEFORE.match(before, tag.end())
    if key and (key["name"] in _NAMING or _names(key["name"], key["label"][::-1])):
        return at - key.end("label"), at - key.start("label")
    own = at - tag.end("name"), at - tag.start("name")
    return own


def _names(element: str, words: str) -> bool:
    """Whether the text of an element announces the next one."""
    if element in _SIBLINGS:
        return False
    return words.rstrip().endswith((":", "：")) or label_role(words) >= PROMISING
