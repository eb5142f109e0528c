"""Connections before anything is known of who asks: how many, how long, and how large a head.

The parser is h11, which bounds what it reads of an event that does not end; httptools keeps every
header it is sent. h11 takes 20 microseconds more an event of a stream, of which there are at
most 25 a second.
"""

import asyncio
import logging
import os
import resource
import signal
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..errors import named

HEAD = 16 << 10  # bytes of a URL and headers
READ = 4 << 10  # bytes that are parsed at a time: in chunks of one byte they take some 20 ms
MINUTE = 60.0
INTERRUPTED = 130  # an exit status, as shells have it
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """``connections`` at once; ``arrival``: seconds for a request to come, and for a client that
    takes nothing of its answer."""

    connections: int
    arrival: float


def most_connections(places: int) -> int:
    """Four for each place in line, for the page and probes beside it; at most a quarter of the
    file descriptors: as many may be accepted at a stroke, and sessions need files."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(16, min(4 * places, descriptors // 4 if descriptors > 0 else 4 * places))


class Connection(H11Protocol, asyncio.BufferedProtocol):
    """One that goes when no request comes, or nobody takes its answer; at the cap the one that has
    waited longest for a request gives way to a new one. It takes a small piece of what has come,
    then others have their turn."""

    def __init__(self, *given: Any, limits: Limits, **rest: Any) -> None:
        super().__init__(*given, **rest)
        self.limits = limits
        self.since = 0.0
        self._piece = bytearray(READ)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no whole head of a request has come since the last answer."""
        return self.cycle is None or self.cycle.response_complete

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next piece of what comes is put."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        """A piece has come."""
        self.data_received(bytes(self._piece[:nbytes]))

    def connection_made(self, transport: Any) -> None:
        """Let it in, and make room."""
        super().connection_made(transport)
        self._arm()
        if len(self.connections) > self.limits.connections:
            others = (one for one in self.connections if isinstance(one, Connection))
            idle = [one for one in others if one.waits and not one.transport.is_closing()]
            min(idle, key=lambda one: one.since).transport.abort()  # itself at the least

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._arm()

    def pause_writing(self) -> None:
        """The client takes nothing for now."""
        super().pause_writing()
        self._arm()

    def _arm(self) -> None:
        self.since = self.loop.time()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(self.limits.arrival, self._late)

    def _late(self) -> None:
        if self.waits or self.flow.write_paused:
            self.transport.abort()


def http_config(app: Any, limits: Limits, host: str, port: int) -> uvicorn.Config:
    """How uvicorn serves the application."""
    http: Any = partial(Connection, limits=limits)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=http,
        h11_max_incomplete_event_size=HEAD,
        backlog=max(16, limits.connections // 4),
        log_level="error",  # below it every bad request is a line
        access_log=False,
        timeout_graceful_shutdown=5,
    )


class Server(uvicorn.Server):
    """One that ``tell``s how long its end takes; a second Ctrl-C ends the process where it is, as a
    kill would: what was acknowledged is saved."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[str], None]) -> None:
        super().__init__(config)
        self._tell = tell

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop once answers have ended; at a second Ctrl-C at once."""
        if self.should_exit and sig == signal.SIGINT:
            os._exit(INTERRUPTED)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers end."""
        seconds = self.config.timeout_graceful_shutdown
        self._tell(f"stopping: answers get {seconds} s; Ctrl-C again ends now")
        await super().shutdown(sockets)


class Troubles:
    """Exceptions of the event loop in the log, without their text: each once a minute. Where no
    descriptor is left, accepting fails thousands of times a second."""

    def __init__(self) -> None:
        self._told: dict[str, float] = {}

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """As ``set_exception_handler`` takes it."""
        error = context.get("exception")
        why = "no exception" if error is None else named(error)
        if isinstance(error, OSError) and error.strerror:
            why += f" ({error.strerror})"
        now = time.monotonic()
        if now - self._told.get(why, -MINUTE) >= MINUTE:
            self._told[why] = now
            log.error("the event loop met %s; it is told once a minute", why)
