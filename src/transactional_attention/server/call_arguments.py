"""Rules of a grammar for arguments that are written one by one: between marks, or as Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..errors import InputError
from .call_forms import CallForm
from .schema import Schema
from .tool_calls import is_text, properties

NOTHING = '""'
UNSERVED = frozenset("pattern format minLength maxLength const anyOf oneOf allOf".split())


def field_rules(
    rule: str, form: CallForm, schema: Schema, mark: Callable[[str], str]
) -> Iterator[str]:
    """Rules of a call's arguments, in the order of their schema. ``mark``: how a text is written in
    the grammar. Raises InputError for a keyword that must be followed and has no rule here."""
    fields = properties({"parameters": schema.given})
    required = frozenset(schema.given.get("required") or ())
    names = [f"{rule}_{number}" for number in range(len(fields))]
    for name, (key, value) in zip(names, fields.items(), strict=True):
        if form.fields is None:
            yield f"{name}: {mark(f'{key}=')} {name}_value"
            yield f"{name}_value: {_schema_of(schema, value).lark()}"
            continue
        yield f"{name}: {mark(form.fields.key + key + form.fields.value)} {name}_value"
        yield from _marked_value(f"{name}_value", _schema_of(schema, value), form, mark)
    known = list(zip(names, (key in required for key in fields), strict=True))
    if form.fields is not None:
        parts = [name if needed else f"{name}?" for name, needed in known]
        yield f"{rule}: {' '.join(parts) or NOTHING}"
    else:
        yield from _listed(rule, known)


def _listed(rule: str, known: list[tuple[str, bool]]) -> Iterator[str]:
    """Arguments with commas between those that are there."""
    first = [f"{rule}_from_{number}" for number in range(len(known))]
    for number, (name, _) in enumerate(known):
        ways = _ways(known, number + 1)
        more = [f'", " {first[way]}' for way in ways if way < len(known)]
        end = [""] if len(known) in ways else []
        yield f"{first[number]}: {' | '.join(f'{name} {rest}' for rest in [*more, *end])}"
    choices = [first[way] if way < len(known) else NOTHING for way in _ways(known, 0)]
    yield f"{rule}: {' | '.join(choices)}"


def _ways(known: list[tuple[str, bool]], start: int) -> list[int]:
    """Which argument may come next, up to the first that is needed; the length for none."""
    numbers = []
    for number in range(start, len(known)):
        numbers.append(number)
        if known[number][1]:
            return numbers
    return [*numbers, len(known)]


def _schema_of(whole: Schema, value: Any) -> Schema:
    """Of one argument; what its schema refers to stands in that of all."""
    schema = value if isinstance(value, Mapping) else {}
    shared = {key: whole.given[key] for key in ("$defs", "definitions") if key in whole.given}
    return Schema({**shared, **schema}, whole.exact)


def _marked_value(
    rule: str, schema: Schema, form: CallForm, mark: Callable[[str], str]
) -> Iterator[str]:
    """A value and the mark after it; texts stand as they are, all else is JSON."""
    assert form.fields is not None
    close = mark(form.fields.close)
    if is_text(schema.given) is False:
        yield f"{rule}: {rule}_json {close}"
        yield f"{rule}_json: {schema.lark()}"
    elif choices := schema.given.get("enum"):
        yield f"{rule}: ({' | '.join(json.dumps(str(choice)) for choice in choices)}) {close}"
    elif schema.exact and (given := sorted(UNSERVED.intersection(schema.given))):
        raise InputError(f"the model's form of calls cannot follow a text's {' '.join(given)}")
    else:
        yield rf"{rule}[lazy]: /(.|\n)*/ {close}"
