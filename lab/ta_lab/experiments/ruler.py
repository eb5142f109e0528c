"""RULER's eight needle tasks at 4,096 tokens: ``ta`` beside other methods at the same K.

The paper does not run it. The question is hidden. Ledger on top: K tokens of the context stay, the
question and the answer are held beside them, as kvpress does it. Strict: never more than K tokens.
What kvpress's presses keep, these methods keep, too (``tests/parity``)."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from transactional_attention.errors import InputError, RetentionError

from ..cases.cases import Case
from ..cases.metrics import may_become
from ..cases.runner import CaseRunner, Outcome, observed_by
from ..generators.ruler import SHAPES, found_in, questions_of
from ..markdown import NONE, markdown, share
from .exact_tests import Paired, paired
from .experiment import Context, Record, Row, main
from .marks import KEPT, RIGHT, WRAPPED, count, mark
from .plan import FULL, SEEDS_APART, Arm, arms, task_cases
from .running import Job, run_parts

LENGTH, GENERATED = 4096, 128  # tokens of RULER's, with those of the answer
EVERY = 4
SENTENCE = 40  # tokens around a value
BUDGETS = (64, 128, 256, 512, 1024, 2048)
OURS, ZIP = "ta", "kvzip"
PEERS = ("snapkv", "tova", "streaming-llm", "keydiff", "expected-attention")
LEDGERS = ("on-top", "strict")


class RulerRunner(CaseRunner):
    """Answers in whole sentences, read until all is found and nothing exact can come of it."""

    @property
    def max_new_tokens(self) -> int:
        """A sentence a reference, and for its needles at most RULER's number."""
        references = self.encoded.case.answer.count("\n") + 1
        return min(GENERATED, super().max_new_tokens + SENTENCE * references)

    def _missed(self, ids: list[int]) -> bool:
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        answer = self.encoded.case.answer
        return found_in(text, answer) == len(answer.split("\n")) and not may_become(text, answer)


def arms_of(context: Context, trial: int) -> tuple[Arm, ...]:
    """What the context takes. KVzip, which takes several prefills, is run on one context of four,
    or all; it reads anew for strict K in the full size alone."""
    budgets = context.pick(BUDGETS[:1], BUDGETS, BUDGETS)
    zipped = [ZIP] if trial % context.pick(1, EVERY, 1) == 0 else []
    strict = [OURS, *PEERS, *(zipped if context.size == "full" else [])]
    on_top = arms((OURS, *PEERS, *zipped), budgets, ledger="on-top")
    all_arms = (FULL, *on_top, *arms(strict, budgets))
    return tuple(arm for arm in all_arms if context.takes(arm.method, arm.budget))


def run(context: Context) -> Record:
    """A row a context with something beside the full cache, so that a run goes on where it stopped;
    with all their questions they are the trials. ``cells``: ledger, K and method to marks and
    references found. Raises InputError where no context has any."""
    trials = context.trials or context.pick(1, 20, 50)
    jobs = [
        Job({"part": "context", "task": task, "trial": trial},
            partial(run_context, context, task, trial))
        for task in SHAPES
        for trial in range(-(-trials // questions_of(task)))
        if len(arms_of(context, trial)) > 1
    ]  # fmt: skip
    if not jobs:
        names = ", ".join((OURS, *PEERS, ZIP))
        raise InputError(f"--only and --budgets leave nothing; there are {names} at {BUDGETS}")
    return {"rows": run_parts(context, jobs)}


def run_context(context: Context, task: str, trial: int) -> Row:
    """All questions of a context under all arms."""
    model, tokenizer = context.loaded
    cases = task_cases(context, "ruler", task, tokens=LENGTH - GENERATED)(tokenizer, trial)
    chosen, seed = arms_of(context, trial), context.seed * SEEDS_APART + trial
    observe = observed_by(arm.retention(cases[0], 0) for arm in chosen)
    first = RulerRunner(model, tokenizer, cases[0], "hidden", observe)
    cells: dict[str, list[Any]] = {}
    refused: dict[str, str] = {}
    for case in cases:
        runner = first.asking(case)
        outcomes = runner.run_each([arm.retention(case, seed) for arm in chosen], whole=False)
        for arm, outcome in zip(chosen, outcomes, strict=True):
            name = "full" if arm.budget is None else f"{arm.ledger} {arm.budget} {arm.method}"
            if isinstance(outcome, RetentionError):
                refused[name] = str(outcome)
            else:
                _add(cells, name, case, cases, outcome)
    whole = {name: cell for name, cell in cells.items() if name not in refused}
    return {"cells": whole, **({"refused": refused} if refused else {})}


def _add(
    cells: dict[str, list[Any]], name: str, case: Case, cases: Sequence[Case], outcome: Outcome
) -> None:
    """One question more: its mark, and how many of its references were found."""
    marks, hits = cells.get(name, ["", []])
    texts = [case.context[value.start : value.end] for value in case.critical]
    retained = outcome.retained if len(cases) == 1 else outcome.whole[texts.index(case.answer)]
    number = found_in(outcome.answer, case.answer)
    cells[name] = [marks + mark(replace(outcome, retained=retained)), [*hits, number]]


class Cell:
    """What a method did with all questions, task by task."""

    def __init__(self, rows: Sequence[Row], name: str) -> None:
        self.found: dict[str, list[int]] = {}
        self.marks = ""
        for row in rows:
            marks, hits = row["cells"].get(name, ["", []])
            self.marks += marks
            if hits:
                self.found.setdefault(row["task"], []).extend(hits)

    def score(self, task: str) -> float | None:
        """RULER's score of a task in percent."""
        hits = self.found.get(task)
        return 100 * statistics.fmean(hits) / references(task) if hits else None

    def mean(self) -> float:
        """Over the tasks, each as much as any other."""
        return statistics.fmean(score for t in self.found if (score := self.score(t)) is not None)

    def all_found(self) -> int:
        """Questions in which every reference is contained."""
        return sum(n == references(task) for task, hits in self.found.items() for n in hits)


def references(task: str) -> int:
    """Values that a question of a task asks for."""
    shape = SHAPES[task]
    return shape.num_keys * shape.num_values if shape.together else 1


def _cells(rows: Sequence[Row], ledger: str) -> Iterator[tuple[str, str, Cell]]:
    """Method, K and what it did, the full cache first."""
    names = dict.fromkeys(name for row in rows for name in row["cells"])
    yield "full", NONE, Cell(rows, "full")
    for name in names:
        if name.startswith(f"{ledger} "):
            _, budget, method = name.split(" ", 2)
            yield method, budget, Cell(rows, name)


def tables(record: Record) -> str:
    """A table a ledger, and ``ta`` against each peer: contexts in which it finds more or fewer."""
    rows, lines = record["rows"], []
    for ledger in LEDGERS:
        for (budget, method), (more, fewer, p) in compared(rows, ledger).items():
            lines.append((ledger, budget, method, more, fewer, f"{p:.2g}"))
    head = ("ledger", "K", "ta beside", "finds more in", "fewer in", "p of the sign test")
    refused = Counter((*one,) for row in rows for one in row.get("refused", {}).items())
    notes = (f"- Not run in {n} contexts: {name}: {why}" for (name, why), n in refused.items())
    return "\n\n".join([*(scores(record, one) for one in LEDGERS), markdown(head, lines), *notes])


def scores(record: Record, ledger: str = "on-top") -> str:
    """RULER's score by task, the share of the references that the answer contains, in percent.

    All: questions in which every reference is contained; exact, wrapped: the answer is the
    references and nothing else, or those in quotes; kept: whole in every head."""
    rows = record["rows"]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    lines = []
    for method, budget, cell in _cells(rows, ledger):
        n, by_task = len(cell.marks), map(cell.score, tasks)
        shown = (NONE if score is None else f"{score:.0f}" for score in by_task)
        kinds = (share(count(cell.marks, kind), n) for kind in (RIGHT, WRAPPED, KEPT))
        whole = share(cell.all_found(), n)
        lines.append((method, budget, n, *shown, f"{cell.mean():.1f}", whole, *kinds))
    names = (task.removeprefix("niah_") for task in tasks)
    head = ("method", "K", "n", *names, "mean", "all", "exact", "wrapped", "kept")
    return markdown(head, lines)


def compared(rows: Sequence[Row], ledger: str) -> dict[tuple[str, str], Paired]:
    """By K and peer: contexts in which ``ta`` found more, in which fewer, sign test's p."""
    comparisons: dict[tuple[str, str], Paired] = {}
    for method, budget, _ in _cells(rows, ledger):
        names = [f"{ledger} {budget} {name}" for name in (OURS, method)]
        pairs = [
            [row["cells"][name] for name in names]
            for row in rows
            if row["cells"].keys() >= {*names}
        ]
        if method in ("full", OURS) or not pairs:
            continue
        gains = [sum(ours) - sum(theirs) for (_, ours), (_, theirs) in pairs]
        more = "".join("b" if gain > 0 else "-" for gain in gains)
        fewer = "".join("b" if gain < 0 else "-" for gain in gains)
        comparisons[budget, method] = paired(more, fewer, "b")
    return comparisons


if __name__ == "__main__":
    main("ruler")
