"""What many conversations begin with, read once: after the system's message and the tools, and
before the message that asks.

A beginning is a session at rest that no turn goes on with; turns go on with forks of it. It is
known by what was read and how, never by who sent it, and ends only where a prompt read from
nothing ends a chunk too (``shared_ends``): a fork goes on as if all were read anew.
"""

import hashlib
import json
import logging
import os
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from ..config import Retention
from ..engines.cache_file import begins
from ..engines.prompts import Prompt
from ..engines.session import Engine, Session
from ..engines.session_files import is_cut_off, is_made, path_of, peek_about, remove
from ..errors import InputError
from ..retention.chunks import shared_ends

ROOM = 1 << 30  # bytes where nobody says how many
FOLDER = "beginnings"  # beside the saved sessions
KEY, KEY_BYTES = "beginning", 12  # a key names the file, as ``session_files.NAME`` has it
log = logging.getLogger(__name__)


@dataclass
class Beginning:
    """One of them: its bytes, and when it was used; ``session``: None while it is on disk alone."""

    size: int
    used: float
    session: Session | None = None
    saved: bool = False


class Beginnings:
    """All of one engine, the longest unused first. The worker alone calls it, but for ``write``.

    Args:
        room: bytes of all; the longest unused go. 0: none is kept.
        salt: of their keys.
        folder: where they are saved; None keeps them in memory alone.
    """

    def __init__(self, engine: Engine, room: int, salt: bytes, folder: Path | None) -> None:
        self.engine, self.room, self.salt, self.folder = engine, room, salt, folder
        self.known: dict[str, Beginning] = {}
        self._writing = threading.Lock()

    def begin(self) -> None:
        """Take up those of an earlier server, and remove what is damaged or a stop has cut off.
        Raises OSError for a folder that cannot be used."""
        if self.folder is None:
            return
        self.folder.mkdir(mode=0o700, exist_ok=True)
        entries: list[tuple[str, Beginning]] = []
        for path in self.folder.iterdir():
            if is_made(path) and peek_about(path) == {KEY: path.stem}:
                file = path.stat()
                entries.append((path.stem, Beginning(file.st_size, file.st_mtime, saved=True)))
            elif is_cut_off(path) or (is_made(path) and begins(path)):
                path.unlink()
        self.known.update(sorted(entries, key=lambda item: item[1].used))
        self._trim()

    @property
    def num_bytes(self) -> int:
        """Bytes of all of them."""
        return sum(one.size for one in list(self.known.values()))

    def keys(self, prompt: Prompt, retention: Retention) -> dict[int, str]:
        """What the beginnings of a prompt are known by, by the number of their tokens."""
        if not self.room:
            return {}
        about = [asdict(retention), self.engine.name, dict(self.engine.settings)]
        keys = {}
        for length in shared_ends(prompt.sources, prompt.border):
            read = [s for s in prompt.sources if s.span.start < length]
            wrote = [[min(s.span.end, length), s.source, s.template] for s in read]
            digest = hashlib.blake2b(key=self.salt, digest_size=KEY_BYTES)
            digest.update(json.dumps([about, wrote], sort_keys=True).encode())
            digest.update(prompt.ids[:length].astype("<i8").tobytes())
            keys[length] = digest.hexdigest()
        return keys

    def longest(self, keys: Mapping[int, str]) -> int:
        """How many tokens of a prompt with these keys need not be read."""
        return max((length for length, key in keys.items() if key in self.known), default=0)

    def fork(self, prompt: Prompt, length: int, key: str, retention: Retention) -> Session | None:
        """A session that stands after a beginning that is known; None where its file cannot be
        used, which is then gone."""
        one = self.known[key]
        if one.session is None:
            one.session = self._loaded(key)
        session = one.session
        if (
            session is None
            or session.retention != retention
            or not np.array_equal(session.ids, prompt.ids[:length])
        ):
            self.drop(key)
            return None
        one.used = time.time()
        self.known[key] = self.known.pop(key)
        if one.saved and (path := self._path(key)) is not None:
            try:
                os.utime(path)  # the order of use, for the next server
            except OSError as error:
                log.warning("%s cannot be touched: %s", path.name, error.strerror)
        return session.fork(length)

    def _loaded(self, key: str) -> Session | None:
        path = self._path(key)
        if path is None:
            return None
        try:
            return self.engine.load(path)
        except Exception as error:  # what a file holds may not end a turn
            log.warning("a beginning cannot be loaded: %s", type(error).__name__)
            return None

    def keep(self, key: str, session: Session) -> None:
        """Take in a session that stands after a beginning, where there is room for it."""
        session.settle()
        size = session.stored_bytes()
        if session.flow is not None:
            memories = (sequence.memory for sequence in session.flow.sequences)
            size += sum(memory.num_bytes for memory in memories if memory is not None)
        if size <= self.room:
            self.known[key] = Beginning(size, time.time(), session)
            self._trim()

    def write(self, keys: Iterable[str]) -> None:
        """Save the beginnings of these keys that are not on the disk yet. One that cannot be saved
        is logged, and stays in memory."""
        for key in keys:
            path, one = self._path(key), self.known.get(key)
            if path is None or self.folder is None or one is None:
                continue
            with self._writing:
                if one.saved or one.session is None or key not in self.known:
                    continue
                try:
                    made = one.session.save(self.folder, {KEY: key})
                    os.replace(path_of(self.folder, made[-1]), path)
                    one.size, one.saved = path.stat().st_size, True
                except (InputError, OSError) as error:
                    log.error("a beginning cannot be saved: %s", type(error).__name__)

    def drop(self, key: str) -> bool:
        """Forget one and its file; whether no file has it any more."""
        one, path = self.known.pop(key, None), self._path(key)
        if one is not None and one.session is not None:
            one.session.close()
        if path is not None:
            with self._writing:  # what is being written is whole before it goes
                try:
                    remove(path)
                except OSError as error:
                    log.error("a beginning cannot be removed: %s", error.strerror)
                    return False
        return True

    def rest(self, idle: float) -> None:
        """Keep on the disk alone what nobody has used for ``idle`` seconds."""
        for one in self.known.values():
            if one.saved and one.session is not None and time.time() - one.used > idle:
                one.session.close()
                one.session = None

    def _trim(self) -> None:
        while self.known and self.num_bytes > self.room:
            self.drop(next(iter(self.known)))

    def _path(self, key: str) -> Path | None:
        return None if self.folder is None else self.folder / f"{key}.session"
