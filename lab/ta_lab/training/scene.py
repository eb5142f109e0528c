"""A scene: what one training document says and asks, as text, before it is put into filler.

A text is encoded with its role tokens (``<|user|>`` ...), so a scene may be a chat: its pieces then
close one message and open the next, and the filler around them becomes content of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A statement, placed whole at a random place of the filler: before + value + after.

    `value` is empty for a text that states nothing (a decoy sentence, an opening message)."""

    before: str
    value: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The whole statement."""
        return self.before + self.value + self.after


@dataclass(frozen=True, slots=True)
class Question:
    """A question and its answer.

    `text` ends where the answer begins; `answer` begins with a space and contains the value of
    `pieces[piece]` verbatim. The end token is added when the document is made."""

    text: str
    answer: str
    piece: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Statements in the order in which they must stand, and the questions about them.

    `head` stands before the filler, `tail` after it, before the first question (roles of a chat).
    `filler`: "prose", "code", a language ("es") or "none"; what is missing on this machine is
    prose."""

    pieces: list[Piece]
    questions: list[Question]
    head: str = ""
    tail: str = ""
    filler: str = "prose"


def filled(template: str, value: str, **names: str) -> Piece:
    """A statement from a template with {value} and other slots."""
    before, after = template.split("{value}")
    return Piece(before.format(**names), value, after.format(**names))


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def another(draw: Callable[[], str], values: Sequence[str], texts: Sequence[str] = ()) -> str:
    """A value that is in none of `values`, holds none of them, and is in none of `texts`."""
    while True:
        value = draw()
        apart = not any(value in other or other in value for other in values)
        if apart and not any(value in text for text in texts):
            return value


def different(draw: Callable[[], str], count: int, texts: Sequence[str] = ()) -> list[str]:
    """So many values, none of which is part of another or of one of `texts`."""
    values: list[str] = []
    for _ in range(count):
        values.append(another(draw, values, texts))
    return values
