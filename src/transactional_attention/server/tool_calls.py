"""Calls of tools in an answer that streams, by the form that the model's template has for them.

A call that cannot be read stays text, as the model wrote it: JSON that is none, no name, arguments
that are no object. None at all, and ``null``, are an object without fields.
"""

from __future__ import annotations

import ast
import json
import re
import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..engines.prompts import chat_prompt
from ..errors import InputError
from .call_forms import COUNT, ID, TOOL, USER, CallForm, json_at
from .given import mended
from .quoted import find_outside
from .turn import begun

NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
BETWEEN = re.compile(r"[\s,;]*")
FENCE = re.compile(r"```\w*")  # of a block of code in Markdown
FENCES = re.compile(rf"^{FENCE.pattern}[ \t]*$", re.MULTILINE)  # no JSON has such a line
BEGIN = re.compile(
    rf"(?:{FENCE.pattern})?\s*\[?\s*\{{\s*\"(\w*)\""
)  # of an object, with its first key
KEYS = "name arguments parameters function type id".split()  # with one of them a call begins
PYTHON = {"true": True, "false": False, "null": None}  # words of JSON in a call as Python has it


def long_id() -> str:
    """A random id for a call: ``call_`` and 24 hex digits."""
    return f"call_{secrets.token_hex(12)}"


def short_id() -> str:
    """The same for templates that take nine letters and digits alone."""
    return secrets.token_hex(5)[:9]


@dataclass(frozen=True)
class Call:
    """A function that the model calls; ``arguments`` is JSON text."""

    name: str
    arguments: str = field(repr=False)
    id: str = field(default_factory=long_id)


def takes_tools(tokenizer: Any) -> bool:
    """Whether the template writes the tools that it is given."""
    given = chat_prompt(tokenizer, [USER], [TOOL]).ids.tolist()
    try:
        return given != chat_prompt(tokenizer, [USER]).ids.tolist()
    except InputError:  # a template for conversations with tools alone
        return True


class CallParser:
    """Parts an answer that streams into text and whole calls.

    An answer that is a call of one of ``tools`` (functions by name) and nothing else needs no
    marks where a call is JSON: small models forget them, or write a block of code instead.
    """

    def __init__(
        self,
        form: CallForm,
        tools: Mapping[str, Any] | None = None,
        id_of: Callable[[], str] = long_id,
    ) -> None:
        self.form, self.tools, self._id_of = form, tools or {}, id_of
        self.pending = ""
        self.calls: list[Call] = []
        self._said = not (form.kind == "json" or not form.mark)  # it is no call without marks

    def add(self, text: str) -> tuple[str, list[Call]]:
        """Text that is sure to be none of a call, and calls that are complete; line breaks between
        a text and a call, or two calls, are of neither."""
        self.pending += text
        begin = self.pending.lstrip()
        marked = self.form.mark and begin.startswith(self.form.mark)
        if not (self._said or marked) and self.tools and self._may_call(begin):
            return "", []  # its end will tell
        self._said = True
        content, calls, (mark, close) = "", list[Call](), (self.form.mark, self.form.close)
        start = self.pending.find(mark) if mark else -1
        while start >= 0 and close:
            end = find_outside(self.pending, close, start + len(mark), self.form)
            if end < 0:
                break
            body_calls = self._read(self.pending[start + len(mark) : end])
            end += len(close)
            content += self.pending[:start].rstrip("\n") if body_calls else self.pending[:end]
            calls += body_calls or []
            self.pending = self.pending[end:]
            start = self.pending.find(mark)
        cut = start if start >= 0 else len(self.pending) - begun(self.pending, mark)
        sure = self.pending[:cut].rstrip("\n")
        self.pending = self.pending[len(sure) :]
        self.calls += calls
        return content + sure, calls

    def rest(self) -> tuple[str, list[Call]]:
        """What the end leaves: a call that only lacks its closing mark is one."""
        content, calls, (mark, close) = "", list[Call](), (self.form.mark, self.form.close)
        while self.pending:
            body = self.pending.strip()
            marked = bool(mark) and body.startswith(mark)
            body = body.removeprefix(mark).removesuffix(close)
            if not (marked or self._said):
                body = FENCES.sub("", body)
            body_calls = self._read(body) if marked or not self._said else None
            if body_calls and (marked or all(call.name in self.tools for call in body_calls)):
                self.pending = ""
                self.calls += body_calls
                return content, [*calls, *body_calls]
            at = self.pending.find(close) if marked and close else -1
            end = len(self.pending) if at < 0 else at + len(close)
            content, self.pending = content + self.pending[:end], self.pending[end:]
            more, new = self.add("")  # after a call that is none: a text in it had no end
            content, calls = content + more, calls + new
        return content, calls

    def _may_call(self, begin: str) -> bool:
        """Whether an answer that begins so may be calls without marks."""
        if first := BEGIN.match(begin):
            return first[1] in (*self.form.keys, *KEYS)
        fence = FENCE.match(begin)
        inside = begin[fence.end() :].lstrip() if fence else begin
        return inside[:1] in ("{", "[", "") or inside in ("`", "``")

    def _read(self, body: str) -> list[Call] | None:
        """The calls between the marks; None for what is none."""
        read = {"json": _objects, "named": _named, "fields": _fields, "python": _python}
        calls: list[Call] = []
        try:
            for name, arguments, id_ in read[self.form.kind](mended(body), self.form, self.tools):
                call = self._call(name, arguments, id_)
                if call is None:
                    return None
                calls.append(call)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return None
        return calls or None

    def _call(self, name: Any, arguments: Any, id_: Any) -> Call | None:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            return None
        text = object_text(arguments)
        call_id = id_ if isinstance(id_, str) and NAME.fullmatch(id_) else self._id_of()
        return None if text is None else Call(name, text, call_id)


def object_text(arguments: Any) -> str | None:
    """Arguments as the text of an object; None for what is none, or that JSON cannot hold."""
    try:
        arguments = mended(arguments) if isinstance(arguments, str) else arguments
        given = json.loads(arguments) if isinstance(arguments, str) and arguments else arguments
        given = {} if given is None or given == "" else given
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    return arguments if isinstance(arguments, str) and given else json.dumps(given)


Found = Iterator[tuple[Any, Any, Any]]  # name, arguments, id


def _objects(body: str, form: CallForm, tools: Mapping[str, Any]) -> Found:
    """Objects of JSON, or lists of them, in what the form has around them (a code fence)."""
    lead = _lead(form)[: -form.bare[0] or None].strip().removesuffix("[")
    tail = form.tail[form.bare[1] :].strip().removeprefix("]")
    body = body.strip().removeprefix(lead).removesuffix(tail)
    at = _end_of(BETWEEN, body, 0)
    while at < len(body):
        pair = json_at(body, at)
        if pair is None:
            raise ValueError
        value, at = pair
        for one in value if isinstance(value, list) else [value]:
            call = one.get("function", one) if isinstance(one, dict) else None
            if isinstance(call, str):  # the name by another key
                call = {"name": call, **one}
            if not isinstance(call, dict):
                raise ValueError
            keys = (form.keys[1], "arguments", "parameters")
            arguments = next((call[key] for key in keys if key in call), None)
            yield call.get(form.keys[0], call.get("name")), arguments, one.get("id")
        at = _end_of(BETWEEN, body, at)


def _named(body: str, form: CallForm, tools: Mapping[str, Any]) -> Found:
    """Names before objects of JSON."""
    middle = loose(form.middle or form.mark)
    name = re.compile(rf"\s*({loose(_lead(form))})?\s*({NAME.pattern})\s*{loose(form.between)}\s*")
    at = 0
    while at < len(body):
        begin = name.match(body, at)
        pair = json_at(body, begin.end()) if begin else None
        if begin is None or pair is None:
            raise ValueError
        yield begin.group(2), pair[0], begin.groupdict().get("id")
        at = _end_of(re.compile(rf"\s*({middle})?\s*"), body, pair[1])
        if loose_match(form.tail.rstrip().removesuffix(form.close), body[at:]):
            return


def _fields(body: str, form: CallForm, tools: Mapping[str, Any]) -> Found:
    """A name, then arguments between marks of their own; a value is a text where the tool's schema
    says so, otherwise JSON."""
    assert form.fields is not None
    key, value, close = form.fields.key, form.fields.value, form.fields.close
    begin = re.match(rf"\s*({loose(_lead(form))})?\s*({NAME.pattern})", body)
    if begin is None:
        raise ValueError
    given: dict[str, Any] = {}
    name, kinds = begin.group(2), properties(tools.get(begin.group(2)))
    one = re.compile(
        rf"{loose(key)}\s*(?P<key>[^\s<>]+?)\s*{loose(value)}(?P<value>.*?){loose(close)}",
        re.DOTALL,
    )
    for match in one.finditer(body, begin.end()):
        breaks = (value.endswith("\n"), close.startswith("\n"))
        given[match["key"]] = _value(_unbroken(match["value"], *breaks), kinds.get(match["key"]))
    if not given and key.strip() in body:
        raise ValueError
    yield name, given, None


def _unbroken(text: str, first: bool, last: bool) -> str:
    """Without the line breaks that the form has around a value."""
    text = text.removeprefix("\n") if first else text
    return text.removesuffix("\n") if last else text


def properties(function: Mapping[str, Any] | None) -> dict[str, Any]:
    """Schemas of a function's arguments by name."""
    schemas = ((function or {}).get("parameters") or {}).get("properties")
    return schemas if isinstance(schemas, dict) else {}


def is_text(schema: Any) -> bool | None:
    """Whether a schema asks for a string; None where it does not say."""
    if not isinstance(schema, Mapping):
        return None
    if isinstance(choices := schema.get("enum"), list) and choices:
        return all(isinstance(choice, str) for choice in choices)
    kind = schema.get("type")
    return None if kind is None or isinstance(kind, list) else kind == "string"


def _value(text: str, schema: Any) -> Any:
    if is_text(schema):
        return text
    pair = json_at(text.strip(), 0)
    if pair is not None and pair[1] == len(text.strip()):
        return pair[0]
    if is_text(schema) is None:
        return text
    try:  # some templates write other values as Python does, and models after them
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what a model writes nothing is told
            return ast.literal_eval(text.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return text


def _python(body: str, form: CallForm, tools: Mapping[str, Any]) -> Found:
    """Calls as Python has them, alone, in lines, or in a list."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what a model writes nothing is told
        lines = ast.parse(body.strip()).body
    for line in lines:
        whole = line.value if isinstance(line, ast.Expr) else None
        for node in whole.elts if isinstance(whole, ast.List) else [whole]:
            if not isinstance(node, ast.Call) or node.args:
                raise ValueError
            given = {known.arg: _literal(known.value) for known in node.keywords}
            if None in given:
                raise ValueError
            yield ast.unparse(node.func), given, None


def _literal(node: ast.expr) -> Any:
    """A value of Python, in which the words of JSON are allowed."""

    class Words(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return ast.Constant(PYTHON[name.id]) if name.id in PYTHON else name

    return ast.literal_eval(Words().visit(node))


def _lead(form: CallForm) -> str:
    """What stands between the mark and a name."""
    return form.head.partition(form.mark)[2] if form.mark else form.head


def loose(piece: str) -> str:
    """A pattern for a piece of a form with any white space in it."""
    words = r"\s*".join(map(re.escape, piece.split()))
    words = words.replace(re.escape(COUNT), r"\d+")
    return words.replace(re.escape(ID), r"(?P<id>[A-Za-z0-9_-]+)", 1).replace(
        re.escape(ID), r"[\w-]+"
    )


def loose_match(piece: str, text: str) -> bool:
    """Whether a text equals a piece of a form, whatever the white space; where the piece has the
    mark of an id, any id does."""
    return re.fullmatch(rf"\s*{loose(piece)}\s*", text) is not None


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
