"""Tools that a transcript calls: functions with one argument, and how a system lists them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ...data import texts
from ...values.coded import code8
from ..facts import is_held_out
from ..values import VOCABULARY
from .format_keys import clashes, spelled, unspaced_value

TEXTS = texts("training/tool_specs")
FORMS, JSON_FORMS = range(8), (2, 3)


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
        return VOCABULARY.make(next(form for below, form in TEXTS.values if kind < below), rng)
    return code8(rng) if kind < 0.82 else unspaced_value(rng)


def _invented(rng: random.Random, words: Sequence[str]) -> Tool:
    kind = rng.random()
    style = rng.choice(("snake", "snake", "snake", "camel"))
    if kind < 0.3:
        noun, functions, arguments = rng.choice(TEXTS.specials)
        function, argument = rng.choice(functions.split()), rng.choice(arguments.split())
        task = function.replace("_", " ")
        name, named = function.replace("_", " "), argument.replace("_", " ")
        return Tool(spelled(name, style), spelled(named, style), noun, task)
    entity = rng.choice(TEXTS.entities) if kind < 0.8 else rng.choice(words)
    if rng.random() < 0.2:
        entity = f"{rng.choice(words)} {entity}"
    verb, suffix = rng.choice(TEXTS.verbs).replace("_", " "), rng.choice(TEXTS.suffixes)
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
                for owner in rng.choice(TEXTS.pairs).split()
            ]
        taken = [other.noun for other in tools]
        functions = [other.function for other in tools]
        if any(clashes(one.noun, taken) or is_held_out(one.noun) for one in both):
            continue
        if clashes(both[0].noun, [one.noun for one in both[1:]]):
            continue
        if tool.function not in functions:
            tools += both
    rng.shuffle(tools)
    return tools


def _schema(tool: Tool, nested: bool) -> dict[str, object]:
    kind = {tool.argument: {"type": "string"}}
    parameters: object = kind
    if nested:
        parameters = {"type": "object", "properties": kind, "required": [tool.argument]}
    description = (tool.task or f"uses the {tool.noun}").capitalize() + "."
    return {"name": tool.function, "description": description, "parameters": parameters}


def _entry(tool: Tool, form: int) -> str:
    """One tool in the form of a system message."""
    name, argument, task = tool.function, tool.argument, tool.task or "run it"
    if form == 0:
        return f'def {name}({argument}: str) -> dict:\n    """{task.capitalize()}."""'
    if form == 1:
        return f"- {name}({argument}): {task}"
    if form == 2:
        return json.dumps(_schema(tool, nested=False))
    if form == 3:
        return json.dumps({"type": "function", "function": _schema(tool, nested=True)})
    if form == 4:
        return f"{name}({argument}: string): Promise<any>; // {task}"
    if form == 5:
        return f'<tool name="{name}"><parameter name="{argument}"/></tool>'
    if form == 6:
        return f"- name: {name}\n  arguments: [{argument}]\n  description: {task}"
    return f"{name}({argument})"


def tool_list(rng: random.Random, tools: Sequence[Tool], form: int) -> str:
    """A system message's list of the tools and of others that nobody calls."""
    extra = rng.sample(TEXTS.others, rng.randint(0, 2))
    tools = [*tools, *(Tool(name, argument, "", task) for name, argument, task in extra)]
    entries = list(dict.fromkeys(_entry(tool, form) for tool in tools))
    rng.shuffle(entries)
    joint = ", " if form == 7 else "\n"
    text = joint.join(entries)
    return f"[{', '.join(entries)}]" if form in JSON_FORMS and rng.random() < 0.5 else text
