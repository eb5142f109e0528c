"""Detection and selection for one prompt, without a model: what they add to a prefill.

In prose with one value, in source code, and in configuration that is full of values. An arm reads
a text once, so that no value is weighed from memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.methods.registry import get_method
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.text.token_text import TokenText

from ..generators.needle import needle_case
from .texts import configuration, source_code
from .timing import Timing, interleave, stopwatch

DENSER = {"source code": source_code, "configuration": configuration}
LONGEST = 8  # characters of a token, at most: what is cut to ``context`` tokens is long enough


def detection(
    tokenizer: Any, *, context: int, budget: int, methods: list[str], rounds: int
) -> list[Timing]:
    """Seconds from token ids to kept slots; the peer is tokenising texts of the same kind.

    Methods that look for values have arms for denser texts, too.
    """
    seeds = range(rounds + 1)  # a text each for the warm-up and for every round
    needles = [
        needle_case(tokenizer, context=context, depth=0.5, seed=seed).context for seed in seeds
    ]
    timings = interleave(_arms(tokenizer, needles, budget, methods, ""), rounds)
    detecting = [method for method in methods if get_method(method).detectors]
    for kind, make in DENSER.items() if detecting else ():
        texts = [_cut(tokenizer, make(LONGEST * context, s), context) for s in seeds]
        timings += interleave(_arms(tokenizer, texts, budget, detecting, f", {kind}"), rounds)
    return timings


def _arms(
    tokenizer: Any, texts: Sequence[str], budget: int, methods: Sequence[str], kind: str
) -> dict[str, Callable[[], float]]:
    ids = [np.array([tokenizer(text)["input_ids"]]) for text in texts]
    arms = {f"tokenising{kind}": _arm(tokenizer, texts)}
    for turn, method in enumerate(methods, 1):
        work = partial(_select, tokenizer, Retention(budget=budget, method=method))
        first = 3 * turn % len(ids)  # arms are never at the same text
        arms[f"{method}{kind}"] = _arm(work, ids[first:] + ids[:first])
    return arms


def _arm(work: Callable[[Any], object], items: Sequence[Any]) -> Callable[[], float]:
    turns = itertools.cycle(items)
    return lambda: stopwatch(partial(work, next(turns)))


def _cut(tokenizer: Any, text: str, tokens: int) -> str:
    """The first ``tokens`` tokens of a text."""
    content = TokenText(tokenizer)
    content.append(tokenizer(text)["input_ids"][:tokens])
    content.settle()
    return content.text


def _select(tokenizer: Any, retention: Retention, ids: np.ndarray) -> None:
    flow = RetentionFlow(retention, tokenizer, 1)
    flow.read(ids, np.ones_like(ids, dtype=bool), final=True)
    for table in flow.tables.values():
        flow.cut(table)
