"""Function calling (paper, Table 2): a credential is shared early and later fills a call's slot.

A transcript of turns whose tool results are the filler. Plain text ("User: ...") for models that
are asked in plain text, whose template the variants ``12-chat`` and ``32-chat`` use all the same;
for others a conversation with the function's definition.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from transactional_attention.errors import InputError

from ..cases.cases import Case, CaseSource, Value
from ..cases.fillers import paragraphs
from ..data import texts
from ..values.alphabets import MIXED, characters
from .placing import Setting, count, fill_in, truncate

Turn = dict[str, str]
Render = Callable[[Sequence[Turn], bool], str]

VARIANTS = ("12", "32")
CHAT_VARIANTS = ("12-chat", "32-chat")
TEXTS = texts("tasks/toolcall")
TEMPLATES = (TEXTS.system, *TEXTS.shared, *TEXTS.later, *TEXTS.lookups)
ROLES = {"system": "System", "user": "User", "assistant": "Assistant", "tool": "Tool"}


def toolcall(tokenizer: Any, setting: Setting) -> list[Case]:
    """A value of ``12`` or ``32`` characters; the answer is the call, ``call_api(key="V")``.
    Raises InputError for a chat variant and a tokenizer without a chat template, or one whose
    template refuses such turns or rewrites earlier ones; for too few tokens."""
    rng = setting.rng("toolcall")
    length, _, form = setting.variant.partition("-")
    function, parameter, label = rng.choice(TEXTS.slots)
    value = characters(rng, int(length), MIXED)
    shared = fill_in(rng.choice(TEXTS.shared), label=label, value=value)
    later = fill_in(rng.choice(TEXTS.later), label=label)
    asked = fill_in(later, call=f"{function}({parameter}=...)")
    render = chat_of(tokenizer) if form else plain
    turns = _transcript(tokenizer, render, setting, rng, shared, asked)
    context, whole = render(turns, False), render([*turns, _turn("user", asked)], True)
    if not whole.startswith(context):
        raise InputError("the chat template rewrites earlier turns: use a variant without -chat")
    start = context.index(shared) + shared.index(value)
    case = Case(
        id=setting.name("toolcall"),
        family="toolcall",
        context=context,
        question=whole[len(context) :],
        answer=f'{function}({parameter}="{value}")',
        asked=fill_in(later, call=function),  # a definition names its parameter
        tools=(_definition(function, parameter, label),),
        call={"name": function, "arguments": {parameter: value}},
        values=(Value(start, start + len(value), label),),
        sources=_sources(context, turns),
        meta={"depth": setting.depth, "tokens": setting.tokens, "variant": setting.variant},
    )
    return [case]


def plain(turns: Sequence[Turn], answering: bool) -> str:
    """Turns as lines of text, a blank line between them; ``answering``: open for the assistant."""
    parts = [f"{ROLES[turn['role']]}: {turn['content']}\n" for turn in turns]
    return "\n".join([*parts, "Assistant:"] if answering else parts)


def chat_of(tokenizer: Any) -> Render:
    """Turns as the tokenizer's chat template writes them, without its begin token."""
    if not getattr(tokenizer, "chat_template", None):
        raise InputError("this tokenizer has no chat template: use a variant without -chat")
    from jinja2 import TemplateError  # noqa: PLC0415 - what a template needs, and nothing else

    def render(turns: Sequence[Turn], answering: bool) -> str:
        try:
            text: str = tokenizer.apply_chat_template(
                list(turns), tokenize=False, add_generation_prompt=answering
            )
        except TemplateError:  # its message may quote a turn
            raise InputError(
                "the chat template refuses these turns: use a variant without -chat"
            ) from None
        return text.removeprefix(tokenizer.bos_token or "")

    return render


def _definition(function: str, parameter: str, label: str) -> dict[str, Any]:
    """What a chat template is told of the function."""
    taken = {parameter: {"type": "string", "description": f"The {label}."}}
    parameters = {"type": "object", "properties": taken, "required": [parameter]}
    described = {"name": function, "description": "Calls the vendor portal."}
    return {"type": "function", "function": described | {"parameters": parameters}}


def _turn(role: str, content: str) -> Turn:
    return {"role": role, "content": content}


def _transcript(
    tokenizer: Any, render: Render, setting: Setting, rng: random.Random, shared: str, asked: str
) -> list[Turn]:
    """Turns of about ``setting.tokens`` tokens, the shared value after ``depth`` of the lookups."""
    opening = [_turn("user", shared), _turn("assistant", "Noted.")]
    frame = [_turn("system", TEXTS.system), *opening, _turn("user", asked)]
    left = setting.tokens - count(tokenizer, render(frame, True)) - 2
    if left <= 0:
        raise InputError(f"{setting.tokens} tokens cannot hold the toolcall: use more")
    lookups: list[list[Turn]] = []
    source = paragraphs(setting.filler)
    while left > 0:
        lookup = [
            _turn("user", rng.choice(TEXTS.lookups)),
            _turn("tool", source[rng.randrange(len(source))]),
        ]
        size = count(tokenizer, render(lookup, False)) + 1
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
    found, cursor = [], 0
    for turn in turns:
        start = context.index(turn["content"].strip(), cursor)
        cursor = start + len(turn["content"].strip())
        found.append(CaseSource(start, cursor, turn["role"]))
    return tuple(found)
