"""Judges: which tool outputs may go at the end of a turn (SideQuest, 2602.22603).

A judge is called once for each row that holds a tool output, and returns numbers of
``turn.outputs``, or None when it has no verdict. It decides and deletes nothing: sponsorship has a
veto after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..errors import InputError
from ..types import Span
from .sequence import SequenceState
from .tool_outputs import ToolOutput, tool_ranges

OPENING = 60  # characters of an output by which the model is to recognise it
LIST = "These tool outputs of the conversation are still in memory:"
REQUEST = (
    "Which of them will not be needed any more? Answer with their numbers on one line, separated "
    "by commas, or with: none\nAnswer:"
)


@dataclass(frozen=True)
class Turn:
    """The state of one row when a turn ends.

    ``outputs``: the tool outputs of which something can be deleted, oldest first. ``ask``: sends a
    request to the model in a side branch and returns its reply; the cache does not notice.
    """

    row: int
    outputs: tuple[ToolOutput, ...]
    ask: Callable[[str], str] = field(repr=False)
    sequence: SequenceState = field(repr=False)

    def text(self, output: ToolOutput) -> str:
        """The text of an output, evicted tokens included."""
        return self._characters(output.span)

    def before(self, output: ToolOutput) -> str:
        """All text before an output."""
        return self._characters(Span(0, output.span.start))

    def said_after(self, output: ToolOutput) -> str:
        """What was written after an output by anyone but tools."""
        parts, cursor = [], output.span.end
        for span in tool_ranges(self.sequence):
            if span.start >= cursor:
                parts.append(self._characters(Span(cursor, span.start)))
                cursor = span.end
        end = max(self.sequence.num_tokens, cursor)
        return "\n".join([*parts, self._characters(Span(cursor, end))])

    def _characters(self, tokens: Span) -> str:
        if self.sequence.text is None:
            raise InputError("this judge reads text: give the cache the model's tokenizer")
        return self.sequence.characters(tokens)


Judge = Callable[[Turn], Iterable[int] | None]


def ask_model(turn: Turn) -> list[int] | None:
    """The model itself, asked in a side branch; None when its reply is no list of such numbers.

    A reply that names a number that was not on offer is not trusted at all: what is deleted cannot
    come back.
    """
    listed = [f"{output.number}: {_opening(turn.text(output))}" for output in turn.outputs]
    reply = turn.ask("\n".join([LIST, *listed, REQUEST]))
    return read_reply(reply, turn.outputs)


def _opening(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= OPENING else f"{words[:OPENING]}..."


def read_reply(reply: str, outputs: Iterable[ToolOutput]) -> list[int] | None:
    """The numbers of a reply such as ``1, 3.`` or ``[2]``; ``none`` gives none of them."""
    offered = {str(output.number): output.number for output in outputs}
    answer = reply.strip().rstrip(".").removeprefix("[").removesuffix("]").strip()
    if answer.lower() == "none":
        return []
    parts = re.split(r"\s*,\s*|\s+", answer)
    return [offered[part] for part in parts] if all(part in offered for part in parts) else None


@dataclass(frozen=True)
class OldestFirst:
    """A rule: every output goes but the newest ``keep`` of those that are held."""

    keep: int = 1

    def __post_init__(self) -> None:
        if self.keep < 0:
            raise InputError(f"keep must be >= 0 tool outputs, got {self.keep}")

    def __call__(self, turn: Turn) -> list[int]:
        """Numbers of the older outputs."""
        held = len(turn.outputs)
        return [output.number for output in turn.outputs[: max(held - self.keep, 0)]]


def not_referred_to(turn: Turn) -> list[int]:
    """A rule: an output goes when nothing of it was taken up since.

    It is taken up when anyone but a tool writes, after it, a word of at least four letters or
    digits that the conversation did not have before the output. What nothing follows stays.
    """
    unused = []
    for output in turn.outputs:
        said = _words(turn.said_after(output))
        brought = _words(turn.text(output)) - _words(turn.before(output))
        if said and not brought & said:
            unused.append(output.number)
    return unused


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower()))
