"""How a prompt is cut into chunks: where its end asks for what left, and where other prompts may
begin as it does.

What is asked for comes back before the asking text is read, so that text stays in one chunk if
possible. No chunk goes beyond the end of a shared beginning, whether anybody shares it or not: what
is read after it is the same then.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from ..types import Source, SourceRange, Span

CHUNK = 512  # tokens of a forward, unless another number is asked for
ASKING: tuple[Source, ...] = ("user", "unknown")  # who writes what asks: no tool and no model
LEAST_ASKING = 32  # tokens of a chunk that asks
LEAST_SHARED = 64  # tokens of a beginning: fewer are read again as fast


def chunk_size(left: int, chunk: int, *, asks: bool) -> int:
    """Tokens of the next chunk, if ``left`` tokens are left. ``asks``: the end may ask, so the last
    chunk gets at least ``LEAST_ASKING`` tokens, or half a chunk if that is less."""
    least = min(LEAST_ASKING, chunk // 2) if asks else 0
    if chunk < left < chunk + least:
        return (left + 1) // 2
    return min(left, chunk)


def asking_begin(sources: Iterable[SourceRange], unread: Span, chunk: int) -> int:
    """The first token of the message that asks, if it is the last of the ``unread`` tokens and fits
    a chunk; otherwise their end."""
    begin = _last_begin(sources, unread.end)
    return begin if begin > unread.start and unread.end - begin <= chunk else unread.end


def _last_begin(sources: Iterable[SourceRange], end: int) -> int:
    """Where the last message before ``end`` begins, if it asks; otherwise ``end``."""
    read = [s for s in sources if not s.template and s.span.start < end]
    last = max(read, key=lambda s: s.span.end, default=None)
    return end if last is None or last.source not in ASKING else last.span.start


def content_begin(sources: Iterable[SourceRange]) -> int:
    """The token at which the first content begins that is not the system's, after its message and
    the definitions of tools; 0 where there is none."""
    others = (s.span.start for s in sources if s.source != "system" and not s.template)
    return min(others, default=0)


def shared_ends(sources: Sequence[SourceRange], end: int) -> list[int]:
    """Where the beginnings of a prompt of ``end`` tokens end that other prompts may share,
    ascending: before the first content that is not the system's, after its message and the
    definitions of tools; and before the last message, if it asks."""
    ends = [0]
    for place in (content_begin(sources), _last_begin(sources, end)):
        if place < end and place - ends[-1] >= LEAST_SHARED:
            ends.append(place)
    return ends[1:]


def chunk_ends(
    sources: Iterable[SourceRange],
    unread: Span,
    chunk: int,
    shared: Collection[int],
    *,
    asks: bool,
) -> Iterator[int]:
    """Where the chunks of ``unread`` tokens end, ascending.

    ``shared``: ``shared_ends``, where a chunk ends; those that are too near are left out: a turn
    that goes on after more than a beginning reads no chunk more for them. ``asks``: as
    ``chunk_size``; then a chunk ends before the message that asks."""
    ends = {place for place in shared if place - unread.start >= LEAST_SHARED}
    if asks:
        ends.add(asking_begin(sources, unread, chunk))
    at = unread.start
    for end in sorted({*ends, unread.end}):
        while at < end:
            at += chunk_size(end - at, chunk, asks=asks)
            yield at
