"""How a chat template marks who speaks, learned from the template itself.

Conversations of probe messages are rendered. The text between two contents is the close of one turn
and the header of the next; the header is the part that the close of a turn does not have. No
template is known by name.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import Any, cast

from ..errors import InputError
from ..types import Source
from .pieces import decode

TRUST: tuple[Source, ...] = ("system", "user", "assistant", "tool", "unknown")
ROLES: dict[str, Source] = {"developer": "system", "function": "tool", "ipython": "tool"}
CALL = "call"  # a probe: an assistant's turn that is a tool call alone
PROBES = (
    ("system", "user", "assistant", "user", "assistant"),
    ("user", "assistant", "system", "user"),
    ("user", CALL, "tool", "tool", "assistant", "user"),
    ("user", CALL, "tool", "user"),
)
Gap = tuple[str, str, str]  # whose turn ends, whose begins, what stands between their contents
Read = Callable[[str], str]


def source_of_role(role: Any) -> Source:
    """The source that a message's role stands for."""
    source = ROLES.get(role, cast(Source, role))
    return source if source in TRUST else "unknown"


@dataclass(frozen=True)
class ChatMarkers:
    """Headers of roles, longest first: ``(header, role)``. ``mixed``: sources whose contents the
    headers do not tell from another's, or that the template cannot write."""

    headers: tuple[tuple[str, str], ...]
    mixed: frozenset[str]

    def of(self, role: str) -> list[str]:
        """The headers of one role."""
        return [header for header, known in self.headers if known == role]

    def turns(self, text: str) -> list[tuple[int, Source]]:
        """Where turns begin in a text, and whose they are."""
        return [
            (match.start(), source_of_role(self.headers[cast(int, match.lastindex) - 1][1]))
            for match in self._found(text)
        ]

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where headers stand in a text, in characters."""
        return [match.span() for match in self._found(text)]

    def _found(self, text: str) -> Iterator[re.Match[str]]:
        if not self.headers:
            return iter(())
        return re.finditer("|".join(f"({re.escape(header)})" for header, _ in self.headers), text)

    @property
    def longest(self) -> int:
        """Characters of the longest header."""
        return max((len(header) for header, _ in self.headers), default=0)


def check_roles(tokenizer: Any, wanted: Sequence[str]) -> ChatMarkers:
    """Markers that identify the contents of all ``wanted`` sources in decoded text. Raises
    InputError if there is no template, or if it does not mark them."""
    named = ", ".join(wanted)
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(
            f"protect_roles ({named}) needs to know who wrote which tokens, and the tokenizer has "
            "no chat template to read it from: give sources (ta.encode_chat, or SourceRange)"
        )

    markers = markers_of(tokenizer)
    if unclear := [source for source in wanted if source in markers.mixed]:
        raise InputError(
            f"protect_roles: the chat template does not mark {', '.join(unclear)} apart, so that "
            "it cannot be read from the tokens: give sources (ta.encode_chat, ta.Chat)"
        )
    return markers


def markers_of(tokenizer: Any) -> ChatMarkers:
    """The markers of a tokenizer's chat template in decoded text; none without a template."""
    template = getattr(tokenizer, "chat_template", None)
    return _learned(tokenizer, str(template)) if template else ChatMarkers((), frozenset())


@lru_cache(maxsize=8)
def _learned(tokenizer: Any, template: str) -> ChatMarkers:
    """``learn``, cached until the template changes."""

    def read(text: str) -> str:
        return decode(tokenizer, tokenizer(text, add_special_tokens=False)["input_ids"])

    return learn(tokenizer, read=read)


def learn(
    tokenizer: Any,
    roles: Sequence[str] = (),
    options: dict[str, Any] | None = None,
    read: Read = str,
) -> ChatMarkers:
    """The markers of a tokenizer's chat template.

    Args:
        roles: of messages, where they may be other than the usual ones.
        options: further arguments of the template.
        read: what becomes of a rendered text on its way (it is tokenised and decoded).
    """
    others = sorted({*roles} - {*TRUST, CALL})
    gaps: list[Gap] = []
    closes: dict[str, set[str]] = {}
    texts: list[tuple[list[str], str]] = []
    for kinds in (*PROBES, *(("user", "assistant", role, "user") for role in others)):
        for end in range(1, len(kinds) + 1):
            said_by = list(kinds[:end])
            text = _rendered(tokenizer, said_by, options or {}, read, prompt=False)
            places = _places(said_by, text)
            gaps += _gaps(said_by, text, places)
            if places and places[-1][0] == end - 1:
                closes.setdefault(said_by[-1], set()).add(text[places[-1][2] :])
            texts.append((said_by, text))
    asked = _rendered(tokenizer, ["user"], options or {}, read, prompt=True)
    gaps += [("user", "assistant", asked[end:]) for _, _, end in _places(["user"], asked)]
    headers = {(_header(gap, closes.get(before, set())), role) for before, role, gap in gaps}
    if "system" not in {role for _, role in headers}:  # it may come first alone
        said_by, text = next((said_by, text) for said_by, text in texts if said_by[0] == "system")
        begins = [start for number, start, _ in _places(said_by, text) if number == 0]
        headers |= {(_header(text[:start], set()), "system") for start in begins}
    ordered = sorted(((h, r) for h, r in headers if h), key=lambda item: (-len(item[0]), item))
    markers = ChatMarkers(tuple(ordered), frozenset())
    return ChatMarkers(markers.headers, _mixed(markers, texts))


def _header(gap: str, closes: set[str]) -> str:
    """The part of a gap that is not the close of the turn before it; the whole gap if nothing else
    is left."""
    close = max((_common(gap, other) for other in closes), default=0)
    return (gap[close:] if gap[close:].strip() else gap).rstrip() if gap.strip() else ""


def _common(gap: str, close: str) -> int:
    """Number of characters of a close with which a gap begins, without the start of a mark or
    word."""
    pairs = zip(gap, close, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if same < len(close):
        return len(re.sub(r"[\w<\[{(|/]+\Z", "", gap[:same]))
    return same


def _mixed(markers: ChatMarkers, texts: Sequence[tuple[list[str], str]]) -> frozenset[str]:
    """Sources whose probes, read back, are attributed to another source."""
    mixed, rendered = set[str](), set[str]()
    for kinds, text in texts:
        turns = [(0, cast(Source, "system")), *markers.turns(text)]
        for number, start, _ in _places(kinds, text):
            kind = "assistant" if kinds[number] == CALL else kinds[number]
            source = source_of_role(kind)
            marked = next(other for at, other in reversed(turns) if at <= start)
            rendered.add(source)
            if marked != source:
                mixed |= {marked, source}
    return frozenset(mixed | ({*TRUST} - rendered))


def _probe(number: int) -> str:
    return f"qzprobe{number}zq"


def _messages(kinds: Sequence[str]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for number, kind in enumerate(kinds):
        if kind == CALL:
            function = {"name": _probe(number), "arguments": {"query": _probe(number)}}
            calls = [{"id": "qzcall000", "type": "function", "function": function}]
            messages.append({"role": "assistant", "content": "", "tool_calls": calls})
        else:
            messages.append({"role": kind, "content": _probe(number)})
        if kind == "tool":
            messages[-1] |= {"tool_call_id": "qzcall000", "name": "qzname"}
    return messages


def _rendered(
    tokenizer: Any, kinds: Sequence[str], options: dict[str, Any], read: Read, *, prompt: bool
) -> str:
    """A conversation of probes as text; empty if the template refuses it."""
    given = {**options, "tokenize": False, "add_generation_prompt": prompt}
    try:
        return read(tokenizer.apply_chat_template(_messages(kinds), **given))
    except Exception:  # templates raise what they like
        return ""


def _places(kinds: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """(message, start, end) of the probes in a text, in its order."""
    places = []
    for number in range(len(kinds)):
        start = text.find(_probe(number))
        if start >= 0:
            places.append((number, start, text.rfind(_probe(number)) + len(_probe(number))))
    return sorted(places, key=lambda place: place[1])


def _gaps(kinds: Sequence[str], text: str, places: Sequence[tuple[int, int, int]]) -> list[Gap]:
    """The text between contents of consecutive messages."""
    return [
        (kinds[before], kinds[number], text[end:start])
        for (before, _, end), (number, start, _) in pairwise(places)
        if number == before + 1 and kinds[number] != CALL
    ]
