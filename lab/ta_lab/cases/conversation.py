"""A case as the conversation that a chat model was taught to answer, by the model's own template.

Text with sources is system, user, assistant and tool turns; text without is one user turn. The
question is the next user turn. What the template writes up to the question's turn is the context
that is compressed. Nothing of a template has to be known: it is rendered, with markers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from transactional_attention.cli.prompts import ALONE
from transactional_attention.engines.chat_sources import SourcedPiece, sourced_text
from transactional_attention.errors import InputError
from transactional_attention.types import Source

from .cases import Case

Message = dict[str, Any]
NOTED, NEXT = "Understood.", "Go on."
QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
LOOK_UP: Message = {"name": "look_up", "description": "Looks something up.", "parameters": QUERY}
REMEDY = "ask in plain text (--raw)"
MARK_WORDS = 2  # "User:", "### Tool", an end and a begin of a turn


class Place(NamedTuple):
    """Characters [start, end) of a case's context, and where they begin in what is read."""

    start: int
    end: int
    at: int


@dataclass(frozen=True)
class Turn:
    """What a role says. ``start``: where in the context of the case, if it is from there.

    ``source``: whose it is, if that is no role of a chat."""

    role: str
    text: str
    start: int | None = None
    source: Source | None = None
    calls: tuple[Any, ...] = ()

    @property
    def message(self) -> Message:
        """As chat templates take it."""
        message: Message = {"role": self.role, "content": self.text}
        return message | ({"tool_calls": list(self.calls)} if self.calls else {})


@dataclass(frozen=True)
class Conversation:
    """``context``: what is read before the question; ``question``: what is read then.

    ``pieces``: whose the characters of ``context`` are; ``places``: where those of the case's
    context stand in it. ``answers``: each of them is right."""

    context: str
    question: str
    pieces: tuple[SourcedPiece, ...]
    places: tuple[Place, ...]
    answers: tuple[str, ...]


def converse(tokenizer: Any, case: Case) -> Conversation:
    """The conversation of a case. Raises InputError for a template that refuses such turns, leaves
    one out or rewrites earlier ones."""
    from jinja2 import TemplateError  # noqa: PLC0415 - what a template needs, and nothing else

    turns = [*_turns(case), Turn("user", _asked(case))]
    forms = [(turns, case.tools), (_alternating(turns), case.tools)]
    if case.tools:
        looked_up = {"type": "function", "function": LOOK_UP}
        forms.insert(0, (_with_calls(turns), (looked_up, *case.tools)))
    for form, tools in forms:
        try:
            conversation = _rendered(tokenizer, case, form, tools)
        except TemplateError:  # its message may quote a turn
            continue
        if len(tools) == len(case.tools) or LOOK_UP["name"] in conversation.context:
            return conversation  # otherwise the template knows no calls and wrote empty turns
    raise InputError(f"case {case.id}: the chat template refuses its turns: {REMEDY}")


def _asked(case: Case) -> str:
    """The question as a turn: a chat model explains its answer unless it is told not to."""
    asked = (case.asked or case.question).strip()
    return asked if case.call else f"{asked}\n{ALONE}".strip()


def _turns(case: Case) -> list[Turn]:
    """The context by its sources. Up to two words between them are a plain text's marks of turns,
    which the template writes in its own way; a value is never left out."""
    ranges = sorted((s.start, s.end, s.source) for s in case.sources)
    if not ranges:
        ranges = [(0, len(case.context), "user")]
    pieces, cursor = [], 0
    for start, end, source in (*ranges, (len(case.context), len(case.context), "")):
        between = case.context[cursor:start]
        stated = any(cursor < v.end and v.start < start for v in case.values)
        if stated or len(between.split()) > MARK_WORDS:
            pieces.append((cursor, start, "unknown"))
        pieces.append((start, end, source))
        cursor = end
    turns: list[Turn] = []
    for start, end, source in pieces:
        text = case.context[start:end].strip()
        if not text:
            continue
        role = "user" if source == "unknown" else source
        turns.append(Turn(role, text, case.context.index(text, start), source))  # type: ignore[arg-type]
    return turns


def _with_calls(turns: Sequence[Turn]) -> list[Turn]:
    """A call before what a tool says out of the blue: models were taught that one asks for it."""
    dialogue: list[Turn] = []
    for turn in turns:
        if turn.role == "tool" and dialogue and dialogue[-1].role == "user":
            called = {"name": LOOK_UP["name"], "arguments": {"query": dialogue[-1].text}}
            dialogue.append(
                Turn("assistant", "", calls=({"type": "function", "function": called},))
            )
        dialogue.append(turn)
    return dialogue


def _alternating(turns: Sequence[Turn]) -> list[Turn]:
    """The same said by user and assistant in turn, for templates that know nothing else."""
    dialogue: list[Turn] = []
    for turn in turns:
        if not turn.text:
            continue
        role = "assistant" if turn.role == "assistant" else "user"
        if (dialogue[-1].role if dialogue else "assistant") == role:
            dialogue.append(Turn("user", NEXT) if role == "assistant" else Turn("assistant", NOTED))
        dialogue.append(replace(turn, role=role))
    return dialogue


def _rendered(
    tokenizer: Any, case: Case, turns: Sequence[Turn], tools: Sequence[Message]
) -> Conversation:
    messages = [turn.message for turn in turns]
    options = {"tools": list(tools) or None, "add_generation_prompt": True}
    whole, pieces = sourced_text(messages, tokenizer, options)
    text_turns = [turn for turn in turns if turn.text]
    contents = [piece for piece in pieces if not piece[3]]
    if [whole[a:b] for a, b, *_ in contents] != [turn.text for turn in text_turns]:
        raise InputError(f"case {case.id}: the chat template leaves a turn out: {REMEDY}")
    cut = _question_begins(tokenizer, case, messages, options, whole, contents[-2][1])
    places = [
        Place(turn.start, turn.start + len(turn.text), piece[0])
        for turn, piece in zip(text_turns, contents, strict=True)
        if turn.start is not None
    ]
    whose = {
        piece: turn.source or piece[2] for turn, piece in zip(text_turns, contents, strict=True)
    }
    read: list[SourcedPiece] = [
        (p[0], min(p[1], cut), whose.get(p, p[2]), p[3]) for p in pieces if p[0] < cut
    ]
    opening, answers = _answers(tokenizer, case, messages, options, whole)
    return Conversation(whole[:cut], whole[cut:] + opening, tuple(read), tuple(places), answers)


def _question_begins(
    tokenizer: Any, case: Case, messages: Sequence[Message], options: Message, whole: str, end: int
) -> int:
    """Where the last turn begins: after the others, written alone. ``end``: their last content's
    end, as far as a template goes that ends a text otherwise than it goes on."""
    before = _text(tokenizer, messages[:-1], {**options, "add_generation_prompt": False})
    if whole[:end] != before[:end]:
        raise InputError(f"case {case.id}: the chat template rewrites earlier turns: {REMEDY}")
    return len(before) if whole.startswith(before) else end


def _answers(
    tokenizer: Any, case: Case, messages: Sequence[Message], options: Message, whole: str
) -> tuple[str, tuple[str, ...]]:
    """What is written of the answer before the model goes on, and what it may say then. A call may
    be as the template writes it, as JSON without its marks, or as the case has it."""
    if case.call is None:
        return "", (case.answer,)
    turn = Turn("assistant", "", calls=({"type": "function", "function": case.call},))
    transcript = _text(
        tokenizer, [*messages, turn.message], {**options, "add_generation_prompt": False}
    )
    plain = json.dumps(case.call)
    written = transcript[len(whole) :] if transcript.startswith(whole) else ""
    opening = ""
    if case.opened and case.call["arguments"]:
        filled = json.dumps([*case.call["arguments"].values()][-1]).strip('"')
        written = written if filled in written else plain  # a template may know no calls
        slot = written.rindex(filled)
        opening, written = written[:slot], written[slot:]
    ids = tokenizer(written, add_special_tokens=False)["input_ids"]
    marked = tokenizer.decode(ids, skip_special_tokens=True).strip()
    bare = marked[0 if opening else max(marked.find("{"), 0) : marked.rfind("}") + 1]
    answers = [marked, bare] if opening else [case.answer, plain, marked, bare]
    return opening, tuple(text for text in dict.fromkeys(answers) if text)


def _text(tokenizer: Any, messages: Sequence[Message], options: Message) -> str:
    return tokenizer.apply_chat_template(list(messages), tokenize=False, **options)  # type: ignore[no-any-return]
