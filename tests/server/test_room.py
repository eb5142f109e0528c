"""What the machine cannot hold is refused with the figure, before it is taken."""

import re
from types import SimpleNamespace

import pytest

import servers
from transactional_attention import InputError
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.transformers import sessions
from transactional_attention.server.room import check_room

RULES = {"role": "system", "content": "Never guess. " * 60}
CHAT = [RULES, {"role": "user", "content": "What is it?"}]


def test_pinned_tokens_without_room_are_refused_and_others_go_on(serve, monkeypatch):
    server = serve(pinned=("system",))
    client, token = server.client(), server.engine.token_bytes
    first = servers.ask(client, servers.FIRST, session="mine")
    monkeypatch.setattr(sessions, "free_memory", lambda: 500 * token)
    with pytest.raises(servers.openai.BadRequestError, match="--pin none") as refused:
        servers.ask(client, CHAT)
    figures = r"(\d+) pinned tokens and K = 96 take ([\d.]+) MB more of memory, and ([\d.]+) MB are"
    pinned, needed, free = re.search(figures, str(refused.value)).groups()
    assert int(pinned) > len(RULES["content"])
    assert float(needed) == pytest.approx(2 * (int(pinned) + 96) * token / 1e6, abs=0.1)
    assert float(free) == pytest.approx(500 * token / 1e6, abs=0.1)
    listed = servers.httpx.get(f"{server.url}/v1/sessions").json()["data"]
    assert [one["id"] for one in listed] == ["mine"]
    chat = [*servers.FIRST, {"role": "assistant", "content": servers.said(first)}, servers.NEXT]
    assert servers.ask(client, chat, session="mine").session["kept"] > 0
    monkeypatch.setattr(sessions, "free_memory", lambda: None)
    assert servers.ask(client, CHAT).choices


def test_what_a_session_holds_is_not_wanted_again():
    """A first turn takes the cache and a state before the reply, a second one a state more."""
    engine = servers.tiny_engine()
    session = engine.session(servers.Retention(96, pinned=("system",)))
    chat, wanted = [*CHAT], []
    for _ in range(4):
        prompt = chat_prompt(engine.tokenizer, chat)
        wanted.append(session.needs(prompt))
        for token in session.steps(prompt, Sampling()):
            if token is not None:
                break
        session.settle()
        chat += [
            {"role": "assistant", "content": "Yes."},
            {"role": "user", "content": "Why? " * 30},
        ]
    assert wanted[0] > wanted[1] > wanted[2] and wanted[3] <= 2 * engine.token_bytes


def test_turns_that_have_begun_take_theirs_first():
    engine = SimpleNamespace(free_bytes=lambda: 100, smaller="less")
    retention = servers.Retention(96)
    prompt = SimpleNamespace(sources=[], ids=[1])

    def turn(size):
        return SimpleNamespace(needs=lambda given: size, retention=retention), prompt

    check_room(engine, *turn(60), [turn(40)])
    check_room(engine, *turn(0), [turn(400)])
    with pytest.raises(InputError, match=r"0 pinned tokens and K = 96 .* serve with .* less"):
        check_room(engine, *turn(60), [turn(30), turn(11)])
