"""XML and HTML: the text of elements, labelled by the element, its ``name`` or ``key`` attribute,
or the element before it. Attributes are pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..candidates import Place, Proposal, proposed

MAX_TEXT, REACH = 512, 240
_ELEMENT = re.compile(
    rf">[ \t]{{0,8}}(?:\n[ \t]{{0,16}})?(?:<!\[CDATA\[)?(?P<value>[^<>\s][^<>\n]{{0,{MAX_TEXT}}}+)"
    r"(?:>(?=<))?(?:\n[ \t]{0,16})?(?:<[/!])"
)
_TAG = re.compile(r"(?P<attributes>[^<>]{0,120}?)(?P<name>[\w.\-:]{1,48})<(?!/)")  # backwards
_NAME = re.compile(r"\b(?:name|key|id|label)=[\"']([\w.\- ]{1,48})[\"']")
_BEFORE = re.compile(  # backwards: the text of the element before this one
    r"(?:\s{0,40}>[^<>/]{1,80}<){0,2}\s{0,40}>(?P<name>\w{1,12})/<(?:>\w{1,12}/<){0,2}\s{0,8}"
    r"(?P<label>[^<>\n]{1,64})>"
)
_NAMING = frozenset("key name term dt th td label strong b".split())


def elements(text: str) -> Iterator[Proposal]:
    """Text between tags."""
    if "</" not in text and "<!" not in text:
        return
    for match in _ELEMENT.finditer(text):
        before = text[max(0, match.start() - REACH) : match.start()][::-1]
        tag = _TAG.match(before)
        if tag is None or tag["name"] == "yek":
            continue
        start, end = match.span("value")
        end = start + len(text[start:end].rstrip())
        end -= 2 if text.endswith("]]", start, end) else 0
        if start < end:
            label = _label(text, match.start(), before, tag)
            yield proposed(label, (start, end), "element", delimited=True)


def _label(text: str, at: int, before: str, tag: re.Match[str]) -> Place:
    """What names an element's text: an attribute, the element before it, or its own tag."""
    named = _NAME.search(text, at - tag.start("name"), at)
    if named:
        return named.span(1)
    key = _BEFORE.match(before, tag.end())
    if key and (key["name"][::-1] in _NAMING or key["label"][::-1].rstrip().endswith((":", "："))):
        return at - key.end("label"), at - key.start("label")
    return at - tag.end("name"), at - tag.start("name")
