"""A line of the log for every request: who asked which route, and what it took. Nothing in it is
text of a request, nor a path as it was sent."""

import logging
from collections.abc import Iterator

from starlette.types import Scope

from .faults import GONE, Fault
from .given import known

PROBES = ("/health", "/metrics")  # asked every few seconds, and logged when they fail
METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH")
log = logging.getLogger(__name__)


def log_request(scope: Scope, status: int, seconds: float) -> None:
    """Of a request that has ended: method, route, status, tenant, session, tokens, milliseconds.

    ``scope``: with ``tenant``, for a turn its ``answer``, and the ``fault`` where the request got
    one. A turn that its client left, or the server's end cut off, has no tokens.
    """
    route = route_of(scope)
    if route in PROBES and status < 400:
        return
    method = scope["method"] if scope["method"] in METHODS else "other"
    fields = [method, route, str(status)]
    if (tenant := scope.get("tenant")) is not None and tenant.label:
        fields.append(f"key={tenant.label}")
    answer = scope.get("answer")
    fault = scope.get("fault") or (answer and answer.fault)
    if answer is not None and answer.end is not None:
        end = answer.end
        read = f"read={end.prompt - end.kept} kept={end.kept} generated={end.completion}"
        fields.append(f"session={end.session} {read} end={end.reason}")
    elif fault is not None and fault.status != GONE:
        fields.extend(_reason(fault))
    elif answer is not None:
        fields.append("cut off")
    log.info("%s %.0f ms", " ".join(fields), 1000 * seconds)


def _reason(fault: Fault) -> Iterator[str]:
    """A fault's code and the field that is wrong, of which it shows what is no text of a client."""
    if fault.code:
        yield f"error={fault.code}"
    named = (part for part in fault.param.split(".") if part.isdigit() or part in known())
    if field := ".".join(named):
        yield f"field={field}"


def route_of(scope: Scope) -> str:
    """The route that answers, with names in place of what clients put there."""
    return getattr(scope.get("route"), "path", "other")
