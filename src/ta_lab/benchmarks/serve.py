"""``ta serve`` on llama.cpp: what the server adds, a session of many turns, the same keep-sets.

The session's turns go through the server, streamed and saved as a client's are. Its replies are
then fed to the other arms, turn by turn, so that all read the same tokens: llama.cpp with a cell
for every token, and with its context shift in as many cells as ours. The last turn calls for the
values of the first one, each by itself. An interrupted run goes on from its state, turn by turn."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transactional_attention.cli.common import write_json
from transactional_attention.config import Retention
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.llama_cpp.serving import LlamaEngine
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.errors import InputError, UnsupportedError
from transactional_attention.models import load_model, load_tokenizer

from ..cases.encoding import EncodedCase, encode_case
from ..cases.metrics import contains
from ..generators import TASKS
from ..generators import make as make_case
from ..generators.needle import QUESTION
from ..generators.placing import Setting
from .agent import LABELS
from .benchmark import Outcome, Request, Row
from .corpus import encode, filler_tokens, state_value
from .llama_cpp import Shifting
from .timing import median_interval, stopwatch

SERVED, FULL, SHIFT = "ta serve", "full context", "context shift"
PROMPT, SAID = 64, 96  # tokens of a request that is timed beside the bare engine
PAIRS = 6  # of such requests, a round
REPLY, ANSWER = 16, 24  # tokens of a turn's reply, and of an answer
CASES, CASE_TOKENS, SAYS = 20, 800, 8  # keep-sets: cases a round, their tokens, what is said
EDGE = 10  # turns at the begin and the end whose times are compared
Turn = dict[str, Any]


class Notes:
    """What a part has measured so far, in a file that is whole at every moment."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / f"{name}.json"
        self.rows: list[Turn] = (
            json.loads(self.path.read_text(encoding="utf-8")) if self.path.is_file() else []
        )

    def add(self, row: Turn) -> None:
        """One more."""
        self.rows.append(row)
        write_json(self.path, {"rows": self.rows}["rows"])  # type: ignore[arg-type]


def run(request: Request) -> Outcome:
    """Rows of the three parts. Raises UnsupportedError without the extra ``serve``."""
    try:
        import uvicorn  # noqa: F401, PLC0415  (extra)
    except ModuleNotFoundError as missing:
        raise UnsupportedError(
            f"ta bench serve needs {missing.name}: pip install 'transactional-attention[serve]'"
        ) from None
    model, tokenizer = GgufModel(request.recipe.model), load_tokenizer(request.recipe.model)
    with _folder(request.state) as folder:
        rows = _overhead(request, model, tokenizer, folder)
        rows += _session(request, model, tokenizer, folder)
        rows.append(_keep_sets(request, model, tokenizer, folder))
    beyond = max(request.tokens) > model.trained_length
    note = (
        f"{max(request.tokens)} tokens are more than the model's {model.trained_length} positions: "
        "the full context answers outside of what it was trained for, ours are compact"
    )
    return Outcome(rows, [note] if beyond else [])


@contextlib.contextmanager
def _folder(state: Path | None) -> Iterator[Path]:
    if state is None:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)
        return
    state.mkdir(parents=True, exist_ok=True)
    yield state


def _engine(
    request: Request, model: GgufModel, tokenizer: Any, retention: Retention
) -> LlamaEngine:
    threads = request.recipe.threads
    return LlamaEngine(
        "bench", model, tokenizer, retention, parallel=1, chunk=request.chunk, threads=threads
    )


class Client:
    """A server in a thread of its own, and requests to it as they are on the wire."""

    def __init__(self, engine: LlamaEngine, retention: Retention, folder: Path | None) -> None:
        import uvicorn  # noqa: PLC0415  (extra)

        from transactional_attention.server.app import (  # noqa: PLC0415  (extra)
            Access,
            Service,
            create_app,
        )
        from transactional_attention.server.sessions import Bounds, Sessions  # noqa: PLC0415
        from transactional_attention.server.worker import Line  # noqa: PLC0415

        self.engine = engine
        sessions = Sessions(engine, Bounds(), folder)
        service = Service(engine, sessions, retention, Line(running=1), Access(max_body=64 << 20))
        config = uvicorn.Config(create_app(service), port=0, log_level="error", access_log=False)
        bound = config.bind_socket()
        bound.listen(config.backlog)
        self.port, self.server = bound.getsockname()[1], uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [bound]})
        self.thread.start()

    @contextlib.contextmanager
    def _asked(self, method: str, path: str, body: Any = None) -> Iterator[Any]:
        """A response; raises InputError for one that is an error."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        with contextlib.closing(connection):
            given = None if body is None else json.dumps(body)
            connection.request(method, path, given, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise InputError(f"ta serve answers {answer.status}: {answer.read().decode()}")
            yield answer

    def stream(self, messages: Sequence[Turn], most: int, **more: Any) -> tuple[str, list[float]]:
        """An answer, and seconds from the request to each of its pieces."""
        asked = {"model": self.engine.name, "messages": messages, "max_tokens": most, **more}
        begun, times, text = time.perf_counter(), list[float](), ""
        given = {**asked, "stream": True, "temperature": 0}
        with self._asked("POST", "/v1/chat/completions", given) as answer:
            for line in answer:
                if line.startswith(b"data: {"):
                    chunk = json.loads(line[6:])
                    if "error" in chunk:
                        raise InputError(f"ta serve: {chunk['error']['message']}")
                    times.append(time.perf_counter() - begun)
                    text += chunk["choices"][0]["delta"].get("content") or ""
        return text, times

    def history(self, session: str) -> list[list[int]]:
        """Of each turn: tokens, live tokens, bytes, bytes of a full cache."""
        with self._asked("GET", f"/v1/sessions/{session}") as answer:
            return json.load(answer)["history"]  # type: ignore[no-any-return]

    def close(self) -> None:
        """Stop the server."""
        self.server.should_exit = True
        self.thread.join()


# what the server adds


def _overhead(request: Request, model: GgufModel, tokenizer: Any, folder: Path) -> list[Row]:
    """The same requests to the bare engine and to the server, each first in every second pair."""
    notes, count = Notes(folder, "overhead"), PAIRS * request.rounds
    retention = Retention(max(request.budgets))
    engine = _engine(request, model, tokenizer, retention)
    client = Client(engine, retention, None)
    arms = {"bare": partial(_bare, engine, retention), "served": partial(_served, client)}
    try:
        for number in range(len(notes.rows), count):
            text = _filler(tokenizer, request, f"overhead/{number}", PROMPT)
            messages = [{"role": "user", "content": text}]
            order = sorted(arms, reverse=number % 2 == 1)
            timed = {name: arms[name](messages) for name in order}
            notes.add({name: [times[0], times[-1]] for name, times in timed.items()})
            request.progress(number + 1, count)
    finally:
        client.close()
    return [
        _timed(name, arm, notes.rows) for name, arm in (("bare engine", "bare"), (SERVED, "served"))
    ]


def _bare(engine: LlamaEngine, retention: Retention, messages: Sequence[Turn]) -> list[float]:
    """Seconds to each token, from the messages on."""
    begun, times = time.perf_counter(), list[float]()
    prompt = chat_prompt(engine.tokenizer, messages)
    bias = dict.fromkeys(engine.end_ids, -100.0)
    session = engine.session(retention)
    for token in session.steps(prompt, Sampling(bias=bias)):
        if token is not None:
            times.append(time.perf_counter() - begun)
        if len(times) == SAID:
            break
    session.settle()  # as the server does behind a turn: the next one finds it at rest
    return times


def _served(client: Client, messages: Sequence[Turn]) -> list[float]:
    """Seconds from the request to each piece of its answer."""
    open_end = {str(end): -100 for end in client.engine.end_ids}
    return client.stream(messages, SAID, logit_bias=open_end)[1]


def _timed(name: str, arm: str, rows: Sequence[Turn]) -> Row:
    """Medians of an arm, and of its rounds beside the bare engine's."""

    def speed(times: Sequence[float]) -> float:
        return (SAID - 1) / (times[1] - times[0])

    first = [1e3 * row[arm][0] for row in rows]
    speeds = [speed(row[arm]) for row in rows]
    ratios = [speed(row[arm]) / speed(row["bare"]) for row in rows]
    return {
        "name": name,
        "part": "one request",
        "first_ms": statistics.median(first),
        "added_ms": statistics.median(
            f - 1e3 * row["bare"][0] for f, row in zip(first, rows, strict=True)
        ),
        "tokens_per_s": statistics.median(speeds),
        "ratio": statistics.median(ratios),
        "ratio_ci95": median_interval(ratios),
        "rounds": len(rows),
    }


# a session of many turns


@dataclass(frozen=True, repr=False)
class Script:
    """What the user says turn by turn, the questions of the last one, and their answers."""

    says: list[str]
    questions: list[str]
    answers: list[str]


def _filler(tokenizer: Any, request: Request, seed: str, tokens: int) -> str:
    """So many tokens of a filler, the last paragraph cut."""
    source = filler_tokens(tokenizer, request.filler, f"{request.seed}/{seed}")
    return str(tokenizer.decode(list(itertools.islice(source, tokens))))


def _script(request: Request, tokenizer: Any, tokens: int) -> Script:
    rng = random.Random(f"serve/{request.seed}")
    values = [state_value(tokenizer, rng, label) for label in LABELS]
    size = tokens // request.turns - REPLY
    says = [_filler(tokenizer, request, f"turn/{n}", size) for n in range(request.turns - 1)]
    stated = "".join(value.text for value in values)
    says[0] = stated + _filler(tokenizer, request, "turn/0", size - len(encode(tokenizer, stated)))
    questions = [QUESTION.format(label=label).strip() for label in LABELS]
    return Script(says, questions, [value.answer for value in values])


def _session(request: Request, model: GgufModel, tokenizer: Any, folder: Path) -> list[Row]:
    rows: list[Row] = []
    for tokens in request.tokens:
        script = _script(request, tokenizer, tokens)
        positions = "compact" if tokens > model.trained_length else "original"
        for budget in request.budgets:
            for method in request.methods:
                retention = Retention(budget, method, positions=positions)  # type: ignore[arg-type]
                name = f"{SERVED}: {method}"
                own = folder / f"{tokens}-{budget}-{method}"
                found = _through_server(request, model, tokenizer, own, retention, script)
                rows.append(_session_row(name, tokens, budget, found, script))
            cells = budget + request.chunk + 1
            peers = (
                {SHIFT: cells}
                if rows[-1]["budget"] != max(request.budgets)
                else {SHIFT: cells, FULL: tokens + tokens // 4}
            )
            for name, size in peers.items():
                own = folder / f"{tokens}-{budget}-{name.replace(' ', '-')}"
                arm = Direct(request, model, tokenizer, own, size)
                beside = arm.play(
                    script, [turn["reply"] for turn in found.rows[: len(script.says)]]
                )
                rows.append(
                    _session_row(name, tokens, None if name == FULL else budget, beside, script)
                )
    return rows


def _messages(script: Script, replies: Sequence[str]) -> list[Turn]:
    """The conversation up to the turn that comes behind so many replies."""
    found: list[Turn] = []
    for said, reply in zip(script.says, replies, strict=False):
        found += [{"role": "user", "content": said}, {"role": "assistant", "content": reply}]
    return found


def _asked(script: Script, replies: Sequence[str], turn: int) -> list[Turn]:
    """What is sent in a turn; turns behind the last of ``says`` ask a question each."""
    ends = len(script.says)
    said = script.says[turn] if turn < ends else script.questions[turn - ends]
    return [*_messages(script, replies[:turn]), {"role": "user", "content": said}]


def _through_server(
    request: Request,
    model: GgufModel,
    tokenizer: Any,
    folder: Path,
    retention: Retention,
    script: Script,
) -> Notes:
    (folder / "sessions").mkdir(parents=True, exist_ok=True)
    notes, count = Notes(folder, "turns"), len(script.says) + len(script.questions)
    if len(notes.rows) == count:
        return notes
    engine = _engine(request, model, tokenizer, retention)
    client = Client(engine, retention, folder / "sessions")
    try:
        for turn in range(len(notes.rows), count):
            replies = [row["reply"] for row in notes.rows]
            messages = _asked(script, replies, turn)
            most = REPLY if turn < len(script.says) else ANSWER
            reply, times = client.stream(messages, most, session="bench")
            tokens, _, held, _ = client.history("bench")[-1]
            notes.add({"reply": reply, "first": times[0], "tokens": tokens, "kv_bytes": held})
            request.progress(turn + 1, count)
    finally:
        client.close()
    return notes


class Direct:
    """llama.cpp without retention in so many cells; where they are full, its context shift."""

    def __init__(
        self, request: Request, model: GgufModel, tokenizer: Any, folder: Path, cells: int
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.request, self.tokenizer, self.folder = request, tokenizer, folder
        self.make = lambda: Context(
            model, cells, chunk=request.chunk, threads=request.recipe.threads
        )

    def play(self, script: Script, replies: Sequence[str]) -> Notes:
        """All turns with the replies of another; answers of its own to the last."""
        notes, count = Notes(self.folder, "turns"), len(script.says) + len(script.questions)
        if len(notes.rows) == count:
            return notes
        held, at = Shifting(self.make()), len(notes.rows)
        read = self._brought_back(held, notes.rows[-1]["tokens"] if notes.rows else 0)
        for turn in range(at, count):
            ids = chat_prompt(self.tokenizer, _asked(script, replies, turn)).ids
            if turn == at:  # what an interrupted run had read, and its state does not hold
                behind = notes.rows[-1]["tokens"] if notes.rows else 0
                held.read(ids[read:behind].tolist())
                self._keep(held, read := behind)
            first, reply = stopwatch(lambda: held.read(ids[read:].tolist())), ""  # noqa: B023
            if questions := turn >= len(script.says):
                reply = self._answer(held)
            row = {"reply": reply, "first": first, "kv_bytes": held.stored_bytes()}
            read = read if questions else len(ids)
            notes.add({**row, "tokens": read})
            if questions:  # the next one is asked in its place
                self._brought_back(held, read)
            else:
                self._keep(held, read)
            self.request.progress(turn + 1, count)
        held.context.close()
        return notes

    def _keep(self, held: Shifting, read: int) -> None:
        """Save its state behind so many tokens."""
        new = self.folder / "new.npz"
        cells = held.context.exported(held.sequence)
        np.savez(new, cells=cells, read=read, held=held.held)
        new.replace(self.folder / "state.npz")

    def _brought_back(self, held: Shifting, most: int) -> int:
        """Take its saved state, of at most so many tokens; how many it has."""
        held.context.remove(held.sequence, -1, -1)
        path = self.folder / "state.npz"
        found: Any = np.load(path) if path.is_file() else {"read": most + 1}
        if found["read"] > most or not found["read"]:
            held.held = 0
            return 0
        held.context.restore(held.sequence, found["cells"])
        held.held = int(found["held"])
        return int(found["read"])

    def _answer(self, held: Shifting) -> str:
        said: list[int] = []
        for _ in range(ANSWER):
            token = int(held.logits.argmax())
            if token in held.context.model.ends:
                break
            said.append(token)
            held.step(token)
        return str(self.tokenizer.decode(said, skip_special_tokens=True))


def _session_row(name: str, tokens: int, budget: int | None, notes: Notes, script: Script) -> Row:
    told, asked = notes.rows[: len(script.says)], notes.rows[len(script.says) :]
    first = [1e3 * turn["first"] for turn in told]
    edge = min(EDGE, max(1, len(first) // 2))
    early, late = statistics.median(first[:edge]), statistics.median(first[-edge:])
    answers = zip(asked, script.answers, strict=True)
    return {
        "name": name,
        "part": "session",
        "tokens": tokens,
        "budget": budget,
        "turns": len(told) + 1,
        "read": told[-1]["tokens"],
        "first_turns_ms": early,
        "last_turns_ms": late,
        "late": late / early,
        "kv_early_bytes": told[edge - 1]["kv_bytes"],
        "kv_bytes": told[-1]["kv_bytes"],
        "correct": sum(contains(turn["reply"], answer) for turn, answer in answers),
        "values": len(script.answers),
        "first_by_turn_ms": first,
        "kv_by_turn_bytes": [turn["kv_bytes"] for turn in told],
    }


# the keep-sets of transformers


def _keep_sets(request: Request, model: GgufModel, tokenizer: Any, folder: Path) -> Row:
    """Cases of every task: positions held after the text, the question and each token said."""
    notes, names = Notes(folder, "keep-sets"), [n for n in TASKS if "" in TASKS[n].variants]
    count, budget = CASES * request.rounds, 64
    theirs, _ = load_model(request.recipe.model, dtype=request.recipe.dtype)
    for number in range(len(notes.rows), count):
        setting = Setting(
            CASE_TOKENS, 0.1 + 0.2 * (number % 5), request.seed + number, request.filler, ""
        )
        task = names[number % len(names)]
        case = encode_case(tokenizer, make_case(task, tokenizer, setting)[0])
        retention = Retention(budget, request.methods[-1], positions="compact")
        notes.add({"task": task, "same": _same(model, theirs, tokenizer, case, retention, request)})
        request.progress(number + 1, count)
    same = sum(row["same"] for row in notes.rows)
    return {
        "name": "keep-sets of transformers",
        "part": "cases",
        "budget": budget,
        "same": same,
        "cases": count,
    }


@torch.no_grad()
def _same(
    model: GgufModel,
    theirs: Any,
    tokenizer: Any,
    case: EncodedCase,
    retention: Retention,
    request: Request,
) -> bool:
    chunk = 150
    context = Context(
        model, retention.budgets()[0] + 2 * chunk, chunk=chunk, threads=request.recipe.threads
    )
    ours = LlamaCache(context, tokenizer, retention, sources=case.sources)
    cache = RetentionCache(theirs, tokenizer, retention, sources=[case.sources])

    def fed(ids: Sequence[int], feed: Callable[[], Any]) -> bool:
        theirs(torch.tensor([list(ids)]), past_key_values=cache, logits_to_keep=1)
        feed()
        table = cache.flow.table
        return ours.positions.tolist() == np.sort(table.positions[0]).tolist()

    same = True
    for part in (case.ids, case.question):
        cache.expect_prompt(cache.num_columns + len(part))
        for start in range(0, len(part), chunk):
            ids = np.asarray(part[start : start + chunk])
            final = start + chunk >= len(part)
            same &= fed(ids.tolist(), lambda: ours.feed(ids, final=final))  # noqa: B023
    for token in case.ids[:SAYS]:
        same &= fed([int(token)], lambda: ours.step(int(token)))  # noqa: B023
    context.close()
    return same
