"""Needles for evaluation: a stated value in filler of a given length and depth."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from transformers import PreTrainedTokenizerBase

from transactional_attention.errors import InputError
from transactional_attention.training.values import code8

DEPTHS = (0.1, 0.3, 0.5, 0.7, 0.9)
QUESTION = "\n\nWhat is the secret code?"
STATEMENT = "The secret code is: "


@dataclass(frozen=True, slots=True)
class Needle:
    """One case in tokens: the context (begin token first), the value in it, question, answer."""

    context: list[int]
    value: tuple[int, int]
    question: list[int]
    answer: list[int]


def pydoc_filler() -> str:
    """The language reference that comes with Python; never trained on."""
    from pydoc_data import topics  # noqa: PLC0415  (half a megabyte, needed here only)

    return " ".join(" ".join(text.split()) for _, text in sorted(topics.topics.items()))


def filler_words(text: str) -> list[str]:
    """Words of a filler text; raises InputError for an empty one."""
    words = text.split()
    if not words:
        raise InputError("the filler has no words")
    return words


def make_needle(
    tokenizer: PreTrainedTokenizerBase,
    words: Sequence[str],
    length: int,
    depth: float,
    rng: random.Random,
    *,
    statement: str = STATEMENT,
    question: str = QUESTION,
) -> Needle:
    """A needle whose context, value and question together have just under `length` tokens.

    The value is eight characters of A-Z and 0-9; `depth` is the share of the filler before it.
    """
    value = code8(rng)
    asked = _ids(tokenizer, question)
    room = length - len(asked) - len(_ids(tokenizer, " " + statement + value)) - 1
    filler = _filler(tokenizer, words, room, rng)
    cut = round(depth * len(filler))
    before = " ".join(filler[:cut])
    text = f"{before} {statement}" if before else statement
    start = len(text)
    text = f"{text}{value} {' '.join(filler[cut:])}".rstrip()
    encoding = tokenizer(text, return_offsets_mapping=True)
    spans = encoding["offset_mapping"]
    covered = [
        index
        for index, (first, last) in enumerate(spans)
        if last > start and first < start + len(value) and last > first
    ]
    answer = [*_ids(tokenizer, " " + value), tokenizer.eos_token_id]
    context = list(encoding["input_ids"])
    return Needle(context, (covered[0], covered[-1] + 1), asked, answer)


def _ids(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def _filler(
    tokenizer: PreTrainedTokenizerBase, words: Sequence[str], room: int, rng: random.Random
) -> list[str]:
    """As many words from a random place as fit into `room` tokens."""
    start = rng.randrange(len(words))
    rolled = [words[(start + index) % len(words)] for index in range(room)]
    encoding = tokenizer(
        " ".join(rolled), add_special_tokens=False, return_offsets_mapping=True, verbose=False
    )
    if len(encoding["input_ids"]) <= room:
        return rolled
    end = encoding["offset_mapping"][room - 1][1]
    return " ".join(rolled)[:end].split(" ")[:-1]
