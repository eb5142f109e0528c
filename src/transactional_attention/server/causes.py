"""What an error of the server is to a client: whose fault, and with which status."""

import logging

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from ..errors import BudgetError, PositionsError, RetentionError, named
from .faults import GONE, Fault
from .index import NotSaved
from .sessions import SessionError
from .worker import Refused

log = logging.getLogger(__name__)


def fault_of(error: Exception) -> Fault:
    """What an error is to a client; one that is not deliberate shows nothing of its text, and is
    logged."""
    if isinstance(error, Fault):
        return error
    if isinstance(error, ClientDisconnect):
        return Fault(GONE, "the client has gone")
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
