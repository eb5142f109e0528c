"""Answers at a port while the model behind it is loaded, so that probes and proxies know why.

The rest of the server is loaded then, too: nothing here imports it.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator

import uvicorn
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from .connections import Limits, http_config
from .faults import Fault, error_answer


async def _loading(scope: Scope, receive: Receive, send: Send) -> None:
    """Health says what is waited for; all else is refused for now."""
    if scope["path"] == "/health":
        answer = JSONResponse({"status": "loading"}, 503)
    else:
        fault = Fault(503, "the model is being loaded: try again later", "busy")
        answer = error_answer(fault, scope["path"])
    await answer(scope, receive, send)


@contextlib.contextmanager
def bound(host: str, port: int, limits: Limits) -> Iterator[socket.socket]:
    """A socket that listens, and answers that a model is loaded until the block ends; who connects
    between the two servers waits. Raises OSError for an address that cannot be had."""
    config = http_config(_loading, limits, host, port)
    config.lifespan = "off"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=config.backlog)
    server = uvicorn.Server(config)
    sockets = [listening.dup()]  # the server closes it at its end
    thread = threading.Thread(target=server.run, kwargs={"sockets": sockets}, daemon=True)
    thread.start()
    try:
        yield listening
    finally:
        server.should_exit = True
        thread.join()
