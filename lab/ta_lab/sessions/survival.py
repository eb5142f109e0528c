"""What of a whole session can still be had when it has ended, by asking for it by its label.

Of the JSON that tools have answered: every value, once for each label that it stands after. A
label is asked for as an argument of a call would be, ``{"label": "``, and no model is run.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from transactional_attention.engines.prompts import chat_prompt
from transactional_attention.types import Span

from .calls import LEAST, rendered, tokenised, tokens_of
from .files import AgentSession
from .playing import Arm, Forced, Plays, holds, read, spoken

PAIR = re.compile(r'"(\w+)"\s*:\s*(?:"((?:[^"\\]|\\.)+)"|(-?\d[\d.]*))')
KINDS = {
    "date": re.compile(r"\d{4}-\d\d-\d\d([T ][\d:.Z]+)?|\d\d:\d\d(:\d\d)?"),
    "number": re.compile(r"-?\d+(\.\d+)?"),
    "path": re.compile(r"~?[\w.-]*(/[\w.@-]+)+/?"),
    "id": re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S+"),
}
OTHER = "name"


@dataclass(frozen=True)
class Labelled:
    """A value after a label: ``places`` are its tokens, the latest last; of its text only the
    ``kind`` is told."""

    label: str
    kind: str
    places: tuple[Span, ...]


def kind_of(value: str) -> str:
    """What a value looks like: one of ``KINDS``, or a name."""
    return next((kind for kind, form in KINDS.items() if form.fullmatch(value)), OTHER)


def labelled(session: AgentSession, tokenizer: Any) -> list[Labelled]:
    """The values of a session's tool results, in the order of their last places."""
    text = rendered(tokenizer, session.messages, session.tools)
    _, starts = tokenised(tokenizer, text)
    tool_pairs = {
        pair.groups()
        for message in session.messages
        if message["role"] == "tool"
        for pair in PAIR.finditer(str(message.get("content") or ""))
    }
    spans = defaultdict[tuple[str, str], list[Span]](list)
    for pair in PAIR.finditer(text):
        label, quoted, number = pair.groups()
        if pair.groups() in tool_pairs and len(value := quoted or number) >= LEAST:
            spans[label, value].append(tokens_of(starts, *pair.span(2 if quoted else 3)))
    return [
        Labelled(label, kind_of(value), tuple(places)) for (label, value), places in spans.items()
    ]


def survived(
    arm: Arm, engine: Plays, session: AgentSession, tokenizer: Any, pinned: int, ledger: str
) -> Iterator[tuple[Labelled, int, bool]]:
    """Each value, how many tokens before the end it stands, and whether one of its places is held
    whole after its label."""
    prompt = chat_prompt(tokenizer, session.messages, session.tools or None)
    values: dict[str, Sequence[Labelled]] = {}
    for one in labelled(session, tokenizer):
        values[one.label] = [*values.get(one.label, ()), one]
    state = engine.session(arm.retention(pinned, ledger))
    read(state, prompt)
    for label, entries in values.items():
        ids = tokenizer(f'{{"{label}": "', add_special_tokens=False)["input_ids"]
        asked, rule = state.fork(len(prompt.ids)), Forced(reply=(*ids, 0))
        deque(spoken(asked, prompt, rule, frozenset(), len(ids) + 1), 0)
        for one in entries:
            back = len(prompt.ids) - one.places[-1].start
            yield one, back, holds(asked.flow, one.places)
