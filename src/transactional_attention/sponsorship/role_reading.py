"""Who wrote which tokens: what the caller says, otherwise what the marks of the chat template say.

Marks are read only if a source is protected and nobody said who wrote the prompt. They are taken as
they stand in the text, so a message that contains marks can pretend to be another.
``ta.encode_chat`` and ``ta.Chat`` know better.
"""

import warnings
from collections.abc import Sequence

from ..errors import InputError
from ..text.chat_markers import ChatMarkers, check_roles
from ..text.token_text import TokenText
from ..types import Source, SourceRange, Span
from .trust import TRUST

UNKNOWN = SourceRange(Span(0, 0), "unknown")
BEGIN = SourceRange(Span(0, 0), "system")  # what stands before the first mark


def range_of(sources: Sequence[SourceRange], token: int) -> SourceRange:
    """Of the ranges that contain a token, the least trusted one."""
    if not sources:
        return UNKNOWN
    covering = (s for s in sources if s.span.start <= token < s.span.end)
    return min(covering, key=lambda s: TRUST[s.source], default=UNKNOWN)


class RoleReader:
    """Finds chat turns in a growing text. It keeps no state; what it found is in the ranges it
    returns."""

    def __init__(self, tokenizer, wanted: Sequence[Source]) -> None:
        self.tokenizer, self.wanted = tokenizer, tuple(wanted)
        self._markers: ChatMarkers | None = None

    def extended(
        self, sources: list[SourceRange], text: TokenText | None, known: int, *, final: bool
    ) -> list[SourceRange]:
        """``sources``, and ranges for the text after them from its marks. The last turn stays open.

        ``known``: tokens at the beginning whose text is not available. Raises InputError if no
        source was ever given and no mark can be read.
        """
        if text is None or (sources and not getattr(self.tokenizer, "chat_template", None)):
            if sources:
                return sources  # the caller named ranges of an earlier prompt alone
            raise InputError("protect_roles reads text: pass the model's tokenizer, or sources")
        if self._markers is None:
            self._markers = check_roles(self.tokenizer, self.wanted)
            warnings.warn(
                "protect_roles: no sources were given, so roles are read from the marks of the "
                "chat template, as they stand in the text; ta.encode_chat and ta.Chat know better",
                stacklevel=2,
            )
        turns = self._turns(self._markers, sources, text, known)
        if final and turns == [(0, "system")]:
            raise InputError(
                f"protect_roles ({', '.join(self.wanted)}): no mark of the chat template stands in "
                "this prompt: apply the template, or give sources"
            )
        ends = [start for start, _ in turns[1:]] + [len(text)]
        ranges = [
            SourceRange(Span(s, e), o) for (s, o), e in zip(turns, ends, strict=True) if s < e
        ]
        return [*(s for s in sources if s.span.end <= turns[0][0]), *ranges]

    def _turns(
        self, markers: ChatMarkers, sources: list[SourceRange], text: TokenText, known: int
    ) -> list[tuple[int, Source]]:
        """First token and source of the open turn and of the turns after it."""
        begun = max(sources, key=lambda s: s.span.end, default=BEGIN)
        turns = [(begun.span.start, begun.source)]
        # a header may have been cut: look back as far as one can reach
        first = max(known, begun.span.start, begun.span.end - markers.longest - 1)
        unread = text.text_of(Span(first, len(text)))
        before = text.num_chars - len(unread)
        for at, source in markers.turns(unread):
            start = text.tokens_for(Span(before + at, before + at + 1)).start
            if start == turns[-1][0]:
                turns[-1] = start, source
            elif start > turns[-1][0]:
                turns.append((start, source))
        return turns
