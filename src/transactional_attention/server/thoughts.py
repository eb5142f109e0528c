"""Thoughts of an answer that streams: what a model writes between two marks of its template."""

from .turn import begun

OPEN, CLOSE = "<think>", "</think>"


class ThoughtParser:
    """Parts an answer into the thought that it begins with and what is said after it.

    The ``marks`` are of neither, nor are line breaks beside them. ``inside``: the prompt has the
    mark that opens the thought.
    """

    def __init__(self, marks: tuple[str, str] = (OPEN, CLOSE), *, inside: bool = False) -> None:
        self._open, self._close = marks
        self._pending = ""
        self._inside, self._before = inside, not inside
        self._fresh = inside  # nothing came yet of the part that a mark begins

    def add(self, text: str, *, final: bool = False) -> tuple[str, str]:
        """Text that is sure to be of the thought, and text that is said; ``final``: no more
        comes."""
        self._pending += text
        if self._before:
            body = self._pending.lstrip()
            if self._open.startswith(body) and body != self._open and not final:
                return "", ""
            self._before = False
            if body.startswith(self._open):
                self._inside = self._fresh = True
                self._pending = body[len(self._open) :]
        thought = ""
        if self._inside:
            at = self._pending.find(self._close)
            if at < 0:
                held = 0 if final else begun(self._pending, self._close)
                sure = self._pending[: len(self._pending) - held]
                return self._taken(len(sure.rstrip("\n"))), ""
            thought = self._taken(at).rstrip("\n")
            self._pending = self._pending[len(self._close) :]
            self._inside, self._fresh = False, True
        return thought, self._taken(len(self._pending))

    @property
    def thinking(self) -> bool:
        """Whether what came last is of the thought, or may be of the mark before it."""
        return self._inside or (self._before and bool(self._pending.strip()))

    def _taken(self, size: int) -> str:
        text, self._pending = self._pending[:size], self._pending[size:]
        text = text.lstrip("\n") if self._fresh else text
        self._fresh = self._fresh and not text
        return text


def with_thought(thought: str, text: str, marks: tuple[str, str] = (OPEN, CLOSE)) -> str:
    """An answer as it was written."""
    return f"{marks[0]}\n{thought}\n{marks[1]}\n\n{text}" if thought else text
