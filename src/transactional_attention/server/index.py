"""What a server knows of its sessions and responses, in SQLite: on disk, or in memory alone.

Every change is one transaction, on the disk before it is acknowledged. Sessions are known by salted
digests of the tokens that they can go on from; responses are kept with their messages, which
``previous_response_id`` asks for, so the file is as secret as the conversations (mode 0600).
"""

import hashlib
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..types import Ints

TABLES = """
create table if not exists facts (name text primary key, value text not null);
create table if not exists sessions (id text primary key, about text not null, used real not null);
create table if not exists responses (
  id text primary key, before text, session text, turn text not null, made real not null);
"""
IN_MEMORY = 1 << 26  # bytes of responses that are not on the disk
FIELDS = ("retention", "states", "files", "history", "unread")


@dataclass
class SessionRecord:
    """One session in the index.

    ``states``: number of tokens to the digest of those; ``retention``: digest of what it was begun
    with; ``files``: that hold it, in the folder of sessions, the newest last; ``history``: of each
    turn tokens, live tokens, bytes, and bytes of a full cache; ``unread``: tokens of the last turn
    that no forward has read, the last one said or what is left of a prompt that was given up.
    """

    id: str
    retention: str
    states: dict[int, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    history: list[list[int]] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    used: float = field(default_factory=time.time)


class Index:
    """Records of sessions, all in memory and on disk as well; responses on disk.

    Args:
        path: of the database; None keeps all in memory.

    Raises:
        InputError: for a file that is no such database, cannot be written, or is another server's.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.RLock()
        self._room = IN_MEMORY if path is None else 1 << 62
        try:
            if path is not None:
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
            self._db.execute("pragma locking_mode=exclusive")  # records are known in memory
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.executescript(TABLES)
            known = dict(self._db.execute("select name, value from facts"))
            self.salt = bytes.fromhex(known.get("salt", secrets.token_hex(16)))
            with self._db as db:
                db.execute("insert or ignore into facts values ('salt', ?)", [self.salt.hex()])
            rows = self._db.execute("select id, about, used from sessions").fetchall()
            self.sessions = {id_: _record(id_, about, used) for id_, about, used in rows}
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            why = type(error).__name__ if isinstance(error, ValueError | TypeError) else error
            raise InputError(
                f"{path} cannot hold the index of sessions ({why}): "
                "give this server a folder of its own"
            ) from None

    def digests(self, ids: Ints, lengths: Sequence[int]) -> dict[int, str]:
        """Of the first ``lengths`` tokens, for those that ``ids`` has."""
        digest, found, done = hashlib.blake2b(key=self.salt, digest_size=16), {}, 0
        for length in sorted(set(lengths)):
            if length > len(ids):
                break
            digest.update(ids[done:length].astype("<i8").tobytes())
            found[length], done = digest.hexdigest(), length
        return found

    def put(self, record: SessionRecord) -> None:
        """Write a session's record."""
        about = {name: getattr(record, name) for name in FIELDS}
        with self._lock, self._db as db:
            db.execute(
                "insert or replace into sessions values (?, ?, ?)",
                [record.id, json.dumps(about), record.used],
            )
            self.sessions[record.id] = record

    def drop(self, id_: str, *, responses: bool = False) -> None:
        """Forget a session; its ``responses`` too, from which it could be read anew."""
        with self._lock, self._db as db:
            db.execute("delete from sessions where id = ?", [id_])
            if responses:
                db.execute("delete from responses where session = ?", [id_])
            self.sessions.pop(id_, None)

    def put_response(
        self, id_: str, before: str | None, session: str, turn: Any, limit: int
    ) -> None:
        """Keep what a response of a session added to its conversation; of all responses the latest
        ``limit``, and in memory as many as there is room for."""
        with self._lock, self._db as db:
            row = [id_, before, session, json.dumps(turn), time.time()]
            db.execute("insert into responses values (?, ?, ?, ?, ?)", row)
            db.execute(
                "delete from responses where id in (select id from (select id, "
                "row_number() over latest as place, sum(length(turn)) over latest as size "
                "from responses window latest as (order by made desc, rowid desc "
                "rows unbounded preceding)) where place > ? or size > ?)",
                [limit, self._room],
            )

    def response(self, id_: str) -> tuple[str | None, Any] | None:
        """The response before it, and its turn; None when unknown."""
        with self._lock:
            row = self._db.execute(
                "select before, turn from responses where id = ?", [id_]
            ).fetchone()
        return None if row is None else (row[0], json.loads(row[1]))

    def drop_response(self, id_: str) -> bool:
        """Forget one response; whether it was there."""
        with self._lock, self._db as db:
            return db.execute("delete from responses where id = ?", [id_]).rowcount > 0

    def close(self) -> None:
        """Close the database."""
        self._db.close()


def _record(id_: str, about: str, used: float) -> SessionRecord:
    known = json.loads(about)
    states = {int(length): digest for length, digest in known.pop("states").items()}
    return SessionRecord(id_, states=states, used=used, **known)
