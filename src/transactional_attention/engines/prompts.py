"""Prompts as tokens with their sources: a chat in the model's template, or plain text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError, RetentionError
from ..types import Ints, SourceRange, Span
from .transformers.chat import encode_chat


@dataclass(frozen=True, eq=False)  # its arrays have no one truth
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
    messages: Sequence[Any],
    tools: Sequence[Mapping[str, Any]] | None = None,
    begun: str = "",
) -> Prompt:
    """A chat up to its reply, or behind what the reply begins with. Raises InputError without a
    template, and for messages that it refuses, which came from outside: none is quoted."""
    from jinja2 import TemplateError  # noqa: PLC0415  (templates alone need it)

    why: str | None = None
    try:
        inputs, (sources,) = encode_chat(messages, tokenizer, tools=tools)
    except RetentionError:
        raise
    except TemplateError as error:  # its text is the template's own
        why = str(error).split("\n")[0]
    except (TypeError, KeyError, ValueError, AttributeError) as error:  # this text may quote one
        why = f"{type(error).__name__} at their content"
    if why is not None:
        raise InputError(f"the model's chat template refuses these messages: {why}")
    ids = inputs["input_ids"][0].numpy()
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
