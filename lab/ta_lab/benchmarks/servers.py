"""``ta serve`` beside the stock llama-server, each in a process of its own that a round starts.

Both get the same GGUF file, threads, chunk, type of cells and conversation: its history as one
request, then turns after it, in which the two go first in alternation. The stock server has a cell
for every token, ``ta serve`` its defaults at K. An interrupted run goes on from its state, round by
round."""

from __future__ import annotations

import contextlib
import itertools
import os
import statistics
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
TURNS, SAID = 3, 64  # turns after it, and tokens of every answer
ROOM = 1024  # cells of the stock server for what is no text of the history


def run(request: Request) -> Outcome:
    """A row for each arm, length of the history and K. Raises InputError for a model without a
    GGUF file. Raises UnsupportedError for a server that does not start."""
    file = gguf_of(request.recipe.model)
    if file is None:
        raise InputError("ta bench llama-server: --model must be a GGUF file")
    model, rows, loads = GgufModel(request.recipe.model), list[Row](), list[float]()
    tokenizer, ends = GgufTokenizer(model), model.ends
    with request.folder() as folder:
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
    """A conversation of ``tokens`` tokens; the user has said the last of it."""
    seed = f"servers/{request.seed}/{number}"
    source = itertools.islice(filler_tokens(tokenizer, request.filler, seed), tokens)
    parts = iter(lambda: list(itertools.islice(source, MESSAGE)), [])
    texts = [str(tokenizer.decode(part)) for part in parts]
    roles = itertools.cycle(["user", "assistant"] if len(texts) % 2 else ["assistant", "user"])
    messages: list[Turn] = [
        {"role": role, "content": text} for role, text in zip(roles, texts, strict=False)
    ]
    return (
        messages
        if messages[0]["role"] == "user"
        else [{"role": "user", "content": "Hello."}, *messages]
    )


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
    start: dict[str, Callable[[], Any]] = {
        STOCK: lambda: llama_server(file, sizes[0] + ROOM, **given),
        SERVED: lambda: ta_serve(request.program, file, sizes[1], **given),
    }
    with contextlib.ExitStack() as running:
        order = list(start) if number % 2 == 0 else list(start)[::-1]
        servers: dict[str, Process] = {n: running.enter_context(start[n]()) for n in order}
        talks = {n: _talk(servers[n], history, ends) for n in order}
        turns: dict[str, list[Turn]] = {name: [] for name in order}
        for turn in range(1 + TURNS):
            for name in order if turn % 2 == 0 else order[::-1]:
                turns[name].append(next(talks[name]))
        arms: Turn = {
            name: {
                "listening": server.listening,
                "ready": server.ready,
                "turns": turns[name],
                "memory": server.memory(),
            }
            for name, server in servers.items()
        }
    return {**arms, "load": os.getloadavg()[0]}


def _talk(server: Process, history: Sequence[Turn], ends: frozenset[int]) -> Iterator[Turn]:
    """Of turn after turn the seconds from the request to each piece of the answer, and those of the
    processor. Raises InputError for an answer without text."""
    client = Client(urlsplit(server.address).port or 0)
    open_end = {str(end): -100 for end in ends}
    client.stream([{"role": "user", "content": "Hello."}], 4)  # warm-up
    messages = list(history)
    while True:
        before = server.cpu_seconds()
        reply, times = client.stream(messages, SAID, logit_bias=open_end)
        after = server.cpu_seconds()
        if len(times) < 2:
            raise InputError("the model answers without a text: take another --model, or --seed")
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": ASKED}]
        yield {"times": times, "cpu": None if before is None or after is None else after - before}


def _measured(arm: Turn) -> dict[str, float]:
    """Of an arm in a round, seconds: until the first text, cold and in the median of the turns
    after; a token, in the mean of a turn and in the median, in which what a slot brings back is
    not; and where the system says it, of the processor, in whole turns."""
    cold, *later = arm["turns"]
    times = [turn["times"] for turn in later]
    samples = {
        "cold": [cold["times"][0]],
        "next": [each[0] for each in times],
        "token": [(each[-1] - each[0]) / (SAID - 1) for each in times],
        "step": [end - begin for each in times for begin, end in itertools.pairwise(each)],
    }
    if cold["cpu"] is not None:
        samples |= {"cold_cpu": [cold["cpu"]], "next_cpu": [turn["cpu"] for turn in later]}
    return {name: statistics.median(each) for name, each in samples.items()}


def _rows(rounds: Sequence[Turn]) -> list[Row]:
    """Of each arm the medians over its rounds, and of the ratios to the stock server the least, the
    median and the largest."""
    rows = []
    peers = [_measured(one[STOCK]) for one in rounds]
    for name in (STOCK, SERVED):
        arms, row = [one[name] for one in rounds], Row({"name": name, "rounds": len(rounds)})
        measured = [_measured(arm) for arm in arms]
        for measure in peers[0]:
            seconds, peer = ([one[measure] for one in each] for each in (measured, peers))
            row[f"{measure}_s"] = statistics.median(seconds)
            row[f"{measure}_ratio"] = _spread(ratios(seconds, peer))
        for measure, speed in {"token": "speed", "step": "step_speed"}.items():
            row[f"{measure}s_per_s"] = 1 / row[f"{measure}_s"]
            row[f"{speed}_ratio"] = sorted(1 / one for one in row.pop(f"{measure}_ratio"))
        for what in ("listening", "ready"):
            row[f"{what}_s"] = statistics.median(arm[what][0] for arm in arms)
            if arms[0][what][1] is not None:  # where the system says it
                row[f"{what}_cpu_s"] = statistics.median(arm[what][1] for arm in arms)
        if arms[0]["memory"] is not None:
            for key in arms[0]["memory"]:
                row[key] = statistics.median(arm["memory"][key] for arm in arms)
            sizes, beside = (
                [one[arm]["memory"]["rss_bytes"] for one in rounds] for arm in (name, STOCK)
            )
            row["rss_ratio"] = _spread(ratios(sizes, beside))
        rows.append(row)
    return rows


def _spread(values: Sequence[float]) -> list[float]:
    """Least, median and largest."""
    return [min(values), statistics.median(values), max(values)]
