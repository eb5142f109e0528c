"""What comes before the line: how many requests there are, how much they hold, who prepares them.

A request takes a place before its body is read, and keeps it until it is answered. Rendering and
tokenising take up to some 500 bytes a character: long conversations are prepared one at a time, and
short ones beside them, so that a word does not wait for a book.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from .worker import Line, Refused

SHORT = 1 << 16  # characters of a conversation that is prepared beside a long one
BODIES = 8  # of the largest size that all requests may hold together
Made = TypeVar("Made")


class Reservation:
    """A place in line for a request, and the bytes ``held`` for it."""

    def __init__(self, admission: "RequestAdmission") -> None:
        self._admission = admission
        self.held = 0

    def hold(self, size: int) -> None:
        """Hold more bytes. Raises Refused when all requests hold too many."""
        admission = self._admission
        if admission.held + size > admission.room:
            raise Refused(
                429, f"the requests in line hold {admission.room} bytes already: try again later"
            )
        self.held += size
        admission.held += size


class RequestAdmission:
    """Places for as many requests as run and wait, and threads that prepare their prompts.

    ``most``: bytes of a request, and characters of its conversation.
    """

    def __init__(self, line: Line, most: int) -> None:
        self.places, self.patience = line.running + line.waiting, line.patience
        self.most, self.room = most, BODIES * most
        self.taken = self.held = 0
        self._short = ThreadPoolExecutor(1, "short")
        self._long = ThreadPoolExecutor(1, "long")

    @contextlib.contextmanager
    def reserve(self) -> Iterator[Reservation]:
        """One place. Raises Refused when all are taken."""
        if self.taken >= self.places:
            raise Refused(429, f"{self.taken} requests run or wait already: try again later")
        self.taken += 1
        reservation = Reservation(self)
        try:
            yield reservation
        finally:
            self.taken -= 1
            self.held -= reservation.held

    async def prepared(self, size: int, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, in the thread for things of ``size`` characters. Raises Refused
        after ``patience`` seconds; who is gone while it waits does not have it begun."""
        thread = self._short if size <= SHORT else self._long
        try:
            return await asyncio.wait_for(
                asyncio.wrap_future(thread.submit(make)), timeout=self.patience
            )
        except TimeoutError:
            raise Refused(503, "the prompt was not prepared in time: try again later") from None

    def close(self) -> None:
        """Begin nothing more."""
        for thread in (self._short, self._long):
            thread.shutdown(wait=False, cancel_futures=True)


def characters(given: Any) -> int:
    """Of all texts in messages or tools, names of fields included."""
    count, left = 0, [given]
    while left:  # nested as deep as the client likes
        one = left.pop()
        if isinstance(one, str):
            count += len(one)
        elif isinstance(one, Mapping):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one
    return count
