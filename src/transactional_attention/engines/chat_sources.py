"""Chats with their sources: which tokens the system, the user, the assistant or a tool wrote.

A chat template turns messages into text. Each message's content is replaced by a mark, the template
is rendered once more, and the marks say where contents stand; nothing of the template has to be
known. Turns begin at the headers that the template writes (``chat_markers``): all that it writes in
a turn, such as tool definitions in the system's and calls in the assistant's, is marked as its text
and of that turn's source. Where no header tells, text between two contents is trusted as the less
trusted of them is.
"""

from __future__ import annotations

import re
import secrets
import warnings
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

from ..config import Retention
from ..errors import InputError
from ..text.chat_markers import TRUST, ChatMarkers, learn, source_of_role
from ..types import Source, SourceRange, Span

Message = dict[str, Any]
Render = Callable[[Sequence[Message]], str]  # as the template writes them
Rewrite = Callable[[str], str]
Content = tuple[int, int, int]  # number of the message, start, end
SourcedPiece = tuple[
    int, int, Source, bool
]  # start, end, who is trusted for it, written by the template
MARK = f"\u2402{secrets.randbits(64)}-{{}}\u2403"  # what text from outside cannot hold
NOT_PROBED = ("tools", "add_generation_prompt", "continue_final_message", "documents")
OURS = (
    "tokenize return_dict return_tensors padding truncation max_length tokenizer_kwargs "
    "return_assistant_tokens_mask"
).split()


def warn_of_tools(tools: Sequence[Any] | None, retention: Retention) -> None:
    """Warn where a cut may take the definitions of tools: a model without them makes no calls."""
    held = (*retention.protect_roles, *retention.pinned)
    if tools and retention.budget is not None and "system" not in held:
        warnings.warn(
            f"the definitions of tools may leave a cache of {retention.budget} tokens, and the "
            "model cannot call what it no longer knows: hold what the template writes of them "
            "beside K, Retention(pinned=('system',)), --pin system",
            stacklevel=3,
        )


def chat_text(
    messages: Sequence[Message],
    tokenizer: Any,
    *,
    tools: Sequence[Any] | None = None,
    add_generation_prompt: bool | None = None,
    rewrite: Rewrite | None = None,
    **template_options: Any,
) -> tuple[str, list[SourcedPiece]]:
    """``sourced_text`` of a chat that is checked; ``add_generation_prompt``: default True, but for
    ``continue_final_message``. Raises InputError: no messages, no chat template, parts that are not
    text, a tokenizer without offsets, or options that are not the template's."""
    if not messages:
        raise InputError("the chat is empty: give at least one message")
    if not getattr(tokenizer, "chat_template", None):
        raise InputError(
            "the tokenizer has no chat template: set tokenizer.chat_template, or serve the model "
            "with --chat-template FILE"
        )
    if not getattr(tokenizer, "is_fast", False):
        raise InputError("encode_chat needs a fast tokenizer, which knows character offsets")
    if ours := [name for name in template_options if name in OURS]:
        raise InputError(f"encode_chat tokenises itself: leave out {', '.join(ours)}")
    if add_generation_prompt is None:
        add_generation_prompt = not template_options.get("continue_final_message", False)
    options = {"tools": tools, "add_generation_prompt": add_generation_prompt, **template_options}
    return sourced_text(messages, tokenizer, options, rewrite)


def sourced_text(
    messages: Sequence[dict[str, Any]],
    tokenizer: Any,
    options: dict[str, Any],
    rewrite: Rewrite | None = None,
) -> tuple[str, list[SourcedPiece]]:
    """A chat as its template writes it with ``options``, and whose its characters are, in order
    and without gaps. ``rewrite``: what becomes of a text that the template has written, with
    contents or with marks in their place."""

    def render(given: Sequence[Message]) -> str:
        written: str = tokenizer.apply_chat_template(list(given), tokenize=False, **options)
        return written if rewrite is None else rewrite(written)

    taken = _as_taken(messages, render)
    text = render(taken)
    contents, roles = _contents(taken, render, text), [str(message["role"]) for message in taken]
    probed = {name: value for name, value in options.items() if name not in NOT_PROBED}
    markers, asks = learn(tokenizer, roles, probed), options["add_generation_prompt"]
    return text, _sourced_pieces(text, contents, roles, markers, asks=asks)


def _as_taken(messages: Sequence[Message], render: Render) -> list[Message]:
    """The messages, lists of parts as text where the template does not go through them."""
    lists = [message for message in messages if isinstance(message.get("content"), list)]
    for part in (part for message in lists for part in message["content"]):
        if not (isinstance(part, dict) and isinstance(part.get("text"), str)):
            kind = part.get("type", "?") if isinstance(part, dict) else type(part).__name__
            raise InputError(f"a content has a part of type {kind!r}: only text parts can be read")
    if not lists or _goes_through_parts(messages, render):
        return list(messages)
    return [
        {**m, "content": "\n".join(part["text"] for part in m["content"])}
        if isinstance(m.get("content"), list)
        else m
        for m in messages
    ]


def _goes_through_parts(messages: Sequence[Message], render: Render) -> bool:
    marked, _ = _marked(messages)
    try:
        skeleton = render(marked)
    except Exception:  # a template that adds strings
        return False
    lists = [m["content"] for m in marked if isinstance(m.get("content"), list)]
    return not any(str(content) in skeleton for content in lists)


def _marked(messages: Sequence[Message]) -> tuple[list[Message], dict[str, tuple[int, str]]]:
    """The messages with marks for contents, and by mark the message and the content."""
    contents: dict[str, tuple[int, str]] = {}

    def mark(number: int, content: str) -> str:
        if not content.strip():
            return content  # templates ask whether there is one
        placeholder = MARK.format(len(contents))
        contents[placeholder] = number, content
        return placeholder

    marked = []
    for message_index, message in enumerate(messages):
        content = message.get("content")
        if isinstance(content, str):
            message = {**message, "content": mark(message_index, content)}
        elif isinstance(content, list):
            parts = [{**part, "text": mark(message_index, part["text"])} for part in content]
            message = {**message, "content": parts}
        marked.append(message)
    return marked, contents


def _contents(messages: Sequence[Message], render: Render, text: str) -> list[Content]:
    """Contents in ``text``, in its order."""
    marked, contents = _marked(messages)
    literals = re.split(f"({MARK.format('[0-9]+')})", render(marked))
    ranges, cursor = [], 0
    for literal, mark, after in zip(literals[::2], literals[1::2], literals[2::2], strict=False):
        number, content = contents[mark]
        start, end = _locate(text, content, cursor + len(literal), after)
        ranges.append((number, start, end))
        cursor = end
    return ranges


def _locate(text: str, content: str, start: int, after: str) -> tuple[int, int]:
    """The range of a content that should stand at ``start``; templates may strip or cut it."""
    for candidate in (content, content.strip()):
        if text.startswith(candidate, start):
            return start, start + len(candidate)
    index = text.find(content.strip(), start)
    if index >= 0:
        return index, index + len(content.strip())
    end = text.find(after, start) if after.strip() else -1
    return (start, end) if end >= 0 else (min(start, len(text)),) * 2


def _sourced_pieces(
    text: str, contents: list[Content], roles: list[str], markers: ChatMarkers, *, asks: bool
) -> list[SourcedPiece]:
    """Character ranges of ``text`` with their sources, in order and without gaps.

    ``contents``: those in it; ``asks``: it ends in the header of a reply.
    """
    placed = {number for number, _, _ in contents}
    pieces: list[SourcedPiece] = []
    cursor, owner, last_message = 0, TRUST[0], -1
    for number, start, end in contents:
        if number != last_message:
            unplaced = [k for k in range(last_message + 1, number) if k not in placed]
            turns = [*(roles[k] for k in unplaced), roles[number]]
            gap_pieces, cursor, owner = _turns_between(markers, text, (cursor, start), owner, turns)
            pieces += gap_pieces
        pieces += [(cursor, start, owner, True), (start, end, source_of_role(roles[number]), False)]
        cursor, owner, last_message = end, source_of_role(roles[number]), number
    turns = [roles[k] for k in range(last_message + 1, len(roles)) if k not in placed]
    if turns:
        gap = (cursor, len(text))
        gap_pieces, cursor, owner = _turns_between(markers, text, gap, owner, turns, first=True)
        pieces += gap_pieces
    if asks:
        at, _ = _last(markers.of("assistant"), text, cursor, len(text))
        if at >= 0:
            pieces.append((cursor, at, owner, True))
            cursor, owner = at, "assistant"
    pieces.append((cursor, len(text), owner, True))
    return [piece for piece in pieces if piece[0] < piece[1]]


def _turns_between(
    markers: ChatMarkers,
    text: str,
    gap: tuple[int, int],
    owner: Source,
    roles: Sequence[str],
    *,
    first: bool = False,
) -> tuple[list[SourcedPiece], int, Source]:
    """Pieces of a gap up to the last turn that begins in it, where that is, and whose it is.

    ``roles``: of the turns that begin in it; the last one's content stands after the gap, if not
    ``first``. A turn whose header is not found leaves the gap to the less trusted.
    """
    (cursor, end), pieces, at = gap, list[SourcedPiece](), gap[0]
    for order, role in enumerate(roles):
        look = _last if order == len(roles) - 1 and not first else _first
        start, stop = look(markers.of(role), text, at, end)
        if start < 0:
            owner = max(owner, source_of_role(role), key=TRUST.index)
            continue
        pieces.append((cursor, start, owner, True))
        cursor, at, owner = start, stop, source_of_role(role)
    return pieces, cursor, owner


def _first(headers: Sequence[str], text: str, start: int, end: int) -> tuple[int, int]:
    """The first header in a range: where it starts and ends; (-1, -1) without one."""
    matches = [(text.find(h, start, end), -len(h)) for h in headers]
    return min(((at, at - size) for at, size in matches if at >= 0), default=(-1, -1))


def _last(headers: Sequence[str], text: str, start: int, end: int) -> tuple[int, int]:
    """The last header in a range, the longest of those that end there."""
    matches = [(text.rfind(h, start, end), len(h)) for h in headers]
    stops = [(at + size, size) for at, size in matches if at >= 0]
    stop, size = max(stops, default=(-1, 0))
    return stop - size, stop


def token_ranges(pieces: Sequence[SourcedPiece], starts: Sequence[int]) -> list[SourceRange]:
    """Pieces in tokens, which begin at ``starts``; one that begins no token has none."""
    ranges: list[SourceRange] = []
    for start, end, source, template in pieces:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if last > first:
            ranges.append(SourceRange(Span(first, last), source, template))
    return ranges
