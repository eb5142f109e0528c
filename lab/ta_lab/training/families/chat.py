"""Chats: values stated by users, systems, assistants and tools, and asked for by the user.

Every piece begins and ends inside a message, so that filler may stand between any two pieces.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...data import texts
from ..facts import spelled
from ..scene import Piece, Question, Scene, capital
from . import drafts
from .drafts import Ask, Draft, any_value, ask, fill

TEXTS = texts("training/chat")
END = "<|end|>"
ROLES = ("user", "assistant", "tool", "system")
Shares = tuple[float, float, float, float]
USUAL: Shares = (0.6, 0.14, 0.2, 0.06)


def _open(role: str, content: str = "") -> str:
    """The begin of a message; the assistant's content begins with a space."""
    return f"<|{role}|>{' ' if role == 'assistant' else ''}{content}"


def _message(role: str, content: str) -> str:
    return _open(role, content) + END


def _small_talk(rng: random.Random) -> str:
    user, assistant = rng.choice(TEXTS.small_talk)
    return _message("user", user) + _message("assistant", assistant)


def _between(rng: random.Random, role: str, to: str) -> str:
    """Whole messages that may stand between a message of `role` and the next, of `to`."""
    acknowledged = _message("assistant", rng.choice(TEXTS.acks))
    if to == "user":
        bridge = "" if role == "assistant" else acknowledged
        return bridge + (_small_talk(rng) if rng.random() < 0.2 else "")
    if to == "tool":
        asked = _message("user", rng.choice(TEXTS.go_on)) if role == "system" else ""
        looked_up = "" if role == "assistant" else _message("assistant", rng.choice(TEXTS.lookups))
        return asked + looked_up
    if to == "assistant" and role in ("assistant", "system"):
        return _message("user", rng.choice(TEXTS.go_on))
    return acknowledged if to == "system" and role == "user" else ""


def _opening(rng: random.Random, role: str) -> str:
    """The begin of a message of which the rest is filler."""
    if role == "assistant":
        return _open(role, rng.choice(TEXTS.assistant_continued))
    return _open(role, rng.choice(TEXTS.tool_continued if role == "tool" else TEXTS.continued))


def _place(rng: random.Random, piece: Piece, role: str, to: str) -> tuple[Piece, str]:
    """The piece in a message of `to`, while one of `role` is open; and the role then open."""
    before, after = piece.before, piece.after
    if role != to or rng.random() < 0.5:
        lead = rng.choice(TEXTS.leads) + " " if to == "user" and rng.random() < 0.25 else ""
        before = END + _between(rng, role, to) + _open(to, lead + before)
    if rng.random() < 0.45:
        return Piece(before, piece.value, after), to
    then = rng.choices(ROLES[:3], (0.65, 0.15, 0.2))[0]
    after += END + _between(rng, to, then) + _opening(rng, then)
    return Piece(before, piece.value, after), then


def _head(rng: random.Random) -> tuple[str, str]:
    """The begin of a conversation and the role of its open message."""
    head = _message("system", rng.choice(TEXTS.systems)) if rng.random() < 0.5 else ""
    kind = rng.random()
    if kind < 0.1:
        return _open("system", rng.choice(TEXTS.systems)), "system"
    if kind < 0.25:
        head += _small_talk(rng)
    if kind > 0.9:
        head += _message("user", rng.choice(TEXTS.go_on))
        return head + _opening(rng, "assistant"), "assistant"
    return head + _open("user", rng.choice(TEXTS.openings)), "user"


def _question(rng: random.Random, asked: Ask) -> str:
    """One message of the user that asks, now and then after small talk."""
    text = asked.text
    if asked.label and rng.random() < 0.3:
        template = rng.choice(TEXTS.asks)
        text = template.format(key=asked.label, Key=capital(asked.label))
    talk = _small_talk(rng) if rng.random() < 0.1 else ""
    content = rng.choice(TEXTS.around).format(ask=text)
    return talk + _message("user", content) + "<|assistant|>"


def _as_chat(rng: random.Random, draft: Draft, roles: Sequence[str] | None = None) -> Scene:
    """The draft as a conversation; `roles` says who states which piece, otherwise it is drawn."""
    head, role = _head(rng)
    roles = roles or rng.choices(ROLES, USUAL, k=len(draft.pieces))
    pieces = []
    for piece, to in zip(draft.pieces, roles):
        placed, role = _place(rng, piece, role, to)
        pieces.append(placed)
    questions = [
        Question(_question(rng, asked), " " + draft.pieces[asked.piece].value, asked.piece)
        for asked in draft.asks
    ]
    tail = END
    if role != "assistant" and rng.random() < 0.7:
        tail += _message("assistant", rng.choice(TEXTS.acks))
    return Scene(pieces, questions, head, tail)


def _by_role(rng: random.Random, facts: int, words: Sequence[str], shares: Shares) -> Scene:
    """Labelled values, each in the manner of the role that states it."""
    roles = rng.choices(ROLES, shares, k=facts)
    draft, asks = Draft(), []
    for key, role in zip(drafts.some_keys(rng, facts, words), roles):
        value = draft.fresh(rng, any_value)
        template = rng.choice(TEXTS.by_role[role])
        index = draft.add(fill(rng, template, key, value, snake=spelled(key, "snake")))
        asks.append(ask(rng, key, index))
    return _as_chat(rng, draft.asking(rng, asks), roles)


def notes(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Labelled values as a user mentions them in a chat, now and then another role."""
    return _by_role(rng, facts, words, (0.85, 0.15, 0.0, 0.0))


def tools(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Labelled values in results of tools and in system messages."""
    shares: Shares = (0.0, 0.1, 0.9, 0.0) if rng.random() < 0.6 else (0.1, 0.1, 0.3, 0.5)
    return _by_role(rng, facts, words, shares)


def labelled(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """The labelled statements of prose, or near-identical labels, in messages."""
    make = drafts.plain if rng.random() < 0.6 else drafts.confusers
    return _as_chat(rng, make(rng, facts, words))


def amended(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Values that are corrected in later messages."""
    return _as_chat(rng, drafts.corrections(rng, facts, words))


def everyday(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Values of everyday things and of entities, told without their names."""
    make = drafts.unstructured if rng.random() < 0.8 else drafts.multi
    return _as_chat(rng, make(rng, facts, words))


MAKERS = (notes, tools, labelled, amended, everyday)


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """A chat of any of these kinds."""
    return rng.choice(MAKERS)(rng, facts, words)
