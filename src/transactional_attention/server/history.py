"""Messages of a conversation as the model's template takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from .call_forms import ID, THOUGHTS, CallForm, Forms
from .thoughts import with_thought


def as_taken(messages: Sequence[Mapping[str, Any]], forms: Forms) -> list[dict[str, Any]]:
    """Messages for a template: those of the system that begin are one, since most templates take
    one; thoughts by the template's name for them, or in the content; calls in the content where the
    template writes none."""
    first = list(takewhile(lambda message: message["role"] == "system", messages))
    whole = {**first[0], "content": "\n\n".join(m["content"] for m in first)} if first else None
    rest = messages[len(first) :]
    return [_taken(message, forms) for message in ([whole, *rest] if whole else rest)]


def _taken(message: Mapping[str, Any], forms: Forms) -> dict[str, Any]:
    fields = dict(message)
    calls = fields.get("tool_calls")
    if thought := fields.pop("reasoning_content", None):
        if not forms.thinks:
            fields["content"] = with_thought(thought, fields["content"], forms.thought)
        elif forms.beside_text or not (calls and fields["content"]):
            fields |= dict.fromkeys(THOUGHTS, thought)
    if calls:
        if forms.calls is not None and not forms.calls.rendered:
            del fields["tool_calls"]
            fields["content"] += written(forms.calls, calls)
        elif forms.as_text:
            fields["tool_calls"] = [
                {**call, "function": {**call["function"], "arguments": _arguments(call)}}
                for call in calls
            ]
    return fields


def _arguments(call: Mapping[str, Any]) -> str:
    """The arguments of a call as text."""
    given = call["function"]["arguments"]
    return given if isinstance(given, str) else json.dumps(given)


def written(form: CallForm, calls: Sequence[Mapping[str, Any]]) -> str:
    """Calls in a form that has their arguments as JSON."""
    texts = []
    for call in calls:
        text = f"{call['function']['name']}{form.between}{_arguments(call)}"
        texts.append(text.replace(ID, call.get("id", "")))
    return f"{form.head}{(form.middle or ' ').join(texts)}{form.tail}"
