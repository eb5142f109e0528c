"""Chats with their sources: which tokens the system, the user, the assistant or a tool wrote.

A chat template turns messages into text. Each message's content is replaced by a marker, the
template is rendered once more, and the markers say where contents stand; nothing of the template
has to be known. Text between contents, which the template wrote, is marked so and trusted as the
less trusted neighbour is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ...errors import InputError
from ...types import Source, SourceRange, Span

if TYPE_CHECKING:
    from transformers import BatchEncoding

Piece = tuple[int, int, Source, bool]  # start, end, who is trusted for it, written by the template
TRUST: tuple[Source, ...] = ("system", "user", "assistant", "tool", "unknown")
ROLES: dict[str, Source] = {"developer": "system", "function": "tool", "ipython": "tool"}
MARK = "\u2402{}\u2403"


def encode_chat(
    messages: Sequence[dict[str, Any]],
    tokenizer: Any,
    *,
    tools: Sequence[Any] | None = None,
    add_generation_prompt: bool = True,
) -> tuple[BatchEncoding, list[list[SourceRange]]]:
    """Token ids of a chat and the sources of its tokens.

    Returns ``inputs`` for ``generate`` (one row of tensors) and ``sources`` for
    ``RetentionCache(..., sources=sources)`` (one list of token ranges for that row).

    Raises:
        InputError: no messages, no chat template, or a tokenizer without offsets.
    """
    if not messages:
        raise InputError("the chat is empty: give at least one message")
    if not getattr(tokenizer, "chat_template", None):
        raise InputError("the tokenizer has no chat template: set tokenizer.chat_template first")
    if not getattr(tokenizer, "is_fast", False):
        raise InputError("encode_chat needs a fast tokenizer, which knows character offsets")
    options = {"tools": tools, "add_generation_prompt": add_generation_prompt}
    text, pieces = sourced_text(messages, tokenizer, options)
    inputs = tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, return_tensors="pt"
    )
    offsets = inputs.pop("offset_mapping")[0].tolist()
    return inputs, [token_ranges(pieces, [start for start, _ in offsets])]


def sourced_text(
    messages: Sequence[dict[str, Any]], tokenizer: Any, options: dict[str, Any]
) -> tuple[str, list[Piece]]:
    """A chat as its template writes it with ``options``, and whose its characters are, in order
    and without gaps."""
    text = _render(messages, tokenizer, options)
    return text, _sourced_pieces(messages, tokenizer, options, text)


def _render(messages: Sequence[dict[str, Any]], tokenizer: Any, options: dict[str, Any]) -> str:
    return tokenizer.apply_chat_template(list(messages), tokenize=False, **options)


def _sourced_pieces(
    messages: Sequence[dict[str, Any]], tokenizer: Any, options: dict[str, Any], text: str
) -> list[Piece]:
    """Character ranges of ``text`` with their sources, in order and without gaps."""
    marked = [
        {**m, "content": MARK.format(i)} if isinstance(m.get("content") or None, str) else m
        for i, m in enumerate(messages)
    ]
    skeleton = _render(marked, tokenizer, options)
    pieces: list[Piece] = []
    cursor, rest, previous = 0, skeleton, cast(Source, "system")
    for i, message in enumerate(messages):
        source = ROLES.get(message["role"], cast(Source, message["role"]))
        source = source if source in TRUST else "unknown"
        literal, mark, after = rest.partition(MARK.format(i))
        less_trusted = max(previous, source, key=TRUST.index)
        if not mark:  # a message without content of its own, such as a tool call
            previous = less_trusted
            continue
        start, end = _locate(text, message["content"], cursor + len(literal))
        if start > cursor:
            pieces.append((cursor, start, less_trusted if pieces else previous, True))
        pieces.append((start, end, source, False))
        cursor, rest, previous = end, after, source
    if cursor < len(text):
        pieces.append((cursor, len(text), previous, True))
    return pieces


def _locate(text: str, content: str, start: int) -> tuple[int, int]:
    """The range of a content that should stand at ``start``; templates may strip it."""
    for candidate in (content, content.strip()):
        if text.startswith(candidate, start):
            return start, start + len(candidate)
    found = text.find(content.strip(), start)
    return (found, found + len(content.strip())) if found >= 0 else (start, start)


def token_ranges(pieces: Sequence[Piece], starts: Sequence[int]) -> list[SourceRange]:
    """Pieces in tokens, which begin at ``starts``; one that begins no token has none."""
    ranges: list[SourceRange] = []
    for start, end, source, template in pieces:
        first, last = bisect_left(starts, start), bisect_left(starts, end)
        if last > first:
            ranges.append(SourceRange(Span(first, last), source, template))
    return ranges
