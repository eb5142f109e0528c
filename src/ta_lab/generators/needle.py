"""The paper's needle (section 4.1 and appendix): one credential in filler, asked for at the end."""

from __future__ import annotations

from typing import Any

from ..cases.cases import Case
from ..values.alphabets import characters
from .placing import Asked, Setting, Statement, make_cases

LABEL = "secret code"
STATEMENT = "The {label} is: "
QUESTION = "\n\nWhat is the {label}?"
LENGTH = 8


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
    setting = Setting(context, depth, seed, filler_name)
    rng = setting.rng("needle")
    value = characters(rng, LENGTH)
    statement = Statement(STATEMENT.format(label=label) + value, value, label, depth)
    asked = Asked(QUESTION.format(label=label), value)
    (case,) = make_cases(tokenizer, setting, "needle", [statement], [asked], rng)
    return case


def needle(tokenizer: Any, setting: Setting) -> list[Case]:
    """The needle as a task."""
    return [
        needle_case(
            tokenizer,
            context=setting.tokens,
            depth=setting.depth,
            seed=setting.seed,
            filler_name=setting.filler,
        )
    ]
