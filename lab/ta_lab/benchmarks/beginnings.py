"""Conversations after one document in the system's message: seconds to each one's first text.

`ta serve` beside the stock llama-server, for a GGUF file, or beside `ta serve` that shares no
beginnings, for a model of transformers. The arms take turns in every conversation. Every round has
a document of its own, so its first conversation finds nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from transactional_attention.config import Retention
from transactional_attention.errors import InputError
from transactional_attention.models.loading import gguf_of
from transactional_attention.retention.layout import for_chats

from .benchmark import REPLY, Outcome, Request, Row
from .corpus import filler_tokens
from .engines import engines
from .extras import extra
from .processes import llama_server
from .served import Client, Turn
from .timing import timings

STOCK, SHARED, ANEW = "llama-server", "ta serve", "ta serve, all read anew"
CONVERSATIONS = ("first", "second", "third")
ASKED = (
    "I did not get to the end of this. Tell me in one or two sentences what the first part says, "
    "and where I should look if I want to know more."
)
ROOM = 512  # cells of the stock server beside the document


def run(request: Request) -> Outcome:
    """A row for each conversation, arm, length of the document and K. Raises UnsupportedError
    without the extra ``serve``."""
    with extra("beginnings", "serve"):
        import uvicorn  # noqa: F401, PLC0415
    file, threads = gguf_of(request.recipe.model), request.recipe.threads or 1
    (tokenizer, make), rows, loads = engines(request), list[Row](), [os.getloadavg()[0]]
    for tokens, budget in request.cells():
        retention = for_chats(Retention(budget, request.methods[-1]))
        with contextlib.ExitStack() as stack:
            if file is not None:
                cells = tokens + ROOM
                stock = llama_server(file, cells, threads=threads, chunk=request.chunk)
                arms = {STOCK: Client(urlsplit(stack.enter_context(stock).address).port or 0)}
            else:
                alone = Client.serving(make(retention), retention, None, beginnings=0)
                arms = {ANEW: stack.enter_context(alone)}
            serving = Client.serving(make(retention), retention, None)
            arms[SHARED] = stack.enter_context(serving)
            documents = _documents(request, tokenizer, tokens)
            rows += [{"tokens": tokens, "budget": budget, **row} for row in _rows(arms, documents)]
        loads.append(os.getloadavg()[0])
    load = f"{min(loads):.1f} to {max(loads):.1f}"
    return Outcome(rows, [f"load average of the machine at the ends of the run: {load}"])


def _documents(request: Request, tokenizer: Any, tokens: int) -> Iterator[str]:
    """One of ``tokens`` tokens for each round."""
    for number in range(request.rounds):
        filler = filler_tokens(tokenizer, request.filler, f"beginnings/{request.seed}/{number}")
        yield tokenizer.decode(list(itertools.islice(filler, tokens)))


def _rows(arms: dict[str, Client], documents: Iterable[str]) -> list[Row]:
    seconds: dict[str, dict[str, list[float]]] = {
        conversation: {name: [] for name in arms} for conversation in CONVERSATIONS
    }
    for client in arms.values():
        _first_text(client, "You are kind.", "Hello.")  # warm-up
    for number, document in enumerate(documents):
        for place, conversation in enumerate(CONVERSATIONS):
            for name in sorted(arms, reverse=(number + place) % 2 == 1):
                spent = _first_text(arms[name], document, f"{conversation}: {ASKED}")
                seconds[conversation][name].append(spent)
    return [
        {"what": f"{conversation} conversation", **timed.row()}
        for conversation, each in seconds.items()
        for timed in timings(each)
    ]


def _first_text(client: Client, document: str, question: str) -> float:
    """Seconds from a request of a new conversation to the first text of its answer. Raises
    InputError for an answer without text."""
    messages: list[Turn] = [
        {"role": "system", "content": document},
        {"role": "user", "content": question},
    ]
    _, times = client.stream(messages, REPLY)
    if not times:
        raise InputError("the model answers without a text: take another --model, or --seed")
    return times[0]
