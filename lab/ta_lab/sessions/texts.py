"""Pieces of a long text that ask for nothing: most of one is read, and its next tokens are the
reply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..benchmarks.corpus import encode
from ..cases.wikitext import detokenise, load_text, stream_offsets
from .talks import Question, Talk

READ, NEXT = 3_800, 256  # tokens of a text
KIND = "next"
SYSTEM = "You continue texts."
SUFFIXES = (".txt", ".xz")
COUNT = 10  # texts without a limit


def is_text(path: Path) -> bool:
    """Whether a file is a text, and no talks."""
    return path.suffix in SUFFIXES


def read_texts(path: Path, tokenizer: Any, seed: int, limit: int | None = None) -> list[Talk]:
    """``limit`` texts of a file in WikiText's tokenised form, no two of which overlap. Raises
    InputError for a file that cannot be read, or is too short."""
    ids = encode(tokenizer, detokenise(load_text(path)))
    starts = stream_offsets(len(ids), limit or COUNT, READ + NEXT, seed)
    pieces = ((start, ids[start : start + READ + NEXT]) for start in starts)
    return [_talk(f"text-{seed}-{start}", tokenizer, piece) for start, piece in pieces]


def _talk(name: str, tokenizer: Any, ids: list[int]) -> Talk:
    follows = Question(tokenizer.decode(ids[:READ]), "", (), KIND, tuple(ids[READ:]))
    return Talk(name, [{"role": "system", "content": SYSTEM}], (follows,))
