"""Errors as clients get them, in OpenAI's form and in Anthropic's.

An error says what is wrong with a request, and nothing of what stands in it.
"""

from typing import Any

from starlette.responses import JSONResponse

GONE = 499  # a status that nobody gets: the client has left
ANTHROPIC = "/v1/messages"  # paths that begin so have Anthropic's forms
KINDS = {401: "authentication_error", 429: "rate_limit_error"}
ANTHROPIC_KINDS = {
    **KINDS,
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    503: "overloaded_error",
}


class Fault(Exception):  # noqa: N818  (an answer)
    """An answer with an HTTP status of 4xx or 5xx."""

    def __init__(self, status: int, why: str, code: str | None = None, param: str = "") -> None:
        super().__init__(why)
        self.status, self.why, self.code, self.param = status, why, code, param


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
