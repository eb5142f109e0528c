"""The paper's needle (section 4.1 and appendix): one credential in filler, asked for at the end."""

from __future__ import annotations

import random
import string
from typing import Any

from ...errors import InputError
from ..cases import Case, Value
from ..fillers import filler

LABEL = "secret code"
STATEMENT = "The {label} is: "
QUESTION = "\n\nWhat is the {label}?"
ALPHABET = string.ascii_uppercase + string.digits
LENGTH = 8
CHARACTERS_PER_TOKEN = 6


def needle_case(
    tokenizer: Any,
    *,
    context: int,
    depth: float,
    seed: int,
    filler_name: str = "pydoc",
    label: str = LABEL,
) -> Case:
    """A case of ``context`` tokens (question included) with the value at relative ``depth``.

    The same seed gives the same filler and value. The statement stands in a paragraph of its own,
    as in the paper's template.

    Raises:
        InputError: for a depth outside [0, 1] or a context that cannot hold the statement.
    """
    if not 0 <= depth <= 1:
        raise InputError(f"depth must lie in [0, 1], got {depth}")
    rng = random.Random(f"needle/{seed}/{depth}/{context}/{filler_name}")
    value = "".join(rng.choice(ALPHABET) for _ in range(LENGTH))
    statement = f"\n\n{STATEMENT.format(label=label)}{value}\n\n"
    question = QUESTION.format(label=label)
    fixed = sum(_count(tokenizer, text) for text in (statement, question)) + 2
    if context <= fixed:
        raise InputError(f"a context of {context} tokens cannot hold the needle: use > {fixed}")
    text = filler(filler_name, CHARACTERS_PER_TOKEN * context, rng)
    text = _truncate(tokenizer, text, context - fixed)
    cut = _space_near(text, depth)
    before = text[:cut] + statement
    start = before.index(value, cut)
    return Case(
        id=f"needle-{filler_name if '/' not in filler_name else 'file'}-{depth}-{seed}",
        family="needle",
        context=before + text[cut:].lstrip(),
        question=question,
        answer=value,
        values=(Value(start, start + LENGTH, label),),
        meta={"depth": depth, "tokens": context},
    )


def _count(tokenizer: Any, text: str) -> int:
    return len(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def _truncate(tokenizer: Any, text: str, tokens: int) -> str:
    """The longest prefix of at most ``tokens`` tokens that ends at a word."""
    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"][:tokens]
    prefix = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
    return text[: len(prefix)].rsplit(" ", 1)[0]


def _space_near(text: str, depth: float) -> int:
    """Index of the first space at or after the depth; the end when there is none."""
    found = text.find(" ", int(len(text) * depth))
    return found if found >= 0 else len(text)
