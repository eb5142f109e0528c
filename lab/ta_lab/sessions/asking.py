"""Questions about a talk that was read before: whether the evidence is held, and the answer right.

Each question goes on from the same state, as if it were the only one.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from transactional_attention.engines.prompts import Prompt, chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.types import Span

from .calls import common, rendered, tokenised, tokens_of
from .compaction import compacted
from .files import Message
from .playing import (
    BM25,
    COMPACTION,
    PROMPTS,
    TRUNCATE,
    Arm,
    Forced,
    Model,
    Played,
    begun,
    holds,
    read,
    spoken,
    truncated,
)
from .talks import Question, Talk

LONGEST = 32  # tokens of an answer
OTHER = "\u2402"  # a question that begins as no other does


@dataclass(frozen=True)
class Asked:
    """Of one question: ``held`` when it has been read; ``answered``: None without a model."""

    number: int
    held: bool
    answered: bool | None
    kind: str | None


@dataclass(frozen=True)
class Posed:
    """A question that is to be read: by which session, as which prompt, and where in that the
    evidence stands."""

    session: Played
    prompt: Prompt
    evidence: list[Span]


def ask(arm: Arm, model: Model, talk: Talk, pinned: int, ledger: str) -> Iterator[Asked]:
    """The outcome of every question, ``pinned`` tokens being held beside K. Raises InputError for a
    template that refuses the messages."""
    for number, posed in enumerate(pose(arm, model, talk, pinned, ledger)):
        question = talk.questions[number]
        held, reply = _said(model, posed)
        right = question.answer.casefold().strip() in reply.casefold() if model.says else None
        yield Asked(number, held, right, question.kind)


def pose(arm: Arm, model: Model, talk: Talk, pinned: int, ledger: str) -> Iterator[Posed]:
    """Every question after the talk, which is read once where its questions can share it."""
    state: Played | None = None
    size = 0
    if arm.method == COMPACTION:
        talk = replace(talk, messages=compacted(model, talk.messages, arm.budget or 0))
    for question in talk.questions:
        messages = talk.messages
        if arm.method == BM25:
            messages = retrieved(talk.messages, question, (arm.budget or 0) // 2, model.tokenizer)
        prompt = _prompt(model, messages, question.text)
        spans = list(_evidence(model, messages, question))
        out = Span(0, 0)
        if arm.method in PROMPTS:
            if arm.method == TRUNCATE:
                prompt, out = truncated(prompt, pinned, arm.budget)
            session = model.engine.session(arm.retention(pinned, ledger))
        else:
            if state is None:
                size = common(_prompt(model, talk.messages, OTHER).ids, prompt.ids)
                state = model.engine.session(arm.retention(pinned, ledger))
                read(state, begun(prompt, size))
            session = state.fork(size)
        yield Posed(session, prompt, [span for span in spans if not span.overlaps(out)])


def _prompt(model: Model, messages: Sequence[Message], question: str) -> Prompt:
    return chat_prompt(model.tokenizer, [*messages, {"role": "user", "content": question}])


def _said(model: Model, posed: Posed) -> tuple[bool, str]:
    """Whether evidence is held when the prompt has been read, and what is said then."""
    held, ids = False, list[int]()
    rule, most = (Sampling(), LONGEST) if model.says else (Forced(reply=(0,)), 1)
    for token in spoken(posed.session, posed.prompt, rule, model.end_ids, most):
        if not ids:
            held = holds(posed.session.flow, posed.evidence)
        ids.append(token)
    return held, model.tokenizer.decode(ids, skip_special_tokens=True)


def _evidence(model: Model, messages: Sequence[Message], question: Question) -> Iterator[Span]:
    """Tokens of the prompt that tell the answer."""
    text = rendered(model.tokenizer, [*messages, {"role": "user", "content": question.text}])
    _, starts = tokenised(model.tokenizer, text)
    for part in question.evidence:
        if (place := text.find(part)) >= 0:
            yield tokens_of(starts, place, place + len(part))


def retrieved(
    messages: Sequence[Message], question: Question, room: int, tokenizer: Any
) -> list[Message]:
    """The messages, of the longest one just the lines that answer a question best by BM25 (SQLite's
    FTS5), in their order, with ``room`` tokens in all."""
    longest = max(range(len(messages)), key=lambda n: len(messages[n]["content"]))
    lines = str(messages[longest]["content"]).splitlines()
    wanted = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.text))
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("create virtual table lines using fts5(line, tokenize='porter unicode61')")
        db.executemany("insert into lines(rowid, line) values (?, ?)", enumerate(lines))
        query = "select rowid from lines where lines match ? order by bm25(lines), rowid"
        order = [row for (row,) in db.execute(query, [wanted])]
    taken: list[int] = []
    for row in order:
        room -= len(tokenizer(lines[row] + "\n", add_special_tokens=False)["input_ids"])
        if room < 0:
            break
        taken.append(row)
    kept = "\n".join(lines[row] for row in sorted(taken))
    copies = [dict(message) for message in messages]
    copies[longest]["content"] = kept or OTHER
    return copies
