"""``--raw``: a model that is asked in plain text, whatever its chat template."""

from __future__ import annotations

from typing import Any

from ..cases.conversation import ask_plainly


def asking(loaded: tuple[Any, Any], raw: bool) -> tuple[Any, Any]:
    """A model and its tokenizer; ``raw``: asked in plain text, whatever its chat template."""
    return (loaded[0], ask_plainly(loaded[1])) if raw else loaded


def told_raw(raw: bool) -> dict[str, bool]:
    """``--raw`` in a record, where it was given."""
    return {"raw": True} if raw else {}
