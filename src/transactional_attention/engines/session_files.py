"""A session on disk, in several files of the caches' own format: a turn writes what it changed.

Its states, now and before earlier replies, hold mostly the same tokens. What a token has in all
layers is written once, under its position; what is known beside it with every turn. It knows
neither engines nor when files may go.
"""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import DamagedError, InputError
from ..files import TEMPORARY
from ..retention.saving.records import Count, check, part_of, read
from ..types import Arrays, Ints
from . import cache_file
from .cache_file import under

MOST_FILES = 8  # of a session
PARTS = "parts"  # of a record: the other files, and how many rows they have
EMPTY: Ints = np.zeros(0, np.int64)
NAME = r"[0-9a-f]{24}\.session"  # of every file of a session


def path_of(folder: Path, name: Any) -> Path:
    """Where a file of a session lies. Raises DamagedError for a name that no session has."""
    if not isinstance(name, str) or re.fullmatch(NAME, name) is None:
        raise DamagedError("a session names a file that is none of its own")
    return folder / name


def is_made(path: Path) -> bool:
    """Whether a file has the name of a session's file, and is no link."""
    return re.fullmatch(NAME, path.name) is not None and _is_file(path)


def is_cut_off(path: Path) -> bool:
    """Whether a file is what a stop left of one that ``SessionFiles`` was writing."""
    match = TEMPORARY.fullmatch(path.name)
    made = match is not None and re.fullmatch(NAME, match[1]) is not None
    return made and _is_file(path) and cache_file.begins(path)


def remove(path: Path) -> None:
    """Remove a file of a session, or a link in its place; what else may be there stays."""
    if path.is_file() or path.is_symlink():
        path.unlink(missing_ok=True)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


class Pool(NamedTuple):
    """``rows`` {name: [token, ..]} of tokens at ``positions`` [token]."""

    positions: Ints
    rows: Arrays


class SavedState(NamedTuple):
    """One state: by name the rows of tokens that are the same in every state of the session that
    has them; the rest of its tensors, and its record."""

    pools: Mapping[str, Pool]
    tensors: Arrays
    record: dict[str, Any]


class PoolRows(NamedTuple):
    """Of a pool in a file: its number of rows, and the positions whose rows are valid."""

    size: int
    positions: Ints


class SessionFiles:
    """Which file holds which rows; ``known``: by a file's name and a pool's, the oldest first."""

    def __init__(self, known: Mapping[str, Mapping[str, PoolRows]] | None = None) -> None:
        self.known = dict(known or {})

    def forget(self, length: int) -> None:
        """The tokens from ``length`` on are others now."""
        self.known = {
            name: {
                pool: PoolRows(held.size, held.positions[held.positions < length])
                for pool, held in pools.items()
            }
            for name, pools in self.known.items()
        }

    def save(
        self, folder: Path, states: Sequence[SavedState], ids: Ints, about: Mapping[str, Any]
    ) -> list[str]:
        """Write a new file; the names of all that hold the session now, the new one last. Raises
        InputError when it cannot be written."""
        given: dict[str, list[Pool]] = {}
        for state in states:
            for name, pool in state.pools.items():
                given.setdefault(name, []).append(pool)
        wanted = {n: _all(pool.positions for pool in pools) for n, pools in given.items()}
        kept = {}
        for file, pools in self.known.items():
            left = {
                n: PoolRows(h.size, np.intersect1d(h.positions, wanted.get(n, EMPTY)))
                for n, h in pools.items()
            }
            if 2 * sum(len(held.positions) for held in left.values()) > sum(
                held.size for held in left.values()
            ):
                kept[file] = left
        if len(kept) >= MOST_FILES - 1:
            kept = {}
        tensors, made = {"ids": ids}, dict[str, PoolRows]()
        for name, content in given.items():
            there = _all(pools[name].positions for pools in kept.values() if name in pools)
            new = np.setdiff1d(wanted[name], there)
            made[name] = PoolRows(len(new), new)
            tensors[f"pools.{name}.positions"] = new
            new_rows = _rows_at(content, new)
            tensors |= {f"pools.{name}.rows.{part}": rows for part, rows in new_rows.items()}
        for number, pools in enumerate(kept.values()):
            tensors |= {f"held.{number}.{name}": held.positions for name, held in pools.items()}
        for number, state in enumerate(states):
            tensors |= {f"states.{number}.own.{n}": content for n, content in state.tensors.items()}
            tensors |= {f"states.{number}.at.{n}": p.positions for n, p in state.pools.items()}
        sizes = {file: {n: held.size for n, held in pools.items()} for file, pools in kept.items()}
        record = {**about, "states": [state.record for state in states], PARTS: sizes}
        file = f"{secrets.token_hex(12)}.session"
        cache_file.write(path_of(folder, file), tensors, record)
        self.known = {**kept, file: made}
        return list(self.known)


def load_session(path: Path) -> tuple[SessionFiles, list[SavedState], Ints, dict[str, Any]]:
    """What ``SessionFiles.save`` wrote, by its newest file: the states, all ids, and ``about``.
    Raises InputError for files that are missing, damaged or of another kind."""
    with cache_file.understanding(path):
        return _loaded(path, *_read(path))


def peek_about(path: Path) -> Any:
    """What a server says of the session in a file, unchecked; None for files of none."""
    record = cache_file.peek(path)
    return record.get("session") if isinstance(record, dict) else None


def load_about(path: Path) -> tuple[list[str], Ints, Any]:
    """What is known of a session without reading its states; ``path``: its newest file.

    Returns the names of all its files, the newest last; all its token ids [token]; and the record
    that a server saved with it. Raises InputError as ``load_session``, also for a file that is
    missing."""
    with cache_file.understanding(path):
        tensors, record = _read(path)
        files = read(dict[str, dict[str, Count]], record[PARTS], PARTS)
        if not all(path_of(path.parent, name).is_file() for name in files):
            raise DamagedError(f"{path} goes on from a file that is missing")
        return [*files, path.name], _ids(tensors), record["session"]


def _read(path: Path) -> tuple[Arrays, dict[str, Any]]:
    """The tensors and the record of a session's file."""
    tensors, record = cache_file.read(path)
    if not isinstance(record.get(PARTS), dict):
        raise InputError(f"{path} holds a cache and no session of a server, or of an older release")
    return tensors, record


def _loaded(
    path: Path, tensors: Arrays, record: dict[str, Any]
) -> tuple[SessionFiles, list[SavedState], Ints, dict[str, Any]]:
    files = read(dict[str, dict[str, Count]], record[PARTS], PARTS)
    saved = read(list[dict[str, Any]], record["states"], "states")
    known: dict[str, dict[str, PoolRows]] = {}
    parts: dict[str, list[Pool]] = {}
    for number, (file, sizes) in enumerate(files.items()):
        older, _ = cache_file.read(path_of(path.parent, file))
        pools, known[file] = _written(older), {}
        for name, size in sizes.items():
            held = _ascending(tensors, f"held.{number}.{name}")
            pool = pools.get(name, Pool(EMPTY, {}))
            check(np.isin(held, pool.positions).all(), f"held.{number}.{name}")
            index = np.searchsorted(pool.positions, held)
            known[file][name] = PoolRows(size, held)
            rows = {part: content[index] for part, content in pool.rows.items()}
            parts.setdefault(name, []).append(Pool(held, rows))
    known[path.name] = {}
    for name, pool in _written(tensors).items():
        known[path.name][name] = PoolRows(len(pool.positions), pool.positions)
        parts.setdefault(name, []).append(pool)
    for name, content in parts.items():
        shapes = [{k: r.shape[1:] for k, r in p.rows.items()} for p in content if len(p.positions)]
        check(all(shape == shapes[-1] for shape in shapes), f"pools.{name}")
    states = []
    for number, state in enumerate(saved):
        pools = {}
        for name, positions in under(f"states.{number}.at.", tensors).items():
            positions = part_of({name: positions}, name, [None], np.int64)
            content = parts.get(name, [])
            twice = len(np.unique(positions)) < len(positions)
            pool_positions = _all(pool.positions for pool in content)
            check(np.isin(positions, pool_positions).all() and not twice, f"states.{number}.{name}")
            pools[name] = Pool(positions, _rows_at(content, positions))
        states.append(SavedState(pools, under(f"states.{number}.own.", tensors), state))
    return SessionFiles(known), states, _ids(tensors), record


def _ids(tensors: Arrays) -> Ints:
    """All ids [token] of a session."""
    return part_of(tensors, "ids", [None], np.int64)


def _ascending(tensors: Arrays, name: str) -> Ints:
    """Positions [token] as a file has them."""
    positions = part_of(tensors, name, [None], np.int64)
    check((np.diff(positions) > 0).all(), name)
    return positions


def _all(positions: Iterable[Ints]) -> Ints:
    """Those that are in any, ascending."""
    return np.unique(np.concatenate([EMPTY, *positions]))


def _written(tensors: Arrays) -> dict[str, Pool]:
    """The pools of a file."""
    pools, entries = {}, under("pools.", tensors)
    for name in {name.partition(".")[0] for name in entries}:
        pool_tensors = under(f"{name}.", entries)
        positions, rows = _ascending(pool_tensors, "positions"), under("rows.", pool_tensors)
        check(all(part.ndim and len(part) == len(positions) for part in rows.values()), "rows")
        pools[name] = Pool(positions, rows)
    return pools


def _rows_at(pools: Sequence[Pool], wanted: Ints) -> Arrays:
    """The rows of some tokens, in their order, each from the first pool that has it."""
    parts: list[Arrays] = []
    order: list[Ints] = []
    left = wanted
    for held, rows in pools:
        indices = np.flatnonzero(np.isin(held, left))
        if len(indices):
            parts.append({name: part[indices] for name, part in rows.items()})
            order.append(held[indices])
            left = np.setdiff1d(left, order[-1])
    if not parts:
        return {}
    taken = np.concatenate(order)
    ascending = np.argsort(taken)
    place = ascending[np.searchsorted(taken[ascending], wanted)]
    return {name: np.concatenate([part[name] for part in parts])[place] for name in parts[0]}
