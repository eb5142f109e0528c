"""A session on disk, in several files of the caches' own format: a turn writes what it changed.

Its states, now and before earlier replies, hold mostly the same tokens. What a token has in all
layers is written once, under its position; what is known beside it with every turn. It knows
neither engines nor when files may go.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import DamagedError, InputError
from ..files import TEMPORARY
from ..retention.saving.records import Count, check, part_of, read
from ..types import Ints
from . import cache_file
from .cache_file import Tensors, under

MOST_FILES = 8  # of a session
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
    found = TEMPORARY.fullmatch(path.name)
    made = found is not None and re.fullmatch(NAME, found[1]) is not None
    return made and _is_file(path) and cache_file.begins(path)


def remove(path: Path) -> None:
    """Remove a file of a session, or a link in its place; what else may be there stays."""
    if path.is_file() or path.is_symlink():
        path.unlink(missing_ok=True)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


class SavedState(NamedTuple):
    """One state: ``rows`` {name: [token, ..]} of its tokens at ``positions`` [token], the same in
    every state of the session that holds them; the rest of its tensors, and its record."""

    positions: Ints
    rows: Tensors
    tensors: Tensors
    record: dict[str, Any]


class SessionFiles:
    """Which file holds which rows; ``known``: name to positions, the oldest file first."""

    def __init__(self, known: Mapping[str, tuple[int, Ints]] | None = None) -> None:
        self.known = dict(known or {})  # a file's number of rows, and positions that are valid

    def forget(self, length: int) -> None:
        """The tokens from ``length`` on are others now."""
        self.known = {n: (size, held[held < length]) for n, (size, held) in self.known.items()}

    def save(
        self, folder: Path, states: Sequence[SavedState], ids: Ints, about: Mapping[str, Any]
    ) -> list[str]:
        """Write a new file; the names of all that hold the session now, the new one last. Raises
        InputError when it cannot be written."""
        empty = np.zeros(0, np.int64)
        wanted = np.unique(np.concatenate([empty, *(state.positions for state in states)]))
        kept = {
            name: (size, held)
            for name, (size, all_held) in self.known.items()
            if 2 * len(held := np.intersect1d(all_held, wanted)) > size
        }
        if len(kept) >= MOST_FILES - 1:
            kept = {}
        new = np.setdiff1d(wanted, np.concatenate([empty, *(held for _, held in kept.values())]))
        found = _rows_at([(state.positions, state.rows) for state in states], new)
        tensors = {f"rows.{name}": rows for name, rows in found.items()}
        tensors |= {"positions": new, "ids": ids}
        for number, (_, held) in enumerate(kept.values()):
            tensors[f"held.{number}"] = held
        for number, state in enumerate(states):
            own = {**state.tensors, "positions": state.positions}
            tensors |= {f"states.{number}.{name}": tensor for name, tensor in own.items()}
        files = {name: size for name, (size, _) in kept.items()}
        record = {**about, "states": [state.record for state in states], "files": files}
        name = f"{secrets.token_hex(12)}.session"
        cache_file.write(path_of(folder, name), tensors, record)
        self.known = {**kept, name: (len(new), new)}
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
    """Of a session by its newest file: the names of all its files, the newest last, which are
    there; all ids; and what a server says of it. Raises InputError as ``load_session``."""
    with cache_file.understanding(path):
        tensors, record = _read(path)
        files = read(dict[str, Count], record["files"], "files")
        if not all(path_of(path.parent, name).is_file() for name in files):
            raise DamagedError(f"{path} goes on from a file that is missing")
        return [*files, path.name], _ids(tensors), record["session"]


def _read(path: Path) -> tuple[Tensors, dict[str, Any]]:
    """The tensors and the record of a session's file."""
    tensors, record = cache_file.read(path)
    if not isinstance(record.get("files"), dict):
        raise InputError(f"{path} holds a cache and no session of a server")
    return tensors, record


def _loaded(
    path: Path, tensors: Tensors, record: dict[str, Any]
) -> tuple[SessionFiles, list[SavedState], Ints, dict[str, Any]]:
    files = read(dict[str, Count], record["files"], "files")
    saved = read(list[dict[str, Any]], record["states"], "states")
    known: dict[str, tuple[int, Ints]] = {}
    parts: list[tuple[Ints, Tensors]] = []
    for number, (name, size) in enumerate(files.items()):
        known[name] = size, (held := _ascending(tensors, f"held.{number}"))
        older, _ = cache_file.read(path_of(path.parent, name))
        positions, rows = _written(older)
        check(np.isin(held, positions).all(), f"held.{number}")
        index = np.searchsorted(positions, held)
        parts.append((held, {k: own[index] for k, own in rows.items()}))
    new, rows = _written(tensors)
    known[path.name] = len(new), new
    parts.append((new, rows))
    every = np.concatenate([held for held, _ in parts])
    shapes = [{k: own.shape[1:] for k, own in rows.items()} for held, rows in parts if len(held)]
    check(all(shape == shapes[-1] for shape in shapes), "rows")
    states = []
    for number, own in enumerate(saved):
        rest = under(f"states.{number}.", tensors)
        positions = part_of(rest, "positions", [None], np.int64)
        twice = len(np.unique(positions)) < len(positions)
        check(np.isin(positions, every).all() and not twice, f"states.{number}")
        del rest["positions"]
        states.append(SavedState(positions, _rows_at(parts, positions), rest, own))
    return SessionFiles(known), states, _ids(tensors), record


def _ids(tensors: Tensors) -> Ints:
    """All ids [token] of a session."""
    return part_of(tensors, "ids", [None], np.int64)


def _ascending(tensors: Tensors, name: str) -> Ints:
    """Positions [token] as a file has them."""
    positions = part_of(tensors, name, [None], np.int64)
    check((np.diff(positions) > 0).all(), name)
    return positions


def _written(tensors: Tensors) -> tuple[Ints, Tensors]:
    """The positions of a file, and its rows."""
    positions, rows = _ascending(tensors, "positions"), under("rows.", tensors)
    check(all(own.ndim and len(own) == len(positions) for own in rows.values()), "rows")
    return positions, rows


def _rows_at(parts: Sequence[tuple[Ints, Tensors]], wanted: Ints) -> Tensors:
    """The rows of some tokens, in their order, each from the first part that has it."""
    found: list[Tensors] = []
    order: list[Ints] = []
    left = wanted
    for held, rows in parts:
        own = np.flatnonzero(np.isin(held, left))
        if len(own):
            found.append({name: part[own] for name, part in rows.items()})
            order.append(held[own])
            left = np.setdiff1d(left, order[-1])
    if not found:
        return {}
    taken = np.concatenate(order)
    ascending = np.argsort(taken)
    place = ascending[np.searchsorted(taken[ascending], wanted)]
    return {name: np.concatenate([part[name] for part in found])[place] for name in found[0]}
