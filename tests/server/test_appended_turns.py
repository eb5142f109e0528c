"""Turns that send only what is new, after what a session has read."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import servers

TURNS = (
    "What is the door code?",
    "And the weather? It rained. " * 4,
    "Thanks. The van key: VN-2291.",
)


def user(text):
    return {"role": "user", "content": text}


def append(client, *messages, session="mine", **options):
    """An answer to messages that go on after a session."""
    options = {"logit_bias": servers.LETTERS, **options}
    return servers.ask(client, messages, session=session, append=True, **options)


def refused(server, *messages, **fields):
    """The status and the message of an append that is not served."""
    body = {"model": "tiny", "max_tokens": 2, "messages": list(messages) or [servers.NEXT]}
    url = f"{server.url}/v1/chat/completions"
    answer = servers.httpx.post(url, json={**body, "append": True, **fields}, timeout=60)
    return answer.status_code, answer.json()["error"]["message"]


def counted(engine):
    """How many tokens the model reads from now on, a forward each."""
    read = []
    embed = engine.model.get_input_embeddings()
    embed.register_forward_hook(lambda module, given, out: read.append(given[0].numel()))
    return read


@pytest.mark.parametrize("place", ["memory", "disk"])
@pytest.mark.parametrize("ended", [False, True], ids=["cut", "ended"])
def test_an_appended_turn_is_that_of_the_whole_conversation(serve, tmp_path, place, ended):
    """Its answer, what is held, and what is read: its own tokens alone."""
    engine, folder = servers.tiny_engine(), tmp_path if place == "disk" else None
    server, alone = serve(engine, folder), serve(servers.tiny_engine())
    chat = list(servers.FIRST)
    servers.ask(server.client(), chat, session="mine", logit_bias=servers.LETTERS)
    answer = servers.ask(alone.client(), chat, session="mine", logit_bias=servers.LETTERS)
    for turn in TURNS:
        before = server.session("mine")["tokens"]
        if place == "disk":
            server.stop()
            server = serve(engine, folder)
        chat += [{"role": "assistant", "content": servers.said(answer)}, user(turn)]
        read, hooks = counted(engine), []
        if ended:
            hooks = [servers.speak(alone.engine, "Yes."), servers.speak(engine, "Yes.")]
        answer = servers.ask(alone.client(), chat, session="mine", logit_bias=servers.LETTERS)
        reply = append(server.client(), user(turn))
        for hook in hooks:
            hook.remove()
        assert servers.said(reply) == servers.said(answer)
        assert reply.session == answer.session and reply.usage == answer.usage
        assert reply.session["kept"] == before > 100
        new, generated = reply.usage.prompt_tokens - before, reply.usage.completion_tokens
        assert sum(read) == new + generated - 1 and new < len(turn) + 70
        assert server.session("mine", reveal=True) == alone.session("mine", reveal=True)


def test_a_stream_says_how_much_was_kept(serve):
    server = serve()
    servers.ask(server.client(), servers.FIRST, session="mine")
    kept = server.session("mine")["tokens"]
    chunks = list(append(server.client(), servers.NEXT, stream=True))
    (session,) = (c.session for c in chunks if getattr(c, "session", None))
    assert session == {"id": "mine", "kept": kept, "changed_at": None}


def test_after_a_prompt_that_was_given_up(serve):
    """What of it was not read is read with the next message."""
    server, begun, step = serve(), threading.Event(), threading.Event()
    text = "It rained all day. " * 12

    def wait(module, given, out):
        begun.set()
        step.wait(60)

    hook = server.engine.model.get_input_embeddings().register_forward_hook(wait)
    with pytest.raises(servers.openai.APITimeoutError):
        servers.ask(server.client(timeout=0.5), [user(text)], session="mine")
    assert begun.wait(60)
    hook.remove()
    servers.until(lambda: 'status="499"' in servers.httpx.get(f"{server.url}/metrics").text)
    step.set()
    servers.settle(server)
    tokens = server.session("mine")["tokens"]
    assert tokens < len(text)
    answer = append(server.client(), servers.NEXT)
    shown = "".join(run[0] for run in server.session("mine", reveal=True)["runs"])
    assert answer.session["kept"] == tokens
    marks = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
    begin = marks.format(text) + "<|im_end|>\n" + marks.format(servers.NEXT["content"])
    assert shown.startswith(begin)


def test_what_cannot_be_appended_to_is_refused_and_stays(serve, tmp_path):
    server = serve(folder=tmp_path)
    servers.ask(server.client(), servers.FIRST, session="mine")
    server.client().completions.create(
        model="tiny", prompt="It rained.", max_tokens=2, extra_body={"session": "plain"}
    )
    before = server.session("mine")
    for status, why, fields in (
        (404, "no such session", {"session": "other"}),
        (409, "another retention", {"session": "mine", "retention": {"budget": 50}}),
        (409, "plain prompt", {"session": "plain"}),
        (400, "append needs session", {}),
    ):
        refusal = refused(server, **fields)
        assert refusal[0] == status and why in refusal[1]
    assert server.session("mine") == before and not server.service.sessions.busy
    same = {"session": "mine", "retention": {"budget": 96}}
    assert servers.ask(server.client(), [servers.NEXT], **same).session["id"] == "mine"


def test_a_session_at_work_takes_none(serve):
    server = serve()
    asked = {"session": "mine", "stream": True, **servers.ENDLESS}
    stream = servers.ask(server.client(), servers.FIRST, **asked)
    next(iter(stream))
    status, why = refused(server, session="mine")
    assert status == 409 and "at work" in why
    stream.close()


def test_of_another_model_or_after_an_error(serve, tmp_path):
    server = serve(folder=tmp_path)
    servers.ask(server.client(), servers.FIRST, session="mine")
    server.stop()
    other = servers.tiny_engine()
    other.model.double()
    theirs = serve(other, tmp_path)
    status, why = refused(theirs, session="mine")
    assert status == 409 and "another model" in why
    theirs.stop()

    failing = serve()
    servers.ask(failing.client(), servers.FIRST, session="mine")
    calls = iter(range(99))

    def fail(module, given, out):
        if next(calls) == 1:
            raise RuntimeError

    hook = failing.engine.model.lm_head.register_forward_hook(fail)
    with pytest.raises(servers.openai.InternalServerError):
        append(failing.client(), servers.NEXT)
    hook.remove()
    status, why = refused(failing, session="mine")
    assert status == 409 and "failed" in why


def test_of_two_that_append_at_once_one_is_refused(serve):
    """It was sent by who had not seen the other's answer."""
    server, hold = serve(), threading.Event()
    servers.ask(server.client(), servers.FIRST, session="mine")
    worker, before = server.service.worker, server.session("mine")["tokens"]
    worker.call(lambda: hold.wait(60))

    def send(text):
        url = f"{server.url}/v1/chat/completions"
        body = {**servers.GREEDY, "messages": [user(text)], "session": "mine", "append": True}
        return servers.httpx.post(url, json=body, timeout=60)

    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(send, text) for text in ("One.", "Two.")]
        servers.until(lambda: len(worker._calls) >= 2)
        hold.set()
        first, second = sorted((future.result() for future in sent), key=lambda a: a.status_code)
    assert first.status_code == 200 and first.json()["session"]["kept"] == before
    assert second.status_code == 409 and "has gone on" in second.json()["error"]["message"]
    usage = first.json()["usage"]
    assert server.session("mine")["tokens"] <= usage["total_tokens"]
