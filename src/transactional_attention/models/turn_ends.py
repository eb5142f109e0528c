"""Where a turn ends in a chat template, so that an answer ends there too."""

from __future__ import annotations

from typing import Any

MARK = "\u2402"
CHAT = [{"role": "user", "content": "?"}, {"role": "assistant", "content": MARK}]


def turn_ends(tokenizer: Any) -> list[int]:
    """The special token that a template writes behind what the assistant said, if it does."""
    if not getattr(tokenizer, "chat_template", None):
        return []
    try:
        text = tokenizer.apply_chat_template(CHAT, tokenize=False)
    except Exception:  # a template may refuse any chat, in its own words
        return []
    _, _, after = text.rpartition(MARK)
    ids = tokenizer(after.lstrip(), add_special_tokens=False)["input_ids"][:1]
    return [i for i in ids if i in tokenizer.all_special_ids or _is_control(tokenizer, i)]


def _is_control(tokenizer: Any, token: int) -> bool:
    added = tokenizer.added_tokens_decoder.get(token)
    return added is not None and bool(added.special)
