"""What the arms of a block do with one context: the part of a cell that any process can run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ...config import Retention
from ...embedded import SHIPPED, load_embedded
from ...engines.transformers import RetentionCache
from ...errors import RetentionError
from ...layout import observed_by
from ...slots import PADDING
from ..cases import Case
from ..encoding import encode_case
from ..runner import CaseRunner, Outcome, TextRunner
from .experiment import Context, Row
from .marks import mark
from .plan import SEEDS_APART, Arm, Block

_PATH = re.compile(r"(?:/[^\s/`]+)+/([^\s/`]+)")  # a record names no folder of the machine


class SlotRunner(CaseRunner):
    """A runner that notes which values every layer and head held whole at the cut."""

    whole: tuple[bool, ...] = ()

    def compress(self, retention: Retention) -> RetentionCache:
        """As ever; ``whole`` then has one answer for each critical value."""
        cache = super().compress(retention)
        tables = cache.flow.tables.values()
        lanes = [set(lane.tolist()) - {PADDING} for table in tables for lane in table.positions]
        self.whole = tuple(
            all(set(range(v.start, v.end)) <= lane for lane in lanes) for v in self.encoded.values
        )
        return cache


@dataclass(frozen=True)
class Seen:
    """One arm on one context: no text, so that it may travel. ``marks``: by label, as in a row.

    ``refused``: why there are none.
    """

    marks: dict[str, str] = field(default_factory=dict)
    anchors: int = 0
    max_live_tokens: int = 0
    refused: str | None = None


@dataclass(frozen=True)
class Answered:
    """All arms on one context. ``origin``: of the code that ran."""

    arms: dict[Arm, Seen]
    origin: Row


def run_context(context: Context, block: Block, trial: int, arms: Sequence[Arm]) -> Answered:
    """Reads the context of a trial once, and asks under every arm."""
    named = block.tokenizer
    tokenizer = _loaded(context, block)[1] if named is None else context.tokenizers[named]()
    cases = block.make(tokenizer, trial)
    seed = context.seed * SEEDS_APART + trial
    if block.answered and named is None:
        ask = _answers(block, cases, arms, _loaded(context, block))
    else:
        encoded = encode_case(tokenizer, cases[0])
        shape = context.shape if named is None and block.model is None else None
        ask = _retention(cases, TextRunner(tokenizer, encoded, shape))
    found: dict[Arm, Seen] = {}
    for arm in arms:
        try:
            found[arm] = _seen(block, cases, list(ask(arm, seed)))
        except RetentionError as error:
            found[arm] = Seen(refused=_PATH.sub("\\1", str(error)))
    return Answered(found, context.origin)


def _loaded(context: Context, block: Block) -> tuple[Any, Any]:
    """The model of a block and its tokenizer."""
    return context.loaded if block.model is None else _shipped(block.model)


_shipped = lru_cache(maxsize=1)(lambda name: load_embedded(SHIPPED[name]))


def _seen(block: Block, cases: Sequence[Case], outcomes: list[Outcome]) -> Seen:
    marks: dict[str, str] = {}
    for case, outcome in zip(cases, outcomes, strict=False):
        label = case.critical[_asked(case) or 0].label if block.slots else ""
        marks[label] = marks.get(label, "") + mark(outcome.retained, outcome.correct)
    anchors = sum(outcome.anchors for outcome in outcomes)
    return Seen(marks, anchors, max(outcome.max_live_tokens for outcome in outcomes))


def _answers(
    block: Block, cases: Sequence[Case], arms: Sequence[Arm], loaded: tuple[Any, Any]
) -> Any:
    """Questions of one context: a prefill for all of them, or one each where they are visible."""
    model, tokenizer = loaded
    observe = observed_by(arm.retention(cases[0], 0) for arm in arms)

    def runner(case: Case) -> SlotRunner:
        return SlotRunner(model, tokenizer, case, block.protocol, observe)

    first = runner(cases[0])
    hidden = block.protocol == "hidden"
    runners = [first, *(first.asking(c) if hidden else runner(c) for c in cases[1:])]

    def ask(arm: Arm, seed: int) -> Iterator[Outcome]:
        for case, one in zip(cases, runners, strict=True):
            outcome = one.run(arm.retention(case, seed), whole=False)
            index = _asked(case)
            yield outcome if index is None else replace(outcome, retained=one.whole[index])  # type: ignore[attr-defined]

    return ask


def _retention(cases: Sequence[Case], runner: TextRunner) -> Any:
    """What is kept of a context; every value of it must be."""

    def ask(arm: Arm, seed: int) -> Iterator[Outcome]:
        yield runner.run(arm.retention(cases[0], seed))

    return ask


def _asked(case: Case) -> int | None:
    """Which critical value is the answer; None where the answer is more than one value."""
    texts = [case.context[value.start : value.end] for value in case.critical]
    return texts.index(case.answer) if case.answer in texts else None
