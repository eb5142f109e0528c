"""What an answer may be, as a grammar: JSON of a schema, calls of tools, or text with calls.

Nothing is begun for the model: from the first token on it writes what the grammar leaves it, in
tokens of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..engines.grammar import Grammar, compiled, literal
from ..errors import InputError
from .schema import Schema
from .thoughts import CLOSE as THOUGHT_CLOSE
from .tool_calls import CLOSE, OPEN, marks_calls

ANY = r"/(.|\n)*/"
TEXT = rf'TEXT: {ANY} & ~/(.|\n)*{OPEN}(.|\n)*/ & ~/\s*\{{\s*"name"(.|\n)*/'  # nothing of a call


@dataclass(frozen=True)
class Wanted:
    """Of an answer: ``text``, the schema of what is said; ``calls``, those of arguments by the name
    of a tool; ``forced``, it is calls alone; ``parallel``, as many as the model likes."""

    text: Schema | None
    calls: Mapping[str, Schema]
    forced: bool
    parallel: bool

    def grammar(self, tokenizer: Any, ends: frozenset[int], *, inside: bool) -> Grammar:
        """Compiled for a model's tokens; ``inside``: a thought ends first. Raises InputError for a
        schema that cannot be followed, of which nothing is quoted."""
        marks = {text: literal(tokenizer, ends, text) for text in (OPEN, CLOSE, THOUGHT_CLOSE)}
        return compiled(tokenizer, ends, "\n".join(self._rules(marks, inside=inside)))

    def _rules(self, marks: Mapping[str, str], *, inside: bool) -> Iterator[str]:
        more = r'("\n" call)*' if self.parallel else ""
        forms = [] if self.text is None else ["text"]
        if self.calls and (self.forced or forms):
            forms.append(f"call {more}")
        elif self.calls:
            forms += ["body", r'(before call_end "\n"?)* TEXT?'] if self.parallel else []
            forms += [] if self.parallel else ["body", "TEXT?", "before call_end"]
            yield TEXT
            yield _until("before", "TEXT", marks[OPEN])
        yield f"start: {'thought gap? answer' if inside else 'answer'}"
        if inside:
            yield _until("thought", ANY, marks[THOUGHT_CLOSE])
            yield r"gap: /\n{1,2}/"
        yield f"answer: {' | '.join(forms)}"
        if self.text is not None:
            yield f"text: {self.text.lark()}"
        if not self.calls:
            return
        yield f"call: {marks[OPEN]} call_end"
        yield rf'call_end: "\n" body "\n" {marks[CLOSE]}'
        yield f"body: {' | '.join(f'body_{number}' for number in range(len(self.calls)))}"
        for number, (name, schema) in enumerate(self.calls.items()):
            head = json.dumps(f'{{"name": "{name}", "arguments": ')
            yield f'body_{number}: {head} arguments_{number} "}}"'
            yield f"arguments_{number}: {schema.lark()}"


def wanted(
    choice: str,
    tools: Sequence[Mapping[str, Any]],
    tokenizer: Any,
    text: Schema | None = None,
    strict: Collection[str] = (),
    *,
    parallel: bool = True,
) -> Wanted | None:
    """What an answer must be, None for any text.

    ``choice``: "auto", "none", "required", or the name of a tool; ``strict``: names of tools whose
    schema is followed exactly. Raises InputError for a tool that was not given, and where the
    template marks no calls that are asked for.
    """
    functions = [tool["function"] for tool in tools]
    forced, named = choice not in ("auto", "none"), choice not in ("auto", "none", "required")
    if forced and not functions:
        raise InputError("tool_choice needs tools: give them")
    if named:
        functions = [function for function in functions if function["name"] == choice]
        if not functions:
            raise InputError("tool_choice names none of the tools that were given")
    marked = marks_calls(tokenizer)
    if forced and not marked:
        raise InputError(
            f"the model's chat template marks no calls ({OPEN}): tool_choice can be auto or none"
        )
    if choice == "none" or not marked:
        functions = []
    if text is None and not (forced or (functions and (strict or not parallel))):
        return None
    calls = {
        function["name"]: Schema(_arguments(function), function["name"] in strict)
        for function in functions
    }
    return Wanted(text, calls, forced, parallel and not named)


def _arguments(function: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a function's arguments: an object's; without one it takes none."""
    given = function.get("parameters")
    none = {"properties": {}, "additionalProperties": False}
    return {**(none if given is None else given), "type": "object"}


def _until(rule: str, text: str, mark: str) -> str:
    """A rule of a text that ends where a mark first stands; no text has one that is a token."""
    return f"{rule}: {text}? {mark}" if mark.startswith("<") else f"{rule}[lazy]: {text} {mark}"
