"""What an answer may be, as a grammar: JSON of a schema, calls of tools, or text with calls.

Nothing is begun for the model: from the first token on it writes what the grammar leaves it, in
tokens of its own. Calls have the form of the model's template.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..engines.grammar import Grammar, compiled, literal
from ..errors import InputError
from .call_arguments import field_rules
from .call_forms import COUNT, ID, TABLE, CallForm, Forms
from .schema import Schema

ANY = r"/(.|\n)*/"
FENCES = ("```json\n", "```\n"), r"/\n```/"  # a block of code, in which a call may stand
RULES = {ID: "/[a-zA-Z0-9]{9}/", COUNT: "/[0-9]{1,4}/"}


@dataclass(frozen=True)
class AnswerConstraints:
    """Of an answer: ``text``, the schema of what is said; ``calls``, those of arguments by the name
    of a tool; ``forced``, it is calls alone; ``parallel``, as many as the model likes; ``forms``,
    of calls and thoughts."""

    text: Schema | None
    calls: Mapping[str, Schema]
    forced: bool
    parallel: bool
    forms: Forms

    def grammar(self, tokenizer: Any, ends: frozenset[int], *, inside: bool) -> Grammar:
        """Compiled for a model's tokens; ``inside``: a thought ends first. Raises InputError for a
        schema that cannot be followed, of which nothing is quoted."""
        rules = _Rules(self, partial(literal, tokenizer, ends))
        return compiled(tokenizer, ends, "\n".join(rules.lines(inside=inside)))


class _Rules:
    """The lines of a grammar; ``mark``: how a text is written in it."""

    def __init__(self, wanted: AnswerConstraints, mark: Any) -> None:
        self._wanted, self._mark = wanted, mark

    def lines(self, *, inside: bool) -> Iterator[str]:
        """All of them."""
        wanted, form = self._wanted, self._wanted.forms.calls
        answers = [] if wanted.text is None else ["text"]
        if form is not None and wanted.calls:
            if wanted.forced or answers:
                answers.append("calls")
            else:
                answers += self._free(form)
                yield from self._text(form)
            yield from self._calls(form)
        begun = self._mark(wanted.forms.thought[0])  # a text has it, unless it is a token
        free = not (wanted.forced or wanted.text or wanted.forms.channels) and begun[0] == "<"
        thought = "thought gap?" if inside else f"({begun} thought gap?)?" if free else ""
        yield f"start: {thought} answer"
        if thought:
            yield self._until("thought", ANY, wanted.forms.thought[1])
            yield r"gap: /\n{1,2}/"
        yield f"answer: {' | '.join(answers)}"
        if wanted.text is not None:
            lead = self._piece(TABLE["channels"]["said"]) if wanted.forms.channels else ""
            yield f"text: {lead} json"
            yield f"json: {wanted.text.lark()}"

    def _free(self, form: CallForm) -> list[str]:
        """Answers in which calls are free: alone, or after text."""
        if form.kind == "channels":
            return ["passing* (calls | said)", '""']
        bare = ["bare"] if form.bare[0] else []
        if not form.mark or not form.head.startswith(form.mark):
            return ["calls", "TEXT?"]
        if form.close and self._wanted.parallel:
            return [*bare, r'(before after "\n"?)* TEXT?']
        return [*bare, "TEXT?", "before after"]

    def _text(self, form: CallForm) -> Iterator[str]:
        """Rules of a text in which nothing of a call is."""
        if form.kind == "channels":
            before, text, after = TABLE["channels"]["passing"]
            yield f"passing: ({' | '.join(map(self._piece, before))}) passed {self._piece(after)}"
            yield self._until("passed", ANY, text)
            yield f"said: {self._piece(TABLE['channels']['said'])} {ANY}?"
            return
        marked, bare = form.mark and form.head.startswith(form.mark), form.bare[0]
        without = [rf"~/(.|\n)*{_pattern(form.mark)}(.|\n)*/"] if form.mark else []
        without += [rf'~/\s*(```\w*)?\s*\[?\s*\{{\s*"{form.keys[0]}"(.|\n)*/'] if bare else []
        without += [] if form.mark or bare else [rf"~/\s*{_pattern(form.head)}(.|\n)*/"]
        yield f"TEXT: {' & '.join([ANY, *without])}"
        if marked:
            yield self._until("before", "TEXT", form.mark)
            yield f"after: {self._piece(form.head.removeprefix(form.mark))} {self._all(form)}"
        if bare:
            head, tail = form.head[-form.bare[0] :], form.tail[: form.bare[1]]
            fenced = [f"{self._piece(fence + head)} object {FENCES[1]}" for fence in FENCES[0]]
            yield f"bare: {' | '.join([f'{self._piece(head)} object', *fenced])}"
            yield f"object: one {self._piece(tail)}"

    def _calls(self, form: CallForm) -> Iterator[str]:
        yield f"calls: {self._piece(form.head)} {self._all(form)}"
        yield f"one: {' | '.join(f'one_{number}' for number in range(len(self._wanted.calls)))}"
        for number, (name, schema) in enumerate(self._wanted.calls.items()):
            between = self._piece(form.between)
            yield f"one_{number}: {json.dumps(name)} {between} arguments_{number}"
            if form.kind in ("json", "named", "channels"):
                yield f"arguments_{number}: {schema.lark()}"
            else:
                yield from field_rules(f"arguments_{number}", form, schema, self._mark)

    def _all(self, form: CallForm) -> str:
        """One call or more, after their begin."""
        middle = "" if form.middle is None else self._piece(form.middle)
        more = f"({middle} one)*" if middle and self._wanted.parallel else ""
        return f"one {more} {self._piece(form.tail)}"

    def _piece(self, piece: str) -> str:
        """A piece of the form."""
        parts = re.split(f"([{ID}{COUNT}])", piece)
        return " ".join(RULES.get(part) or self._mark(part) for part in parts if part)

    def _until(self, rule: str, text: str, mark: str) -> str:
        """A rule of a text that ends where a mark first stands; no text has one that is a token."""
        end = self._mark(mark)
        return f"{rule}: {text}? {end}" if end.startswith("<") else f"{rule}[lazy]: {text} {end}"


def wanted(
    choice: str,
    tools: Sequence[Mapping[str, Any]],
    forms: Forms,
    text: Schema | None = None,
    strict: Collection[str] = (),
    *,
    parallel: bool = True,
) -> AnswerConstraints | None:
    """What an answer must be, None for any text.

    ``choice``: "auto", "none", "required", or the name of a tool; ``strict``: names of tools whose
    schema is followed exactly. Raises InputError for a tool that was not given, and where the
    template has no form for calls that are asked for.
    """
    functions = [tool["function"] for tool in tools]
    forced = choice not in ("auto", "none")
    names_one_tool = forced and choice != "required"
    if forced and not functions:
        raise InputError("tool_choice needs tools: give them")
    if names_one_tool:
        functions = [function for function in functions if function["name"] == choice]
        if not functions:
            raise InputError("tool_choice names none of the tools that were given")
    if forced and forms.calls is None:
        raise InputError(
            "the model's chat template has no form for calls: tool_choice can be auto or none"
        )
    if choice == "none" or forms.calls is None:
        functions = []
    if text is None and not (forced or (functions and (strict or not parallel))):
        return None
    schema_by_tool = {
        function["name"]: Schema(_arguments(function), function["name"] in strict)
        for function in functions
    }
    return AnswerConstraints(text, schema_by_tool, forced, parallel and not names_one_tool, forms)


def _arguments(function: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a function's arguments: an object's; without one it takes none."""
    given = function.get("parameters")
    none = {"properties": {}, "additionalProperties": False}
    return {**(none if given is None else given), "type": "object"}


def _pattern(mark: str) -> str:
    """A mark in a pattern of a grammar."""
    return re.escape(mark).replace("/", r"\/").replace(r"\-", "-")
