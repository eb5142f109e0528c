"""``ta sessions``: what is held and answered of the tool calls of real agent sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
from transactional_attention.engines.transformers.serving import TransformersEngine
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method
from transactional_attention.models import (
    AUTO,
    EMBEDDED,
    load_model,
    load_tokenizer,
    weights_sha256,
)

from ..sessions.calls import CallTokens, calls_of
from ..sessions.deciding import DecidingEngine
from ..sessions.files import AgentSession, read_sessions
from ..sessions.playing import TRUNCATE, Arm, Outcome, Plays, play
from ..sessions.summary import BESIDE, BUCKETS, rows_of
from .resuming import resumed

PINS = ("system", "none")
METHODS = f"full,streaming-llm,{TRUNCATE},ta"
NO_MODEL = "none"


def sessions(
    file: Annotated[Path, typer.Argument(help="JSON lines: id, messages, tools; also .gz.")],
    methods: Annotated[
        str, typer.Option(help="Of `ta methods`; truncate: the last K tokens as a new prompt.")
    ] = METHODS,
    recall: Annotated[
        bool, typer.Option("--recall", help="Methods that sponsor values, with recall as well.")
    ] = False,
    budgets: options.Listed = "512,1024",
    pin: Annotated[
        str, typer.Option(help="system: its message and the tools are held beside K; or none.")
    ] = PINS[0],
    ledger: options.Ledger = "strict",
    held_only: Annotated[
        bool, typer.Option("--held-only", help="What is held alone: no model is run.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="The first sessions alone.")] = None,
    model: options.Model = EMBEDDED,
    engine: options.Engine = options.TRANSFORMERS,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Which arguments of real tool calls a bounded cache holds, and answers.

    Sessions are read as a server reads them, and their calls say what they said; an argument that
    stood before is answered when all its tokens are the model's first choice.
    """
    set_threads(threads)
    if pin not in PINS:
        raise InputError(f"--pin must be one of {', '.join(PINS)}, got {pin!r}")
    runs = NO_MODEL if held_only else engine
    computes = dtype if not options.is_llama_cpp(engine, dtype) and not held_only else None
    arms = arms_of(
        comma_list(methods, str, "--methods"), comma_list(budgets, int, "--budgets"), recall
    )
    known = read_sessions(file, limit)
    asked = {"file": file.name, "pin": pin, "ledger": ledger, "engine": runs}
    record = resumed(
        json,
        {
            "provenance": origin(asked, seed=None, model=model, dtype=computes),
            "weights_sha256": None if held_only else weights_sha256(model),
            "rows": [],
            "units": [],
            "arguments": [],
        },
    )
    source, calls = Source(model, runs, dtype, threads), dict[str, list[CallTokens]]()
    left = [(s, arm) for s in known for arm in arms if _unit(s, arm) not in record["units"]]
    with progress_bar() as bar:
        for session, arm in bar.track(left, description="sessions and ways"):
            if session.id not in calls:
                pinned = pin == PINS[0]
                found = calls_of(session, source.tokenizer, source.end_ids, pin=pinned)
                calls = {session.id: list(found)}
            unit, own = _unit(session, arm), calls[session.id]
            played = play(arm, source.plays(arm, own, ledger), own, ledger)
            record["arguments"] += [{**unit, **_told(call, outcome)} for call, outcome in played]
            record["units"].append(unit)
            record["rows"] = rows_of(record["arguments"])
            write_json(json, record)
    Console().print(_table(record["rows"]))


def arms_of(methods: Sequence[str], budgets: Sequence[int], recall: bool) -> list[Arm]:
    """What sessions are played with. Raises InputError for an unknown method, or no budget."""
    found: list[Arm] = []
    for name in methods:
        method = None if name == TRUNCATE else get_method(name)
        whole = method is not None and method.unlimited
        if not whole and not budgets:
            raise InputError(f"--budgets is empty, and {name} needs one")
        own: list[Arm] = [Arm(name, None)] if whole else [Arm(name, k) for k in budgets]
        found += own
        if recall and method is not None and method.protects and not whole:
            found += [replace(arm, recall=True) for arm in own]
    return found


@dataclass(frozen=True)
class Source:
    """The engine that is asked for; what it needs is loaded once."""

    model: str
    engine: str
    dtype: str
    threads: int | None

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        if self.engine == options.LLAMA_CPP:
            from transactional_attention.engines.llama_cpp import GgufModel  # noqa: PLC0415

            return GgufModel(self.model), load_tokenizer(self.model)
        if self.engine == NO_MODEL:
            return None, load_tokenizer(self.model)
        return load_model(self.model, dtype=self.dtype)

    @property
    def tokenizer(self) -> Any:
        """The model's."""
        return self._loaded[1]

    @cached_property
    def end_ids(self) -> frozenset[int]:
        """Tokens that end a reply."""
        if self.engine == options.LLAMA_CPP:
            return self._loaded[0].ends  # type: ignore[no-any-return]
        if self.engine == NO_MODEL:
            return frozenset({self.tokenizer.eos_token_id} - {None})
        return self._transformers.end_ids

    @cached_property
    def _transformers(self) -> TransformersEngine:
        return TransformersEngine("sessions", *self._loaded, checkpoints=0)

    def plays(self, arm: Arm, calls: Sequence[CallTokens], ledger: str) -> Plays:
        """What makes the sessions of an arm."""
        if self.engine == NO_MODEL:
            return DecidingEngine(self.tokenizer)
        if self.engine == options.TRANSFORMERS:
            return self._transformers
        from transactional_attention.engines.llama_cpp.serving import (  # noqa: PLC0415  (extra)
            LlamaEngine,
        )

        pinned = calls[0].pinned if calls else 0
        given = "sessions", *self._loaded, arm.retention(pinned, ledger)
        return LlamaEngine(*given, parallel=1, checkpoints=0, threads=self.threads)


def _unit(session: AgentSession, arm: Arm) -> dict[str, Any]:
    about = {"method": arm.method, "recall": arm.recall, "budget": arm.budget}
    return {"session": session.id, **about}


def _told(call: CallTokens, outcome: Outcome) -> dict[str, Any]:
    """Of one argument, what a record may hold: places, and nothing of the text."""
    argument = outcome.argument
    where = {"message": call.number, "place": argument.tokens.start, "argument": argument.name}
    return {**where, "back": argument.back, "held": outcome.held, "answered": outcome.answered}


def _table(rows: Sequence[dict[str, Any]]) -> Table:
    """A line a way: answered and held, by how far back the latest statement stood."""
    counts = {row["bucket"]: row["n"] for row in rows}
    heads = [f"{name} ({counts.get(name, 0)})" for name in BUCKETS]
    title = "arguments: answered / held, by tokens since the latest statement"
    table = Table("method", "K", *heads, *(f"beside {name}" for name in BESIDE), title=title)
    for first in range(0, len(rows), len(BUCKETS)):
        own = rows[first : first + len(BUCKETS)]
        row = own[0]
        name = f"{row['method']}, recall" if row["recall"] else row["method"]
        cells = [
            f"{r['answered']} / {r['held']}" if "answered" in r else str(r["held"]) for r in own
        ]
        beside = [row.get("minus", {}).get(other) for other in BESIDE]
        told = ["" if p is None else f"{p[0]:+.0f} [{p[1]:.0f}, {p[2]:.0f}]" for p in beside]
        table.add_row(name, str(row["budget"] or "all"), *cells, *told)
    return table
