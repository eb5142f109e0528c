"""Transcripts of function calling: values that somebody states, calls that need them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...data import texts
from ..facts import is_held_out
from ..scene import Piece, Question, Scene
from .format_keys import fill
from .tool_calls import JSON_STYLE, CallStyle, call_text, random_style
from .tool_specs import FORMS, JSON_FORMS, Tool, draw_tools, tool_list, tool_value
from .tool_specs import TEXTS as SPECS

TEXTS = texts("training/tools")
_VALUE = "\ue000"


@dataclass(slots=True)
class _Talk:
    """A conversation as it is written: `speaker` has the open message; labels are its roles."""

    words: Sequence[str]
    style: CallStyle
    labels: dict[str, str]
    speaker: str = ""

    def open(self, role: str) -> str:
        """Close the open message, if any, and open one of `role`."""
        chat = not self.labels
        end = "" if not self.speaker else "<|end|>" if chat else "\n"
        self.speaker = role
        if chat:
            return f"{end}<|{role}|>" + (" " if role == "assistant" else "")
        return f"{end}{self.labels[role]}: "

    def answer(self, text: str) -> str:
        """The assistant's words, in its open message or in a new one."""
        return ("\n" if self.speaker == "assistant" else self.open("assistant")) + text

    def call(self, function: str, argument: str, value: str) -> str:
        """A call in the style of this conversation."""
        return call_text(self.style, function, argument, value)


def _worded(rng: random.Random, talk: _Talk, template: str, tool: Tool) -> str:
    """A statement of a tool's value, which a mark stands for."""
    text = fill(rng, template, talk.words).replace("{n}", tool.noun)
    text = text.replace("{N}", tool.noun[:1].upper() + tool.noun[1:])
    return text.replace("{a}", tool.label).replace("{v}", _VALUE)


def _said(rng: random.Random, talk: _Talk, tool: Tool) -> str:
    """A statement in the open message, or in a new one of the user."""
    templates: Sequence[str] = TEXTS.stated_by_system if talk.speaker == "system" else TEXTS.stated
    if talk.speaker == "assistant":
        templates = TEXTS.stated_by_assistant
    text = rng.choice((" ", "\n", "\n\n")) + _worded(rng, talk, rng.choice(templates), tool)
    if talk.speaker != "tool":
        return text
    reply = talk.open("assistant") + rng.choice(TEXTS.acknowledgements)
    return reply + talk.open("user") + text.lstrip()


def _result(rng: random.Random, talk: _Talk, tool: Tool) -> str:
    """An assistant's call and the tool's answer, which states the value."""
    verb = rng.choice(("search", "list", "find", "create", "query", "load", "fetch"))
    subject = rng.choice((tool.noun.split()[0], tool.noun.split()[0], rng.choice(talk.words)))
    call = talk.call(
        f"{verb}_{subject}", rng.choice(("query", "name", "q")), rng.choice(talk.words)
    )
    text = talk.answer(call) + talk.open("tool")
    return text + _worded(rng, talk, rng.choice(TEXTS.results), tool)


def _earlier_call(rng: random.Random, talk: _Talk, tool: Tool) -> str:
    """An earlier call of the assistant that has the value as its argument."""
    name = tool.noun.replace(" ", "_")
    function = rng.choice(("save", "set", "create", "register", "put", "remember")) + f"_{name}"
    request = f"Please store the {tool.noun} for me."
    text = talk.open("user") + request if talk.speaker != "user" else f" {request}"
    text += talk.answer(talk.call(function, name, _VALUE)) + talk.open("tool")
    return text + rng.choice(('{"ok": true}', "done", "ok", '{"status": "saved"}', "null", "200"))


def _after(rng: random.Random, talk: _Talk) -> str:
    """At times the message that follows a statement: an answer, then a new one of the user."""
    if talk.speaker == "system" or rng.random() < 0.4:
        if talk.speaker == "system" and rng.random() < 0.3:
            return ""
        reply = ""
        if talk.speaker in ("user", "tool"):
            reply = talk.open("assistant") + rng.choice(TEXTS.acknowledgements)
        return reply + talk.open("user") + rng.choice(TEXTS.openings)
    if talk.speaker == "tool" and rng.random() < 0.4:
        return talk.open("assistant") + rng.choice(TEXTS.briefs)
    return rng.choice(("", "", "\n"))


def _piece(rng: random.Random, talk: _Talk, tool: Tool, value: str) -> Piece:
    """A tool's value, stated by one of the speakers."""
    kind = rng.random()
    if talk.speaker == "system" or kind < 0.5:
        text = _said(rng, talk, tool)
    elif kind < 0.87:
        text = _result(rng, talk, tool)
    else:
        text = _earlier_call(rng, talk, tool)
    before, after = (text + _after(rng, talk)).split(_VALUE)
    return Piece(before, value, after)


def _head(rng: random.Random, talk: _Talk, functions: str) -> str:
    """The opening: a system message where one is needed, then maybe the user's first."""
    parts = [rng.choice(("You are a helpful assistant.", "You can call functions.", "Be brief."))]
    if functions:
        title = rng.choice(
            ("Functions:", "Tools:", "You have these tools:", "Available functions:")
        )
        parts.append(f"{title}\n{functions}")
    if talk.style.hint:
        parts.append(talk.style.hint)
    if len(parts) == 1 and rng.random() < 0.7:
        return talk.open("user") + rng.choice(TEXTS.openings)
    if len(parts) > 1 and rng.random() < 0.5:
        parts.pop(0)
    head = talk.open("system") + "\n".join(parts)
    if rng.random() < 0.8:
        head += talk.open("user") + rng.choice(TEXTS.openings)
    return head


def _question(
    rng: random.Random, talk: _Talk, tool: Tool, value: str, listed: bool
) -> tuple[str, str]:
    """What the user asks, and the assistant's answer: the value or a call with it."""
    extra = None
    names = {"f": tool.function, "n": tool.noun, "a": tool.argument, "t": tool.task}
    kind = rng.random()
    if kind < 0.12:
        text, answer = rng.choice(TEXTS.asked), value
    elif kind < 0.4:
        text = rng.choice(TEXTS.shown)
        names["c"], answer = _shown(rng, talk, tool, value)
    else:
        natural = listed and tool.task and rng.random() < 0.4
        text = rng.choice(TEXTS.natural if natural else TEXTS.called)
        if talk.style.extra and rng.random() < 0.12:
            text, extra = rng.choice(TEXTS.called_with), rng.choice(SPECS.extras)
        answer = call_text(talk.style, tool.function, tool.argument, value, extra)
    names |= {"p": extra[0], "w": extra[1]} if extra else {}
    names |= {"N": tool.noun[:1].upper() + tool.noun[1:], "T": tool.task.capitalize()}
    text = re.sub(r"\{(\w)\}", lambda match: names[match[1]], text)
    if talk.labels:
        return f"\n\n{talk.labels['user']}: {text}\n{talk.labels['assistant']}:", f" {answer}"
    return f"<|user|>{text}<|end|><|assistant|>", f" {answer}"


def _shown(rng: random.Random, talk: _Talk, tool: Tool, value: str) -> tuple[str, str]:
    """A call with a blank, as a question shows it, and the same with the value."""
    style = talk.style if rng.random() < 0.5 else random_style(rng)
    blank = rng.choice(TEXTS.blanks)
    form = call_text(style, tool.function, tool.argument, blank)
    if rng.random() < 0.6:
        form = form.replace(f'"{blank}"', blank)
    return form, call_text(style, tool.function, tool.argument, value)


def _values(rng: random.Random, count: int) -> list[str]:
    """`count` values, none of which is in another."""
    values: list[str] = []
    while len(values) < count:
        value = tool_value(rng)
        if not any(value in other or other in value for other in values):
            values.append(value)
    return values


def _opened(rng: random.Random, talk: _Talk, tools: Sequence[Tool], listed: bool) -> str:
    """The head; a list of functions in JSON asks for calls in JSON."""
    if not listed:
        return _head(rng, talk, "")
    form = rng.choice(FORMS)
    if form in JSON_FORMS and not talk.style.hint:
        talk.style = JSON_STYLE
    return _head(rng, talk, tool_list(rng, tools, form))


def _drawn(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    labels = {} if rng.random() < 0.75 else rng.choice(TEXTS.roles)
    talk = _Talk(words, random_style(rng), labels)
    unasked = rng.choice((0, 0, 0, 1, 2)) if facts < 12 else 0
    listed = facts <= 6 and rng.random() < 0.5
    tools = draw_tools(rng, facts + unasked, words)
    values = _values(rng, len(tools))
    if not listed:  # then the argument's name must follow from what the value is called
        tools = [replace(tool, argument=tool.label) for tool in tools]
    head = _opened(rng, talk, tools, listed)
    pieces = [_piece(rng, talk, tool, value) for tool, value in zip(tools, values)]
    order = rng.sample(range(len(tools)), facts)
    asked = [(_question(rng, talk, tools[n], values[n], listed), n) for n in order]
    questions = [Question(text, answer, n) for (text, answer), n in asked]
    pieces = [piece if n in order else Piece(piece.text) for n, piece in enumerate(pieces)]
    if talk.speaker == "system":
        pieces.append(Piece(talk.open("user") + rng.choice(TEXTS.openings)))
    tail = "" if labels else "<|end|>"
    if talk.speaker == "user" and rng.random() < 0.5:
        tail = talk.open("assistant") + rng.choice(TEXTS.acknowledgements) + tail
    return Scene(pieces, questions, head, tail, "code" if rng.random() < 0.25 else "prose", "tools")


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """A transcript that states `facts` values and then asks for each, or for a call with it."""
    while True:
        drawn = _drawn(rng, facts, words)
        stated = drawn.head + "".join(piece.text for piece in drawn.pieces)
        said = stated + "".join(question.text for question in drawn.questions)
        single = all(said.count(piece.value) == 1 for piece in drawn.pieces if piece.value)
        if single and not is_held_out(re.sub(r"[\W_]+", " ", said)):
            return drawn
