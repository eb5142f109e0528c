"""Errors as clients get them, in OpenAI's form and in Anthropic's.

An error says what is wrong with a request, and nothing of what stands in it.
"""

import logging
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..errors import BudgetError, PositionsError, RetentionError
from .index import NotSaved
from .sessions import SessionError
from .worker import Refused, named

ANTHROPIC = "/v1/messages"  # paths that begin so have Anthropic's forms
KINDS = {401: "authentication_error", 429: "rate_limit_error"}
ANTHROPIC_KINDS = {
    **KINDS,
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    503: "overloaded_error",
}
log = logging.getLogger(__name__)


class Fault(Exception):  # noqa: N818  (an answer)
    """An answer with an HTTP status of 4xx or 5xx."""

    def __init__(self, status: int, why: str, code: str | None = None, param: str = "") -> None:
        super().__init__(why)
        self.status, self.why, self.code, self.param = status, why, code, param


def fault_of(error: Exception) -> Fault:
    """What an error is to a client; one that is not deliberate shows nothing of its text, and is
    logged."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, ClientDisconnect):
        return Fault(499, "the client has gone")
    if isinstance(error, Refused):
        return Fault(error.status, str(error), "busy")
    if isinstance(error, NotSaved):
        return Fault(507, str(error), "insufficient_storage")
    if isinstance(error, SessionError):
        return Fault(error.status, str(error), "session_not_usable", "session")
    if isinstance(error, PositionsError):
        return Fault(400, str(error), "context_length_exceeded")
    if isinstance(error, BudgetError):
        return Fault(400, str(error), "budget_too_small", "retention")
    if isinstance(error, RetentionError):
        return Fault(400, str(error))
    if isinstance(error, HTTPException):
        return Fault(error.status_code, str(error.detail))
    if isinstance(error, RequestValidationError):
        fault = error.errors()[0]  # its input is the client's own text
        return Fault(422, f"{fault['loc'][-1]}: {fault['msg']}", "invalid_query")
    log.error("a request failed: %s", named(error))
    return Fault(500, "the server failed at this request; its log says where")


def openai_error(fault: Fault) -> dict[str, Any]:
    """An error as OpenAI's clients read it."""
    other = "invalid_request_error" if fault.status < 500 else "server_error"
    about = {"type": KINDS.get(fault.status, other), "param": fault.param or None}
    return {"error": {"message": fault.why, **about, "code": fault.code}}


def anthropic_error(fault: Fault) -> dict[str, Any]:
    """An error as Anthropic's clients read it."""
    other = "invalid_request_error" if fault.status < 500 else "api_error"
    kind = ANTHROPIC_KINDS.get(fault.status, other)
    return {"type": "error", "error": {"type": kind, "message": fault.why}}


def error_answer(fault: Fault, path: str) -> JSONResponse:
    """The answer with an error, in the form of the interface that has the path."""
    headers = {"Retry-After": "1"} if fault.status in (429, 503) else {}
    if fault.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if fault.status in (408, 413, 431):  # the rest of the request is not waited for
        headers["Connection"] = "close"
    form = anthropic_error if path.startswith(ANTHROPIC) else openai_error
    return JSONResponse(form(fault), fault.status, headers)
