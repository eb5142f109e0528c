"""Detection and selection for one prompt, without a model: what they add to a prefill."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..config import Retention
from ..evaluation.tasks.needle import needle_case
from ..retention import RetentionFlow
from .timing import Timing, interleave, stopwatch


def detection(
    tokenizer: Any, *, context: int, budget: int, methods: list[str], rounds: int
) -> list[Timing]:
    """Seconds from token ids to kept slots; the peer is tokenising the same text."""
    case = needle_case(tokenizer, context=context, depth=0.5, seed=0)
    ids = np.array([tokenizer(case.context)["input_ids"]])
    arms: dict[str, Callable[[], float]] = {
        "tokenising": partial(stopwatch, partial(tokenizer, case.context))
    }
    for method in methods:
        retention = Retention(budget=budget, method=method)
        arms[method] = partial(stopwatch, partial(_select, tokenizer, ids, retention))
    return interleave(arms, rounds)


def _select(tokenizer: Any, ids: np.ndarray, retention: Retention) -> None:
    flow = RetentionFlow(retention, tokenizer, 1)
    flow.read(ids, np.ones_like(ids, dtype=bool), final=True)
    for table in flow.tables.values():
        flow.cut(table)
