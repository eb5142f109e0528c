"""What a server knows of its sessions and responses, in SQLite: on disk, or in memory alone.

Every change is one transaction, on the disk before it is acknowledged. Sessions are known by salted
digests of the tokens that they can go on from; responses are kept with their messages, which
``previous_response_id`` asks for, so the file is as secret as the conversations (mode 0600). What
is read from the disk is checked as what comes from the network.
"""

import contextlib
import hashlib
import json
import logging
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter
from pydantic_core import from_json

from ..engines.session_files import MOST_FILES, NAME
from ..errors import InputError
from ..types import Ints
from .tenants import Id

TABLES = """
create table if not exists facts (name text primary key, value text not null);
create table if not exists sessions (id text primary key, about text not null, used real not null);
create table if not exists responses (
  id text primary key, before text, session text, turn text not null, made real not null);
create table if not exists replies (
  id text primary key, session text not null, reply text not null);
"""
TOTALS = "select count(*), coalesce(sum(length(turn)), 0)"  # of responses, their bytes
IN_MEMORY, ON_DISK = 1 << 26, 1 << 30  # bytes of responses where nobody says how many
POINTS = 512  # of a session's history that are kept
DIGEST = r"^[0-9a-f]{32}$"
log = logging.getLogger(__name__)

Digest = Annotated[str, Field(pattern=DIGEST)]
Key = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]
Whole = Annotated[int, Field(ge=0, lt=1 << 63)]
Point = Annotated[list[Whole], Field(min_length=4, max_length=4)]
FileName = Annotated[str, Field(pattern=f"^{NAME}$")]


class NotSaved(Exception):  # noqa: N818  (an answer)
    """Something that could not be written, for a reason that is in the log."""

    def __init__(self) -> None:
        super().__init__("the server cannot write to its disk: it may be full; its log says why")


@dataclass
class SessionRecord:
    """One session in the index.

    ``states``: number of tokens to the digest of those; ``retention``: digest of what it was begun
    with; ``files``: that hold it, in the folder of sessions, the newest last; ``history``: of each
    turn tokens, live tokens, bytes, and bytes of a full cache; ``unread``: tokens of the last turn
    that no forward has read, the last one said or what is left of a prompt that was given up;
    ``title``: what its user said first, values masked; ``beginnings``: keys of those that hold a
    part of what it has read.
    """

    id: Id
    retention: Digest
    states: dict[Whole, Digest] = field(default_factory=dict)
    files: Annotated[list[FileName], Field(max_length=MOST_FILES)] = field(default_factory=list)
    history: Annotated[list[Point], Field(max_length=POINTS)] = field(default_factory=list)
    unread: list[Whole] = field(default_factory=list)
    beginnings: list[Key] = field(default_factory=list)
    used: Annotated[float, Field(ge=0, allow_inf_nan=False)] = field(default_factory=time.time)
    title: Annotated[str, Field(max_length=64)] = field(default="", repr=False)


RECORD = TypeAdapter(SessionRecord)


def checked(about: Any, **fields: Any) -> SessionRecord | None:
    """A record from JSON, or from what JSON holds, with some other ``fields``; None when it is
    damaged."""
    try:
        known = about if isinstance(about, dict) else from_json(about)
        return RECORD.validate_python({**known, **fields})
    except (ValueError, TypeError):
        return None


class Index:
    """Records of sessions, all in memory and on disk as well; responses on disk.

    Args:
        path: of the database; None keeps all in memory.
        room: bytes of responses; the oldest go. None: ``ON_DISK``, or ``IN_MEMORY``.

    Raises:
        InputError: for a file that is no such database, cannot be written, or is another server's.
    """

    def __init__(self, path: Path | None, room: int | None = None) -> None:
        self._lock = threading.RLock()
        self._room = room or (IN_MEMORY if path is None else ON_DISK)
        try:
            if path is not None:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
            self._db.text_factory = lambda raw: raw.decode(errors="replace")  # a row's own fault
            self._db.execute("pragma locking_mode=exclusive")  # records are known in memory
            self._check()
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute("pragma secure_delete=on")
            self._db.executescript(TABLES)
            salt = self._salt()
            self.salt = bytes.fromhex(salt or secrets.token_hex(16))
            if salt is None:
                with self._db as db:
                    db.execute("insert or replace into facts values ('salt', ?)", [self.salt.hex()])
            self.sessions = self._records(salted=salt is not None)
            self._count, self._size = self._db.execute(f"{TOTALS} from responses").fetchone()
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"{path} cannot hold the index of sessions ({error}): give this server a folder of "
                "its own, or move that file away: sessions are then read from their files"
            ) from None

    def _check(self) -> None:
        """Raise sqlite3.Error for the database of another program, and a damaged one."""
        known, tables = sqlite3.connect(":memory:"), "select type, name, sql from sqlite_master"
        with contextlib.closing(known):
            known.executescript(TABLES)
            if not set(self._db.execute(tables)) <= set(known.execute(tables)):
                raise sqlite3.DatabaseError("its tables are not those of this server")
        if self._db.execute("pragma quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("it is damaged")

    def _salt(self) -> str | None:
        row = self._db.execute("select value from facts where name = 'salt'").fetchone()
        return row[0] if row and re.fullmatch(DIGEST, str(row[0])) else None

    def _records(self, *, salted: bool) -> dict[str, SessionRecord]:
        """The sessions of all rows that are whole; without their salt none is."""
        records: dict[str, SessionRecord] = {}
        taken: set[str] = set()
        for id_, about, used in self._db.execute("select id, about, used from sessions"):
            record = checked(about, id=id_, used=used) if salted else None
            if record is None or not taken.isdisjoint(record.files):
                log.warning("session %.70r: its row in the index is damaged, and not used", id_)
            else:
                taken.update(record.files)
                records[record.id] = record
        return records

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The database, for transactions of one thread. Raises NotSaved."""
        try:
            with self._lock:
                yield self._db
        except sqlite3.Error as error:
            why = getattr(error, "sqlite_errorname", type(error).__name__)
            log.error("the index of sessions cannot be written: %s", why)
            raise NotSaved from None

    def digests(self, ids: Ints, lengths: Sequence[int]) -> dict[int, str]:
        """Of the first ``lengths`` tokens, for those that ``ids`` has."""
        digest, digests, done = hashlib.blake2b(key=self.salt, digest_size=16), {}, 0
        for length in sorted(set(lengths)):
            if length > len(ids):
                break
            digest.update(ids[done:length].astype("<i8").tobytes())
            digests[length], done = digest.hexdigest(), length
        return digests

    def put(self, record: SessionRecord) -> None:
        """Write a session's record. Raises NotSaved where the file cannot be written."""
        about = asdict(record)
        row = [about.pop("id"), about.pop("used"), json.dumps(about)]
        with self._writing() as db:
            with db:
                db.execute(
                    "insert or replace into sessions (id, used, about) values (?, ?, ?)", row
                )
            self.sessions[record.id] = record

    def drop(self, id_: str, *, responses: bool = False) -> None:
        """Forget a session; its ``responses`` too, from which it could be read anew."""
        with self._writing() as db:
            with db:
                db.execute("delete from replies where session = ?", [id_])
            if responses:
                self._forget("session", id_)
            with db:
                db.execute("delete from sessions where id = ?", [id_])
            self.sessions.pop(id_, None)

    def put_response(
        self, id_: str, before: str | None, session: str, turn: Any, limit: int
    ) -> None:
        """Keep what a response of a session added to its conversation; of all responses the latest
        ``limit``, and as many as there is room for."""
        row = [id_, before, session, text := json.dumps(turn), time.time()]
        with self._writing() as db:
            count, size = self._count + 1, self._size + len(text)
            with db:
                db.execute("insert into responses values (?, ?, ?, ?, ?)", row)
                while count > limit or size > self._room:
                    oldest = "select rowid, length(turn) from responses order by rowid limit 1"
                    place, length = db.execute(oldest).fetchone()
                    db.execute("delete from responses where rowid = ?", [place])
                    count, size = count - 1, size - length
            self._count, self._size = count, size

    def put_reply(self, call: str, session: str, reply: str) -> None:
        """Keep what a session has generated, by the id of its first call, as long as the
        session."""
        with self._writing() as db, db:
            db.execute("insert or replace into replies values (?, ?, ?)", [call, session, reply])

    def reply(self, call: str) -> str | None:
        """The reply that a call begins, as JSON, unchecked; None when unknown."""
        with self._lock:
            row = self._db.execute("select reply from replies where id = ?", [call]).fetchone()
        return None if row is None else str(row[0])

    def response(self, id_: str) -> tuple[Any, Any] | None:
        """The response before it, and its turn as JSON, both unchecked; None when unknown."""
        with self._lock:
            asked = "select before, turn from responses where id = ?"
            row: tuple[Any, Any] | None = self._db.execute(asked, [id_]).fetchone()
        return row

    def drop_response(self, id_: str) -> bool:
        """Forget one response; whether it was there."""
        return self._forget("id", id_) > 0

    def _forget(self, column: str, value: str) -> int:
        """Forget responses, of which no file holds anything then; how many there were."""
        with self._writing() as db:
            with db:
                where = f"from responses where {column} = ?"
                count, size = db.execute(f"{TOTALS} {where}", [value]).fetchone()
                db.execute(f"delete {where}", [value])
            self._count, self._size = self._count - count, self._size - size
            db.execute("pragma wal_checkpoint(truncate)")
        return int(count)

    def close(self) -> None:
        """Close the database."""
        with self._lock:
            self._db.close()
