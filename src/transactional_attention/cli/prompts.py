"""The prompt of a command: text that is there at once, or a stream when it is long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from ..errors import InputError
from ..text.text_blocks import TextBlocks

LONG = 1 << 16  # characters from which a prompt streams by itself


def text_blocks(file: str) -> TextBlocks:
    """The text of a file, or of standard input for ``-``, as it flows.

    Raises:
        InputError: for a file that cannot be opened; while it is read, for text that is not UTF-8,
            NUL characters, or nothing at all.
    """
    if file == "-":
        return TextBlocks(sys.stdin.buffer, "standard input")
    return TextBlocks.open(Path(file))


def read_prompt(file: str, question: str, *, stream: bool | None) -> str | Iterator[str]:
    """A prompt and what is appended to it: the text, or its blocks.

    ``stream``: whether it streams; None lets those of more than ``LONG`` characters.

    Raises:
        InputError: for a question with NUL characters, and as ``text_blocks`` does.
    """
    if "\x00" in question:
        raise InputError("--question holds a NUL character: leave it out")
    blocks = chain(text_blocks(file), (question,) if question else ())
    if stream is False:
        return "".join(blocks)
    head: list[str] = []
    for block in blocks:  # at least one is read at once, so that bad input shows early
        head.append(block)
        if stream or sum(map(len, head)) > LONG:
            return chain(head, blocks)
    return "".join(head)
