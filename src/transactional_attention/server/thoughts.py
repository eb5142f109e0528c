"""Thoughts of an answer that streams: what a model writes between ``<think>`` and ``</think>``."""

from .turn import begun

OPEN, CLOSE = "<think>", "</think>"


class ThoughtParser:
    """Parts an answer into the thought that it begins with and what is said behind it.

    The marks are of neither, nor are line breaks beside them. ``inside``: the prompt has the mark
    that opens the thought. ``whole``: marks and line breaks stay with the thought.
    """

    def __init__(self, *, inside: bool = False, whole: bool = False) -> None:
        self._pending, self.whole = "", whole
        self._inside, self._before = inside, not inside
        self._fresh = inside and not whole  # nothing came yet of the part that a mark begins

    def add(self, text: str, *, final: bool = False) -> tuple[str, str]:
        """Text that is sure to be of the thought, and text that is said; ``final``: no more
        comes."""
        self._pending += text
        if self._before:
            body = self._pending.lstrip()
            if OPEN.startswith(body) and body != OPEN and not final:
                return "", ""
            self._before = False
            if body.startswith(OPEN):
                self._inside, self._fresh = True, not self.whole
                self._pending = self._pending if self.whole else body[len(OPEN) :]
        thought = ""
        if self._inside:
            at = self._pending.find(CLOSE)
            if at < 0:
                held = 0 if final else begun(self._pending, CLOSE)
                sure = self._pending[: len(self._pending) - held]
                return self._taken(len(sure if self.whole else sure.rstrip("\n"))), ""
            if self.whole:
                self._inside = False
                return self._taken(at + len(CLOSE)), self._taken(len(self._pending))
            thought = self._taken(at).rstrip("\n")
            self._pending = self._pending[len(CLOSE) :]
            self._inside, self._fresh = False, True
        return thought, self._taken(len(self._pending))

    def _taken(self, size: int) -> str:
        text, self._pending = self._pending[:size], self._pending[size:]
        text = text.lstrip("\n") if self._fresh else text
        self._fresh = self._fresh and not text
        return text


def with_thought(thought: str, text: str) -> str:
    """An answer as it was written."""
    return f"{OPEN}\n{thought}\n{CLOSE}\n\n{text}" if thought else text
