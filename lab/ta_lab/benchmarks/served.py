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
from transactional_attention.engines.serving import Engine
from transactional_attention.errors import InputError

Turn = dict[str, Any]


class Client:
    """Asks a server for the model of a name."""

    def __init__(self, name: str, port: int) -> None:
        self.name, self.port = name, port

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
            yield cls(engine.name, bound.getsockname()[1])
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
        """An answer, and seconds from the request to each piece of its text."""
        asked = {"model": self.name, "messages": messages, "max_tokens": most, **more}
        begun, times, text = time.perf_counter(), list[float](), ""
        given = {**asked, "stream": True, "temperature": 0}
        with self._asked("POST", "/v1/chat/completions", given) as answer:
            for line in answer:
                if line.startswith(b"data: {"):
                    chunk = json.loads(line[6:])
                    if "error" in chunk:
                        raise InputError(f"the server: {chunk['error']['message']}")
                    piece = chunk["choices"][0]["delta"].get("content")
                    if piece:
                        times.append(time.perf_counter() - begun)
                        text += piece
        return text, times

    def history(self, session: str) -> list[list[int]]:
        """Of each turn: tokens, live tokens, bytes, bytes of a full cache."""
        with self._asked("GET", f"/v1/sessions/{session}") as answer:
            return json.load(answer)["history"]  # type: ignore[no-any-return]
