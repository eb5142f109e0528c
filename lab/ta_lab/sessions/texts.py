"""Texts that ask for nothing: most of one is read, and what follows in it is said."""

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
COUNT = 10


def is_text(path: Path) -> bool:
    """Whether a file is a text, and no talks."""
    return path.suffix in SUFFIXES


def read_texts(path: Path, tokenizer: Any, seed: int, limit: int | None = None) -> list[Talk]:
    """``limit`` texts of a file in WikiText's tokenised form, no two of which overlap. Raises
    InputError for a file that cannot be read, or is too short."""
    ids = encode(tokenizer, detokenise(load_text(path)))
    starts = stream_offsets(len(ids), limit or COUNT, READ + NEXT, seed)
    return [_talk(f"text-{seed}-{start}", tokenizer, ids[start : start + READ + NEXT])
            for start in starts]  # fmt: skip


def _talk(name: str, tokenizer: Any, ids: list[int]) -> Talk:
    follows = Question(tokenizer.decode(ids[:READ]), "", (), KIND, tuple(ids[READ:]))
    return Talk(name, [{"role": "system", "content": SYSTEM}], (follows,))
