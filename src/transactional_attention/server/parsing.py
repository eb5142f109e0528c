"""What parts an answer as it comes: into a thought, what is said, and calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .call_forms import Forms
from .channels import ChannelParser
from .thoughts import ThoughtParser
from .tool_calls import Call, CallParser, long_id, short_id
from .turn import Decoder, special_ids


class Parser(Protocol):
    """Splits an answer, as it comes, into thought, text and calls. ``spoken``: characters after
    its thoughts; ``calls``: all complete ones."""

    calls: list[Call]
    spoken: int

    def add(self, text: str, *, final: bool = False) -> tuple[str, str, list[Call]]:
        """Text that is sure to be of a thought, text that is said, and calls that are complete;
        ``final``: no more comes."""

    @property
    def thinking(self) -> bool:
        """Whether what came last is of a thought."""


class MarkedParser:
    """Splits an answer by its marks (``<think>``, ``<tool_call>``): a thought comes first, if at
    all, then text and calls."""

    def __init__(self, thoughts: ThoughtParser, parser: CallParser | None) -> None:
        self._thoughts, self._parser = thoughts, parser
        self.calls: list[Call] = [] if parser is None else parser.calls
        self.spoken = 0

    def add(self, text: str, *, final: bool = False) -> tuple[str, str, list[Call]]:
        """As ``Parser`` has it; what is drafted in a thought is no call."""
        thought, text = self._thoughts.add(text, final=final)
        self.spoken += len(text)
        if self._parser is None:
            return thought, text, []
        content, calls = self._parser.add(text)
        rest, last = self._parser.rest() if final else ("", [])
        return thought, content + rest, [*calls, *last]

    @property
    def thinking(self) -> bool:
        """As ``Parser`` has it."""
        return self._thoughts.thinking


def parser_of(
    forms: Forms, tools: Sequence[Mapping[str, Any]], *, inside: bool, calls: bool
) -> Parser:
    """For an answer of a template's forms. ``inside``: a thought goes on first; ``calls``: there
    may be some, of ``tools``."""
    id_of: Callable[[], str] = long_id if forms.long_ids else short_id
    if forms.channels:
        return ChannelParser(id_of)
    named = {tool["function"]["name"]: tool["function"] for tool in tools}
    parser = CallParser(forms.calls, named, id_of) if calls and forms.calls else None
    return MarkedParser(ThoughtParser(forms.thought, inside=inside), parser)


def num_thought(parser: Parser, decoder: Decoder, ids: Sequence[int]) -> int:
    """Tokens of an answer that are of its thoughts, with what marks them. Both have read
    nothing."""
    count = 0
    for id_ in ids:
        before = parser.thinking
        decoder.ids.append(id_)
        parser.add(decoder.text())
        count += before or parser.thinking
    return count


def shown_ids(tokenizer: Any, forms: Forms) -> frozenset[int]:
    """Special tokens that the forms are made of."""
    texts = forms.texts()
    known = {id_: tokenizer.decode([id_]) for id_ in special_ids(tokenizer)}
    return frozenset(i for i, name in known.items() if name and any(name in t for t in texts))
