"""What who runs a server sees: requests in its log, its health, its begin and its end."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing

import pytest

import servers
from transactional_attention.server import request_log
from transactional_attention.server.connections import Limits
from transactional_attention.server.loading import bound

LOGGER = request_log.__name__


def lines(caplog):
    return [record.getMessage() for record in caplog.records if record.name == LOGGER]


def test_a_line_for_every_request_without_its_text(serve, caplog):
    caplog.set_level(logging.INFO, LOGGER)
    server = serve(access=servers.Access(servers.ApiKeys.of("s3cret")))
    client, key = server.client(key="s3cret"), {"x-api-key": "s3cret"}
    servers.ask(client, servers.FIRST, session="mine")
    servers.streamed(client, [*servers.FIRST, servers.NEXT], session="mine")
    for path in (f"/v1/{servers.VALUE}", f"/v1/sessions/{servers.VALUE}?x={servers.VALUE}"):
        servers.httpx.get(server.url + path, headers=key)
    servers.httpx.request(servers.VALUE, f"{server.url}/v1/models", headers=key)
    servers.httpx.get(f"{server.url}/v1/models", headers={"x-api-key": servers.VALUE})
    servers.httpx.get(f"{server.url}/health")
    servers.settle(server)
    server.stop()
    entries = lines(caplog)
    assert len(entries) == 6, entries
    assert entries[0].startswith("POST /v1/chat/completions 200 session=mine read=")
    assert "kept=0 generated=8 end=length" in entries[0] and entries[0].endswith(" ms")
    assert entries[1].startswith("POST /v1/chat/completions 200 session=mine read=")
    assert [line.rpartition(" ")[0].rpartition(" ")[0] for line in entries[2:]] == [
        "GET other 404",
        "GET /v1/sessions/{id_} 404",
        "other /v1/models 405",
        "GET other 401",
    ]
    assert servers.VALUE not in caplog.text and "s3cret" not in caplog.text


def test_a_request_that_its_client_left_is_cut_off(serve, caplog):
    caplog.set_level(logging.INFO, LOGGER)
    server = serve()
    stream = servers.ask(server.client(), servers.FIRST, stream=True, **servers.ENDLESS)
    next(iter(stream))
    stream.close()
    servers.settle(server)
    server.stop()
    assert [line for line in lines(caplog) if "200 cut off" in line]


def test_a_refused_request_says_why_and_not_that_it_was_cut_off(serve, caplog):
    caplog.set_level(logging.INFO, LOGGER)
    server = serve()
    length = server.engine.limit(server.service.default)
    say = {"max_tokens": 2, "messages": servers.FIRST}
    secret, url = servers.VALUE.lower(), f"{server.url}/v1/chat/completions"
    long = [{"role": "user", "content": "x" * (2 * length)}]
    bodies = {
        "budget_too_small field=retention": {**say, "retention": {"budget": 1}},
        "context_length_exceeded": {**say, "messages": long},
        "invalid_body field=retention.budget": {**say, "retention": {"budget": 0}},
        "invalid_body field=retention": {**say, "retention": {secret: 1}},
    }
    for body in bodies.values():
        answer = servers.httpx.post(url, json=body)
        assert answer.status_code == 400, answer.text
    streamed = {**say, "stream": True, "retention": {"budget": 1}}
    assert "budget_too_small" in servers.httpx.post(url, json=streamed).text
    server.stop()
    entries = [line.rpartition(" ")[0].rpartition(" ")[0] for line in lines(caplog)]
    assert entries[:4] == [f"POST /v1/chat/completions 400 error={why}" for why in bodies]
    assert "error=budget_too_small field=retention" in entries[4]
    assert "cut off" not in caplog.text and secret not in caplog.text


def test_health_says_what_turns_do(serve):
    server = serve(line=servers.Line(running=1))
    health = f"{server.url}/health"
    idle = {"status": "ok", "reading": 0, "generating": 0, "saving": 0, "waiting": 0}
    assert servers.httpx.get(health).json() == idle
    began, go = threading.Event(), threading.Event()

    def hold(*given):
        began.set()
        go.wait(60)

    server.engine.model.register_forward_pre_hook(hold)
    more, seen = threading.Event(), threading.Event()

    def listen():
        stream = servers.ask(server.client(), servers.FIRST, stream=True, **servers.ENDLESS)
        next(iter(stream))
        go.clear()
        more.set()
        seen.wait(60)
        stream.close()

    first = threading.Thread(target=listen)
    first.start()
    assert began.wait(60)
    late = threading.Thread(target=servers.ask, args=(server.client(), servers.FIRST))
    late.start()
    servers.until(lambda: server.service.worker.counts()[0])
    assert servers.httpx.get(health).json() == {**idle, "reading": 1, "waiting": 1}
    go.set()
    assert more.wait(60)
    assert servers.httpx.get(health).json() == {**idle, "generating": 1, "waiting": 1}
    seen.set()
    go.set()
    first.join()
    late.join()
    servers.settle(server)
    assert servers.httpx.get(health).json() == idle


def test_a_server_that_loads_its_model_says_so():
    with bound("127.0.0.1", 0, Limits(16, 5.0)) as listening, closing(listening):
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        health = servers.httpx.get(f"{url}/health")
        assert (health.status_code, health.json()) == (503, {"status": "loading"})
        for path in ("chat/completions", "messages"):
            answer = servers.httpx.post(f"{url}/v1/{path}", json={})
            assert answer.status_code == 503 and answer.headers["Retry-After"]
            assert "being loaded" in answer.json()["error"]["message"]


def test_a_port_that_is_taken_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = "from transactional_attention.cli import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", command, "serve", "--port", port],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 2 and done.stderr == (
        f"error: cannot listen on 127.0.0.1:{port}: Address already in use; give another --port "
        "or --host\n"
    )


def test_who_connects_between_two_servers_waits(serve):
    """The socket listens on when the first of them has ended."""
    with bound("127.0.0.1", 0, Limits(16, 5.0)) as listening:
        address = listening.getsockname()
    with closing(listening), socket.create_connection(address, timeout=5) as client:
        there, _ = listening.accept()
        with closing(there):
            there.sendall(b"x")
            assert client.recv(1) == b"x"


def test_sigterm_in_a_stream_ends_cleanly_and_keeps_its_session(tmp_path):
    folder = ["--budget", "64", "--sessions", str(tmp_path)]
    with servers.served(*folder) as (process, client):
        asked = {"model": "embedded", "session": "mine", "stream": True, **servers.ENDLESS}
        stream = iter(servers.ask(client, servers.FIRST, **asked))
        next(stream)
        process.send_signal(signal.SIGTERM)
        for _ in stream:
            pass
        assert process.wait(60) == -signal.SIGTERM
        left = process.stderr.read()
        assert "Traceback" not in left and servers.VALUE not in left
    with servers.served(*folder) as (_, client):
        answer = servers.ask(client, servers.FIRST, session="mine", model="embedded")
        assert answer.session["kept"] > 0


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_in_a_stream_says_what_it_waits_for_and_again_ends_at_once(times):
    with servers.served("--budget", "64", "--positions", "compact") as (process, client):
        asked = {**servers.ENDLESS, "max_tokens": 10000, "model": "embedded"}
        next(iter(servers.ask(client, servers.FIRST, stream=True, **asked)))
        process.send_signal(signal.SIGINT)
        while "stopping" not in (line := process.stderr.readline()):
            assert line
        assert line == "stopping: answers get 5 s; Ctrl-C again ends now\n"
        if times == 2:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == (0 if times == 1 else 130)
        left = process.stderr.read()
        assert "Traceback" not in left and "ASGI" not in left, left


def test_the_command_logs_requests_unless_it_is_told_not_to(tmp_path):
    (keys := tmp_path / "keys").write_text("ann s3cret-k3y\n")
    keys.chmod(0o644)
    options = ("--access-log", "--api-key-file", str(keys))
    with servers.served(*options) as (process, client):
        client.with_options(api_key="s3cret-k3y").models.list()
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        left = process.stderr.read()
    assert "INFO GET /v1/models 200 key=ann" in left and "k3y" not in left
    assert "keys can be read by others" in left
