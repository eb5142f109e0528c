"""Answers as server-sent events: one for each form, and signs of life while nothing comes."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from .causes import fault_of
from .completions import Form

PING = 5.0  # seconds without an event after which there is a sign of life
HEADERS = {"X-Accel-Buffering": "no"}  # proxies pass on what comes


async def events(chunks: AsyncIterator[Form], form: Any) -> AsyncIterator[str]:
    """What a form tells as server-sent events; their end ends the turn."""
    try:
        async for chunk in _alive(chunks):
            shown = form.ping if chunk is None else chunk
            yield ": ping\n\n" if shown is None else event(shown, named=form.named)
    except Exception as error:
        form.answer.fault = fault_of(error)
        yield event(form.failed(form.answer.fault), named=form.named)
    finally:
        form.answer.leave()
    if not form.named:
        yield "data: [DONE]\n\n"


async def _alive(chunks: AsyncIterator[Form]) -> AsyncIterator[Form | None]:
    """The forms of a stream as they come; None when none has come for a while."""
    waiting: asyncio.Task[Form | None] | None = None
    try:
        while True:
            waiting = waiting or asyncio.create_task(_next(chunks))
            done, _ = await asyncio.wait({waiting}, timeout=PING)
            chunk = waiting.result() if done else None
            if done and chunk is None:
                return
            waiting = None if done else waiting
            yield chunk
    finally:
        if waiting is not None:
            waiting.cancel()


async def _next(chunks: AsyncIterator[Form]) -> Form | None:
    return await anext(chunks, None)


def event(form: Form, *, named: bool) -> str:
    """One server-sent event; those of chats have no names. Characters at which some clients end a
    line are escaped."""
    data = json.dumps(form, ensure_ascii=False).translate(BREAKS)
    return f"event: {form['type']}\ndata: {data}\n\n" if named else f"data: {data}\n\n"


BREAKS = {ord(c): f"\\u{ord(c):04x}" for c in "\x85\u2028\u2029"}
