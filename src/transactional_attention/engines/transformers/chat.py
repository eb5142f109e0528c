"""Chats as inputs of ``generate``, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...types import SourceRange
from ..chat_sources import Message, chat_text, token_ranges

if TYPE_CHECKING:
    from transformers import BatchEncoding


def encode_chat(
    messages: Sequence[Message],
    tokenizer: Any,
    *,
    tools: Sequence[Any] | None = None,
    add_generation_prompt: bool | None = None,
    **template_options: Any,
) -> tuple[BatchEncoding, list[list[SourceRange]]]:
    """Token ids of a chat and the sources of its tokens.

    Returns ``inputs`` for ``generate`` (one row of tensors) and ``sources`` for
    ``RetentionCache(..., sources=sources)`` (one list of token ranges for that row).

    Args:
        messages: as for ``apply_chat_template``; contents may be lists of text parts, which are
            joined by line breaks where the template takes strings alone.
        add_generation_prompt: default True, but for ``continue_final_message``.
        template_options: other arguments of the template (``enable_thinking``, ``documents``, ...).

    Raises:
        InputError: no messages, no chat template, parts that are not text, or a tokenizer without
            offsets.
    """
    given = {"tools": tools, "add_generation_prompt": add_generation_prompt, **template_options}
    text, pieces = chat_text(messages, tokenizer, **given)
    inputs = tokenizer(
        text, add_special_tokens=False, return_offsets_mapping=True, return_tensors="pt"
    )
    starts = inputs.pop("offset_mapping")[0, :, 0].tolist()
    return inputs, [token_ranges(pieces, starts)]
