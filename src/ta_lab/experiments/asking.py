"""What the arms of a block do with one context: the part of a cell that any process can run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.errors import RetentionError
from transactional_attention.models.embedded import SHIPPED, load_embedded
from transactional_attention.retention.layout import observed_by

from ..cases.cases import Case
from ..cases.encoding import encode_case
from ..cases.outcome import Outcome
from ..cases.runner import CaseRunner, TextRunner
from .experiment import Context, Row
from .marks import mark
from .plan import SEEDS_APART, Arm, Block

Asked = list[Outcome] | RetentionError
"""What became of an arm, question by question, or why it cannot be asked."""
_PATH = re.compile(r"(?:/[^\s/`]+)+/([^\s/`]+)")  # a record names no folder of the machine


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
        asked = _answers(block, cases, arms, seed, _loaded(context, block))
    else:
        encoded = encode_case(tokenizer, cases[0])
        shape = context.shape if named is None and block.model is None else None
        asked = _retention(block, cases, arms, seed, TextRunner(tokenizer, encoded, shape))
    found = {arm: _seen(block, cases, outcomes) for arm, outcomes in zip(arms, asked, strict=True)}
    return Answered(found, context.origin)


def _loaded(context: Context, block: Block) -> tuple[Any, Any]:
    """The model of a block and its tokenizer."""
    return context.loaded if block.model is None else _shipped(block.model)


_shipped = lru_cache(maxsize=1)(lambda name: load_embedded(SHIPPED[name]))


def _seen(block: Block, cases: Sequence[Case], outcomes: Asked) -> Seen:
    if isinstance(outcomes, RetentionError):
        return Seen(refused=_PATH.sub("\\1", str(outcomes)))
    marks: dict[str, str] = {}
    for case, outcome in zip(cases, outcomes, strict=False):
        label = case.critical[_asked(case) or 0].label if block.slots else ""
        marks[label] = marks.get(label, "") + mark(outcome)
    anchors = sum(outcome.anchors for outcome in outcomes)
    return Seen(marks, anchors, max(outcome.max_live_tokens for outcome in outcomes))


def _answers(
    block: Block, cases: Sequence[Case], arms: Sequence[Arm], seed: int, loaded: tuple[Any, Any]
) -> list[Asked]:
    """Questions of one context: a prefill for all of them, or one each where they are visible.

    What chat models say is read to its end, since they may say more than the answer.
    """
    model, tokenizer = loaded
    observe = observed_by(arm.retention(cases[0], 0) for arm in arms)

    def runner(case: Case) -> CaseRunner:
        return CaseRunner(model, tokenizer, case, block.protocol, observe)

    first, hidden = runner(cases[0]), block.protocol == "hidden"
    found: list[Asked] = [[] for _ in arms]
    for case in cases:
        one = first if case is cases[0] else first.asking(case) if hidden else runner(case)
        asked = [arm.retention(case, seed) for arm in arms]
        outcomes = one.run_each(asked, whole=first.encoded.chat)
        for i, outcome in enumerate(outcomes):
            found[i] = _added(found[i], outcome, _asked(case))
    return found


def _added(found: Asked, outcome: Outcome | RetentionError, index: int | None) -> Asked:
    """The outcomes of an arm with one more; one that cannot be asked has none."""
    if isinstance(found, RetentionError):
        return found
    if isinstance(outcome, RetentionError):
        return outcome
    return [*found, outcome if index is None else replace(outcome, retained=outcome.whole[index])]


def _retention(
    block: Block, cases: Sequence[Case], arms: Sequence[Arm], seed: int, runner: TextRunner
) -> list[Asked]:
    """What is kept of a context: every value of it, or each one that is asked for by itself."""
    values = [_asked(case) for case in cases] if block.slots else [None]
    found: list[Asked] = []
    for arm in arms:
        outcome = _kept(runner, arm.retention(cases[0], seed))
        one: Asked = []
        for value in values:
            one = _added(one, outcome, value)
        found.append(one)
    return found


def _kept(runner: TextRunner, retention: Retention) -> Outcome | RetentionError:
    try:
        return runner.run(retention)
    except RetentionError as error:
        return error


def _asked(case: Case) -> int | None:
    """Which critical value is the answer; None where the answer is more than one value."""
    texts = [case.context[value.start : value.end] for value in case.critical]
    return texts.index(case.answer) if case.answer in texts else None
