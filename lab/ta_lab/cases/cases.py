"""Cases of an evaluation: a context, a question, the values that must survive.

One JSON object a line; offsets are characters of ``context``. A broken line is named by its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError
from transactional_attention.text.token_stream import whole_characters
from transactional_attention.types import SOURCES

LABELS = "labels"  # in ``meta``: what an allowlist permits, by method


@dataclass(frozen=True)
class Value:
    """A value in the context, ``[start, end)`` in characters."""

    start: int
    end: int
    label: str = ""
    critical: bool = True


@dataclass(frozen=True)
class CaseSource:
    """Who wrote ``[start, end)`` of the context, in characters."""

    start: int
    end: int
    source: str


@dataclass(frozen=True)
class Case:
    """One line of a cases file. ``answer``: what must be generated, several values one a line.

    For models that are asked in their chat format: ``asked``: the question without the marks of a
    plain text; ``tools``: definitions of functions; ``call``: the answer where it is a call, its
    ``name`` and ``arguments``; ``opened``: the model fills its last argument alone, what stands
    before it is written for it, as decoding bound to a function's schema does."""

    id: str
    context: str
    question: str = ""
    answer: str = ""
    values: tuple[Value, ...] = ()
    sources: tuple[CaseSource, ...] = ()
    family: str = ""
    budget: int | None = None
    lang: str = ""
    meta: dict[str, Any] = field(default_factory=dict)
    asked: str = ""
    tools: tuple[dict[str, Any], ...] = ()
    call: dict[str, Any] | None = None
    opened: bool = False

    @property
    def critical(self) -> tuple[Value, ...]:
        """The values that must be kept whole."""
        return tuple(value for value in self.values if value.critical)


def parse_case(line: str) -> Case:
    """One JSON line to a case. Raises InputError for broken JSON, missing fields, or spans outside
    the context; the message never quotes the line."""
    try:
        data = json.loads(line)
    except ValueError as error:
        raise InputError("not valid JSON") from error
    if not isinstance(data, dict) or not isinstance(data.get("context"), str):
        raise InputError("needs a JSON object with a text 'context'")
    context = data["context"]
    if not context:
        raise InputError("'context' is empty: give the text that is compressed")
    question = str(data.get("question", ""))
    for name, text in (("context", context), ("question", question)):
        if "\x00" in text:
            raise InputError(f"{name!r} holds a NUL character")
        whole_characters(text, repr(name))
    if "id" not in data:
        raise InputError("lacks 'id'")
    budget = data.get("budget")
    if budget is not None and (not isinstance(budget, int) or budget < 1):
        raise InputError("'budget' must be a whole number >= 1")
    return Case(
        id=str(data["id"]),
        context=context,
        question=question,
        answer=_answer(data.get("answer", "")),
        values=tuple(_value(item, len(context)) for item in _items(data, "values")),
        sources=_sources(_items(data, "sources"), len(context)),
        family=str(data.get("family", "")),
        budget=budget,
        lang=str(data.get("lang", "")),
        meta=data.get("meta") or {},
        asked=str(data.get("asked", "")),
        tools=tuple(_items(data, "tools")),
        call=_call(data.get("call")),
        opened=bool(data.get("opened")),
    )


def check_answerable(case: Case, *, hidden: bool) -> None:
    """A case that is to be answered needs an answer, and a question where that comes alone. Raises
    InputError naming what it lacks."""
    if hidden and not case.question:
        raise InputError("lacks 'question': give one, or --protocol visible, or --metric retention")
    if not case.answer:
        raise InputError("lacks 'answer': give one, or --metric retention")


def _items(data: dict[str, Any], name: str) -> list[Any]:
    items = data.get(name) or []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise InputError(f"{name!r} must be a list of objects")
    return items


def _call(call: Any) -> dict[str, Any] | None:
    """A call with a name and arguments, or none."""
    if call is None:
        return None
    if not isinstance(call, dict) or not isinstance(call.get("arguments"), dict):
        raise InputError("'call' must be an object with 'name' and 'arguments'")
    return {"name": str(call.get("name", "")), "arguments": call["arguments"]}


def _answer(answer: Any) -> str:
    return "\n".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def _range(item: dict[str, Any], length: int) -> tuple[int, int]:
    start, end = item.get("start"), item.get("end")
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= length:
        raise InputError(f"span [{start}, {end}) lies outside the {length} characters of 'context'")
    return start, end


def _value(item: dict[str, Any], length: int) -> Value:
    start, end = _range(item, length)
    return Value(start, end, str(item.get("label", "")), bool(item.get("critical", True)))


def _sources(items: list[dict[str, Any]], length: int) -> tuple[CaseSource, ...]:
    sources = tuple(_source(item, length) for item in items)
    for before, after in pairwise(sorted(sources, key=lambda source: source.start)):
        if after.start < before.end:
            raise InputError(
                f"sources [{before.start}, {before.end}) and [{after.start}, {after.end}) overlap: "
                "a character has one source"
            )
    return sources


def _source(item: dict[str, Any], length: int) -> CaseSource:
    start, end = _range(item, length)
    if item.get("source") not in SOURCES:
        raise InputError(f"'source' must be one of {', '.join(SOURCES)}")
    return CaseSource(start, end, item["source"])


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a JSONL file. Raises InputError for a file that cannot be read, an empty one, or
    a broken line, by number."""
    for place, entry in numbered_cases(path):
        if isinstance(entry, InputError):
            raise InputError(f"{place}: {entry}") from None
        yield entry


def numbered_cases(path: Path) -> Iterator[tuple[str, Case | InputError]]:
    """Where each case of a JSONL file stands, for messages; an ``InputError`` for a broken line.
    Raises InputError for a file that cannot be read, or an empty one."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    numbered = [(i, line) for i, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise InputError(f"{path} holds no cases")
    for number, raw in numbered:
        place = f"{path}, line {number}"
        try:
            yield place, parse_case(raw.decode("utf-8"))
        except (InputError, UnicodeDecodeError) as error:
            reason = "not valid UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            yield place, InputError(reason)
