"""One thread runs the model: turns wait in line, and those that run take steps in turn.

A step is a chunk that is read or a token, so a long answer does not hold up a short one. A turn
ends when its answer does, when its client has gone, or with an error; what it leaves is saved
beside the steps of others, and acknowledged when it is on the disk.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ..config import Retention
from ..errors import RetentionError, named
from .freed_memory import trim
from .metrics import Metrics
from .room import check_room
from .sessions import ClaimedSession, Sessions
from .turn import Finished, Piece, Progress, Told, Turn, finished, steps

log = logging.getLogger(__name__)
SAVING = 2  # threads that write sessions
STUCK = 60.0  # seconds: no step takes so long, however slow the machine


class Refused(Exception):  # noqa: N818  (an answer, not a fault)
    """A turn that is not begun: HTTP ``status`` 429 or 503, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class Line:
    """How many turns take steps together, how many may wait, and for how many seconds."""

    running: int = 4
    waiting: int = 64
    patience: float = 120.0


Event = Piece | Progress | Finished | BaseException


@dataclass(eq=False)  # two requests may ask for the same
class Job:
    """A turn, from waiting to its end. ``tell`` gets its progress and pieces, then its end:
    ``Finished`` or an exception. ``gone``: nobody listens any more. ``held``: its session, and
    ``running``: its steps, once it has begun."""

    turn: Turn
    tell: Callable[[Event], None]
    came: float = field(default_factory=time.monotonic)
    gone: bool = False
    held: ClaimedSession | None = None
    running: Generator[Told, None, Finished] | None = None


class Worker:
    """Runs turns on the sessions of one engine, until ``stop``.

    An exception of a turn, of any kind, ends that turn alone: it is told and logged.
    """

    def __init__(self, sessions: Sessions, default: Retention, line: Line) -> None:
        self.sessions, self.default, self.line = sessions, default, line
        self.metrics = Metrics()
        self.clock = time.monotonic
        self._since: float | None = None  # when the step began that runs now
        self._waiting: deque[Job] = deque()
        self._running: deque[Job] = deque()
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._ready = threading.Condition()
        self._stopped = False
        self._savers = ThreadPoolExecutor(SAVING, "saver")
        self._num_saving = 0
        self._untidy = False  # a turn has ended since memory was given back
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Put a turn in line. Raises Refused when the server stops; ``RequestAdmission`` has
        refused what is too much."""
        with self._ready:
            if self._stopped:
                raise Refused(503, "the server is stopping: try another one, or later")
            self._waiting.append(job)
            self._ready.notify()

    def call(self, function: Callable[[], Any]) -> Future[Any]:
        """Run something between two steps."""
        future: Future[Any] = Future()
        with self._ready:
            self._calls.append((function, future))
            self._ready.notify()
        return future

    def counts(self) -> tuple[int, int]:
        """How many turns wait, and how many run."""
        return len(self._waiting), len(self._running) + self._num_saving

    def doing(self) -> dict[str, int]:
        """Turns by what they do."""
        running = list(self._running)
        reading = sum(job.held is None or not job.held.generated for job in running)
        rest = {"saving": self._num_saving, "waiting": len(self._waiting)}
        return {"reading": reading, "generating": len(running) - reading, **rest}

    def moves(self) -> bool:
        """Whether the thread is there, and not at one step for longer than a turn may wait."""
        since, longest = self._since, max(STUCK, self.line.patience)
        return self._thread.is_alive() and (since is None or self.clock() - since <= longest)

    def stop(self) -> None:
        """Let turns that run end here, saved; those that wait are refused."""
        with self._ready:
            self._stopped = True
            self._ready.notify()
        self._thread.join()
        self._savers.shutdown(wait=True)
        self.sessions.index.close()

    def _run(self) -> None:
        while True:
            with self._ready:
                self._begin()
                if not (self._running or self._calls):
                    if self._stopped and not self._num_saving:
                        return
                    self._since = None
                    if self._untidy and not self._num_saving:
                        self._untidy = False
                        trim()  # what turns have freed, to the system
                    self._ready.wait(1.0 if self._waiting else None)  # the patience of a turn
                self._since = self.clock()
                calls = [self._calls.popleft() for _ in range(len(self._calls))]
            for function, future in calls:
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    future.set_result(function())
                except BaseException as error:
                    future.set_exception(error)
            if self._running:
                job = self._running[0]
                self._running.rotate(-1)
                if not self._stepped(job):
                    self._running.remove(job)

    def _begin(self) -> None:
        """Let turns that wait begin where there is room, the first that came first."""
        now, busy = time.monotonic(), self.sessions.busy
        for job in list(self._waiting):
            late = now - job.came > self.line.patience
            room = len(self._running) + self._num_saving < self.line.running
            if job.gone or self._stopped or late:
                self._waiting.remove(job)
                why = "the server is stopping" if self._stopped else "no room came free in time"
                self._tell(job, Refused(503, f"{why}: try again later"))
            elif room and job.turn.session not in busy:
                self._waiting.remove(job)
                self._running.append(job)
                if job.turn.session is not None:
                    busy.add(job.turn.session)

    def _stepped(self, job: Job) -> bool:
        """Take one step of a turn; whether there are more."""
        try:
            if job.running is None:
                self._take(job)
            assert job.held is not None and job.running is not None
            if job.gone or self._stopped:
                job.running.close()
                self._save(job, job.held, finished(job.turn, job.held, 0, "length"))
                return False
            update = next(job.running)
            self._share(job.held)
            if update is not None:
                self._tell(job, update)
            return True
        except StopIteration as stop:
            assert job.held is not None
            self._save(job, job.held, stop.value)
        except BaseException as error:  # what a library in Rust panics with is no Exception
            self._fail(job, error)
        return False

    def _share(self, held: ClaimedSession) -> None:
        try:
            self.sessions.share(held)
        except Exception as error:  # others read it themselves: this turn goes on
            log.error("a beginning cannot be kept: %s", named(error))
            held.ahead.clear()

    def _take(self, job: Job) -> None:
        turn = job.turn
        job.held = self.sessions.take(
            turn.prompt,
            turn.retention,
            turn.session,
            self.default,
            tenant=turn.tenant,
            append=turn.append,
        )
        self.sessions.tidy()  # who holds it can let it go if this fails
        others = [
            (other.held.session, other.turn.prompt)
            for other in self._running
            if other.held is not None and other is not job
        ]
        check_room(self.sessions.engine, job.held.session, turn.prompt, others)
        job.running = steps(turn, job.held, self.sessions.engine)
        self.metrics.waited.observe(time.monotonic() - job.came)
        if job.held.fresh and job.held.kept:
            self.metrics.begun.inc()

    def _save(self, job: Job, held: ClaimedSession, ended: Finished) -> None:
        try:
            held.session.settle()
            saving = self._savers.submit(self.sessions.finish, held)
        except BaseException as error:
            self._fail(job, error)
            return
        self._num_saving += 1
        self._savers.submit(self.sessions.beginnings.write, held.record.beginnings)
        saving.add_done_callback(
            lambda done: self.call(lambda: self._saved(job, held, ended, done))
        )

    def _saved(self, job: Job, held: ClaimedSession, ended: Finished, done: Future[None]) -> None:
        try:
            done.result()
            self.sessions.release(held.record.id, job.turn.session)
            self.metrics.ended(ended)
        except BaseException as error:
            self._fail(job, error)
        else:
            self._tell(job, ended)
        self._num_saving -= 1
        self._untidy = True

    def _fail(self, job: Job, error: BaseException) -> None:
        if not isinstance(error, RetentionError):  # its text may quote what was read
            log.error("a turn failed: %s", named(error))
        if job.held is not None:
            try:
                self.sessions.abandon(job.held)
            except BaseException as second:
                log.error("what a failed turn left cannot be removed: %s", named(second))
            self.sessions.release(job.held.record.id)
        self.sessions.release(job.turn.session)
        self._tell(job, error if isinstance(error, Exception) else RuntimeError(named(error)))

    def _tell(self, job: Job, event: Event) -> None:
        if job.gone:
            return
        try:
            job.tell(event)
        except Exception as error:  # the loop that listened has ended
            job.gone = True
            log.error("nobody listens to a turn: %s", named(error))
