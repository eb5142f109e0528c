"""Cells that the machine cannot have: an error with the figure, and sessions that go on."""

import contextlib
import resource
from pathlib import Path

import pytest

import servers
import transactional_attention as ta
from llama_cpp_chats import CHAT, answers, llama_engine
from transactional_attention.engines.llama_cpp import sessions

RULES = {"role": "system", "content": "Never guess. " * 60}
PINNED = dict(pinned=("system",), positions="rolling")


@contextlib.contextmanager
def no_more_than(size):
    """While the process may take ``size`` more bytes of addresses."""
    pages, limits = Path("/proc/self/statm").read_text().split()[0], resource.RLIMIT_AS
    most = resource.getrlimit(limits)
    taken = int(pages) * resource.getpagesize()
    resource.setrlimit(limits, (taken + size, most[1]))
    try:
        yield
    finally:
        resource.setrlimit(limits, most)


def test_cells_for_what_is_pinned_are_refused_before_they_are_made(serve, gguf, monkeypatch):
    server = serve(llama_engine(gguf, **PINNED), **PINNED)
    client, engine = server.client(), server.engine
    first = servers.ask(client, servers.FIRST, session="mine")
    context, needed = engine.context, engine.cell_bytes * 2000
    monkeypatch.setattr(sessions, "free_memory", lambda: needed)
    with pytest.raises(servers.openai.BadRequestError, match=r"--cell-type q8_0") as refused:
        servers.ask(client, [RULES, servers.NEXT])
    assert f"{needed / 1e6:,.1f} MB are free" in str(refused.value)
    assert engine.context is context
    chat = [*servers.FIRST, {"role": "assistant", "content": servers.said(first)}, servers.NEXT]
    assert servers.ask(client, chat, session="mine").session["kept"] > 0
    monkeypatch.setattr(sessions, "free_memory", lambda: None)
    assert servers.ask(client, [RULES, servers.NEXT]).choices and engine.context is not context


def test_cells_that_the_library_cannot_make_leave_sessions_as_they_were(gguf):
    engine = llama_engine(gguf, **PINNED)
    alone, session = (one.session(one.retention) for one in (llama_engine(gguf, **PINNED), engine))
    for given in (alone, session):
        answers(given, engine.tokenizer, CHAT[1:2])
    engine.seat(session)
    context, cells = engine.context, 1 << 20
    with no_more_than(64 << 20), pytest.raises(ta.InputError, match=f"{cells} pinned tokens") as e:
        engine.grow(cells, engine.retention)
    assert "cannot make" in str(e.value) and "--pin none" in str(e.value)
    assert engine.context is context and engine._seated == [session]
    said = [answers(given, engine.tokenizer, CHAT[1:]) for given in (alone, session)]
    assert said[0] == said[1]
