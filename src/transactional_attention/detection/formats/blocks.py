"""Values of several lines: block scalars of YAML, quoted strings that continue, heredocs, lines
joined by backslashes, and armour (``-----BEGIN X-----`` to ``-----END X-----``).

A line of such a value is no value: the whole is found, or nothing. If the whole is no value, such
as a script or a paragraph, it is read line by line as any text. Here the parser decides, because
the scorer only reads values that end on their line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from ...types import Anchor, Span
from ..candidates import Place
from ..competition import TRUNCATED, WHOLE
from ..detector import MIN_CONFIDENCE, MultilineBlock
from ..label_strength import UNKNOWN, label_strength
from .block_ends import (
    OPEN,
    BlockExtent,
    armour_end,
    heredoc_end,
    indented_end,
    joined_end,
    quoted_end,
)
from .block_rest import BlockRest, rest_end
from .block_worth import block_worth, is_settings
from .continued import CONTINUED, CONTINUED_SIGN, continued_end
from .joined_strings import CLOSED, CLOSED_SIGN, JOINT, OPENED, OPENED_SIGN, strings_end
from .pairs import LABEL

REACH = 600  # characters before what opens a block, in which its sign and its label stand
JUDGED = 512  # characters that tell whether a block too long to be found would be a value
MAX_ABOVE, MAX_WORDS = 80, 6  # of a label that fills the line above its value
_MARKS = " \t>#*\"'`“«「(-"
_ITEMS = re.compile(r"[ \t]*(?:-[ \t]+)*")
# Each begins with its rarest character, which a search finds at the speed of memory.
_INDENTED = tuple(
    re.compile(rf"{sign}(?<=[ \t].)(?:\d[+-]?|[+-]\d?)?[ \t]*(?: #[^\n]*)?\r?\n")
    for sign in (r"\|", ">")
)
_PREFIX = "rRbBfFuU"  # of a string in Python
_QUOTED = tuple(
    re.compile(
        rf"{mark}(?:(?<=[=:].)|(?<=[=:][ \t].)|(?<=[ \t]{{2}}.)|(?<=[=: \t][{_PREFIX}].)"
        rf"|(?<=[=: \t][{_PREFIX}]{{2}}.))(?P<three>{mark}{mark})?+"
        rf"(?=(?:(?(three)(?!{mark * 3})[^\\\n]|{inner})|\\[^\n])*+\\?\n)"
    )
    for mark, inner in (('"', r'[^"\\\n]'), ("'", r"(?:[^'\\\n]|'')"), ("`", r"[^`\\\n]"))
)
_HEREDOC = re.compile(r"<(?<=[=: \t].)<<?[-~]?[ \t]?[\"']?(?P<mark>\w{1,32})[\"']?[ \t]*\r?\n")
_JOINED = re.compile(r"\\\r?\n")
_ARMOUR = re.compile(r"-{4,5} ?BEGIN (?P<mark>[A-Z0-9][A-Z0-9 ]{1,40}?) ?-{4,5}[ \t]*\r?\n")
# Blocks inside another.
_NESTED = re.compile(r"[:=][ \t]+[|>][+-]?\d?[ \t]*\r?\n|-----BEGIN |[=: \t]<<")
# Read backwards from what opens a block to the sign after its label.
_SIGN = re.compile(rf"(?:[{_PREFIX}]{{1,2}}(?=[ \t:=]))?[ \t]{{0,8}}[:=]")
_SIGN_TAGGED = re.compile(  # a tag, and in a list no label
    r"[ \t]{1,8}(?:[\w!:/.\-]{1,32}[!&][ \t]{1,8}){0,2}(?:[:=]|-(?=[ \t-]*(?:\n|\Z)))"
)
# Of $(cat <<EOF, and of cat > file <<EOF, which the file's name labels.
_SIGN_RUN = re.compile(
    r"(?:[ \t]{1,8}tac\(\$\"?)?[ \t]{0,8}[:=]"
    r"|[\"']?[ \t]{1,8}[\"']?(?=[\w.\-]{1,48}[^\s>]{0,128}[ \t]*>)"
)
_SIGN_JOINED = re.compile(r"[^\s\"'\\=:,;]{3,512}+[ \t]{0,8}[:=]")
_NOTHING = re.compile("")
_STRINGS = (*CLOSED, OPENED)
_OPENERS = (
    *zip("|>", _INDENTED, (_SIGN_TAGGED,) * 2),
    *zip("\"'`", _QUOTED, (_SIGN,) * 3),
    ("<", _HEREDOC, _SIGN_RUN),
    ("\\", _JOINED, _SIGN_JOINED),
    ("\n", CONTINUED, CONTINUED_SIGN),
    *zip("\"'", CLOSED, (CLOSED_SIGN,) * 2),
    ("(", OPENED, OPENED_SIGN),
    ("-----BEGIN ", _ARMOUR, _NOTHING),
    ("---- BEGIN ", _ARMOUR, _NOTHING),
)
"""What opens a block: its rarest character, its pattern, and the pattern that leads back to the
sign."""
BlockLabel = tuple[int, int, float]
"""Begin, end and strength of what names a block."""


def blocks(
    text: str, begin: int, end: int, *, final: bool, rest: BlockRest | None
) -> Iterator[MultilineBlock]:
    """Blocks that open in ``text[begin:end]``: values, refused ones, and one that is still open."""
    last = begin
    if rest is not None:
        lines = _going_on(text, begin, end, rest)
        yield lines
        last = lines.stop or end
    for at, match in sorted(_opened(text, last, end), key=itemgetter(0)):
        if at < last:
            continue
        first = max(text.rfind("\n", last, at) + 1, last)
        label, block = _read(text, at, match, final)
        if block is None:
            continue
        if block.stop == OPEN:
            yield MultilineBlock(first, None, None)
            return
        anchor = _anchor(text, label, match, block)
        if block.rest is not None:
            beyond = _beyond(text, first, label, match, block, anchor)
            if beyond is not None:
                yield beyond
                lines = _going_on(text, block.stop, end, beyond.rest)
                yield lines
                last = max(block.stop, lines.stop or 0)
        elif anchor is not None or _is_refused(text, label, match, block):
            last = block.stop
            yield MultilineBlock(first, block.stop, anchor, block.start, match.re is _ARMOUR)


def _going_on(text: str, begin: int, end: int, rest: BlockRest) -> MultilineBlock:
    """The next lines, from ``begin``, of a block that is refused."""
    stop = rest_end(text, begin, end, rest)
    if stop is not None:
        return MultilineBlock(begin, stop, None, begin, rest.sealed)
    return MultilineBlock(begin, end, None, begin, rest.sealed, rest)


def _beyond(
    text: str,
    first: int,
    label: BlockLabel,
    match: re.Match[str],
    block: BlockExtent,
    anchor: Anchor | None,
) -> MultilineBlock | None:
    """A block that is longer than a value may be: if what was read of it would be a value, or if
    its label names a secret and its end is certain."""
    sure = match.re in _INDENTED and _is_refused(text, label, match, block)
    if block.rest is None or not (anchor or sure):
        return None
    rest = replace(block.rest, sealed=anchor is not None)
    begun = anchor._replace(rule=TRUNCATED) if anchor is not None else None
    return MultilineBlock(first, block.stop, begun, block.start, rest.sealed, rest)


def _is_refused(text: str, label: BlockLabel, match: re.Match[str], block: BlockExtent) -> bool:
    """Whether lines of a block that is no value are no values either: they belong together if the
    label names a secret, and in armour."""
    body = text[block.start : block.end]
    if match.re in _STRINGS:
        return label[2] >= 1.0
    if match.re is _JOINED or "\n" not in body.strip():
        return False
    if match.re is _ARMOUR:
        return True
    return label[2] >= 1.0 and not is_settings(body) and not _NESTED.search(body)


def _opened(text: str, begin: int, end: int) -> Iterator[tuple[int, re.Match[str]]]:
    """What may open a block, with the place where its label ends."""
    for rare, pattern, sign in _OPENERS:
        if text.find(rare, begin, end) < 0:
            continue
        for match in pattern.finditer(text, begin, end):
            place = match.start()
            before = sign.match(text[max(0, place - REACH) : place][::-1])
            if before:
                yield place - before.end(), match


def _read(
    text: str, at: int, match: re.Match[str], final: bool
) -> tuple[BlockLabel, BlockExtent | None]:
    """The label of a block, and its value if it has one."""
    kind, begin = match.re, match.end()
    if kind is _ARMOUR:
        return _above(text, at), armour_end(text, at, match["mark"], final)
    label = _above(text, at) if text[at] == "-" else _label(text, at)
    if label[2] < UNKNOWN:
        return label, None
    if kind in _INDENTED:
        return label, indented_end(text, begin, _indent(text, at), final)
    if kind is CONTINUED:
        indent = _indent(text, at)
        if text.rfind("\n", 0, at) + 1 + indent < at - len(text[label[0] : at].lstrip("-. ")):
            return label, None
        return label, continued_end(text, label, at, begin, indent, final)
    if kind in _STRINGS:
        return label, strings_end(text, at, final)
    if kind is _JOINED:
        line = text.rfind("\n", 0, at) + 1
        begin = at + 1 + len(text[at + 1 : at + 10]) - len(text[at + 1 : at + 10].lstrip(" \t"))
        return label, joined_end(text, begin, not text[line : label[0]].strip(), final)
    if kind is _HEREDOC:
        return label, heredoc_end(text, begin, match["mark"], final)
    return label, quoted_end(text, begin, match.group(), final)


def _indent(text: str, at: int) -> int:
    """Characters before the first word of the line, list markers included."""
    line = text.rfind("\n", 0, at) + 1
    items = _ITEMS.match(text, line, at)
    return items.end() - line if items else 0


def _label(text: str, at: int) -> BlockLabel:
    """The words before a sign, on its line."""
    first = max(0, at - REACH)
    label = LABEL.match(text[first:at][::-1])
    if label is None:
        return at, at, 0.0
    begin, end = at - label.end("label"), at - label.start("label")
    return begin, end, label_strength(text[begin:end].lstrip("-."))


def _above(text: str, at: int) -> BlockLabel:
    """The line above as the label of a line that names nothing itself."""
    line = text.rfind("\n", max(0, at - REACH), at) + 1
    place = _label_above(text, line - 1) if line and not text[line:at].strip() else None
    begin, end = place or (at, at)
    return begin, end, max(label_strength(text[begin:end].rstrip(":：")), UNKNOWN)


def _label_above(text: str, end: int) -> Place | None:
    """A label that fills the line that ends at ``end``, or the line above if that one is empty."""
    while end and text[end - 1] in " \t\r\n" and text.count("\n", end - 1, end + 1) < 3:
        end -= 1
    start = text.rfind("\n", max(0, end - MAX_ABOVE), end) + 1
    if not start and end > MAX_ABOVE:
        return None
    words = text[start:end].strip(_MARKS)
    name = words.rstrip(":：")
    if not name or "=" in name or ": " in name or name.count(" ") >= MAX_WORDS:
        return None
    if words == name and name[-1] in ".!?,;":
        return None
    start = text.find(words, start, end)
    return start, start + len(words)


def _anchor(
    text: str, label: BlockLabel, match: re.Match[str], block: BlockExtent
) -> Anchor | None:
    begin, end, strength = label
    read = block.end if block.rest is None else min(block.end, block.start + JUDGED)
    body = text[block.start : read]
    body = JOINT.sub("", body) if match.re in _STRINGS else body
    weight = block_worth(body, strength)
    if strength * weight < MIN_CONFIDENCE:
        return None
    named = Span(begin, block.start) if begin < end else Span(block.start, block.start)
    return Anchor(named, Span(block.start, block.end), strength * weight, WHOLE, True)
