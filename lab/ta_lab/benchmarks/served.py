"""A server in a thread of its own, and requests to it as they are on the wire."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.session import Engine
from transactional_attention.errors import InputError

Turn = dict[str, Any]
CHATS = "/v1/chat/completions"


class Client:
    """Asks a server, ours or another one that serves one model."""

    def __init__(self, port: int) -> None:
        self.port = port

    @classmethod
    @contextlib.contextmanager
    def serving(
        cls, engine: Engine, retention: Retention, folder: Path | None, **bounds: Any
    ) -> Iterator[Client]:
        """A client of a server that runs inside; ``folder`` and ``bounds`` of its sessions."""
        import uvicorn  # noqa: PLC0415  (extra)

        from transactional_attention.server import app  # noqa: PLC0415  (extra)
        from transactional_attention.server.sessions import Bounds, Sessions  # noqa: PLC0415
        from transactional_attention.server.worker import Line  # noqa: PLC0415

        sessions = Sessions(engine, Bounds(**bounds), folder)
        access = app.Access(max_body=64 << 20)
        service = app.Service(engine, sessions, retention, Line(running=1), access)
        made = app.create_app(service)
        config = uvicorn.Config(made, port=0, log_level="error", access_log=False)
        bound = config.bind_socket()
        bound.listen(config.backlog)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            yield cls(bound.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()

    @contextlib.contextmanager
    def _asked(self, method: str, path: str, body: Any = None) -> Iterator[Any]:
        """A response; raises InputError for one that is an error."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        with contextlib.closing(connection):
            given = None if body is None else json.dumps(body)
            connection.request(method, path, given, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise InputError(f"the server answers {answer.status}: {answer.read().decode()}")
            yield answer

    def stream(self, messages: Sequence[Turn], most: int, **more: Any) -> tuple[str, list[float]]:
        """A greedy answer, and seconds from the request to each piece of its text."""
        begun, times, text = time.perf_counter(), list[float](), ""
        for delta in self._deltas(messages, max_tokens=most, temperature=0, **more):
            if piece := delta.get("content"):
                times.append(time.perf_counter() - begun)
                text += piece
        return text, times

    def streamed(self, messages: Sequence[Turn], **more: Any) -> Turn:
        """The message of an answer that streams: its text and calls."""
        text, calls = "", list[Turn]()
        for delta in self._deltas(messages, **more):
            text += delta.get("content") or ""
            calls += delta.get("tool_calls") or ()
        return {"content": text, "tool_calls": calls}

    def whole(self, messages: Sequence[Turn], **more: Any) -> Turn:
        """The same of one that does not."""
        with self._asked("POST", CHATS, {"messages": messages, **more}) as answer:
            message = json.load(answer)["choices"][0]["message"]
        return {"content": message["content"], "tool_calls": message.get("tool_calls") or []}

    def _deltas(self, messages: Sequence[Turn], **more: Any) -> Iterator[Turn]:
        """What is new of a message, piece by piece."""
        with self._asked("POST", CHATS, {"messages": messages, "stream": True, **more}) as answer:
            for line in answer:
                if line.startswith(b"data: {"):
                    chunk = json.loads(line[6:])
                    if "error" in chunk:
                        raise InputError(f"the server: {chunk['error']['message']}")
                    yield chunk["choices"][0]["delta"]

    def history(self, session: str) -> list[list[int]]:
        """Of each turn: tokens, live tokens, bytes, bytes of a full cache."""
        with self._asked("GET", f"/v1/sessions/{session}") as answer:
            return json.load(answer)["history"]  # type: ignore[no-any-return]
