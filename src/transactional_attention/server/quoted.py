"""Texts in the arguments of a call: a mark of the form that stands in one is a part of it."""

from __future__ import annotations

import re

from .call_forms import CallForm

_JSON = r'"(?:[^"\\]|\\.)*"'
_LONG = r"'''(?:[^\\]|\\.)*?'''|" + r'"""(?:[^\\]|\\.)*?"""'
JSON = re.compile(_JSON, re.DOTALL)
PYTHON = re.compile(rf"{_LONG}|{_JSON}|'(?:[^'\\]|\\.)*'", re.DOTALL)


def find_outside(text: str, mark: str, start: int, form: CallForm | None = None) -> int:
    """Where a mark first stands outside the texts of a call that begins at ``start``; -1 for
    nowhere. ``form``: of the call, None for one whose arguments are JSON."""
    at = text.find(mark, start)
    while at >= 0 and _is_open(text[start:at], text[at:], form):
        at = text.find(mark, at + 1)
    return at


def _is_open(body: str, after: str, form: CallForm | None) -> bool:
    """Whether the begin of a call ends in quotes that nothing has closed, or in an argument that
    has marks of its own; that one ends before another call begins, or it has no end."""
    if form is not None and form.fields is not None:
        close, head = form.fields.close.strip(), form.head.strip()
        if body.rfind(form.fields.key.strip()) <= body.rfind(close):
            return False
        end, other = after.find(close), after.find(head)
        return other < 0 or 0 <= end < other
    if form is not None and form.kind == "python":
        rest = PYTHON.sub("", body)
        return '"' in rest or "'" in rest
    return '"' in JSON.sub("", body)
