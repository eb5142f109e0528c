"""A line of the log for every request: who asked which route, and what it took. Nothing in it is
text of a request, nor a path as it was sent."""

import logging

from starlette.types import Scope

PROBES = ("/health", "/metrics")  # asked every few seconds, and logged when they fail
METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH")
log = logging.getLogger(__name__)


def log_request(scope: Scope, status: int, seconds: float) -> None:
    """Of a request that has ended: method, route, status, tenant, session, tokens, milliseconds.

    ``scope``: with ``tenant``, and for a turn its ``answer``. A turn that its client left, or the
    server's end cut off, has no tokens.
    """
    route = route_of(scope)
    if route in PROBES and status < 400:
        return
    method = scope["method"] if scope["method"] in METHODS else "other"
    told = [method, route, str(status)]
    if (tenant := scope.get("tenant")) is not None and tenant.label:
        told.append(f"key={tenant.label}")
    if (answer := scope.get("answer")) is not None:
        if (end := answer.end) is None:
            told.append("cut off")
        else:
            read = f"read={end.prompt - end.kept} kept={end.kept} generated={end.completion}"
            told.append(f"session={end.session} {read} end={end.reason}")
    log.info("%s %.0f ms", " ".join(told), 1000 * seconds)


def route_of(scope: Scope) -> str:
    """The route that answers, with names in place of what clients put there."""
    return getattr(scope.get("route"), "path", "other")
