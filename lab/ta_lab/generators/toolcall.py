"""Function calling (paper, Table 2): a credential is shared early and later fills a call's slot.

A transcript of turns whose tool results are the filler. Plain text ("User: ...") for models that
are asked in plain text; for others a conversation with the function's definition.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from transactional_attention.errors import InputError

from ..cases.cases import Case, CaseSource, Value
from ..cases.fillers import paragraphs
from ..data import texts
from ..values.alphabets import MIXED, characters
from .placing import Setting, count, fill_in, truncate

Turn = dict[str, str]

VARIANTS = ("12", "32")
TEXTS = texts("tasks/toolcall")
TEMPLATES = (TEXTS.system, *TEXTS.shared, *TEXTS.later, *TEXTS.lookups)
ROLES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "Tool"}


def toolcall(tokenizer: Any, setting: Setting) -> list[Case]:
    """A value of ``12`` or ``32`` characters; the answer is the call, ``call_api(key="V")``, in a
    chat its open field. Raises InputError for too few tokens."""
    rng = setting.rng("toolcall")
    function, parameter, label = rng.choice(TEXTS.slots)
    value = characters(rng, int(setting.variant), MIXED)
    shared = fill_in(rng.choice(TEXTS.shared), label=label, value=value)
    later = fill_in(rng.choice(TEXTS.later), label=label)
    asked = fill_in(later, call=f"{function}({parameter}=...)")
    turns = _transcript(tokenizer, setting, rng, shared, asked)
    context, whole = plain(turns), plain([*turns, _turn("user", asked)], answering=True)
    start = context.index(shared) + shared.index(value)
    case = Case(
        id=setting.name("toolcall"),
        family="toolcall",
        context=context,
        question=whole[len(context) :],
        answer=f'{function}({parameter}="{value}")',
        asked=fill_in(later, call=function),
        tools=(_definition(function, parameter, label),),
        call={"name": function, "arguments": {parameter: value}},
        opened=True,  # the definition has left a small cache, and with it how a call is written
        values=(Value(start, start + len(value), label),),
        sources=_sources(context, turns),
        meta={"depth": setting.depth, "tokens": setting.tokens, "variant": setting.variant},
    )
    return [case]


def plain(turns: Sequence[Turn], answering: bool = False) -> str:
    """Turns as lines of text, a blank line between them; ``answering``: open for the assistant."""
    parts = [f"{ROLES[turn['role']]}: {turn['content']}\n" for turn in turns]
    return "\n".join([*parts, "Assistant:"] if answering else parts)


def _definition(function: str, parameter: str, label: str) -> dict[str, Any]:
    """What a chat template is told of the function."""
    taken = {parameter: {"type": "string", "description": f"The {label}."}}
    parameters = {"type": "object", "properties": taken, "required": [parameter]}
    described = {"name": function, "description": "Calls the vendor portal."}
    return {"type": "function", "function": described | {"parameters": parameters}}


def _turn(role: str, content: str) -> Turn:
    return {"role": role, "content": content}


def _transcript(
    tokenizer: Any, setting: Setting, rng: random.Random, shared: str, asked: str
) -> list[Turn]:
    """Turns of about ``setting.tokens`` tokens, the shared value after ``depth`` of the lookups."""
    opening = [_turn("user", shared), _turn("assistant", "Noted.")]
    frame = [_turn("system", TEXTS.system), *opening, _turn("user", asked)]
    left = setting.tokens - count(tokenizer, plain(frame, answering=True)) - 2
    if left <= 0:
        raise InputError(f"{setting.tokens} tokens cannot hold the toolcall: use more")
    lookups: list[list[Turn]] = []
    source = paragraphs(setting.filler)
    while left > 0:
        lookup = [
            _turn("user", rng.choice(TEXTS.lookups)),
            _turn("tool", source[rng.randrange(len(source))]),
        ]
        size = count(tokenizer, plain(lookup)) + 1
        if size > left:
            room = left - size + count(tokenizer, lookup[1]["content"])
            content = truncate(tokenizer, lookup[1]["content"], room) if room > 8 else ""
            lookups += [[lookup[0], _turn("tool", content)]] if content else []
            break
        lookups.append(lookup)
        left -= size
    before = round(setting.depth * len(lookups))
    filled = [*lookups[:before], opening, *lookups[before:]]
    return [_turn("system", TEXTS.system), *(turn for turns in filled for turn in turns)]


def _sources(context: str, turns: Sequence[Turn]) -> tuple[CaseSource, ...]:
    """Who wrote which characters of the context."""
    sources, cursor = [], 0
    for turn in turns:
        start = context.index(turn["content"].strip(), cursor)
        cursor = start + len(turn["content"].strip())
        sources.append(CaseSource(start, cursor, turn["role"]))
    return tuple(sources)
