"""Many clients at once: nothing is lost, memory stays in its bounds, and answers are their own."""

import logging
import threading

import pytest

import servers


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
    worker, clock = server.service.worker, [0.0]
    worker.clock = lambda: clock[0]
    began, go = threading.Event(), threading.Event()
    done = worker.call(lambda: (began.set(), go.wait(60)))
    began.wait()
    assert servers.httpx.get(health).status_code == 200
    clock[0] = 1e4
    assert servers.httpx.get(health).status_code == 503
    go.set()
    done.result()
    assert servers.httpx.get(health).status_code == 200
    worker.stop()
    assert servers.httpx.get(health).status_code == 503
