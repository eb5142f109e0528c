"""Many clients at once: nothing is lost, memory stays in its bounds, and answers are their own."""

import logging
import sys
import threading
from pathlib import Path

import pytest

import servers
from transactional_attention.server import freed_memory, worker


def test_eight_sessions_and_two_hundred_requests(serve, tmp_path):
    server = serve(folder=tmp_path, bounds=servers.Bounds(live=6))
    servers.check_crowd(server, serve())
    server.stop()
    assert len(serve(server.engine, tmp_path).service.sessions.records()) == 8


@pytest.mark.parametrize("parallel", [1, 3])
def test_clients_leave_at_every_stage(serve, tmp_path, parallel):
    server = serve(folder=tmp_path, line=servers.Line(running=parallel))
    servers.check_leaving(server, seed=parallel)


def test_an_error_of_one_turn_is_its_own(serve, monkeypatch, caplog):
    """What no turn should raise, in every place where one works: it is answered and logged, and
    the next turn runs."""
    server = serve()
    worker, client = server.service.worker, server.client()

    class Panic(BaseException):
        """As a library in another language raises it."""

    def fail(*given, **named):
        raise Panic(servers.VALUE)

    places = [
        (server.engine, "session"),
        (worker.sessions, "take"),
        (worker.sessions, "finish"),
        (worker.sessions, "tidy"),
        (worker.metrics, "ended"),
    ]
    for owner, name in places:
        with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
            patch.setattr(owner, name, fail)
            with pytest.raises(servers.openai.InternalServerError, match="its log says where"):
                servers.ask(client, servers.FIRST)
        assert "Panic at test_load.py" in caplog.text and servers.VALUE not in caplog.text
        caplog.clear()
        servers.settle(server)
        assert servers.ask(client, servers.FIRST).choices


def test_health_fails_when_the_worker_does_not_move(serve):
    server = serve()
    health = f"{server.url}/health"
    assert servers.httpx.get(health).status_code == 200
    thread, clock = server.service.worker, [0.0]
    thread.clock = lambda: clock[0]
    began, go = threading.Event(), threading.Event()
    done = thread.call(lambda: (began.set(), go.wait(60)))
    began.wait()
    assert servers.httpx.get(health).status_code == 200
    clock[0] = 1e4
    assert servers.httpx.get(health).status_code == 503
    go.set()
    done.result()
    assert servers.httpx.get(health).status_code == 200
    thread.stop()
    assert servers.httpx.get(health).status_code == 503


def test_what_turns_have_freed_goes_back_once_nothing_runs(serve, monkeypatch):
    running = []
    server = serve()
    monkeypatch.setattr(worker, "trim", lambda: running.append(server.service.worker.counts()))
    servers.ask(server.client(), servers.FIRST)
    servers.settle(server)
    assert running == [(0, 0)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_free_memory_among_small_blocks_is_given_back():
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1])

    blocks = [bytes(2000) for _ in range(40_000)]
    held, _ = blocks[-1], blocks.clear()  # the last stands after all others
    full = resident()
    freed_memory.trim()
    assert resident() < full - 10_000, len(held)  # pages
