"""Bodies of ``malformed.toml``, limits and keys: a 4xx with the reason, and nothing is harmed."""

import json
import threading

import pytest

import servers
from transactional_attention.server import turn

CHAT = '"model": "tiny", "max_tokens": 2, "messages": [{"role": "user", "content": "x"}]'
GOOD = f"{{{CHAT}}}"
WORD = "Zx81Qw77Lm"


def post(server, body, path="chat/completions", timeout=60):
    place = f"{server.url}/v1/{path}"
    return servers.httpx.post(place, content=body, headers=servers.JSON, timeout=timeout)


def test_every_malformed_body_is_refused_with_its_reason(serve, caplog):
    server = serve()
    first = servers.ask(server.client(), servers.FIRST, session="mine")
    before = server.session("mine")
    assert len(servers.MALFORMED) >= 40
    wrong = []
    for case in servers.MALFORMED:
        answer = post(
            server, servers.malformed_body(case, CHAT, WORD), case.get("path", "chat/completions")
        )
        error = answer.json().get("error", {})
        message = error.get("message", "")
        good = answer.status_code == case["status"] and case["says"] in message
        if not good or WORD in answer.text or "Traceback" in answer.text:
            wrong.append((case["name"], answer.status_code, answer.text))
        assert set(error) == {"message", "type", "param", "code"}, case["name"]
    assert not wrong
    assert WORD not in caplog.text and "Traceback" not in caplog.text
    assert server.session("mine") == before
    again = servers.ask(server.client(), servers.FIRST, session="mine")
    assert servers.said(again) == servers.said(first)


def test_lists_of_a_retention_are_bounded(serve):
    server, span = serve(), {"start": 0, "end": 1}
    lists = dict(patterns="a", allow="a", deny="a", protect_roles="user", protect=span)
    for name, item in lists.items():
        body = GOOD.replace("{", f'{{"retention": {{"{name}": {json.dumps([item] * 1025)}}}, ', 1)
        error = post(server, body).json()["error"]
        assert error["param"] == f"retention.{name}" and "at most" in error["message"]


def test_what_is_no_json_by_its_header(serve):
    server = serve()
    answer = servers.httpx.post(f"{server.url}/v1/chat/completions", content=GOOD)
    assert answer.status_code == 415 and "application/json" in answer.json()["error"]["message"]
    capitals = {"Content-Type": "Application/JSON; charset=utf-8"}
    url = f"{server.url}/v1/chat/completions"
    assert servers.httpx.post(url, content=GOOD, headers=capitals).status_code == 200
    assert (
        servers.httpx.get(f"{server.url}/v1/nothing").json()["error"]["type"]
        == "invalid_request_error"
    )
    assert servers.httpx.get(f"{server.url}/v1/sessions/none").status_code == 404
    answer = servers.httpx.get(f"{server.url}/v1/sessions/none", params={"reveal": WORD})
    assert answer.status_code == 422 and WORD not in answer.text
    assert answer.json()["error"]["message"].startswith("reveal: ")


def test_a_body_that_is_too_large(serve):
    server = serve(access=servers.Access(max_body=2000))
    answer = post(server, GOOD.replace('"x"', '"' + "x" * 3000 + '"'))
    assert answer.status_code == 413 and "2000 bytes" in answer.json()["error"]["message"]


def test_another_name_of_this_machine_is_not_answered(serve):
    server = serve()
    hosts = {"evil.example": 403, "evil.example:": 403, "evil.example@localhost": 403}
    hosts |= {"localhost/.evil.example": 403, "LOCALHOST:80": 200, "[::1]": 200}
    for host, status in hosts.items():
        answer = servers.httpx.get(f"{server.url}/v1/models", headers={"Host": host})
        assert answer.status_code == status, host


def test_a_full_line_and_a_long_wait(serve):
    server = serve(line=servers.Line(running=1, waiting=1, patience=0.3))
    client = server.client()
    stream = iter(servers.ask(client, servers.FIRST, stream=True, **servers.ENDLESS))
    next(stream)
    errors = []

    def late():
        try:
            servers.ask(server.client(), servers.FIRST)
        except Exception as error:
            errors.append(error)

    waiting = threading.Thread(target=late)
    waiting.start()
    servers.until(lambda: server.service.worker.counts()[0] or errors)
    with pytest.raises(servers.openai.RateLimitError, match="wait already"):
        servers.ask(client, servers.FIRST)
    waiting.join()
    assert errors[0].status_code == 503 and "no room came free" in str(errors[0])
    stream.close()


def test_a_client_that_goes_away_frees_its_place(serve):
    """After the step that runs, not when the answer would have ended."""
    server = serve(line=servers.Line(running=1))
    client, asked = server.client(), {"stream": True, "session": "streamed", **servers.ENDLESS}
    stream = servers.ask(client, servers.FIRST, **asked)
    next(iter(stream))
    stream.close()
    body = GOOD.replace(
        '"max_tokens": 2', json.dumps({**servers.ENDLESS, "session": "whole"})[1:-1]
    )
    with pytest.raises(servers.httpx.ReadTimeout):
        post(server, body, timeout=0.5)
    servers.settle(server)
    records = {record.id: record for record in server.service.sessions.records()}
    assert max(record.history[-1][0] for record in records.values()) < 1000
    assert "streamed" in records and servers.ask(client, [servers.FIRST[1]]).choices


def test_no_value_in_logs_metrics_or_errors(serve, caplog, monkeypatch):
    server = serve()
    chat = [{"role": "user", "content": f"The access token is: {WORD}. Say it."}]
    text, _ = servers.streamed(server.client(), chat, session="canary")
    assert text

    def fail(*given, **options):
        raise ValueError(f"the text was {WORD}")

    monkeypatch.setattr(turn.Decoder, "text", fail)
    answer = post(server, GOOD.replace('"x"', f'"{WORD}"'))
    monkeypatch.undo()
    assert answer.status_code == 500 and WORD not in answer.text
    metrics = servers.httpx.get(f"{server.url}/metrics").text
    assert 'ta_requests_total{path="/v1/chat/completions",status="500"} 1.0' in metrics
    assert 'ta_tokens_total{kind="generated"} 8.0' in metrics
    assert "ta_managed_layers 3.0" in metrics and "ta_layers 3.0" in metrics
    assert "a turn failed: ValueError" in caplog.text
    assert WORD not in metrics + caplog.text
    masked = server.session("canary")
    assert WORD not in str(masked) and WORD in str(server.session("canary", reveal=True))
    assert [value for value in masked["values"] if value["held"]]
