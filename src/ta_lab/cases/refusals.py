"""Which methods a model is refused for, and why: known before any case is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.errors import InputError, RetentionError


def refusals(
    model: Any, tokenizer: Any, retentions: Iterable[Retention]
) -> dict[str, tuple[str, ...]]:
    """Reasons, each with the methods that it stops; none when all can run.

    A method is tried on an empty cache, so that what it needs is looked for: files that were
    trained for the model, attention that can be read, room for its mandatory tokens.
    """
    found: dict[str, tuple[str, ...]] = {}
    for retention in retentions:
        try:
            RetentionCache(model, tokenizer, retention)
        except RetentionError as error:
            names = (*found.get(str(error), ()), retention.method)
            found[str(error)] = tuple(dict.fromkeys(names))
    return found


def check_methods(model: Any, tokenizer: Any, retentions: Iterable[Retention]) -> None:
    """Refuse all methods that cannot run at once.

    Raises:
        InputError: with every reason and the methods that it stops.
    """
    found = refusals(model, tokenizer, retentions)
    if found:
        reasons = (f"{', '.join(names)}: {reason}" for reason, names in found.items())
        raise InputError(f"cannot run {'; '.join(reasons)}")
