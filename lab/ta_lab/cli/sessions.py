"""``ta sessions``: what is held and answered of the tool calls of real agent sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
from transactional_attention.cli.engines import TRANSFORMERS, is_llama_cpp
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method
from transactional_attention.models import AUTO, EMBEDDED, weights_sha256

from ..sessions.changes import Comparison, changes_of, counted, lines_of_changes, summed
from ..sessions.documents import write
from ..sessions.files import AgentSession, read_sessions
from ..sessions.likelihood import lines_of_likelihoods, rows_of_likelihoods
from ..sessions.playing import BM25, COMPACTION, MEMORY, OURS, TOLD, TRUNCATE, Arm
from ..sessions.session_runner import NO_MODEL, SessionRunner
from ..sessions.summary import lines_by_way, rows_of
from ..sessions.talks import Talk, read_talks
from ..sessions.texts import is_text
from . import lab_options
from .resuming import resumed

METHODS = f"full,streaming-llm,{TRUNCATE},ta"
TRUNCATED = (
    "the last K tokens as a new prompt; memory: ta with one alone; of questions bm25: the lines "
    "that fit K/2 as one; compaction, context-shift, every-row, told: docs/sessions.md."
)


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
            "of FILE.txt[.xz]: its own next tokens.",
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
    runner = SessionRunner(
        model, runs, dtype, threads, ledger, pin == options.PINS[0], survival, likelihood
    )
    last = None if limit is None else skip + limit
    known: Sequence[AgentSession | Talk]
    if likelihood:
        known = runner.requests(file, seed, last)[skip:]
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
        _play_changes(read_sessions(file, last)[skip:], runner, record, json)
        return
    done = record["units"]
    left = [(item, arm) for item in known for arm in arms if _unit(item, arm) not in done]
    with progress_bar() as bar:
        for item, arm in bar.track(left, description="sessions and ways"):
            unit = _unit(item, arm)
            record["arguments"] += [{**unit, **outcome} for outcome in runner.outcomes(item, arm)]
            done.append(unit)
            record["rows"] = (rows_of_likelihoods if likelihood else rows_of)(record["arguments"])
            write_json(json, record)
    if likelihood:
        title = "the same replies forced on every method: nats a token, and first choices"
        _show(title, *lines_of_likelihoods(record["rows"]))
        return
    by_way = "answered (held), by kind or tokens since the latest statement"
    _show(by_way, *lines_by_way(record["rows"]))


def _play_changes(
    known: Sequence[AgentSession], runner: SessionRunner, record: dict[str, Any], json: Path | None
) -> None:
    """Fill a record with what changed histories cost, a session after the other."""
    model, tokenizer = runner.loaded
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


def _unit(item: AgentSession | Talk, arm: Arm) -> dict[str, Any]:
    about = {"method": arm.method, "memory": arm.memory, "budget": arm.budget}
    return {"session": item.id, **about}


def _show(title: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    table = Table(*head, title=title)
    for line in lines:
        table.add_row(*line)
    Console().print(table)
