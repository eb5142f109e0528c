"""Bodies of requests: how much may be sent, how it is read, and whether the client is there."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from .admission import Reservation
from .answering import Answer
from .faults import GONE, Fault
from .given import mended, reason
from .keys import ApiKeys

Body = TypeVar("Body", bound=BaseModel)


@dataclass(frozen=True)
class Access:
    """Who may ask, and how much. ``keys`` None: everybody who reaches a loopback address.

    ``max_body``: bytes of a request, and characters of its conversation; ``arrival``: seconds in
    which it must have come.
    """

    keys: ApiKeys | None = None
    max_body: int = 4 << 20
    arrival: float = 60.0


async def read(request: Request, access: Access, place: Reservation) -> bytes:
    """The body of a request, which its place holds. Raises Fault for one that is too large, too
    slow, or not JSON by its header."""
    kind_given = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind_given != "application/json":
        raise Fault(415, "the body must be JSON, with Content-Type: application/json")
    body = bytearray()
    most = access.max_body
    try:
        async with asyncio.timeout(access.arrival):
            async for block in request.stream():
                body += block
                if len(body) > most:
                    raise Fault(413, f"the body has more than {most} bytes: send less")
                place.hold(len(block))
    except TimeoutError:
        why = f"the body did not come in {access.arrival:g} seconds: send it faster, or less"
        raise Fault(408, why) from None
    return bytes(body)


def parsed(body: bytes, kind: type[Body]) -> Body:
    """What a body asks for. Raises Fault for what it may not."""
    try:
        return kind.model_validate_json(mended(body.decode("latin-1")).encode("latin-1"))
    except ValidationError as error:
        place, why = reason(error)
        raise Fault(400, f"{place}: {why}" if place else why, "invalid_body", place) from None


async def gone(request: Request) -> None:
    """Returns when the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def while_there(request: Request, work: Awaitable[Any], answer: Answer | None = None) -> Any:
    """The result of some work, unless the client goes away before."""
    task, left = asyncio.ensure_future(work), asyncio.ensure_future(gone(request))
    try:
        await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            if answer is not None:
                answer.leave()
            raise Fault(GONE, "the client has gone")
        return task.result()
    finally:
        task.cancel()
        left.cancel()
