"""Sessions of a server: found by prefix or id, in bounded memory, saved after every turn.

The worker alone takes sessions; ``finish`` may run beside the forwards of other sessions. A file is
written under a new name before the index names it, so that a stop at any point leaves the state
before a turn or that after it.
"""

import hashlib
import json
import logging
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from ..config import Retention
from ..engines.prompts import Prompt
from ..engines.session import Engine, Session
from ..engines.session_files import path_of, remove
from ..errors import DamagedError, InputError, RetentionError
from ..types import Ints
from .beginnings import FOLDER, ROOM, Beginnings
from .index import POINTS, Index, NotSaved, SessionRecord
from .recovery import recover
from .tenants import ALONE, Tenant, owner_of
from .turns import title_of, turns_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Bounds:
    """Most sessions in memory, idle seconds there, sessions of a tenant on disk, bytes of
    responses (None: ``Index``'s default) and of shared beginnings."""

    live: int = 16
    idle: float = 3600.0
    saved: int = 1000
    responses: int | None = None
    beginnings: int = ROOM


@dataclass
class ClaimedSession:
    """A session that a turn works on.

    ``kept``: tokens of the prompt that are not read again; ``changed_at``: the first that differs
    from what the session had read, None when it just goes on; ``prompt``, ``generated``: tokens
    of the turn, without the end of its answer. ``fresh``: the session has read nothing but a
    beginning of the prompt; ``ahead``: keys of those that it will read, by their tokens; ``made``:
    of those that it gave.
    """

    record: SessionRecord
    session: Session
    kept: int
    changed_at: int | None
    fresh: bool = False
    ahead: dict[int, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    prompt: Ints = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    generated: list[int] = field(default_factory=list, repr=False)


class SessionError(RetentionError):
    """A session that cannot be gone on with: HTTP ``status`` 404 or 409, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Sessions:
    """All sessions of one engine.

    Args:
        folder: where they are saved; None keeps them in memory alone.

    Raises:
        InputError: when the folder cannot be used.
    """

    def __init__(self, engine: Engine, bounds: Bounds, folder: Path | None = None) -> None:
        self.engine, self.bounds, self.folder = engine, bounds, folder
        self.live: dict[str, Session] = {}  # the longest unused first
        self.busy: set[str] = set()
        self.foreign: set[str] = set()  # saved by another model or release: not to be used here
        if folder is not None:
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"cannot save sessions to {folder}: {error.strerror}") from None
        path = None if folder is None else folder / "sessions.sqlite"
        self.index = Index(path, bounds.responses)
        shared = None if folder is None else folder / FOLDER
        self.beginnings = Beginnings(engine, bounds.beginnings, self.index.salt, shared)

    def begin(self) -> None:
        """Once the server has started, before the first turn: put its folder in order."""
        if self.folder is not None:
            recover(self.folder, self.index)
        try:
            self.beginnings.begin()
        except OSError as error:
            log.error("the folder of beginnings cannot be used: %s", error.strerror)

    def records(self) -> list[SessionRecord]:
        """Of all sessions, in memory or saved."""
        return list(self.index.sessions.values())

    def _paths(self, names: Iterable[str]) -> list[Path]:
        return [path_of(self.folder, name) for name in names] if self.folder else []

    def conversation(self, name: str, retention: Retention | None) -> Prompt:
        """All that a session has been given and has said, for a turn that appends to it.

        ``retention``: the one that it must have, None for any. Raises SessionError for a session
        that is not there, is at work, or cannot be gone on with.
        """
        if name in self.busy:
            raise SessionError(409, "the session is at work: send this again when it has answered")
        record = self.index.sessions.get(name)
        session = None if record is None else self.session_of(record)
        if name in self.foreign:
            raise SessionError(
                409, "another model or release saved this session: serve it by that one"
            )
        if record is None or session is None:
            raise SessionError(404, "there is no such session, or no more: begin a new one")
        if retention is not None and digest_of(retention) != record.retention:
            raise SessionError(
                409, "the session was begun with another retention: leave out the field retention"
            )
        ids = session.ids
        if not record.history or record.history[-1][0] != len(ids):
            raise SessionError(
                409,
                "the last turn of this session failed, it cannot go on: begin a new one",
            )
        assert session.flow is not None
        sources = session.flow.sequences[0].ranges.sources
        if not sources:
            raise SessionError(
                409, "the session was begun by a plain prompt: a chat cannot be appended to it"
            )
        self.live.setdefault(name, session)  # the turn that follows takes it
        ids = np.concatenate([ids, np.array(record.unread, np.int64)])
        return Prompt(ids, sources, len(ids))

    def take(
        self,
        prompt: Prompt,
        retention: Retention | None,
        name: str | None,
        default: Retention,
        *,
        tenant: Tenant = ALONE,
        append: bool = False,
    ) -> ClaimedSession:
        """The session of a tenant that a prompt goes on with, or a new one: busy until ``release``.

        With a ``name`` that session, back at its newest state that the prompt begins with; it is
        read anew if there is none, or if ``retention`` is not what it was begun with. Without one,
        or if another model saved it: of the tenant's sessions with this retention the one with the
        longest such state, or a fork of it if it is busy or has gone on otherwise; a new one if
        none is better than a shared beginning. ``retention`` None: what the session ``name`` was
        begun with, otherwise ``default``. Raises RetentionError for a retention that cannot be
        served; with ``append`` SessionError (409) for a prompt that does not continue all that the
        session ``name`` has read.
        """
        wanted = retention or default
        if name is not None:
            held = self._named(prompt, retention, name, wanted, tenant)
        else:
            held = self._by_prefix(prompt, wanted, tenant)
        goes_on = not held.fresh and 0 < held.kept == len(held.session.ids)
        if append and not (held.record.id == name and goes_on):
            raise SessionError(
                409, "the session has gone on, or is gone, since this was sent: look at it again"
            )
        held.prompt = prompt.ids
        self.busy.add(held.record.id)
        if self.live.get(held.record.id) is not held.session:
            self._let_go(held.record.id)
        self.live.pop(held.record.id, None)
        self.live[held.record.id] = held.session
        return held

    def _named(
        self,
        prompt: Prompt,
        retention: Retention | None,
        name: str,
        wanted: Retention,
        tenant: Tenant,
    ) -> ClaimedSession:
        record = self.index.sessions.get(name)
        session = None if record is None else self.session_of(record)
        digest = digest_of(wanted)
        if name in self.foreign:
            return self._by_prefix(prompt, wanted, tenant)
        if record is None or session is None:
            return self._fresh(SessionRecord(name, digest), prompt, wanted)
        if retention is not None and record.retention != digest:
            return self._fresh(replace(record, retention=digest), prompt, wanted)
        state = _state(record, self._digests(prompt, record.states))
        changed_at = _changed_at(session.ids, prompt.ids)
        if state not in session.states:
            return self._fresh(record, prompt, session.retention, changed_at)
        return ClaimedSession(record, session, state, changed_at)

    def _by_prefix(self, prompt: Prompt, wanted: Retention, tenant: Tenant) -> ClaimedSession:
        digest = digest_of(wanted)
        records = (record for record in self.records() if tenant.owns(record.id))
        usable = (record for record in records if record.id not in self.foreign)
        known = [record for record in usable if record.retention == digest]
        digests = self._digests(prompt, {length for record in known for length in record.states})
        states = [(state, record) for record in known if (state := _state(record, digests))]
        shared = self.beginnings.longest(self.beginnings.keys(prompt, wanted))
        for state, record in sorted(states, key=lambda item: (-item[0], -item[1].used)):
            if state < shared:
                break
            session = self.session_of(record)
            if session is None or state not in session.states:
                continue
            if record.id in self.busy or state not in sorted(record.states)[-2:]:
                fresh = SessionRecord(
                    tenant.id(new_id()),
                    digest,
                    states={state: record.states[state]},
                    beginnings=record.beginnings,
                )
                return ClaimedSession(fresh, session.fork(state), state, None)
            return ClaimedSession(record, session, state, _changed_at(session.ids, prompt.ids))
        return self._fresh(SessionRecord(tenant.id(new_id()), digest), prompt, wanted)

    def _fresh(
        self,
        record: SessionRecord,
        prompt: Prompt,
        retention: Retention,
        changed_at: int | None = None,
    ) -> ClaimedSession:
        """A session that reads a prompt from nothing, or from the longest beginning on."""
        session, kept = self.engine.session(retention), 0
        keys = self.beginnings.keys(prompt, retention)
        while length := self.beginnings.longest(keys):
            begun = self.beginnings.fork(prompt, length, keys[length], retention)
            if begun is not None:
                session, kept = begun, length
                break
        ahead = {length: key for length, key in keys.items() if length > kept}
        held = ClaimedSession(record, session, kept, changed_at, fresh=True, ahead=ahead)
        if kept:
            held.record = _with_beginning(record, keys[kept])
        return held

    def share(self, held: ClaimedSession) -> None:
        """Between two steps of a turn: keep a beginning for others where one has been read."""
        read = max(held.session.states, default=0) if held.ahead else 0
        for length in [length for length in sorted(held.ahead) if length <= read]:
            key = held.ahead.pop(length)
            if key not in self.beginnings.known:
                if length < read:
                    continue
                self.beginnings.keep(key, held.session.fork(length))
                held.made.append(key)
            held.record = _with_beginning(held.record, key)

    def _digests(self, prompt: Prompt, lengths: Iterable[int]) -> dict[int, str]:
        """Of what a prompt begins with, and goes on after."""
        return self.index.digests(prompt.ids, [n for n in lengths if n < len(prompt.ids)])

    def session_of(self, record: SessionRecord) -> Session | None:
        """A session in memory, loaded when it is not; None when its file cannot be used.

        What is damaged goes; what another model, engine or release saved, or needs an extra, stays.
        """
        if record.id in self.live:
            return self.live[record.id]
        if record.id in self.foreign or not record.files:
            return None
        try:
            return self.engine.load(self._paths(record.files)[-1])
        except Exception as error:  # what a file holds may not end every turn of its session
            log.warning("session %s cannot be loaded: %s", record.id, type(error).__name__)
            if isinstance(error, DamagedError):
                self.drop(record.id)
            else:
                self.foreign.add(record.id)
            return None

    def finish(self, held: ClaimedSession) -> None:
        """End a turn: save what the session is now, then let the index say so. Raises NotSaved;
        then the index, and the files that it names, are as before."""
        session, old = held.session, held.record.files
        states = self.index.digests(session.ids, session.states)
        point = [len(session.ids), session.live_tokens(), session.stored_bytes()]
        unread = [*held.prompt.tolist(), *held.generated][len(session.ids) :]
        record = replace(
            held.record,
            beginnings=[key for key in held.record.beginnings if key in self.beginnings.known],
            states=states,
            used=time.time(),
            history=[*held.record.history, [*point, session.full_bytes()]][-POINTS:],
            unread=unread,
            title=held.record.title or title_of(turns_of(session, unread, reveal=False)),
        )
        if self.folder is not None and states:
            try:
                record.files = session.save(self.folder, asdict(record))
            except (InputError, OSError) as error:
                log.error("session %s cannot be saved: %s", record.id, error)
                raise NotSaved from None
        try:
            self.index.put(record)
        except NotSaved:
            self._remove_left(record.files, old)
            raise
        held.record = record
        self._remove_left(old, record.files)

    def abandon(self, held: ClaimedSession) -> None:
        """After an error in a turn: what was saved before it stands, and nothing else."""
        for key in held.made:
            self.beginnings.drop(key)
        if held.record.files:
            self._let_go(held.record.id)
            return
        states = self.index.digests(held.session.ids, held.session.states)
        if self.folder is None and held.record.id in self.index.sessions and states:
            self.index.put(replace(held.record, states=states))
        else:
            self.drop(held.record.id)

    def release(self, *ids: str | None) -> None:
        """Let the next turn have them."""
        self.busy.difference_update(ids)

    def tidy(self) -> None:
        """Keep to the bounds: the longest unused go, from memory and then from the disk."""
        records, now = self.index.sessions, time.time()
        free = [id_ for id_ in self.live if id_ not in self.busy]
        idle = [i for i in free if i in records and now - records[i].used > self.bounds.idle]
        many = free[: max(0, len(self.live) - self.bounds.live)]
        for id_ in {*idle, *many}:
            self._let_go(id_)
            if self.folder is None:
                self.index.drop(id_)
        self.beginnings.rest(self.bounds.idle)
        saved: dict[str, list[SessionRecord]] = {}  # no tenant's go for another's
        for record in sorted(self.records(), key=lambda record: record.used):
            saved.setdefault(owner_of(record.id), []).append(record)
        for tenant_records in saved.values():
            for record in tenant_records[: max(0, len(tenant_records) - self.bounds.saved)]:
                if record.id not in self.busy:
                    self.drop(record.id)

    def drop(self, id_: str, *, responses: bool = False) -> bool:
        """Forget a session and its file; its ``responses`` too, and the beginnings that no other
        session has read: all of which nobody is to find anything more. Whether there was one.
        Raises NotSaved; then it is not forgotten."""
        record = self.index.sessions.get(id_)
        if responses and record is not None:
            others = (other for other in self.records() if other.id != id_)
            used = {key for other in others for key in other.beginnings}
            gone = [self.beginnings.drop(key) for key in set(record.beginnings) - used]
            if not all(gone):
                raise NotSaved
        self._let_go(id_)
        self.foreign.discard(id_)
        try:
            for path in self._paths(record.files if record else ()):  # first: it makes room
                remove(path)
        except OSError as error:
            log.error("session %s cannot be removed: %s", id_, error)
            raise NotSaved from None
        self.index.drop(id_, responses=responses)
        return record is not None

    def _let_go(self, id_: str) -> None:
        """Out of memory."""
        if (session := self.live.pop(id_, None)) is not None:
            session.close()

    def _remove_left(self, names: Iterable[str], but: Iterable[str]) -> None:
        """Remove files that no record names; those that stay go at the next start."""
        for path in self._paths(set(names).difference(but)):
            try:
                remove(path)
            except OSError as error:
                log.warning("%s cannot be removed: %s", path.name, error.strerror)


def _with_beginning(record: SessionRecord, key: str) -> SessionRecord:
    return replace(record, beginnings=[*dict.fromkeys([*record.beginnings, key])])


def _state(record: SessionRecord, digests: Mapping[int, str]) -> int:
    """The longest of its states that is among some digests, 0 for none."""
    return max((n for n, digest in record.states.items() if digests.get(n) == digest), default=0)


def digest_of(retention: Retention) -> str:
    """What tells one retention from another."""
    text = json.dumps(asdict(retention), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def new_id() -> str:
    """An id for a session that nobody named."""
    return f"session-{secrets.token_hex(8)}"


def _changed_at(read: Ints, given: Ints) -> int | None:
    length = min(len(read), len(given))
    same = read[:length] == given[:length]
    common = length if same.all() else int(np.argmin(same))
    return None if common == len(read) else common
