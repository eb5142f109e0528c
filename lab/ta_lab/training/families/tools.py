"""Transcripts of function calling: values that somebody states, calls that need them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...data import texts
from ...values.vocabulary import code8
from ..facts import is_clear, is_held_out, spelled
from ..scene import Piece, Question, Scene, capital, different
from ..values import VOCABULARY
from .format_keys import clashes, fill, unspaced_value

TEXTS, SPECS = texts("training/tools"), texts("training/tool_specs")
_VALUE = "\ue000"
JSON_FORMS = (2, 3)  # of the lists


def _slotted(template: str, names: Mapping[str, str]) -> str:
    """The template with what stands for a letter in each ``{x}``; other braces are left alone."""
    return re.sub(r"\{(\w)\}", lambda match: names[match[1]], template)


@dataclass(frozen=True, slots=True)
class CallStyle:
    """How calls are written; `hint` is needed before the first one unless it is empty."""

    call: str
    extra: str
    hint: str

    def text(
        self, function: str, argument: str, value: str, extra: tuple[str, str] | None = None
    ) -> str:
        """A call of `function`; a style without further arguments leaves `extra` out."""
        more = _slotted(self.extra, dict(zip("nw", extra))) if extra else ""
        return _slotted(self.call, {"f": function, "a": argument, "x": more, "v": value})


STYLES = [CallStyle(way["call"], way["extra"], way["hint"]) for way in SPECS.calls]
# What a list of functions in JSON calls for.
JSON_STYLE = replace(next(style for style in STYLES if "arguments" in style.call), hint="")


def random_style(rng: random.Random) -> CallStyle:
    """A style by its share."""
    return rng.choices(STYLES, [way["share"] for way in SPECS.calls])[0]


@dataclass(frozen=True, slots=True)
class Tool:
    """A function, its argument, what a person calls the argument's value and the task."""

    function: str
    argument: str
    noun: str
    task: str

    @property
    def label(self) -> str:
        """The noun in the spelling of the argument: it is not another tool's."""
        words = self.function.replace(".", "_")
        return spelled(self.noun, "snake" if words == words.lower() else "camel")


def tool_value(rng: random.Random) -> str:
    """A fresh value of an argument: mostly letters and digits, 6 to 40 of them."""
    kind = rng.random()
    if kind < 0.75:
        return VOCABULARY.make(next(form for below, form in SPECS.values if kind < below), rng)
    return code8(rng) if kind < 0.82 else unspaced_value(rng)


def _invented(rng: random.Random, words: Sequence[str]) -> Tool:
    kind = rng.random()
    style = rng.choice(("snake", "snake", "snake", "camel"))
    if kind < 0.3:
        noun, *several = rng.choice(SPECS.specials)
        task, argument = (rng.choice(names.split()).replace("_", " ") for names in several)
        return Tool(spelled(task, style), spelled(argument, style), noun, task)
    entity = rng.choice(SPECS.entities) if kind < 0.8 else rng.choice(words)
    if rng.random() < 0.2:
        entity = f"{rng.choice(words)} {entity}"
    verb, suffix = rng.choice(SPECS.verbs).replace("_", " "), rng.choice(SPECS.suffixes)
    noun = f"{entity} {suffix}"
    argument = noun if rng.random() < 0.8 else suffix
    if rng.random() < 0.1:
        function = f"{entity}.{verb}".replace(" ", "_")
    else:
        function = spelled(f"{verb} {entity}", style)
    return Tool(function, spelled(argument, style), noun, f"{verb} the {entity}")


def draw_tools(rng: random.Random, count: int, words: Sequence[str]) -> list[Tool]:
    """`count` tools with different nouns; at times two nouns differ in one word alone."""
    tools: list[Tool] = []
    while len(tools) < count:
        tool = _invented(rng, words)
        both = [tool]
        if count - len(tools) > 1 and rng.random() < 0.15:
            both = [
                Tool(tool.function, tool.argument, f"{owner} {tool.noun}", "")
                for owner in rng.choice(SPECS.pairs).split()
            ]
        nouns, taken = [one.noun for one in both], [other.noun for other in tools]
        if any(clashes(noun, taken) or is_held_out(noun) for noun in nouns):
            continue
        known = any(tool.function == other.function for other in tools)
        if not known and not clashes(nouns[0], nouns[1:]):
            tools += both
    rng.shuffle(tools)
    return tools


def _entry(tool: Tool, form: int) -> str:
    """One tool in the form of a system message."""
    task = tool.task or "run it"
    told = (tool.task or f"uses the {tool.noun}").capitalize()
    names = {"f": tool.function, "a": tool.argument, "t": task, "T": task.capitalize(), "d": told}
    return _slotted(SPECS.lists[form], names)


def tool_list(rng: random.Random, tools: Sequence[Tool], form: int) -> str:
    """A system message's list of the tools and of others that nobody calls."""
    extra = rng.sample(SPECS.others, rng.randint(0, 2))
    tools = [*tools, *(Tool(name, argument, "", task) for name, argument, task in extra)]
    entries = list(dict.fromkeys(_entry(tool, form) for tool in tools))
    rng.shuffle(entries)
    if form in JSON_FORMS and rng.random() < 0.5:
        return f"[{', '.join(entries)}]"
    return (", " if form == len(SPECS.lists) - 1 else "\n").join(entries)


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


def _worded(rng: random.Random, talk: _Talk, template: str, tool: Tool) -> str:
    """A statement of a tool's value, which a mark stands for."""
    names = {"n": tool.noun, "N": capital(tool.noun), "a": tool.label, "v": _VALUE}
    return _slotted(fill(rng, template, talk.words), names)


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
    verb = rng.choice(TEXTS.looking_up)
    subject = rng.choice((tool.noun.split()[0], tool.noun.split()[0], rng.choice(talk.words)))
    call = talk.style.text(
        f"{verb}_{subject}", rng.choice(TEXTS.looked_up_by), rng.choice(talk.words)
    )
    text = talk.answer(call) + talk.open("tool")
    return text + _worded(rng, talk, rng.choice(TEXTS.results), tool)


def _earlier_call(rng: random.Random, talk: _Talk, tool: Tool) -> str:
    """An earlier call of the assistant that has the value as its argument."""
    name = tool.noun.replace(" ", "_")
    function = f"{rng.choice(TEXTS.storing)}_{name}"
    request = f"Please store the {tool.noun} for me."
    text = talk.open("user") + request if talk.speaker != "user" else f" {request}"
    text += talk.answer(talk.style.text(function, name, _VALUE)) + talk.open("tool")
    return text + rng.choice(TEXTS.stored)


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
    parts = [rng.choice(TEXTS.systems)]
    if functions:
        parts.append(f"{rng.choice(TEXTS.list_titles)}\n{functions}")
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
        answer = talk.style.text(tool.function, tool.argument, value, extra)
    names |= {"p": extra[0], "w": extra[1]} if extra else {}
    names |= {"N": capital(tool.noun), "T": tool.task.capitalize()}
    text = _slotted(text, names)
    if talk.labels:
        return f"\n\n{talk.labels['user']}: {text}\n{talk.labels['assistant']}:", f" {answer}"
    return f"<|user|>{text}<|end|><|assistant|>", f" {answer}"


def _shown(rng: random.Random, talk: _Talk, tool: Tool, value: str) -> tuple[str, str]:
    """A call with a blank, as a question shows it, and the same with the value."""
    style = talk.style if rng.random() < 0.5 else random_style(rng)
    blank = rng.choice(TEXTS.blanks)
    form = style.text(tool.function, tool.argument, blank)
    if rng.random() < 0.6:
        form = form.replace(f'"{blank}"', blank)
    return form, style.text(tool.function, tool.argument, value)


def _opened(rng: random.Random, talk: _Talk, tools: Sequence[Tool], listed: bool) -> str:
    """The head; a list of functions in JSON asks for calls in JSON."""
    if not listed:
        return _head(rng, talk, "")
    form = rng.randrange(len(SPECS.lists))
    if form in JSON_FORMS and not talk.style.hint:
        talk.style = JSON_STYLE
    return _head(rng, talk, tool_list(rng, tools, form))


def _drawn(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    labels = {} if rng.random() < 0.75 else rng.choice(TEXTS.roles)
    talk = _Talk(words, random_style(rng), labels)
    unasked = rng.choice((0, 0, 0, 1, 2)) if facts < 12 else 0
    listed = facts <= 6 and rng.random() < 0.5
    tools = draw_tools(rng, facts + unasked, words)
    values = different(lambda: tool_value(rng), len(tools))
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
    return Scene(pieces, questions, head, tail, "code" if rng.random() < 0.25 else "prose")


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """A transcript that states `facts` values and then asks for each, or for a call with it."""
    while True:
        drawn = _drawn(rng, facts, words)
        stated = drawn.head + "".join(piece.text for piece in drawn.pieces)
        said = stated + "".join(question.text for question in drawn.questions)
        if is_clear(said, (piece.value for piece in drawn.pieces if piece.value)):
            return drawn
