"""Prompts as tokens with their sources: a chat in the model's template, or plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError
from ..types import Ints, SourceRange, Span
from .transformers.chat import encode_in_template


@dataclass(frozen=True)
class Prompt:
    """Tokens [token] of a conversation so far, and who wrote them; the ``repr`` shows neither.

    ``border``: where the header of the reply begins. A session keeps a state there, to come back to
    when a template writes the reply otherwise than it was generated.
    """

    ids: Ints = field(repr=False)
    sources: Sequence[SourceRange] = field(repr=False)
    border: int


def chat_prompt(
    tokenizer: Any,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]] | None = None,
    begun: str = "",
) -> Prompt:
    """A chat up to its reply, or behind what the reply begins with.

    Raises:
        InputError: without a template, and for messages that it refuses.
    """
    inputs, (found,) = encode_in_template(messages, tokenizer, tools=tools)
    ids, sources = inputs["input_ids"][0].numpy(), list(found)
    border = sources[-1].span.start if sources[-1].template else len(ids) - 1
    if begun:
        more = np.array(tokenizer(begun, add_special_tokens=False)["input_ids"], np.int64)
        sources.append(SourceRange(Span(len(ids), len(ids) + len(more)), "assistant", True))
        ids = np.concatenate([ids, more])
    return Prompt(ids, sources, border)


def text_prompt(tokenizer: Any, text: str) -> Prompt:
    """A plain prompt, with the tokens that a text begins with. Raises InputError when empty."""
    ids = np.array(tokenizer(text)["input_ids"], np.int64)
    if not len(ids):
        raise InputError("the prompt is empty: its text gives no token")
    return Prompt(ids, [], len(ids) - 1)
