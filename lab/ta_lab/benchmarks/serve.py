"""``ta serve`` on llama.cpp: what the server adds, a session of many turns, the same keep-sets.

The session's turns go through the server, streamed and saved as a client's are. Its replies are
then fed to the other arms, turn by turn, so that all read the same tokens: llama.cpp with a cell
for every token, and with its context shift in as many cells as ours. The last turn calls for the
values of the first one, each by itself. An interrupted run goes on from its state, turn by turn."""

from __future__ import annotations

import itertools
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transactional_attention.cli.common import write_json
from transactional_attention.config import Positions, Retention
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.models import load_model, load_tokenizer

from ..cases.encoding import encode_case
from ..cases.metrics import contains
from ..generators import TASKS
from ..generators import make as make_case
from ..generators.needle import QUESTION
from ..generators.placing import Setting
from .benchmark import ANSWER, LABELS, REPLY, Outcome, Request, Row, outgrown
from .corpus import encode, filler_tokens, state_value
from .extras import extra
from .llama_cpp import Shifting
from .served import Client, Turn
from .timing import median_interval, stopwatch

SERVED, FULL, SHIFT = "ta serve", "full context", "context shift"
PROMPT, SAID = 64, 96  # tokens of a request that is timed beside the bare engine
PAIRS = 6  # of such requests, a round
CASES, CASE_TOKENS, SAYS = 20, 800, 8  # keep-sets: cases a round, their tokens, what is said
KEEP_SET, KEEP_CHUNK = 64, 150  # their K, and new tokens a forward
EDGE = 10  # turns at the begin and the end whose times are compared


class Notes:
    """What a part has measured so far, in a file that is whole at every moment."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.json"
        self.rows: list[Turn] = (
            json.loads(self.path.read_text(encoding="utf-8")) if self.path.is_file() else []
        )

    def add(self, row: Turn) -> None:
        """One more."""
        self.rows.append(row)
        write_json(self.path, self.rows)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Setup:
    """What is asked for, on which model; ``folder``: where its parts keep their state."""

    request: Request
    model: GgufModel
    tokenizer: Any
    folder: Path

    def inside(self, name: str) -> Setup:
        """The same with a folder of its own."""
        return replace(self, folder=self.folder / name)

    def engine(self, retention: Retention) -> LlamaEngine:
        """What serves the model under a retention."""
        request = self.request
        sizes: Any = {"parallel": 1, "chunk": request.chunk, "threads": request.recipe.threads}
        return LlamaEngine("bench", self.model, self.tokenizer, retention, **sizes)

    def context(self, cells: int, chunk: int) -> Context:
        """The model in ``cells`` cells."""
        return Context(self.model, cells, chunk=chunk, threads=self.request.recipe.threads)

    def filler(self, seed: str, tokens: int) -> str:
        """``tokens`` tokens of a filler, the last paragraph cut."""
        name = f"{self.request.seed}/{seed}"
        source = filler_tokens(self.tokenizer, self.request.filler, name)
        return str(self.tokenizer.decode(list(itertools.islice(source, tokens))))


def run(request: Request) -> Outcome:
    """Rows of the three parts. Raises UnsupportedError without the extra ``serve``."""
    with extra("serve", "serve"):
        import uvicorn  # noqa: F401, PLC0415
    model, tokenizer = GgufModel(request.recipe.model), load_tokenizer(request.recipe.model)
    with request.folder() as folder:
        setup = Setup(request, model, tokenizer, folder)
        rows = [*_overhead(setup), *_session(setup), _keep_sets(setup)]
    return Outcome(rows, outgrown(max(request.tokens), model.trained_length, "the full context"))


# what the server adds


def _overhead(setup: Setup) -> list[Row]:
    """The same requests to the bare engine and to the server, each first in every second pair."""
    notes, count = Notes(setup.folder, "overhead"), PAIRS * setup.request.rounds
    retention = Retention(max(setup.request.budgets))
    engine = setup.engine(retention)
    with Client.serving(engine, retention, None) as client:
        arms = {
            "bare": partial(_bare, engine, retention),
            "served": partial(_served, engine, client),
        }
        for number in range(len(notes.rows), count):
            text = setup.filler(f"overhead/{number}", PROMPT)
            messages = [{"role": "user", "content": text}]
            order = sorted(arms, reverse=number % 2 == 1)
            timed = {name: arms[name](messages) for name in order}
            notes.add({name: [times[0], times[-1]] for name, times in timed.items()})
            setup.request.progress(number + 1, count)
    names = {"bare engine": "bare", SERVED: "served"}
    return [_timed(name, arm, notes.rows) for name, arm in names.items()]


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
    session.settle()  # as the server does after a turn: the next one finds it at rest
    return times


def _served(engine: LlamaEngine, client: Client, messages: Sequence[Turn]) -> list[float]:
    """Seconds from the request to each piece of its answer."""
    open_end = {str(end): -100 for end in engine.end_ids}
    return client.stream(messages, SAID, logit_bias=open_end)[1]


def _timed(name: str, arm: str, rows: Sequence[Turn]) -> Row:
    """Medians of an arm, and of its rounds beside the bare engine's."""
    first, bare = ([1e3 * row[one][0] for row in rows] for one in (arm, "bare"))
    speeds, peer = (
        [(SAID - 1) / (row[one][1] - row[one][0]) for row in rows] for one in (arm, "bare")
    )
    ratios = [ours / theirs for ours, theirs in zip(speeds, peer, strict=True)]
    return {
        "name": name,
        "part": "one request",
        "first_ms": statistics.median(first),
        "added_ms": statistics.median(ours - b for ours, b in zip(first, bare, strict=True)),
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

    @property
    def count(self) -> int:
        """Turns, and questions, each a turn of its own."""
        return len(self.says) + len(self.questions)

    def asked(self, replies: Sequence[str], turn: int) -> list[Turn]:
        """What is sent in a turn after its replies; those after ``says`` ask a question each."""
        messages: list[Turn] = []
        for text, reply in zip(self.says, replies[:turn], strict=False):
            messages += [{"role": "user", "content": text}, {"role": "assistant", "content": reply}]
        return [*messages, {"role": "user", "content": [*self.says, *self.questions][turn]}]


def _script(setup: Setup, tokens: int) -> Script:
    request, tokenizer = setup.request, setup.tokenizer
    rng = random.Random(f"serve/{request.seed}")
    values = [state_value(tokenizer, rng, label) for label in LABELS]
    size = tokens // request.turns - REPLY
    says = [setup.filler(f"turn/{n}", size) for n in range(request.turns - 1)]
    stated = "".join(value.text for value in values)
    says[0] = stated + setup.filler("turn/0", size - len(encode(tokenizer, stated)))
    questions = [QUESTION.format(label=label).strip() for label in LABELS]
    return Script(says, questions, [value.answer for value in values])


def _session(setup: Setup) -> list[Row]:
    request, rows = setup.request, list[Row]()
    for tokens in request.tokens:
        script = _script(setup, tokens)
        beyond = tokens > setup.model.trained_length
        positions: Positions = "compact" if beyond else "original"
        for budget in request.budgets:
            for method in request.methods:
                arm_setup = setup.inside(f"{tokens}-{budget}-{method}")
                retention = Retention(budget, method, positions=positions)
                notes = _through_server(arm_setup, retention, script)
                rows.append(_session_row(f"{SERVED}: {method}", tokens, budget, notes, script))
            replies = [turn["reply"] for turn in notes.rows[: len(script.says)]]
            peers = {SHIFT: budget + request.chunk + 1}
            if budget == max(request.budgets):
                peers[FULL] = tokens + tokens // 4
            for name, cells in peers.items():
                arm_setup = setup.inside(f"{tokens}-{budget}-{name.replace(' ', '-')}")
                beside = Direct(arm_setup, cells).play(script, replies)
                held = None if name == FULL else budget
                rows.append(_session_row(name, tokens, held, beside, script))
    return rows


def _through_server(setup: Setup, retention: Retention, script: Script) -> Notes:
    notes, sessions = Notes(setup.folder, "turns"), setup.folder / "sessions"
    sessions.mkdir(exist_ok=True)
    if len(notes.rows) == script.count:
        return notes
    with Client.serving(setup.engine(retention), retention, sessions) as client:
        for turn in range(len(notes.rows), script.count):
            messages = script.asked([row["reply"] for row in notes.rows], turn)
            most = REPLY if turn < len(script.says) else ANSWER
            reply, times = client.stream(messages, most, session="bench")
            tokens, _, held, _ = client.history("bench")[-1]
            notes.add({"reply": reply, "first": times[0], "tokens": tokens, "kv_bytes": held})
            setup.request.progress(turn + 1, script.count)
    return notes


class Direct:
    """llama.cpp without retention in ``cells`` cells; where they are full, its context shift."""

    def __init__(self, setup: Setup, cells: int) -> None:
        self.setup, self.cells = setup, cells
        self.state = setup.folder / "state.npz"

    def play(self, script: Script, replies: Sequence[str]) -> Notes:
        """All turns with the replies of another; answers of its own to the last."""
        notes, request = Notes(self.setup.folder, "turns"), self.setup.request
        if len(notes.rows) == script.count:
            return notes
        held, at = Shifting(self.setup.context(self.cells, request.chunk)), len(notes.rows)
        done = notes.rows[-1]["tokens"] if notes.rows else 0
        read = self._brought_back(held, done)
        for turn in range(at, script.count):
            ids = chat_prompt(self.setup.tokenizer, script.asked(replies, turn)).ids
            if turn == at:  # what an interrupted run had read, and its state does not hold
                held.read(ids[read:done].tolist())
                self._keep(held, read := done)
            first, reply = stopwatch(partial(held.read, ids[read:].tolist())), ""
            if questions := turn >= len(script.says):
                reply = self._answer(held)
            row = {"reply": reply, "first": first, "kv_bytes": held.stored_bytes()}
            read = read if questions else len(ids)
            notes.add({**row, "tokens": read})
            if questions:  # the next one is asked in its place
                self._brought_back(held, read)
            else:
                self._keep(held, read)
            request.progress(turn + 1, script.count)
        held.context.close()
        return notes

    def _keep(self, held: Shifting, read: int) -> None:
        """Save its state after ``read`` tokens."""
        new = self.state.with_name("new.npz")
        np.savez(new, cells=held.context.exported(held.sequence), read=read, held=held.held)
        new.replace(self.state)

    def _brought_back(self, held: Shifting, most: int) -> int:
        """Take its saved state, of at most ``most`` tokens; how many it has."""
        held.context.remove(held.sequence, -1, -1)
        state: Any = np.load(self.state) if self.state.is_file() else {"read": most + 1}
        if state["read"] > most or not state["read"]:
            held.held = 0
            return 0
        held.context.restore(held.sequence, state["cells"])
        held.held = int(state["held"])
        return int(state["read"])

    def _answer(self, held: Shifting) -> str:
        ids: list[int] = []
        for _ in range(ANSWER):
            token = int(held.logits.argmax())
            if token in held.context.model.ends:
                break
            ids.append(token)
            held.step(token)
        return str(self.setup.tokenizer.decode(ids, skip_special_tokens=True))


def _session_row(name: str, tokens: int, budget: int | None, notes: Notes, script: Script) -> Row:
    statements, asked = notes.rows[: len(script.says)], notes.rows[len(script.says) :]
    first = [1e3 * turn["first"] for turn in statements]
    edge = min(EDGE, max(1, len(first) // 2))
    early, late = statistics.median(first[:edge]), statistics.median(first[-edge:])
    answers = zip(asked, script.answers, strict=True)
    return {
        "name": name,
        "part": "session",
        "tokens": tokens,
        "budget": budget,
        "turns": len(statements) + 1,
        "read": statements[-1]["tokens"],
        "first_turns_ms": early,
        "last_turns_ms": late,
        "late": late / early,
        "kv_early_bytes": statements[edge - 1]["kv_bytes"],
        "kv_bytes": statements[-1]["kv_bytes"],
        "correct": sum(contains(turn["reply"], answer) for turn, answer in answers),
        "values": len(script.answers),
        "first_by_turn_ms": first,
        "kv_by_turn_bytes": [turn["kv_bytes"] for turn in statements],
    }


# the keep-sets of transformers


def _keep_sets(setup: Setup) -> Row:
    """Cases of every task: positions held after the text, the question and each token said."""
    request, names = setup.request, [n for n in TASKS if "" in TASKS[n].variants]
    notes, count = Notes(setup.folder, "keep-sets"), CASES * request.rounds
    theirs, _ = load_model(request.recipe.model, dtype=request.recipe.dtype)
    for number in range(len(notes.rows), count):
        depth, task = 0.1 + 0.2 * (number % 5), names[number % len(names)]
        setting = Setting(CASE_TOKENS, depth, request.seed + number, request.filler)
        notes.add({"task": task, "same": _same(setup, theirs, task, setting)})
        request.progress(number + 1, count)
    same = sum(row["same"] for row in notes.rows)
    name = "keep-sets of transformers"
    return {"name": name, "part": "cases", "budget": KEEP_SET, "same": same, "cases": count}


@torch.no_grad()
def _same(setup: Setup, theirs: Any, task: str, setting: Setting) -> bool:
    tokenizer = setup.tokenizer
    case = encode_case(tokenizer, make_case(task, tokenizer, setting)[0])
    retention = Retention(KEEP_SET, setup.request.methods[-1], positions="compact")
    context = setup.context(retention.budgets()[0] + 2 * KEEP_CHUNK, KEEP_CHUNK)
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
        for start in range(0, len(part), KEEP_CHUNK):
            ids = np.asarray(part[start : start + KEEP_CHUNK])
            final = start + KEEP_CHUNK >= len(part)
            same &= fed(ids.tolist(), partial(ours.feed, ids, final=final))
    for token in case.ids[:SAYS]:
        same &= fed([int(token)], partial(ours.step, int(token)))
    context.close()
    return same
