"""``ta serve`` beside the stock llama-server, each in a process of its own, started anew each round.

Both get the same GGUF file, threads, chunk, type of cells and conversation: its history as one
request, then turns behind it, in which the two go first in alternation. The stock server has a cell
for every token, ``ta serve`` its defaults at K. An interrupted run goes on from its state, round by
round."""

from __future__ import annotations

import contextlib
import itertools
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from transactional_attention.engines.llama_cpp import GgufModel
from transactional_attention.errors import InputError
from transactional_attention.gguf import GgufTokenizer
from transactional_attention.models.loading import gguf_of

from .beginnings import ASKED, STOCK
from .benchmark import Outcome, Request, Row
from .corpus import filler_tokens
from .processes import Process, llama_server, ta_serve
from .serve import SERVED, Notes
from .served import Client, Turn
from .timing import ratios

MESSAGE = 500  # tokens of a message of the history
TURNS, SAID = 3, 64  # turns behind it, and tokens of every answer
ROOM = 1024  # cells of the stock server for what is no text of the history


def run(request: Request) -> Outcome:
    """A row for each arm, length of the history and K. Raises InputError for a model without a
    GGUF file. Raises UnsupportedError for a server that does not start."""
    file = gguf_of(request.recipe.model)
    if file is None:
        raise InputError("ta bench llama-server: --model must be a GGUF file")
    model, rows, loads = GgufModel(request.recipe.model), list[Row](), list[float]()
    tokenizer, ends = GgufTokenizer(model), model.ends
    with contextlib.ExitStack() as made:
        folder = request.state or Path(made.enter_context(tempfile.TemporaryDirectory()))
        for tokens, budget in request.cells():
            notes = Notes(folder, f"{tokens}-{budget}")
            for number in range(len(notes.rows), request.rounds):
                history = _history(request, tokenizer, tokens, number)
                notes.add(_round(request, file, history, (tokens, budget), ends, number))
            loads += [row["load"] for row in notes.rows]
            rows += [{"tokens": tokens, "budget": budget, **row} for row in _rows(notes.rows)]
    load = f"{min(loads):.1f} to {max(loads):.1f}"
    return Outcome(rows, [f"load average of the machine at the ends of the rounds: {load}"])


def _history(request: Request, tokenizer: Any, tokens: int, number: int) -> list[Turn]:
    """A conversation of so many tokens of text; the user has said the last of it."""
    seed = f"servers/{request.seed}/{number}"
    source = itertools.islice(filler_tokens(tokenizer, request.filler, seed), tokens)
    parts = iter(lambda: list(itertools.islice(source, MESSAGE)), [])
    texts = [str(tokenizer.decode(part)) for part in parts]
    roles = itertools.cycle(["user", "assistant"] if len(texts) % 2 else ["assistant", "user"])
    said: list[Turn] = [
        {"role": role, "content": text} for role, text in zip(roles, texts, strict=False)
    ]
    return said if said[0]["role"] == "user" else [{"role": "user", "content": "Hello."}, *said]


def _round(
    request: Request,
    file: str | Path,
    history: Sequence[Turn],
    sizes: tuple[int, int],
    ends: frozenset[int],
    number: int,
) -> Turn:
    """Of each arm: seconds until it listens, until the first texts, tokens a second, its memory."""
    given: Any = {"threads": request.recipe.threads or 1, "chunk": request.chunk}
    program = request.program or Path(sys.executable).with_name("ta")
    start: dict[str, Callable[[], Any]] = {
        STOCK: lambda: llama_server(file, sizes[0] + ROOM, **given),
        SERVED: lambda: ta_serve(program, file, sizes[1], **given),
    }
    with contextlib.ExitStack() as running:
        order = list(start) if number % 2 == 0 else list(start)[::-1]
        servers: dict[str, Process] = {n: running.enter_context(start[n]()) for n in order}
        talks = {n: _talk(servers[n], history, ends) for n in order}
        turns: dict[str, list[list[float]]] = {name: [] for name in order}
        for turn in range(1 + TURNS):
            for name in order if turn % 2 == 0 else order[::-1]:
                turns[name].append(next(talks[name]))
        found: Turn = {
            name: {
                "listening": server.seconds,
                "listening_cpu": server.cpu_seconds,
                "cold": turns[name][0][0],
                "next": statistics.median(times[0] for times in turns[name][1:]),
                "token": statistics.median(map(_seconds_a_token, turns[name][1:])),
                "memory": server.memory(),
            }
            for name, server in servers.items()
        }
    return {**found, "load": os.getloadavg()[0]}


def _talk(
    server: Process, history: Sequence[Turn], ends: frozenset[int]
) -> Iterator[list[float]]:
    """Of turn after turn the seconds from the request to each piece of the answer. Raises
    InputError for an answer without text."""
    client = Client(urlsplit(server.address).port or 0)
    open_end = {str(end): -100 for end in ends}
    client.stream([{"role": "user", "content": "Hello."}], 4)  # warm-up
    messages = list(history)
    while True:
        reply, times = client.stream(messages, SAID, logit_bias=open_end)
        if len(times) < 2:
            raise InputError("the model answers without a text: take another --model, or --seed")
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": ASKED}]
        yield times


def _seconds_a_token(times: Sequence[float]) -> float:
    return (times[-1] - times[0]) / (SAID - 1)


def _rows(rounds: Sequence[Turn]) -> list[Row]:
    """Of each arm the medians over its rounds, and of the ratios to the stock server the median
    and the range."""
    found = []
    for name in (STOCK, SERVED):
        row: Row = {"name": name, "rounds": len(rounds)}
        for measure in ("listening", "listening_cpu", "cold", "next", "token"):
            row[f"{measure}_s"] = _median([one[name][measure] for one in rounds])
        for measure in ("cold", "next", "token"):
            own, peer = ([one[arm][measure] for one in rounds] for arm in (name, STOCK))
            row[f"{measure}_ratio"] = _spread(ratios(own, peer))
        row["tokens_per_s"] = 1 / row["token_s"]
        row["speed_ratio"] = sorted(1 / ratio for ratio in row.pop("token_ratio"))
        if rounds[0][name]["memory"] is not None:
            own, peer = ([one[arm]["memory"] for one in rounds] for arm in (name, STOCK))
            row |= {key: _median([each[key] for each in own]) for key in own[0]}
            sizes, beside = ([m["rss_bytes"] for m in each] for each in (own, peer))
            row["rss_ratio"] = _spread(ratios(sizes, beside))
        found.append(row)
    return found


def _median(values: Sequence[float | None]) -> float | None:
    """None where the system did not say one."""
    said = [value for value in values if value is not None]
    return statistics.median(said) if said else None


def _spread(values: Sequence[float]) -> list[float]:
    """Least, median and largest."""
    return [min(values), statistics.median(values), max(values)]
