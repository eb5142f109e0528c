"""``ta sessions``: what is held and answered of the tool calls of real agent sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    origin,
    progress_bar,
    set_threads,
    write_json,
)
from transactional_attention.cli.engines import LLAMA_CPP, TRANSFORMERS, is_llama_cpp
from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method
from transactional_attention.models import (
    AUTO,
    EMBEDDED,
    load_model,
    load_tokenizer,
    weights_sha256,
)

from ..sessions.asking import ask
from ..sessions.calls import CallTokens, calls_of, pinned_of
from ..sessions.changes import Comparison, changes_of, counted, lines_of_changes, summed
from ..sessions.compaction import play_compacted
from ..sessions.deciding import DecidingEngine
from ..sessions.documents import write
from ..sessions.files import AgentSession, read_sessions
from ..sessions.likelihood import (
    FULL,
    likelihoods,
    lines_of_likelihoods,
    replies,
    requested,
    rows_of_likelihoods,
)
from ..sessions.moving import EveryRow, MovingEngine, Shifting
from ..sessions.playing import (
    BM25,
    COMPACTION,
    EVERY_ROW,
    MEMORY,
    MOVED,
    OURS,
    TOLD,
    TRUNCATE,
    Arm,
    Model,
    Plays,
    play,
)
from ..sessions.rows import NoRows, Rows, TransformersRows
from ..sessions.summary import lines_by_way, rows_of
from ..sessions.survival import survived
from ..sessions.talks import Talk, read_talks
from ..sessions.texts import is_text, read_texts
from . import lab_options
from .resuming import resumed

METHODS = f"full,streaming-llm,{TRUNCATE},ta"
TRUNCATED = (
    "the last K tokens as a new prompt; memory: ta with one alone; of questions bm25: the lines "
    "that fit K/2 as one; compaction, context-shift, every-row, told: docs/sessions.md."
)
NO_MODEL = "none"


def sessions(
    file: Annotated[Path, typer.Argument(help="JSON lines: id, messages, tools; also .gz.")],
    methods: Annotated[str, typer.Option(help="Of `ta methods`; truncate: " + TRUNCATED)] = METHODS,
    questions: Annotated[
        bool, typer.Option("--questions", help="Talks with questions, or LoCoMo's own file.")
    ] = False,
    changes: Annotated[
        bool,
        typer.Option(
            "--changes",
            help="Histories that change in the middle: what is read anew, and what "
            "a full cache would answer with the rows after the change kept.",
        ),
    ] = False,
    survival: Annotated[
        bool,
        typer.Option(
            "--survival",
            help="Values of tool results that are still had at the end, by label; no model is run.",
        ),
    ] = False,
    likelihood: Annotated[
        bool,
        typer.Option(
            "--likelihood",
            help="Of talks or documents: how likely the full cache's own summary is with less; "
            "of FILE.txt[.xz]: what follows in it.",
        ),
    ] = False,
    documents: Annotated[
        int | None,
        typer.Option(min=1, help="Make FILE first: n documents of ours, with questions."),
    ] = None,
    short: Annotated[
        bool, typer.Option("--short", help="Documents of 2,000 to 4,000 tokens, not 8,000 up.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the documents.")] = 0,
    memory: Annotated[
        bool,
        typer.Option(
            "--memory", "--recall", help="Methods that sponsor values, with a memory as well."
        ),
    ] = False,
    budgets: lab_options.Listed = "512,1024",
    pin: options.Pin = options.PINS[0],
    ledger: options.LedgerOption = "strict",
    held_only: Annotated[
        bool, typer.Option("--held-only", help="What is held alone: no model is run.")
    ] = False,
    skip: Annotated[int, typer.Option(min=0, help="Leave out the first n.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Only n sessions.")] = None,
    model: options.Model = EMBEDDED,
    engine: lab_options.Engine = TRANSFORMERS,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Which arguments of real tool calls a bounded cache holds, and answers.

    Sessions are read as a server reads them, and their calls say what they said; an argument that
    stood before is answered when all its tokens are the model's first choice. With --questions: of
    which questions about a talk the evidence is held, and the answer contains the right one.
    """
    set_threads(threads)
    if pin not in options.PINS:
        raise InputError(f"--pin must be one of {', '.join(options.PINS)}, got {pin!r}")
    if documents is not None:
        write(file, documents, seed, short=short)
        questions = True
    held_only = held_only or survival
    runs = NO_MODEL if held_only else engine
    computes = dtype if not is_llama_cpp(engine, dtype) and not held_only else None
    arms = arms_of(
        comma_list(methods, str, "--methods"),
        comma_list(budgets, int, "--budgets"),
        memory=memory,
    )
    if BM25 in methods.split(",") and not questions:
        raise InputError("--methods: bm25 answers questions alone: give --questions")
    if TOLD in methods.split(",") and questions:
        raise InputError("--methods: told is of tool calls: leave out --questions")
    if COMPACTION in methods.split(",") and held_only:
        raise InputError("--methods: a model writes the summaries of compaction: no --held-only")
    if changes and (questions or is_llama_cpp(engine, dtype)):
        raise InputError("--changes is of agent sessions, on transformers: leave out the other")
    if likelihood and (held_only or not (questions or is_text(file))):
        raise InputError(
            "--likelihood is of talks or a text, on a model: give --questions, --documents, or "
            "a .txt file"
        )
    if survival and (questions or changes):
        raise InputError("--survival is of agent sessions: leave out the other")
    if survival and not {TRUNCATE, TOLD}.isdisjoint(methods.split(",")):
        raise InputError("--survival asks by labels: leave out truncate and told")
    source = Source(
        model, runs, dtype, threads, ledger, pin == options.PINS[0], survival, likelihood
    )
    last = None if limit is None else skip + limit
    known: Sequence[AgentSession | Talk]
    if likelihood:
        known = source.requests(file, seed, last)[skip:]
    else:
        known = (read_talks if questions else read_sessions)(file, last)[skip:]
    if not known:
        raise InputError(f"--skip {skip} leaves none of {file}")
    asked: dict[str, Any] = {"file": file.name, "pin": pin, "ledger": ledger, "engine": runs}
    given = {"questions": questions, "skip": skip, "changes": changes, "survival": survival}
    given["likelihood"] = likelihood
    asked |= {name: value for name, value in given.items() if value}
    asked |= {"documents": documents, "short": short} if documents is not None else {}
    made = seed if documents is not None or (likelihood and is_text(file)) else None
    record = resumed(
        json,
        {
            "provenance": origin(asked, seed=made, model=model, dtype=computes),
            "weights_sha256": None if held_only else weights_sha256(model),
            "rows": [],
            "units": [],
            "arguments": [],
        },
    )
    if changes:
        _play_changes(read_sessions(file, last)[skip:], source, record, json)
        return
    done = record["units"]
    left = [(item, arm) for item in known for arm in arms if _unit(item, arm) not in done]
    with progress_bar() as bar:
        for item, arm in bar.track(left, description="sessions and ways"):
            unit = _unit(item, arm)
            record["arguments"] += [{**unit, **outcome} for outcome in source.outcomes(item, arm)]
            done.append(unit)
            record["rows"] = (rows_of_likelihoods if likelihood else rows_of)(record["arguments"])
            write_json(json, record)
    if likelihood:
        title = "the same replies by every way: nats a token, and first choices"
        _show(title, *lines_of_likelihoods(record["rows"]))
        return
    by_way = "answered (held), by kind or tokens since the latest statement"
    _show(by_way, *lines_by_way(record["rows"]))


def _play_changes(
    known: Sequence[AgentSession], source: Source, record: dict[str, Any], json: Path | None
) -> None:
    """Fill a record with what changed histories cost, a session after the other."""
    model, tokenizer = source.loaded
    judge = None if model is None else Comparison(model)
    done = {unit["session"] for unit in record["units"]}
    with progress_bar() as bar:
        left = [session for session in known if session.id not in done]
        for session in bar.track(left, description="sessions"):
            for change in changes_of(session, tokenizer):
                comparison = {} if judge is None else judge.of(change)
                record["units"].append({"session": session.id, **counted(change), **comparison})
            record["rows"] = summed(record["units"])
            write_json(json, record)
    if not record["rows"]:
        raise InputError("no session has a history with a middle that fits: give longer ones")
    _show("tokens of the next prompt that are read", *lines_of_changes(record["rows"]))


def arms_of(methods: Sequence[str], budgets: Sequence[int], *, memory: bool) -> list[Arm]:
    """What sessions are played with; ``memory``: with one as well. Raises InputError for an unknown
    method, or no budget."""
    arms: list[Arm] = []
    for name in methods:
        if name == MEMORY:
            arms += [Arm("ta", k, memory=True) for k in budgets]
            continue
        method = None if name in OURS else get_method(name)
        whole = method is not None and method.unlimited
        if not whole and not budgets:
            raise InputError(f"--budgets is empty, and {name} needs one")
        base_arms: list[Arm] = [Arm(name, None)] if whole else [Arm(name, k) for k in budgets]
        arms += base_arms
        if memory and method is not None and method.protects and not whole:
            arms += [replace(arm, memory=True) for arm in base_arms]
    return arms


@dataclass(frozen=True)
class Source:
    """The engine that is asked for, and how; what it needs is loaded once."""

    model: str
    engine: str
    dtype: str
    threads: int | None
    ledger: str
    pin: bool
    survival: bool = False
    likelihood: bool = False
    _known: dict[str, list[CallTokens]] = field(default_factory=dict)
    _said: dict[str, list[list[int]]] = field(default_factory=dict)

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        """The model, None where none is run, and its tokenizer."""
        if self.engine == LLAMA_CPP:
            from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415

            return GgufModel(self.model), load_tokenizer(self.model)
        if self.engine == NO_MODEL:
            return None, load_tokenizer(self.model)
        return load_model(self.model, dtype=self.dtype)

    @cached_property
    def _end_ids(self) -> frozenset[int]:
        model, tokenizer = self.loaded
        if self.engine == LLAMA_CPP:
            return model.ends  # type: ignore[no-any-return]
        if self.engine == NO_MODEL:
            return frozenset({tokenizer.eos_token_id} - {None})
        return self._transformers.end_ids

    @cached_property
    def _transformers(self) -> TransformersEngine:
        return TransformersEngine("sessions", *self.loaded, checkpoints=0)

    def requests(self, file: Path, seed: int, last: int | None) -> list[Talk]:
        """What is judged of a file, of its first talks or of texts by a seed."""
        if is_text(file):
            return read_texts(file, self.loaded[1], seed, last)
        return [requested(talk) for talk in read_talks(file, last)]

    def _calls(self, session: AgentSession) -> list[CallTokens]:
        """Of one session at a time, which is played in many ways."""
        if session.id not in self._known:
            self._known.clear()
            calls = calls_of(session, self.loaded[1], self._end_ids, pin=self.pin)
            self._known[session.id] = list(calls)
        return self._known[session.id]

    def _replies(self, talk: Talk, pinned: int) -> list[list[int]]:
        """What the full cache says of one talk at a time."""
        if talk.id not in self._said:
            self._said.clear()
            model = Model(self._plays(FULL, pinned), self.loaded[1], self._end_ids, says=True)
            self._said[talk.id] = replies(model, talk, pinned, self.ledger)
        return self._said[talk.id]

    def outcomes(self, item: AgentSession | Talk, arm: Arm) -> Iterator[dict[str, Any]]:
        """Of the arguments of a session, or the questions of a talk, what a record may hold:
        places, and nothing of the text."""
        tokenizer, says = self.loaded[1], self.engine != NO_MODEL
        if isinstance(item, Talk):
            pinned = pinned_of(chat_prompt(tokenizer, item.messages)) if self.pin else 0
            model = Model(self._plays(arm, pinned), tokenizer, self._end_ids, says)
            if self.likelihood:
                said = self._replies(item, pinned)
                for reply in likelihoods(arm, model, item, said, pinned, self.ledger):
                    yield reply._asdict()
                return
            for one in ask(arm, model, item, pinned, self.ledger):
                where = {"message": one.number, "place": 0, "back": None}
                kind = {} if one.kind is None else {"kind": one.kind}
                yield {**where, **kind, "held": one.held, "answered": one.answered}
            return
        if self.survival:
            prompt = chat_prompt(tokenizer, item.messages, item.tools or None)
            pinned = pinned_of(prompt) if self.pin else 0
            given = arm, self._plays(arm, pinned), item, tokenizer, pinned, self.ledger
            for number, (value, back, held) in enumerate(survived(*given)):
                where = {"message": number, "place": value.places[-1].start, "back": back}
                yield {**where, "kind": value.kind, "held": held, "answered": None}
            return
        calls = self._calls(item)
        pinned = calls[0].pinned if calls else 0
        plays = self._plays(arm, pinned)
        if arm.method == COMPACTION:
            model = Model(plays, tokenizer, self._end_ids, says)
            pairs = play_compacted(model, item, calls, arm.budget or 0)
        else:
            pairs = play(arm, plays, calls, self.ledger)
        for call, outcome in pairs:
            argument = outcome.argument
            where = {"message": call.number, "place": argument.tokens.start, "back": argument.back}
            state = {"held": outcome.held, "answered": outcome.answered, "kept": outcome.kept}
            yield {**where, "argument": argument.name, **state}

    def _plays(self, arm: Arm, pinned: int) -> Plays:
        """What makes the sessions of an arm."""
        if arm.method in MOVED:
            kind = EveryRow if arm.method == EVERY_ROW else Shifting
            rows = partial(self._rows, arm, pinned)
            return MovingEngine(kind, rows, pinned, arm.budget or 0)
        if self.engine == NO_MODEL:
            return DecidingEngine(self.loaded[1])
        if self.engine == TRANSFORMERS:
            return self._transformers
        from transactional_attention.engines.llama_cpp.sessions import (  # noqa: PLC0415  (extra)
            LlamaEngine,
        )

        given = "sessions", *self.loaded, arm.retention(pinned, self.ledger)
        return LlamaEngine(*given, parallel=2, checkpoints=0, threads=self.threads)

    def _rows(self, arm: Arm, pinned: int) -> Rows:
        model = self.loaded[0]
        if model is None:
            return NoRows()
        if self.engine == TRANSFORMERS:
            return TransformersRows(model)
        from ..sessions.llama_rows import LlamaRows  # noqa: PLC0415  (extra)

        return LlamaRows.of(
            model, None if arm.method == EVERY_ROW else pinned + (arm.budget or 0), self.threads
        )


def _unit(item: AgentSession | Talk, arm: Arm) -> dict[str, Any]:
    about = {"method": arm.method, "memory": arm.memory, "budget": arm.budget}
    return {"session": item.id, **about}


def _show(title: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    table = Table(*head, title=title)
    for line in lines:
        table.add_row(*line)
    Console().print(table)
