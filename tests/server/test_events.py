"""Streams: a head while the prompt is read, signs of life, errors after the head, whole lines."""

import contextlib
import json
import threading

import pytest

import servers
from transactional_attention.server import app, events

STREAM = {"model": "tiny", "temperature": 0, "stream": True}  # greedy: its end is no draw
CHAT = {**STREAM, "messages": servers.FIRST, "max_tokens": 8}
ASKED = {
    "chat/completions": CHAT,
    "completions": {**STREAM, "prompt": "It rained.", "max_tokens": 8},
    "responses": {**STREAM, "input": "It rained.", "max_output_tokens": 8},
    "messages": {**CHAT, "messages": servers.FIRST[1:]},
}
TOO_SMALL = {"budget": 16, "protect_roles": ["user"], "memory": False}


@contextlib.contextmanager
def held(server):
    """The thread that runs the model waits until the event is set, so no turn begins."""
    gate = threading.Event()
    server.service.worker.call(gate.wait)
    try:
        yield gate
    finally:
        gate.set()


@contextlib.contextmanager
def streamed(server, path, **more):
    """The head of a stream, and its lines."""
    body = {**ASKED[path], **more}
    with servers.httpx.stream("POST", f"{server.url}/v1/{path}", json=body, timeout=60) as answer:
        yield answer, answer.iter_lines()


def is_ping(path, line):
    named = {"messages": "event: ping", "responses": "event: response.in_progress"}
    return line == named.get(path, ": ping")


@pytest.mark.parametrize("path", ASKED)
def test_the_head_comes_before_the_prompt_is_read_and_then_signs_of_life(serve, path, monkeypatch):
    monkeypatch.setattr(events, "PING", 0.05)
    server = serve()
    with held(server) as gate, streamed(server, path) as (answer, lines):
        assert answer.status_code == 200 and answer.headers["X-Accel-Buffering"] == "no"
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert sum(is_ping(path, next(lines)) for _ in range(30)) >= 3
        gate.set()
        rest = list(lines)
    data = [line.removeprefix("data: ") for line in rest if line.startswith("data: ")]
    ends = {"messages": "message_stop", "responses": "response.incomplete"}
    if path in ends:
        assert json.loads(data[-1])["type"] == ends[path]
    else:
        assert data[-1] == "[DONE]" and json.loads(data[-2])["choices"][0]["finish_reason"]


@pytest.mark.parametrize("path", [path for path in ASKED if path != "completions"])
def test_an_error_after_the_head_is_an_event_of_the_interface(serve, path, monkeypatch):
    monkeypatch.setattr(app, "PATIENCE", 0.05)
    server = serve()
    with held(server) as gate, streamed(server, path, retention=TOO_SMALL) as (answer, lines):
        assert answer.status_code == 200
        gate.set()
        rest = list(lines)
    data = [line.removeprefix("data: ") for line in rest if line.startswith("data: {")]
    event = json.loads(data[-1])
    if path == "chat/completions":
        assert event["error"]["code"] == "budget_too_small" and rest[-2] == "data: [DONE]"
    elif path == "responses":
        assert (event["type"], event["code"]) == ("error", "budget_too_small")
    else:
        assert event["type"] == "error" and event["error"]["type"] == "invalid_request_error"
        assert "event: error" in rest
    assert "protected tokens" in json.dumps(event) and not server.service.sessions.busy


@pytest.mark.parametrize("path", ASKED)
def test_an_error_that_comes_soon_has_its_status(serve, path):
    with streamed(serve(), path, session="x", retention={"budget": 0}) as (answer, _):
        assert answer.status_code == 400


@pytest.mark.parametrize("path", ["chat/completions", "completions"])
def test_a_stream_says_how_far_its_prompt_is_read(serve, path):
    server, long = serve(), "It rained. " * 40  # a token is a byte, a chunk 64 of them
    name = "prompt" if path == "completions" else "messages"

    def asked(text, **more):
        given = text if path == "completions" else [{"role": "user", "content": text}]
        about = {name: given, "session": "mine", "stream_options": {"include_usage": True}}
        with streamed(server, path, **about, **more) as (_, lines):
            chunks = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
        progress = [chunk["prompt_progress"] for chunk in chunks if "prompt_progress" in chunk]
        return progress, chunks[-1]["usage"]

    reports, usage = asked(long, return_progress=True)
    read = [one["processed"] for one in reports]
    assert len(set(read)) == len(read) >= 6 and read == sorted(read)
    assert read[0] <= 64 and usage["prompt_tokens"] - 64 <= read[-1] <= usage["prompt_tokens"]
    assert {(one["total"], one["cache"]) for one in reports} == {(usage["prompt_tokens"], 0)}
    times = [one["time_ms"] for one in reports]
    assert times == sorted(times) and times[0] >= 0
    again, usage = asked(long, return_progress=True)
    kept = usage["prompt_tokens_details"]["cached_tokens"]
    assert kept and all(one["cache"] == kept <= one["processed"] for one in again)
    assert asked(long + long)[0] == []


def test_what_ends_a_line_for_some_clients_is_escaped(serve):
    engine = servers.tiny_engine()
    server = serve(engine)
    text = "One\u2028two\u2029three\x85four\x0b"
    with servers.speak(engine, text), streamed(server, "chat/completions", max_tokens=60) as stream:
        lines = [line for line in stream[1] if line]  # as Python ends lines
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    assert "".join(delta.get("content", "") for delta in deltas) == text
