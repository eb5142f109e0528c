"""Histories of sessions that change in the middle: what is read anew, and what rows kept after a
change would answer.

A server goes back to a state before the change, and reads the rest. Rows of later messages whose
tokens are the same could be kept and turned to their new positions (so does Leyline); they have
attended to what stood there before, so answers differ from those of the history read anew.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.errors import InputError
from transactional_attention.retention.checkpoints import spread
from transactional_attention.retention.chunks import content_begin
from transactional_attention.types import Ints

from .calls import common, rendered, tokenised
from .files import AgentSession, Message
from .rows import angles, turned

STATES = 2, 4, 8  # of a session; two are those before the latest replies
WITH_STATES = [f"{count}_states" for count in STATES]
MOST = 6144  # tokens of a history, so that a small machine reads it in minutes
LEAST = 4  # replies of a history that has a middle
REMINDER = "\n\n<reminder>Follow the policy. Ask before you change anything.</reminder>"
CUT = "[removed to save room]"


@dataclass(frozen=True)
class Change:
    """A history that was read, and the next prompt, in which it is another. Numbers are tokens.

    ``before`` [token]: what was read; ``after`` [token]: what is asked now; ``reply`` [token]: what
    follows it in the recording. ``common`` tokens at the begin are the same, and ``equal`` tokens
    at the end of ``before`` stand in ``after`` up to ``place``; ``kept`` [len(STATES)]: the longest
    state before the change of a session that keeps n; ``pinned``: system message and tools.
    """

    kind: str
    before: Ints = field(repr=False)
    after: Ints = field(repr=False)
    reply: Ints = field(repr=False)
    common: int
    equal: int
    place: int
    kept: tuple[int, ...]
    pinned: int


def counted(change: Change) -> dict[str, Any]:
    """Of one change, what a record may hold: tokens of the next prompt that are read, with the
    states before the latest two replies alone; with n states, for each n of ``STATES``, and one
    after the beginning; after the change; and with the rows of equal tokens kept."""
    size, beginning = len(change.after), min(change.pinned, change.common)
    return {
        "change": change.kind,
        "prompt": size,
        "no_beginning": size - change.kept[0],
        **{
            name: size - max(kept, beginning)
            for name, kept in zip(WITH_STATES, change.kept, strict=True)
        },
        "behind_change": size - change.common,
        "rows_kept": size - change.common - change.equal,
        "said": len(change.reply),
    }


def summed(units: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each kind of change: sums over sessions, the divergence as a mean over tokens."""
    rows = []
    for kind in dict.fromkeys(unit["change"] for unit in units):
        kind_units = [unit for unit in units if unit["change"] == kind]
        names = [name for name in kind_units[0] if name not in ("session", "change", "kl")]
        row = {name: sum(unit[name] for unit in kind_units) for name in names}
        if "kl" in kind_units[0]:
            row["kl"] = sum(unit["kl"] * unit["said"] for unit in kind_units) / row["said"]
        rows.append({"change": kind, "sessions": len(kind_units), **row})
    return rows


def lines_of_changes(rows: Sequence[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Head and lines of the table of changes; the model's columns where a model was run."""
    names = ["prompt", "no_beginning", *WITH_STATES, "behind_change", "rows_kept"]
    head = [
        "change",
        "sessions",
        *(name.replace("_", " ").replace("behind", "after") for name in names),
    ]
    judged = "agree" in rows[0]
    head += (
        ["same first choice", "KL, nats", "right anew", "right with rows kept"] if judged else []
    )
    lines = []
    for row in rows:
        line = [row["change"], str(row["sessions"]), *(f"{row[name]:,}" for name in names)]
        if judged:
            line += [f"{row['agree']} of {row['said']}", f"{row['kl']:.3f}"]
            line += [str(row["right"]), str(row["right_kept"])]
        lines.append(line)
    return head, lines


def changes_of(session: AgentSession, tokenizer: Any) -> Iterator[Change]:
    """Of the longest history with at most ``MOST`` tokens: a message that is edited, a tool's
    result that is taken out, a reminder that moves to the latest message."""
    replies = [n for n, m in enumerate(session.messages) if m["role"] == "assistant"]
    fitting = [n for n in replies if len(_prompt(session, n, tokenizer).ids) <= MOST]
    if len(fitting) < LEAST:
        return
    last, previous = fitting[-1], fitting[-2]
    history, middle = session.messages[:last], previous // 2
    for kind, old, new in (
        ("edited message", *_at(history, middle, "user", lambda text: f"{text} Please.")),
        ("removed result", *_at(history, middle, "tool", lambda text: CUT)),
        (
            "moved reminder",
            _with(history, previous - 1, lambda text: text + REMINDER),
            _with(history, last - 1, lambda text: text + REMINDER),
        ),
    ):
        if old is not None and new is not None:
            yield _change(kind, session, (old, new, last, previous), fitting, tokenizer)


def _at(history: Sequence[Message], middle: int, role: str, edit: Any) -> tuple[Any, Any]:
    """A history, and the same with the message of a role nearest to its middle edited."""
    places = [n for n, m in enumerate(history[:-2]) if m["role"] == role]
    if not places:
        return None, None
    return list(history), _with(history, min(places, key=lambda n: abs(n - middle)), edit)


def _with(history: Sequence[Message], place: int, edit: Any) -> list[Message]:
    messages = list(history)
    messages[place] = {**messages[place], "content": edit(messages[place].get("content") or "")}
    return messages


def _prompt(session: AgentSession, number: int, tokenizer: Any) -> Any:
    return chat_prompt(tokenizer, session.messages[:number], session.tools or None)


def _change(
    kind: str, session: AgentSession, given: Any, replies: Sequence[int], tokenizer: Any
) -> Change:
    old, new, last, previous = given

    def tokens(messages: Sequence[Message], *, asks: bool = False) -> Ints:
        text = rendered(tokenizer, messages, session.tools, asks=asks)
        return tokenised(tokenizer, text)[0]

    before, after = tokens(old[: previous + 1]), tokens(new, asks=True)
    whole = tokens([*new, session.messages[last]])
    known = tokens(new[: previous + 1])  # up to where the new messages begin
    if not np.array_equal(whole[: len(after)], after) or not np.array_equal(
        after[: len(known)], known
    ):
        raise InputError(f"session {session.id}: the template writes a reply otherwise at its end")
    same = common(before, after)
    equal = common(before[same:][::-1], known[same:][::-1])
    pinned = content_begin(chat_prompt(tokenizer, new, session.tools or None).sources)
    borders = [
        chat_prompt(tokenizer, old[:n], session.tools or None).border
        for n in replies
        if n <= previous
    ]
    states = ([*_states(borders, pinned, most), len(before)] for most in STATES)
    kept = tuple(max((n for n in positions if n <= same), default=0) for positions in states)
    reply_ids = whole[len(after) :]
    return Change(kind, before, after, reply_ids, same, equal, len(known), kept, pinned)


def _states(borders: Sequence[int], pinned: int, most: int) -> list[int]:
    """Those that a session has left of one before each reply."""
    kept: list[int] = []
    for border in borders:
        kept = spread([*kept, border], int, pinned, most)
    return kept


class Comparison:
    """Compares, on one model; a history that was read is kept for the next change of it."""

    def __init__(self, model: Any, chunk: int = 512) -> None:
        self.model, self.chunk = model, chunk
        self._read: tuple[Ints, Any] | None = None

    @torch.no_grad()
    def of(self, change: Change) -> dict[str, Any]:
        """What the model says of the recorded reply after a history of which rows were kept,
        beside the same read anew from the change on: how many of its ``reply`` tokens have the same
        first choice (``agree``), the mean KL divergence in nats, and of how many the recorded token
        is the first choice, anew (``right``) and with rows kept (``right_kept``)."""
        if self._read is None or not np.array_equal(self._read[0], change.before):
            _, cache = read(self.model, None, change.before, self.chunk)
            self._read = change.before, cache
        known = self._read[1]
        kept = spliced(self.model, known, change, self.chunk)
        fresh = beginning(known, change.common)
        asked, size = np.concatenate([change.after, change.reply]), len(change.reply) + 1
        exact, mixed = (
            read(self.model, cache, asked[start:], self.chunk)[0][-size:-1].log_softmax(-1)
            for cache, start in ((fresh, change.common), (kept, change.place))
        )
        recorded = torch.from_numpy(change.reply)
        return {
            "agree": int((exact.argmax(-1) == mixed.argmax(-1)).sum()),
            "kl": float((exact.exp() * (exact - mixed)).sum(-1).mean()),
            "right": int((exact.argmax(-1) == recorded).sum()),
            "right_kept": int((mixed.argmax(-1) == recorded).sum()),
        }


def spliced(model: Any, known: Any, change: Change, chunk: int) -> Any:
    """A cache of the changed history up to ``place``: what is the same before the change, what is
    new in it read after that, and the rows of the equal tokens turned to their positions."""
    cache = beginning(known, change.common)
    start = change.place - change.equal
    read(model, cache, change.after[change.common : start], chunk)
    shift = start - (len(change.before) - change.equal)
    cos, sin = angles(model, shift)
    for layer, known_layer in zip(cache.layers, known.layers, strict=True):
        first = len(change.before) - change.equal
        keys, values = known_layer.keys[..., first:, :], known_layer.values[..., first:, :]
        layer.keys = torch.cat([layer.keys, turned(keys, cos, sin)], -2)
        layer.values = torch.cat([layer.values, values], -2)
    return cache


def beginning(known: Any, count: int) -> Any:
    """A cache of the first ``count`` tokens of another."""
    cache = copy.deepcopy(known)
    for layer in cache.layers:
        layer.keys, layer.values = layer.keys[..., :count, :], layer.values[..., :count, :]
    return cache


def read(model: Any, cache: Any, ids: Ints, chunk: int) -> tuple[Tensor, Any]:
    """Logits [token, vocabulary] of the last two chunks, in float32, and the cache, a new one where
    there is none."""
    logits: list[Tensor] = []
    for start in range(0, len(ids), chunk):
        part = torch.from_numpy(ids[start : start + chunk])[None]
        out = model(part, past_key_values=cache, use_cache=True)
        logits, cache = [*logits[-1:], out.logits[0].float()], out.past_key_values
    return torch.cat(logits) if logits else torch.zeros(0), cache
