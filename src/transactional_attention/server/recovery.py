"""What stops, and a lost or damaged index, have left in a folder of sessions: put right at a start.

A file is this server's when its name is one that ``SessionFiles`` makes and it begins as one; all
others stay as they are.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..engines.session_files import is_cut_off, is_made, load_about, path_of, peek_about, remove
from ..errors import InputError
from .index import Index, NotSaved, SessionRecord, checked

log = logging.getLogger(__name__)


def recover(folder: Path, index: Index) -> None:
    """Drop sessions whose files are missing, read those that the index lacks from their newest
    file, and remove files that turns left when a stop cut them off. What fails is logged."""
    try:
        _drop_incomplete(folder, index)
        orphans = list(_unnamed(folder, _named(index)))
        for path, record in sorted(orphans, key=lambda item: -item[1].used):
            if record.id not in index.sessions:
                _rebuild(path, index)
        named = _named(index)
        for path, record in orphans:
            if record.id not in index.sessions:
                log.warning("%s is left alone: its session cannot be read from it", path.name)
            elif path.name not in named:
                path.unlink()
        for path in folder.iterdir():
            if is_cut_off(path):
                path.unlink()
    except (OSError, NotSaved) as error:
        log.error("the folder of sessions cannot be put in order: %s", type(error).__name__)


def _named(index: Index) -> set[str]:
    return {name for record in index.sessions.values() for name in record.files}


def _drop_incomplete(folder: Path, index: Index) -> None:
    for record in list(index.sessions.values()):
        paths = [path_of(folder, name) for name in record.files]
        if not paths or not all(path.is_file() for path in paths):
            log.warning("session %s is forgotten: its files are missing", record.id)
            for path in paths:
                remove(path)
            index.drop(record.id)


def _unnamed(folder: Path, named: set[str]) -> Iterator[tuple[Path, SessionRecord]]:
    """Whole files of this server that no session names, and what each says of its own."""
    for path in sorted(folder.iterdir()):
        if path.name in named or not is_made(path):
            continue
        if (record := checked(peek_about(path))) is None:
            log.warning("%s is left alone: it does not say which session it holds", path.name)
        else:
            yield path, record


def _rebuild(path: Path, index: Index) -> None:
    try:
        names, ids, about = load_about(path)
    except InputError as error:
        log.warning("%s cannot be used: %s", path.name, type(error).__name__)
        return
    if (record := checked(about, files=names)) is not None:
        log.warning("session %s was not in the index: it is read from its files", record.id)
        index.put(replace(record, states=index.digests(ids, list(record.states))))
