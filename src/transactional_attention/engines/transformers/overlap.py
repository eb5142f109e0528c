"""The text of a prompt, read beside the forward over it.

What an attention-free method keeps is first needed when the first layer has attended. Until then
its text is decoded and scanned on a thread of its own: torch lets go of Python's lock while it
computes, so on another core that costs the forward next to nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class Reading:
    """``read`` and, once it is done and the forward asks, ``then``."""

    def __init__(self, read: Callable[[], None], then: Callable[[], None]) -> None:
        self._read, self._then = read, then
        self._error: BaseException | None = None
        self._finished = False
        self._thread = threading.Thread(target=self._run, name="retention-reading", daemon=True)

    def begin(self, *, beside: bool) -> None:
        """Read, on a thread of its own or at once (where reading runs the model, too)."""
        self._thread.start() if beside else self._run()

    def _run(self) -> None:
        try:
            self._read()
        except BaseException as error:  # raised where it is waited for
            self._error = error

    def wait(self) -> None:
        """Until it is read."""
        if self._thread.is_alive():
            self._thread.join()

    def finish(self) -> None:
        """Until it is read, and what follows from it decided; raises what reading raised."""
        if self._finished:
            return
        self.wait()
        self._finished = True
        if self._error is not None:
            raise self._error
        self._then()
