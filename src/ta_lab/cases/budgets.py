"""``--budget``: a number, ``case`` (each case's own), or ``values+N``: N more than its values."""

from __future__ import annotations

import re

from transactional_attention.errors import InputError

from .encoding import EncodedCase

_RULE = re.compile(r"[1-9]\d*|case|values\+\d+")


def check_rule(rule: str) -> str:
    """The rule itself.

    Raises:
        InputError: for a rule that is none.
    """
    if not _RULE.fullmatch(rule):
        raise InputError(f"--budget must be a number, `case` or `values+N`, got {rule!r}")
    return rule


def value_tokens(encoded: EncodedCase) -> int:
    """Tokens that hold a character of a value, asked for or not."""
    found: set[int] = set()
    for value in encoded.case.values:
        tokens = encoded.tokens_of(value.start, value.end)
        found |= set(range(tokens.start, tokens.end))
    return len(found)


def budget_of(rule: str, encoded: EncodedCase) -> int:
    """K of a case under a rule that ``check_rule`` let pass.

    Raises:
        InputError: for ``case`` and a case without a budget.
    """
    if rule.startswith("values+"):
        return value_tokens(encoded) + int(rule.removeprefix("values+"))
    if rule != "case":
        return int(rule)
    if encoded.case.budget is None:
        raise InputError(f"case {encoded.case.id} has no budget: give --budget N or values+N")
    return encoded.case.budget
