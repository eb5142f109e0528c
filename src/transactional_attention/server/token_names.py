"""Tokens on their own, as ``logprobs`` tell them: bytes of the vocabulary's pieces.

A token that is decoded alone may lose its space, and half a character is no text.
"""

from typing import Any

from ..text.decoding import reproduces
from ..text.pieces import piece_table


def token_bytes(tokenizer: Any, token: int) -> bytes:
    """What a token adds to a text; for a tokenizer whose pieces cannot be read, what it decodes to
    alone."""
    table = piece_table(tokenizer, reproduces)
    if table is None:
        return str(tokenizer.decode([token])).encode()
    piece: bytes = table.data[min(token, len(table.data) - 1)]
    return piece


def token_name(data: bytes) -> str:
    """Bytes of a token as text; those that are none are named as OpenAI names them."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in data)
