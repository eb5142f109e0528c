"""The paper's needle (section 4.1 and appendix): one credential in filler, asked for at the end."""

from __future__ import annotations

import random
from typing import Any

from ..cases.cases import Case
from ..values.alphabets import characters
from .placing import Asked, Setting, Statement, Told, make_cases

LABEL = "secret code"
STATEMENT = "The {label} is: "
QUESTION = "\n\nWhat is the {label}?"
LENGTH = 8


def needle(rng: random.Random, setting: Setting) -> Told:
    """The needle as a task; its statement is a paragraph of its own, as in the paper's template."""
    value = characters(rng, LENGTH)
    stated = Statement(STATEMENT.format(label=LABEL) + value, value, LABEL, setting.depth)
    return [stated], [Asked(QUESTION.format(label=LABEL), value)]


def needle_case(
    tokenizer: Any,
    *,
    context: int,
    depth: float,
    seed: int,
    filler_name: str = "pydoc",
) -> Case:
    """A case of ``context`` tokens (question included) with the value at relative ``depth``.

    The same seed gives the same filler and value. Raises InputError for a depth outside [0, 1]
    or a context that cannot hold the statement."""
    setting = Setting(context, depth, seed, filler_name)
    (case,) = make_cases("needle", needle, tokenizer, setting)
    return case
