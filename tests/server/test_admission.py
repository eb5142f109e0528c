"""Before the line: what is refused unread, what is prepared beside what, and what all may hold."""

import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

import servers
from transactional_attention.server import admission

LONG = 3000


class Watched:
    """A tokenizer that notes the characters of what it reads; long texts wait for ``go``."""

    def __init__(self, inner):
        self.inner, self.read, self.go = inner, [], threading.Event()
        self.inside = self.most = 0

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __len__(self):
        return len(self.inner)

    def __call__(self, text, *given, **options):
        if len(text) < LONG:
            return self.inner(text, *given, **options)
        self.read.append(len(text))
        self.inside += 1
        self.most = max(self.most, self.inside)
        assert self.go.wait(60)
        self.inside -= 1
        return self.inner(text, *given, **options)


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(admission, "SHORT", LONG // 2)
    engine = servers.tiny_engine()
    engine.tokenizer = Watched(engine.tokenizer)
    yield engine
    engine.tokenizer.go.set()


def body(text, **options):
    return {**servers.GREEDY, "messages": [{"role": "user", "content": text}], **options}


def post(server, text, **options):
    url = f"{server.url}/v1/chat/completions"
    return servers.httpx.post(url, json=body(text, **options), timeout=60)


def begun(server, length, sent=b"", path="/v1/chat/completions"):
    """A connection on which a request has begun; all of its head has come."""
    host, port = server.url.removeprefix("http://").split(":")
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    client = socket.create_connection((host, int(port)), timeout=60)
    client.sendall(f"{head}Content-Length: {length}\r\n\r\n".encode() + sent)
    return client


def test_what_cannot_fit_the_positions_is_neither_rendered_nor_tokenised(serve, watched):
    watched.tokenizer.go.set()
    server = serve(watched)
    longest = max(map(len, watched.tokenizer.get_vocab()))
    most = longest * watched.model.config.max_position_embeddings
    error = post(server, "a" * most).json()["error"]
    assert error["code"] == "context_length_exceeded" and f"at most {most}" in error["message"]
    plain = {"model": "tiny", "prompt": "a" * (most + 1)}
    answer = servers.httpx.post(f"{server.url}/v1/completions", json=plain)
    assert f"at most {most}" in answer.json()["error"]["message"]
    assert not watched.tokenizer.read
    error = post(server, "a" * (most // 2)).json()["error"]
    assert "tokens" in error["message"] and len(watched.tokenizer.read) == 1


def test_long_prompts_are_prepared_one_at_a_time_and_short_ones_beside_them(serve, watched):
    server = serve(watched, positions="compact")
    with ThreadPoolExecutor(6) as pool:
        long = [pool.submit(post, server, "a" * LONG, max_tokens=1) for _ in range(6)]
        servers.until(lambda: server.service.admission.taken == 6 and watched.tokenizer.read)
        assert post(server, "Hello.").status_code == 200  # none of the six is prepared before it
        assert len(watched.tokenizer.read) == 1
        watched.tokenizer.go.set()
        assert {future.result().status_code for future in long} == {200}
    assert len(watched.tokenizer.read) == 6 and watched.tokenizer.most == 1
    servers.until(lambda: server.service.admission.taken == server.service.admission.held == 0)


def test_a_full_line_refuses_before_it_reads_a_body(serve, watched):
    server = serve(watched, line=servers.Line(running=1, waiting=1), positions="compact")
    with ThreadPoolExecutor(2) as pool:
        long = [pool.submit(post, server, "a" * LONG, max_tokens=1) for _ in range(2)]
        servers.until(lambda: server.service.admission.taken == 2)
        with begun(server, 4_000_000) as client:
            assert b" 429 " in client.recv(100)
        watched.tokenizer.go.set()
        assert {future.result().status_code for future in long} == {200}


def test_where_nobody_may_wait_one_at_a_time_is_answered(serve):
    server = serve(line=servers.Line(running=1, waiting=0))
    assert post(server, "Hello.", max_tokens=1).status_code == 200


def test_who_is_gone_before_a_prompt_is_prepared_does_not_have_it_begun(serve, watched):
    server = serve(watched, positions="compact")
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(post, server, "a" * LONG, max_tokens=1)
        servers.until(lambda: watched.tokenizer.read)
        sent = json.dumps(body("b" * (LONG + 1))).encode()
        with begun(server, len(sent), sent):
            servers.until(lambda: server.service.admission.held > len(sent))
        servers.until(lambda: server.service.admission.taken == 1)
        watched.tokenizer.go.set()
        assert first.result().status_code == 200
    assert len(watched.tokenizer.read) == 1


def test_a_prompt_that_waits_too_long_is_refused(serve, watched):
    server = serve(watched, line=servers.Line(patience=0.3), positions="compact")
    answer = post(server, "a" * LONG)
    assert answer.status_code == 503 and "not prepared in time" in answer.json()["error"]["message"]


def test_bodies_hold_a_bounded_number_of_bytes_together(serve):
    server = serve(access=servers.Access(max_body=2000))
    room = server.service.admission.room
    with ExitStack() as stack:
        for _ in range(room // 2000):
            stack.enter_context(begun(server, 2000, b" " * 1999))
        servers.until(lambda: server.service.admission.held == 1999 * (room // 2000))
        answer = post(server, "a")
        assert answer.status_code == 429 and f"{room} bytes" in answer.json()["error"]["message"]
    servers.until(lambda: server.service.admission.held == 0)
    assert post(server, "a").status_code == 200


def test_a_conversation_that_the_server_remembers_is_bounded_as_a_body_is(serve):
    server = serve(access=servers.Access(max_body=2000), positions="compact")
    before, statuses = None, []
    for _ in range(5):
        asked = {"model": "tiny", "input": "a" * 800, "max_output_tokens": 1}
        asked |= {"previous_response_id": before} if before else {}
        answer = servers.httpx.post(f"{server.url}/v1/responses", json=asked, timeout=60)
        statuses.append(answer.status_code)
        before = answer.json().get("id")
        if before is None:
            break
    assert statuses == [200, 200, 200, 400]
    assert answer.json()["error"]["code"] == "context_length_exceeded"
