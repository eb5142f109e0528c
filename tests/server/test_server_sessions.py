"""Sessions of a server: recognised, bounded, saved, and brought back."""

import signal
import sqlite3
import threading

import pytest

import servers
import transactional_attention as ta
from scenes import VALUES

OTHER = {"role": "user", "content": "And the weather?"}
ALONE = servers.Bounds(beginnings=0)  # what is kept of a prompt is its session's


def grown(answer, *messages):
    """A chat with its answer and what is said next."""
    message = {"role": "assistant", "content": servers.said(answer)}
    return [*servers.FIRST, message, *messages]


def kept(answer):
    return answer.usage.prompt_tokens_details.cached_tokens


def test_a_chat_that_grows_is_one_session(serve):
    client = serve().client()
    first = servers.ask(client, servers.FIRST)
    second = servers.ask(client, grown(first, servers.NEXT))
    assert second.session["id"] == first.session["id"] and second.session["kept"] == kept(second)
    assert kept(second) > 100 and kept(first) == 0
    assert servers.ask(client, [OTHER]).session["id"] != first.session["id"]


def test_another_way_from_an_old_turn_is_a_session_of_its_own(serve):
    client = serve().client()
    first = servers.ask(client, servers.FIRST)
    second = servers.ask(client, grown(first, servers.NEXT))
    more = [*grown(first, servers.NEXT), {"role": "assistant", "content": "Yes."}, OTHER]
    third = servers.ask(client, more)
    branch = servers.ask(client, grown(first, OTHER))
    assert first.session["id"] == second.session["id"] == third.session["id"]
    assert branch.session["id"] != first.session["id"]
    again = servers.ask(client, more)
    assert servers.said(again) == servers.said(third)
    assert again.session["id"] == first.session["id"]


def test_a_named_session_says_where_its_history_changed(serve):
    client = serve().client()
    first = servers.ask(client, servers.FIRST, session="mine")
    assert first.session == {"id": "mine", "kept": 0, "changed_at": None}
    changed = [{**servers.SYSTEM, "content": "Be long. The door code is 9."}, servers.FIRST[1]]
    second = servers.ask(client, changed, session="mine")
    at = len("<|im_start|>system\nBe ")
    assert second.session == {"id": "mine", "kept": 0, "changed_at": at}
    assert servers.said(second) == servers.said(servers.ask(client, changed))


def test_a_session_keeps_the_retention_that_it_was_begun_with(serve):
    server = serve()
    client = server.client()
    first = servers.ask(client, servers.FIRST, session="mine", retention={"budget": 40})
    servers.ask(client, grown(first, servers.NEXT), session="mine")
    assert server.session("mine")["budget"] == 40
    wide = servers.ask(client, grown(first, servers.NEXT), session="mine", retention={"budget": 90})
    assert kept(wide) == 0 and server.session("mine")["budget"] == 90


def test_memory_is_bounded_and_the_longest_unused_go(serve):
    server = serve(bounds=servers.Bounds(live=2))
    client = server.client()
    chats = [[{"role": "user", "content": f"{n} It rained. " * 5}] for n in range(4)]
    for number, chat in enumerate(chats):
        servers.ask(client, chat, session=f"s{number}")
        assert len(server.service.sessions.live) <= 2
    assert set(server.service.sessions.index.sessions) == {"s2", "s3"}
    idle = serve(bounds=servers.Bounds(idle=0))
    for number, chat in enumerate(chats):
        servers.ask(idle.client(), chat, session=f"s{number}")
    assert set(idle.service.sessions.live) == {"s3"}


def test_a_saved_session_goes_on_after_a_restart(serve, tmp_path):
    engine, folder = servers.tiny_engine(), tmp_path / "sessions"
    server, alone = serve(engine, folder), serve(engine)
    first = servers.ask(server.client(), servers.FIRST)
    servers.ask(alone.client(), servers.FIRST)
    before = server.session(first.session["id"], reveal=True)
    server.stop()
    assert {oct(path.stat().st_mode & 0o777) for path in folder.glob("*.s*")} == {"0o600"}
    again = serve(engine, folder, bounds=servers.Bounds(live=1))
    assert again.session(first.session["id"], reveal=True) == before
    servers.ask(again.client(), [OTHER])  # the only place in memory
    second = servers.ask(again.client(), grown(first, servers.NEXT))
    expected = servers.ask(alone.client(), grown(first, servers.NEXT))
    assert second.session["id"] == first.session["id"] and kept(second) == kept(expected) > 0
    assert servers.said(second) == servers.said(expected)


def test_a_damaged_file_is_a_session_that_is_read_anew(serve, tmp_path):
    folder = tmp_path / "sessions"
    server = serve(folder=folder)
    first = servers.ask(server.client(), servers.FIRST, session="mine")
    server.stop()
    (path,) = folder.glob("*.session")
    path.write_bytes(path.read_bytes()[:-50])
    alone = serve(folder=folder, bounds=ALONE)
    again = servers.ask(alone.client(), servers.FIRST, session="mine")
    assert kept(again) == 0
    assert servers.said(again) == servers.said(first)


def test_sessions_of_another_model_stay_as_they_are(serve, tmp_path):
    """By name, by prefix and by a look at them; the turns of this one are sessions of its own."""
    server, other = serve(folder=tmp_path), servers.tiny_engine()
    first = servers.ask(server.client(), servers.FIRST, session="mine")
    server.stop()
    other.model.double()
    theirs = serve(other, tmp_path, ALONE)
    for chat, name in ((grown(first, servers.NEXT), None), (servers.FIRST, "mine")):
        answer = servers.ask(theirs.client(), chat, session=name)
        assert answer.session["id"] != "mine" and kept(answer) == 0
    assert servers.httpx.get(f"{theirs.url}/v1/sessions/mine").status_code == 404
    again = servers.ask(theirs.client(), grown(answer, servers.NEXT), session="mine")
    assert again.session["id"] != "mine" and kept(again) > 100
    theirs.stop()
    second = servers.ask(serve(folder=tmp_path).client(), grown(first, servers.NEXT))
    assert second.session["id"] == "mine" and kept(second) > 100


KEYS = {label: value for label, value in VALUES.items() if label != "door code"}


@pytest.mark.parametrize("saved", [False, True])
def test_a_value_that_left_comes_back_when_it_is_asked_for(serve, tmp_path, saved):
    """By the request's field, and after a restart."""
    folder = tmp_path if saved else None
    server = serve(servers.tiny_engine(chunk=512), folder=folder)
    stated = "".join(f"{label}: {value}\n" for label, value in KEYS.items())
    chat = [{"role": "user", "content": stated + "It rained all day.\n" * 9}]
    given = dict(retention={"budget": 128, "memory": True}, session="mine")
    first, reasons, returned = servers.ask(server.client(), chat, **given), set(), set()
    message = {"role": "assistant", "content": servers.said(first)}
    for label, value in KEYS.items():
        if saved:
            server.stop()
            server = serve(servers.tiny_engine(chunk=512), folder=folder)
        asked = [*chat, message, {"role": "user", "content": f"What is the {label}?"}]
        answer = servers.ask(server.client(), asked, **given)
        assert kept(answer) > 0
        shown = server.session(answer.session["id"], reveal=True)
        runs = shown["runs"]
        assert value in "".join(text for text, reason, _ in runs if reason), label
        assert [v["held"] for v in shown["values"] if v["text"] == value] == [True], label
        reasons |= {reason for _, reason, _ in runs}
        back = [v for v in shown["values"] if v["confidence"] is None]
        assert all(f"{v['label']} {v['text']}" in stated for v in back)
        masked = server.session(answer.session["id"])
        assert [v["label"] for v in masked["values"] if v["confidence"] is None] == [
            v["label"] for v in back
        ]
        assert not any(value in str(masked) for value in KEYS.values())
        returned |= {v["text"] for v in back}
    assert "recalled" in reasons and returned


def test_an_answer_that_ends_inside_a_value_shows_none_of_it(serve, tmp_path):
    """Last, and as a message of the history."""
    engine, most = servers.tiny_engine(), len("It is QX7K2")  # a token is a byte
    server = serve(engine, tmp_path)
    with servers.speak(engine, f"It is {servers.VALUE}."):
        answer = servers.ask(server.client(), servers.FIRST, max_tokens=most, session="mine")
    assert servers.said(answer) == "It is QX7K2"
    message = {"role": "assistant", "content": "It is QX7K2"}
    for chat in ([], [*servers.FIRST, message, servers.NEXT]):
        if chat:
            servers.ask(server.client(), chat, session="mine")
        shown = servers.httpx.get(f"{server.url}/v1/sessions/mine/messages").json()["messages"]
        assert shown[2] == {"role": "assistant", "content": "It is •••••"}
        assert "QX7" not in str(server.session("mine"))


def test_sessions_are_listed_and_forgotten(serve, tmp_path):
    server = serve(folder=tmp_path)
    servers.ask(server.client(), servers.FIRST, session="mine")
    (session,) = servers.httpx.get(f"{server.url}/v1/sessions").json()["data"]
    tokens, live, stored, full = session["history"][0]
    assert session["id"] == "mine" and session["saved"] and live <= 96 < tokens
    assert stored * tokens == full * live
    assert servers.httpx.delete(f"{server.url}/v1/sessions/mine").json()["deleted"]
    assert not list(tmp_path.glob("*.session"))
    assert servers.httpx.delete(f"{server.url}/v1/sessions/mine").status_code == 404


def test_a_call_that_is_cancelled_in_line_is_not_run(serve):
    call, begun, step, ran = serve().service.worker.call, threading.Event(), threading.Event(), []
    call(lambda: begun.set() or step.wait())
    begun.wait()
    assert call(lambda: ran.append(1)).cancel()
    step.set()
    assert call(lambda: "alive").result(60) == "alive" and not ran


def full(*given, **options):
    raise sqlite3.OperationalError(f"database or disk is full at {servers.VALUE}")


@pytest.mark.parametrize("place", ["abandon", "tidy"])
def test_a_full_disk_ends_a_turn_and_not_the_server(serve, monkeypatch, caplog, place):
    server = serve()
    client, sessions = server.client(timeout=60), server.service.sessions
    monkeypatch.setattr(sessions, place, full)
    hook = server.engine.model.lm_head.register_forward_hook(full)
    with pytest.raises(servers.openai.InternalServerError, match="its log says where"):
        servers.ask(client, servers.FIRST)
    monkeypatch.undo()
    hook.remove()
    assert not sessions.busy and servers.VALUE not in caplog.text
    assert servers.ask(client, servers.FIRST).choices


def test_with_a_session_its_responses_are_forgotten(serve):
    """Of one that was found by its prefix, too."""
    server = serve()
    create = server.client().responses.create
    options = dict(model="tiny", input="It rained all day. " * 6, max_output_tokens=4)
    first = create(**options)
    second = create(**options, previous_response_id=first.id)
    assert second.usage.input_tokens_details.cached_tokens > 0
    (record,) = server.service.sessions.records()
    assert servers.httpx.delete(f"{server.url}/v1/sessions/{record.id}").json()["deleted"]
    for response in (first, second):
        with pytest.raises(servers.openai.BadRequestError, match="previous_response_id is unknown"):
            create(**options, previous_response_id=response.id)


def test_a_look_at_saved_sessions_does_not_fill_the_memory(serve, tmp_path):
    server = serve(folder=tmp_path, bounds=servers.Bounds(live=1))
    for name in ("one", "two"):
        servers.ask(server.client(), servers.FIRST, session=name)
    assert server.session("one")["live"] and server.session("two")["live"]
    assert len(server.service.sessions.live) == 1


def test_two_servers_on_one_folder_are_refused(serve, tmp_path):
    server = serve(folder=tmp_path)
    with pytest.raises(ta.InputError, match="folder of its own"):
        serve(server.engine, tmp_path)
    server.stop()
    serve(server.engine, tmp_path)


def test_responses_in_memory_are_bounded_in_bytes(monkeypatch):
    monkeypatch.setattr(servers.index, "IN_MEMORY", 3000)
    known = servers.index.Index(None)
    for number in range(5):
        known.put_response(str(number), None, "mine", "x" * 1000, 99)
    assert [number for number in range(5) if known.response(str(number))] == [3, 4]


def test_a_killed_server_goes_on_with_all_that_was_acknowledged(tmp_path):
    notes = "Nobody came by, and the plants were watered. " * 8
    chat = [{"role": "user", "content": f"The door code is 730184. {notes}"}]
    options = dict(model="embedded", temperature=0, max_tokens=8)
    end = str(ta.load_embedded()[1].eos_token_id)
    with servers.served("--budget", "64", "--sessions", str(tmp_path)) as (process, client):
        first = client.chat.completions.create(messages=chat, **options)
        response = client.responses.create(
            model="embedded", input=f"The gate code is 441207. {notes}", max_output_tokens=4
        )
        stream = client.chat.completions.create(
            messages=[{"role": "user", "content": notes}],
            stream=True,
            **{**options, "max_tokens": 900, "logit_bias": {end: -100}},
        )
        next(iter(stream))
        process.kill()
        with pytest.raises(servers.openai.APIConnectionError):
            list(stream)
    with servers.served("--budget", "64", "--sessions", str(tmp_path)) as (process, client):
        message = {"role": "assistant", "content": servers.said(first)}
        ask_code = {"role": "user", "content": "What is the door code?"}
        second = client.chat.completions.create(messages=[*chat, message, ask_code], **options)
        assert kept(second) > 50 and second.session["id"] == first.session["id"]
        assert "730184" in servers.said(second)
        third = client.responses.create(
            model="embedded",
            input="What is the gate code?",
            previous_response_id=response.id,
            temperature=0,
            max_output_tokens=8,
        )
        assert third.usage.input_tokens_details.cached_tokens > 50
        assert "441207" in third.output_text
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
