"""How a prompt is cut into chunks if its end asks for something that left the cache.

What is asked for comes back before the asking text is read, so that text stays in one chunk if
possible.
"""

from collections.abc import Iterable

from ..types import Source, SourceRange, Span

ASKING: tuple[Source, ...] = ("user", "unknown")  # who writes what asks: no tool and no model
LEAST_ASKING = 32  # tokens of a chunk that asks


def chunk_size(left: int, chunk: int, *, asks: bool) -> int:
    """Tokens of the next chunk, if ``left`` tokens are left. ``asks``: the end may ask, so the last
    chunk gets at least ``LEAST_ASKING`` tokens, or half a chunk."""
    least = min(LEAST_ASKING, chunk // 2) if asks else 0
    if chunk < left < chunk + least:
        return (left + 1) // 2
    return min(left, chunk)


def asking_begin(sources: Iterable[SourceRange], unread: Span, chunk: int) -> int:
    """The first token of the message that asks, if it is the last of the ``unread`` tokens and fits
    a chunk; otherwise their end."""
    read = [s for s in sources if not s.template and s.span.start < unread.end]
    last = max(read, key=lambda s: s.span.end, default=None)
    if last is None or last.source not in ASKING or last.span.start <= unread.start:
        return unread.end
    return last.span.start if unread.end - last.span.start <= chunk else unread.end
