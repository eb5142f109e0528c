"""How a prompt is cut into chunks where its end asks for what left.

What is asked for comes back before the text that asks is read, so that text stays in one chunk
where it can.
"""

from collections.abc import Iterable

from ..types import Source, SourceRange, Span

ASKING: tuple[Source, ...] = ("user", "unknown")  # who writes what asks: no tool and no model
LEAST_ASKING = 32  # tokens of a chunk that asks


def chunk_size(left: int, chunk: int, *, asks: bool) -> int:
    """Tokens of the next chunk of ``left`` ones, of which the end may ask: then the last chunk has
    at least ``LEAST_ASKING``, or half a chunk."""
    least = min(LEAST_ASKING, chunk // 2) if asks else 0
    if chunk < left < chunk + least:
        return (left + 1) // 2
    return min(left, chunk)


def asking_begin(sources: Iterable[SourceRange], unread: Span, chunk: int) -> int:
    """The token of ``unread`` ones at which the message begins that asks, where it is the last of
    them and fits a chunk; else where they end."""
    read = [s for s in sources if not s.template and s.span.start < unread.end]
    last = max(read, key=lambda s: s.span.end, default=None)
    if last is None or last.source not in ASKING or last.span.start <= unread.start:
        return unread.end
    return last.span.start if unread.end - last.span.start <= chunk else unread.end
