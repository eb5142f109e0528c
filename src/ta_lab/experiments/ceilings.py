"""Runs the cells of ``ceilings``: one prefill a context serves its questions and its readings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.errors import InputError
from transactional_attention.inspection.provenance import revision

from ..cases.conversation import asks_in_chat
from ..cases.metrics import wilson
from ..cases.runner import CaseRunner, Outcome
from ..cases.sweep import counts
from ..generators import TASKS, make, toolcall
from ..generators.placing import Setting

DEPTHS = (0.1, 0.3, 0.5, 0.7, 0.9)
LONGEST = 8192 - 64  # the answer needs positions too
TOLERANCE = 0.9
Row = dict[str, Any]
CellKey = tuple[Any, ...]


@dataclass(frozen=True)
class Reading:
    """What is held when the question comes; ``budget`` None is the full cache."""

    method: str = "full"
    budget: int | None = None
    ledger: str = "strict"


FULL = Reading()
HELD = (
    Reading("oracle", 16, "on-top"),
    Reading("oracle", 16),
    *(Reading("oracle", budget) for budget in (24, 32, 64)),
)
LOST = (Reading("random", 32), Reading("streaming-llm", 32))


@dataclass(frozen=True)
class Group:
    """Cells over the same cases. ``target``: exact match with the full cache."""

    task: str
    variant: str
    tokens: int
    target: float
    readings: tuple[Reading, ...] = (FULL,)

    def key(self, reading: Reading) -> CellKey:
        """What names a cell in a record."""
        cell = (reading.method, reading.budget, reading.ledger)
        return (self.task, self.variant, self.tokens, *cell)


def _plan() -> Iterable[Group]:
    for tokens in (1024, 2048):
        yield Group("needle", "", tokens, 0.99)
    yield Group("needle", "", 4096, 0.99, (FULL, *HELD, *LOST))
    yield Group("needle", "", LONGEST, 0.95)
    targets = {"formats": 0.98, "toolcall": 0.98, "multislot": 0.97, "languages": 0.95}
    targets |= {"confusers": 0.95, "similar": 0.95}
    targets |= {"unstructured": 0.9, "paraphrased": 0.9, "corrections": 0.9}
    for task, target in targets.items():
        for variant in TASKS[task].variants:
            if task != "confusers" or variant in ("5", "10"):
                yield Group(task, variant, 4096, target)


PLAN = tuple(_plan())


def key_of(row: Row) -> CellKey:
    """What names the cell of a record's row."""
    return tuple(row[k] for k in ("task", "variant", "tokens", "method", "budget", "ledger"))


def groups_for(
    tokenizer: Any, *, tasks: Sequence[str] = (), tokens: int | None = None, quick: bool = False
) -> list[Group]:
    """Groups of the plan that a tokenizer can run: chat variants need a chat template that is not
    used anyway.

    ``tasks``: these only. ``tokens``: this length in place of every other. ``quick``: up to 4,096.
    Raises InputError for a task that the plan does not have."""
    known = dict.fromkeys(group.task for group in PLAN)
    unknown = [name for name in tasks if name not in known]
    if unknown:
        raise InputError(f"no row {unknown[0]!r}: the rows are {', '.join(known)}")
    chat = bool(getattr(tokenizer, "chat_template", None)) and not asks_in_chat(tokenizer)
    chosen = [
        group if tokens is None else replace(group, tokens=tokens)
        for group in PLAN
        if (not tasks or group.task in tasks)
        and (chat or group.variant not in toolcall.CHAT_VARIANTS)
        and not (quick and group.tokens > 4096)
    ]
    if tokens is None:
        return chosen
    longest = {(group.task, group.variant): group for group in chosen}
    for group in chosen:  # the same cases now: the group with the most readings covers the others
        name = (group.task, group.variant)
        longest[name] = max(longest[name], group, key=lambda g: len(g.readings))
    return list(longest.values())


def target_of(row: Row, rows: Sequence[Row]) -> tuple[str, bool] | None:
    """The target of a row in words, and whether it is met; None where the plan has none.

    Rows of the oracle are measured against the full cache on the same cases."""
    group = next((g for g in PLAN if (g.task, g.variant) == (row["task"], row["variant"])), None)
    reading = Reading(row["method"], row["budget"], row["ledger"])
    if group is None:
        return None
    if reading == FULL:
        exact = [g for g in PLAN if g.key(FULL) == key_of(row)]
        target = (exact[0] if exact else group).target
        return f"{100 * target:.0f}%", row["accuracy"] >= target
    if reading in LOST:
        return "under 1%", row["accuracy"] < 0.01
    if reading == Reading("oracle", 16):
        return "95%", row["accuracy"] >= 0.95
    full = [r for r in rows if key_of(r) == (*key_of(row)[:3], "full", None, "strict")]
    if not full:
        return None
    gap = full[0]["accuracy"] - row["accuracy"]
    return "within 2 points of full", gap <= 0.02 + 1e-9


def stated_ceilings(record: dict[str, Any]) -> dict[str, Any]:
    """What a model's card says under "ceilings": the counts of a record."""
    names = ("task", "variant", "tokens", "method", "budget", "ledger", "trials", "correct")
    return {
        "commit": record["provenance"]["commit"],
        "weights_sha256": record["weights_sha256"],
        "rows": [{name: row[name] for name in names} for row in record["rows"]],
    }


def check_ceilings(record: dict[str, Any], stated: dict[str, Any]) -> list[str]:
    """What a sample falls short of, in words; empty when it holds 90% of the stated ceilings.

    The cells of a method together fail when even the upper end of their 95% interval is below 90%
    of what is stated for them: 184 trials of a sample are worth 7 points either way. A single task
    has few trials, there and here: its upper end is held against 90% of the stated lower end.
    Raises InputError when no ceiling is stated for any cell of the record."""
    ceilings = {key_of(row): (row["correct"], row["trials"]) for row in stated.get("rows", ())}
    known = [row for row in record["rows"] if key_of(row) in ceilings]
    if not known:
        raise InputError("the card states no ceilings for these cells: measure them first")
    problems = []
    for by in ("method", "task"):
        for name in dict.fromkeys((row["method"], row[by]) for row in known):
            rows = [row for row in known if (row["method"], row[by]) == name]
            trials, correct = (sum(row[count] for row in rows) for count in ("trials", "correct"))
            there = [(row["trials"], *ceilings[key_of(row)]) for row in rows]
            expected = sum(count * right / of for count, right, of in there) / trials
            least = expected
            if by == "task":
                least = wilson(sum(t[1] for t in there), sum(t[2] for t in there))[0]
            if wilson(correct, trials)[1] < TOLERANCE * least:
                problems.append(
                    f"{' '.join(dict.fromkeys(name))}: {correct} of {trials}, stated {expected:.1%}"
                )
    return problems


@dataclass(frozen=True)
class Sample:
    """How many questions a cell asks, and of what. ``trials`` are spread over the depths."""

    trials: int = 100
    seed: int = 0
    filler: str = "pydoc"


def measure(
    model: Any,
    tokenizer: Any,
    groups: Sequence[Group],
    sample: Sample,
    rows: list[Row],
    *,
    save: Callable[[list[Row]], None] = lambda rows: None,
    progress: Callable[[float], None] = lambda done: None,
) -> list[Row]:
    """``rows`` of an earlier run and those of the cells that it lacks.

    ``save`` is called with all rows after each group, ``progress`` with the share of a group that
    one context was."""
    rows, origin = list(rows), revision()
    for group in groups:
        finished = {key_of(row) for row in rows}
        missing = [reading for reading in group.readings if group.key(reading) not in finished]
        if not missing:
            progress(1.0)
            continue
        measured = _measure_group(model, tokenizer, group, missing, sample, progress)
        rows += [row | origin for row in measured]
        save(rows)
    return rows


def _measure_group(
    model: Any,
    tokenizer: Any,
    group: Group,
    readings: Sequence[Reading],
    sample: Sample,
    progress: Callable[[float], None],
) -> list[Row]:
    outcomes: dict[Reading, list[list[Outcome]]] = {reading: [] for reading in readings}
    started, asked, trial = time.perf_counter(), 0, 0
    while asked < sample.trials:
        depth = DEPTHS[trial % len(DEPTHS)]
        seed = sample.seed * 100_003 + trial // len(DEPTHS)
        setting = Setting(group.tokens, depth, seed, sample.filler, group.variant)
        cases = make(group.task, tokenizer, setting)
        first = CaseRunner(model, tokenizer, cases[0], "hidden")
        runners = [first, *(first.asking(case) for case in cases[1:])]
        asked_of = [
            Retention(reading.budget, reading.method, ledger=reading.ledger, seed=seed)  # type: ignore[arg-type]
            for reading in readings
        ]
        answered = [runner.run_all(asked_of) for runner in runners]
        for reading, found in zip(readings, zip(*answered, strict=True), strict=True):
            outcomes[reading].append(list(found))
        progress(min(len(cases), sample.trials - asked) / sample.trials)
        asked, trial = asked + len(cases), trial + 1
    seconds = round(time.perf_counter() - started, 1)
    return [_row(group, reading, outcomes[reading], sample, seconds) for reading in readings]


def _row(
    group: Group, reading: Reading, contexts: list[list[Outcome]], sample: Sample, seconds: float
) -> Row:
    """Counts of a cell; ``seconds`` are those of its whole group."""
    outcomes = [outcome for context in contexts for outcome in context]
    key: CellKey = group.key(reading)
    names = ("task", "variant", "tokens", "method", "budget", "ledger")
    return {
        **dict(zip(names, key, strict=True)),
        "filler": sample.filler if "/" not in sample.filler else "file",
        **counts(
            trials=len(outcomes),
            correct=sum(o.correct for o in outcomes),
            retained=sum(o.retained for o in outcomes),
            wrapped=sum(o.wrapped for o in outcomes),
            contains=sum(o.contains for o in outcomes),
            contexts=len(contexts),
            all_correct=sum(all(o.correct for o in context) for context in contexts),
        ),
        "seconds": seconds,
    }
