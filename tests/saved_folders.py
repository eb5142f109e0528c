"""Folders of saved sessions, and turns without HTTP."""

import contextlib
import sqlite3

import servers
from transactional_attention import Retention
from transactional_attention.engines.prompts import text_prompt
from transactional_attention.engines.sampling import Sampling

DEFAULT = Retention(budget=96)
TEXT = "The door code is 730184. It rained all day, and the plants were watered. " * 3


@contextlib.contextmanager
def opened(engine, folder, *, begun=True, **bounds):
    """Sessions of a server that starts on a folder, and stops."""
    sessions = servers.Sessions(engine, servers.Bounds(**bounds), folder)
    try:
        if begun:
            sessions.begin()
        yield sessions
    finally:
        sessions.index.close()


def turn(sessions, name, text=TEXT):
    """A turn of a session as a worker takes it; how many tokens were kept."""
    held = sessions.take(text_prompt(sessions.engine.tokenizer, text), None, name, DEFAULT)
    steps = held.session.steps(text_prompt(sessions.engine.tokenizer, text), Sampling())
    with contextlib.closing(steps):
        next(token for token in steps if token is not None)
    held.session.settle()
    try:
        sessions.finish(held)
    except BaseException:
        sessions.abandon(held)
        raise
    finally:
        sessions.release(held.record.id, name)
    return held.kept


@contextlib.contextmanager
def database(folder):
    """The index of a server that has stopped."""
    with contextlib.closing(sqlite3.connect(folder / "sessions.sqlite")) as db, db:
        yield db
