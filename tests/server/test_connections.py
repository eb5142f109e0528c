"""Connections of which nothing is known: endless heads, half requests, answers nobody takes."""

import json
import logging
import resource
import socket
import threading
from contextlib import ExitStack

import pytest

import servers  # skips where what it needs is not there
from transactional_attention.server.connections import (
    HEAD,
    READ,
    Limits,
    Troubles,
    http_config,
    most_connections,
)

H11Protocol = pytest.importorskip("uvicorn.protocols.http.h11_impl").H11Protocol
HALF = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


def connected(url, sent=HALF):
    host, port = url.removeprefix("http://").rstrip("/").split(":")
    client = socket.create_connection((host, int(port)), timeout=60)
    client.sendall(sent)
    return client


def rest(client):
    """All that comes until the server closes."""
    reply = b""
    try:
        while block := client.recv(1 << 16):
            reply += block
    except ConnectionResetError:
        pass
    return reply


def test_headers_without_end_are_not_read(serve):
    block, sent = b"x-more: " + b"y" * 1000 + b"\r\n", 0
    with connected(serve().url) as client:
        try:
            while sent < 64 << 20:
                client.sendall(block)
                sent += len(block)
        except (ConnectionResetError, BrokenPipeError):
            pass
    assert sent < 16 << 20  # what the sockets of both sides hold, and not all of it


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-More: %s\r\n\r\n",
        b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_a_head_that_is_too_large_is_refused(serve, head):
    with connected(serve().url, head % (b"y" * HEAD)) as client:
        assert rest(client).split()[1] in (b"400", b"431")


def test_a_body_in_chunks_of_a_byte_does_not_hold_up_others(serve, monkeypatch):
    """Of what has come the parser gets a small piece at a time."""
    sizes, parse = [], H11Protocol.data_received

    def noting(self, data):
        sizes.append(len(data))
        parse(self, data)

    monkeypatch.setattr(H11Protocol, "data_received", noting)
    body = json.dumps({**servers.GREEDY, "messages": servers.FIRST, "max_tokens": 1}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in body + b" " * 50_000) + b"0\r\n\r\n"
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    kind = b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(serve().url, head + kind + chunks) as client:
        assert rest(client).split()[1] == b"200"
    assert sum(sizes) > len(chunks) and max(sizes) <= READ


def test_who_leaves_amid_a_body_is_no_fault_of_the_server(serve, caplog):
    server = serve()
    head = b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with connected(server.url, head + b"Content-Length: 900\r\n\r\n{"):
        servers.until(lambda: server.service.admission.held)
    servers.until(lambda: not server.service.admission.taken)
    assert not caplog.records


def test_a_half_request_and_a_half_body_are_not_waited_for(serve):
    server = serve(access=servers.Access(arrival=0.3))
    with connected(server.url) as client:
        assert rest(client) == b""
    kept = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" + HALF
    with connected(server.url, kept) as client:
        assert rest(client).count(b"HTTP/1.1 200") == 1
    head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n"
    with connected(server.url, head + b"Content-Type: application/json\r\n\r\n{") as client:
        assert b" 408 " in rest(client)


def test_half_requests_give_way_to_whole_ones(serve):
    server = serve(connections=8)
    with ExitStack() as stack:
        half = [stack.enter_context(connected(server.url)) for _ in range(40)]
        assert servers.httpx.get(f"{server.url}/health").status_code == 200
        assert servers.ask(server.client(), servers.FIRST).choices
        assert len(server.server.server_state.connections) <= 8
        assert rest(half[0]) == b""


def test_an_answer_that_nobody_takes_is_cut_off():
    sent = []

    async def endless(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1 << 10):
            await send({"type": "http.response.body", "body": b"x" * (1 << 16), "more_body": True})
            sent.append(1)
        await send({"type": "http.response.body"})

    config = http_config(endless, Limits(8, 0.3), "127.0.0.1", 0)
    config.lifespan = "off"
    listening = config.bind_socket()
    server = servers.uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    servers.until(lambda: server.started)
    with connected(f"http://127.0.0.1:{listening.getsockname()[1]}", HALF + b"\r\n") as client:
        servers.until(lambda: server.server_state.connections)
        servers.until(lambda: not server.server_state.connections)
        assert len(rest(client)) < 1 << 26
    server.should_exit = True
    thread.join()


def test_connections_leave_descriptors_for_sessions():
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(4) == 16
    assert most_connections(1 << 20) == descriptors // 4


def test_health_answers_where_descriptors_are_few():
    with servers.served(descriptors=256) as (process, client), ExitStack() as stack:
        url = str(client.base_url).removesuffix("v1/")
        for _ in range(300):
            stack.enter_context(connected(url))
        for _ in range(3):
            assert servers.httpx.get(f"{url}health").status_code == 200
        process.kill()
        assert len(process.stderr.read()) < 2000


def test_a_trouble_of_the_event_loop_is_told_once_and_without_its_text(caplog):
    troubles = Troubles()
    for error in [OSError(24, "Too many open files")] * 100 + [ValueError("QX7K2M9P")]:
        troubles(None, {"message": "QX7K2M9P", "exception": error})
    lines = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(lines) == 2 and "Too many open files" in lines[0] and "ValueError" in lines[1]
    assert "QX7K2M9P" not in caplog.text


def test_browsers_are_told_what_they_may_do_with_every_answer(serve):
    server = serve(access=servers.Access(servers.ApiKeys.of("s3cret"), max_body=2000))
    key = {"Authorization": "Bearer s3cret"}
    chat = {**servers.GREEDY, "messages": servers.FIRST}
    url, post = f"{server.url}/v1/chat/completions", servers.httpx.post
    answers = [
        *(servers.httpx.get(server.url + path) for path in ("/", "/health", "/v1/models")),
        *(servers.httpx.get(server.url + path, headers=key) for path in ("/v1/models", "/metrics")),
        servers.httpx.get(f"{server.url}/v1/none", headers=key),
        servers.httpx.get(f"{server.url}/v1/sessions?reveal=true", headers=key),
        *(post(url, json={**chat, "stream": s}, headers=key, timeout=60) for s in (False, True)),
        post(url, json={"model": "x" * 3000}, headers=key),
        post(url, content="{", headers={**key, **servers.JSON}),
    ]
    assert {a.status_code for a in answers} == {200, 400, 401, 404, 413}
    for answer in answers:
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", answer.url
        assert headers["X-Frame-Options"] == "DENY" and headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
