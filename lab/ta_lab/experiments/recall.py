"""Many values of one text, asked for one by one: what a memory answers, and what others do.

Not in the paper. Every way is cut from one prefill and copied for each question, so that rows are
paired. K tokens of the context stay (ledger on-top), the question and its answer are held beside
them. The ways: no memory; a memory; the value protected from the start; what RepairKV does; SnapKV
and KVzip.

``recall-texts``: the locked texts of ``data/recall``, a file after the other, that people wrote,
with questions of theirs. ``recall-tools``: generated texts; the user's turn gives a tool's schema,
whose names of arguments are the values' labels. What is asked for by the schema and what the call
itself opens both count.

RepairKV (OpenReview LsrmZrp7tW, from its abstract): all evicted rows wait on the host, the next
turn's queries score them, the best come back in a cache of the same size. Here the question is read
once over what SnapKV kept, and its attention to every row of the context chooses the K that it is
read over again: none of the first K has to stay, which is as generous as can be.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
import torch

from transactional_attention.cli.prompts import ALONE
from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.observe import Observer
from transactional_attention.errors import InputError
from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.retention.swap import memory_of
from transactional_attention.types import Span

from ..baselines.snap_kv import SnapKV
from ..cases.cases import Case
from ..cases.decoding import forward, forward_rows, greedy_rows
from ..cases.encoding import asked_of
from ..cases.runner import FULL as WHOLE
from ..cases.runner import ROWS, CaseRunner, held_whole, observed_by
from ..collection.asked import PARAPHRASE, SIMILAR, cases_of_texts, free_of_texts
from ..generators.placing import Setting, Tell, make_cases
from ..generators.recalled import DIRECT, FOUR, KINDS, TEXTS, TOGETHER, called, kind_of, recalled
from ..generators.ruler import found_in
from ..markdown import NONE, markdown, share
from .exact_tests import paired
from .experiment import Context, Record, Row, main, part_of
from .marks import KEPT, LOST, RIGHT, WRAPPED, count
from .plan import SEEDS_APART
from .running import Job, run_parts

BUDGETS = (128, 256)
LOCKED = ("locked", "locked-second", "locked-third")
PART = 10  # questions of a row
FULL, OFF, MEMORY, KEEP, REPAIR = "full", "off", "memory", "protected", "repair"
OTHERS = ("snapkv", "kvzip")
WAYS = (OFF, MEMORY, KEEP, REPAIR, *OTHERS)
FEW = (OFF, MEMORY, KEEP)


@dataclass(frozen=True)
class Way:
    """What is done with the context, at a K; none: all of it stays."""

    name: str
    budget: int | None = None

    def __str__(self) -> str:
        return self.name if self.budget is None else f"{self.budget} {self.name}"

    @property
    def retention(self) -> Retention:
        """What cuts the context, before anything is asked."""
        if self.budget is None:
            return WHOLE
        method = {KEEP: "oracle", REPAIR: "snapkv"}.get(self.name)
        return Retention(
            self.budget,
            method or (self.name if self.name in OTHERS else "ta"),
            ledger="on-top",
            memory=self.name == MEMORY,
        )


def shape(context: Context) -> tuple[int, int]:
    """Values, and tokens of the text."""
    number, tokens = context.pick((8, 1024), (40, 4096), (100, 16_000))
    return number, context.tokens or tokens


@dataclass(frozen=True)
class Task:
    """Whose values are asked for. ``cases``: the questions of a trial, each with its ``kind`` and
    the ``places`` of what it asks for, in characters of the context; ``questions``: how many they
    are; ``contexts``: by size; ``free``: texts that ask for nothing."""

    cases: Callable[[Context, int], list[Case]]
    questions: Callable[[Context, int], int]
    contexts: tuple[int, int, int]
    kinds: tuple[str, ...]
    budgets: tuple[int, ...]
    ways: tuple[str, ...]
    free: Sequence[str]

    def chosen(self, context: Context) -> list[Way]:
        """All that is compared. Raises InputError where what is asked for leaves no memory."""
        budgets = context.pick(self.budgets[:1], self.budgets, self.budgets)
        ways = [Way(n, k) for k in budgets for n in self.ways if context.takes(n, k)]
        if not any(way.name == MEMORY for way in ways):
            raise InputError(f"--only, --budgets: {MEMORY} at one of {budgets}")
        return [Way(FULL), *ways]

    def run(self, context: Context) -> Record:
        """A row a context, and one for every ten of its questions, so that a run goes on where it
        stopped; a context is read once for all of them."""
        reading = lru_cache(maxsize=1)(partial(read, self, context))
        chosen, jobs = self.chosen(context), []
        for trial in range(context.trials or context.pick(*self.contexts)):
            for first in range(0, self.questions(context, trial), PART):
                key = {"part": "questions", "context": trial, "first": first}
                jobs.append(Job(key, partial(answered, chosen, trial, first, reading)))
            key = {"part": "context", "context": trial}
            jobs.append(Job(key, partial(measured, self, trial, reading)))
        return {"rows": run_parts(context, jobs)}

    def tables(self, record: Record) -> str:
        """What every way answers, a memory beside the others, and what waits on the host."""
        return "\n\n".join((self.answers(record), self.beside(record), self.host(record)))

    def answers(self, record: Record) -> str:
        """Exact and wrapped answers and values kept in percent, exact ones by the way of asking;
        last the values found of questions for four at a time."""
        rows, together = part_of(record, "questions"), self.kinds == (FOUR,)
        lines = []
        for name in self.names(rows):
            total, four = cell(rows, name, self.kinds), cell(rows, name, (FOUR,))
            k, _, way = name.rpartition(" ")
            by_kind = (cell(rows, name, (kind,)) for kind in self.kinds)
            counts = [f"{one.exact} of {len(one.marks)}" for one in by_kind]
            n, kept = len(total.marks), share(total.kept, len(total.marks))
            single = [share(total.exact, n), share(total.wrapped, n), kept, *counts]
            shown = [kept] if together else single
            lines.append((k or NONE, way, n, *shown, f"{four.found} of {four.asked}"))
        kinds = ("kept",) if together else ("exact", "wrapped", "kept", *self.kinds)
        return markdown(("K", "way", "n", *kinds, "four"), lines)

    def names(self, rows: Sequence[Row]) -> list[str]:
        """Ways of a record with their K."""
        return list(dict.fromkeys(name for row in rows for name in row["cells"]))

    def beside(self, record: Record) -> str:
        """Single questions that a memory answers and another way does not."""
        rows = part_of(record, "questions")
        there, others = self.names(rows), (OFF, REPAIR, *OTHERS)
        pairs = [(k, way) for k in self.budgets for way in others if f"{k} {way}" in there]
        lines = []
        for k, way in pairs:
            ours, theirs = (cell(rows, f"{k} {one}", self.kinds).marks for one in (MEMORY, way))
            comparison = paired(ours, theirs, RIGHT)
            lines.append((k, way, comparison.gained, comparison.lost, f"{comparison.p:.2g}"))
        head = ("K", "memory beside", "answers more", "fewer", "p of the sign test")
        return markdown(head, lines)

    def host(self, record: Record) -> str:
        """Rows on the host, milliseconds to find what a question asks for, and texts that ask for
        no value: how many bring something back."""
        texts, lines = part_of(record, "context"), []
        for name in dict.fromkeys(n for text in texts for n in text["host_bytes"]):
            k, _, way = name.rpartition(" ")
            if way in (MEMORY, REPAIR):
                shares = [text["host_bytes"][name] / text["full_bytes"] for text in texts]
                idle = [number for text in texts for number in text["free"].get(name, ())]
                free = f"{sum(map(bool, idle))} of {len(idle)}, {sum(idle)} tokens"
                ms = statistics.median(text["ask_ms"][0] for text in texts)
                asked = (f"{ms:.1f}", free) if way == MEMORY else (NONE, NONE)
                lines.append((way, k, f"{statistics.median(shares):.1%}", *asked))
        head = ("on the host", "K", "share of the full cache's bytes", "ms to find",
                "texts for nothing")  # fmt: skip
        return markdown(head, lines)


class Asking(CaseRunner):
    """A context that is read once, and cut once for every way."""

    cuts: dict[Way, RetentionCache]

    def prepare(self, chosen: Sequence[Way]) -> None:
        """Cut the context for all ways."""
        self.cuts = {way: self.compress(way.retention) for way in chosen if way.name != KEEP}

    @property
    def asked(self) -> list[Span]:
        """Tokens of the values that this question is about."""
        return [self.encoded.tokens_of(*place) for place in self.encoded.case.meta["places"]]

    def ready(self, way: Way) -> RetentionCache:
        """What the question meets."""
        if way.name == KEEP:
            retention = way.retention
            for span in self.asked:
                retention = retention.protect(span.start, span.end, unit="tokens", required=False)
            return compress(self.snapshot, retention)
        if way.name == REPAIR:
            return self._repaired(way)
        return self.cuts[way].clone()

    def _repaired(self, way: Way) -> RetentionCache:
        """The K rows of the context that the question attends to most."""
        first, question = self.cuts[way].clone(), self.encoded.question
        for layer in first.managed:
            wanted = Observation(queries=len(question))
            layer.observer = Observer(wanted, None, first.decoder)
        forward(self.model, first, question)
        scorer = SnapKV(len(question))
        positions = torch.from_numpy(self.snapshot.flow.tables[None].positions)[:, None]
        length = torch.tensor([first.num_columns])
        scores: list[torch.Tensor | None] = []
        for cut_layer, held in zip(first.managed, self.snapshot.managed, strict=True):
            (keys, values), seen = held.states(), cut_layer.observer
            assert seen is not None and seen.rule is not None
            place, at = positions.to(keys.device), length.to(keys.device)
            asked = seen.rule, seen.queries, seen.asking
            scores.append(scorer.measure(Seen(keys, values, place, at, *asked)))
        return compress(self.snapshot, way.retention, readings={first.flow.scorer: scores})

    def ask(self, chosen: Sequence[Way]) -> Iterator[tuple[Way, str, int]]:
        """Each way with a mark of ``running`` and how many of the values its answer holds."""
        answers = self.encoded.case.answer
        missed = None if "\n" in answers else self._missed
        for start in range(0, len(chosen), ROWS):
            some = chosen[start : start + ROWS]
            caches = [self.ready(way) for way in some]
            logits = forward_rows(self.model, caches, [self.encoded.question] * len(caches))
            held = [all(held_whole(cache.flow, v) for v in self.asked) for cache in caches]
            replies = greedy_rows(self.model, caches, logits, self.max_new_tokens, missed)
            for way, kept, (ids, ended) in zip(some, held, replies, strict=True):
                text = self.tokenizer.decode(ids, skip_special_tokens=True)
                verdicts = [*self.judged(text, ended), True]
                yield way, (KEPT if kept else LOST)[verdicts.index(True)], found_in(text, answers)

    def brought(self, way: Way, texts: Sequence[str]) -> list[int]:
        """How many tokens come back at each of the texts, which ask for no value."""
        counts = []
        for text in texts:
            case = replace(self.encoded.case, question=text, answer="-")
            encoded = asked_of(self.tokenizer, self.encoded, case)
            read = self.tokenizer.decode(encoded.question).replace(f"\n{ALONE}", "")
            ids = np.array([self.tokenizer(read, add_special_tokens=False)["input_ids"]])
            moved = self.cuts[way].clone().flow.read(ids, np.ones_like(ids, bool), final=True)
            counts.append(sum(len(item.positions) for item in moved.returning) if moved else 0)
        return counts


def generated(context: Context, trial: int, tell: Tell = recalled) -> list[Case]:
    """The questions of a generated context."""
    number, tokens = shape(context)
    seed = context.seed * SEEDS_APART + trial
    setting = Setting(tokens, 0.5, seed, context.filler, str(number))
    cases = make_cases("recalled", tell, context.loaded[1], setting)
    questions = []
    for index, case in enumerate(cases):
        values = {case.context[v.start : v.end]: (v.start, v.end) for v in case.critical}
        answers = [line.strip('"') for line in case.answer.split("\n")]
        places = [values[a.rpartition('": "')[2]] for a in answers]  # of a call with names
        fields = {"kind": kind_of(index, case.answer), "places": places}
        questions.append(replace(case, meta={**case.meta, **fields}))
    return questions


def written(context: Context, trial: int) -> list[Case]:
    """The questions of a file of texts, which takes its turn."""
    return cases_of_texts(LOCKED[trial % len(LOCKED)], context.seed * SEEDS_APART + trial)


Read = Callable[[int], tuple[list[Case], Asking, float]]


def read(task: Task, context: Context, trial: int) -> tuple[list[Case], Asking, float]:
    """Questions of a context, what asks them, and seconds of its prefill."""
    model, tokenizer = context.loaded
    chosen, cases = task.chosen(context), task.cases(context, trial)
    observe = observed_by(way.retention for way in chosen)
    start = time.perf_counter()
    first = Asking(model, tokenizer, cases[0], "hidden", observe)
    seconds = time.perf_counter() - start
    first.prepare(chosen)
    return cases, first, seconds


def measured(task: Task, trial: int, reading: Read) -> Row:
    """What a context costs on the host, what asking does, and what texts bring back for nothing."""
    cases, asking, seconds = reading(trial)
    ways = [way for way in asking.cuts if way.name == MEMORY]
    spent = []
    for case in cases:
        if case.meta["kind"] in task.kinds:
            state = memory_of(asking.cuts[ways[0]].clone().flow.sequences[0])
            start = time.perf_counter()
            state.by_words(case.question)
            spent.append(1000 * (time.perf_counter() - start))
    return {
        "values": len(asking.encoded.values),
        "tokens": len(asking.encoded.ids),
        "full_bytes": asking.snapshot.pair_bytes(),
        "host_bytes": {str(way): _host_bytes(asking, way) for way in asking.cuts},
        "ask_ms": [statistics.median(spent), max(spent)],
        "free": {str(way): asking.brought(way, task.free) for way in ways},
        "prefill_seconds": seconds,
    }


def _host_bytes(asking: Asking, way: Way) -> int:
    """Rows that wait on the host: those of a memory, or all that is not held."""
    cache = asking.cuts[way]
    if way.name == REPAIR:
        return asking.snapshot.pair_bytes() - cache.pair_bytes()
    return 0 if cache.memory is None else cache.memory.num_bytes


def answered(chosen: Sequence[Way], trial: int, first: int, reading: Read) -> Row:
    """Questions from ``first`` on under all ways, with their kinds. ``cells``: marks, and values
    found in answers."""
    cases, asking, _ = reading(trial)
    some = cases[first : first + PART]
    cells: dict[str, list[Any]] = {str(way): ["", []] for way in chosen}
    for case in some:
        for way, mark, hits in asking.asking(case).ask(chosen):
            cell = cells[str(way)]
            cell[0] += mark
            cell[1].append(hits)
    return {"kinds": [case.meta["kind"] for case in some], "cells": cells}


class Cell(NamedTuple):
    """What a way did with the questions of a kind. ``found``: values in answers, of ``asked``."""

    marks: str
    found: int
    asked: int

    @property
    def exact(self) -> int:
        """Answers that are the value and nothing else."""
        return count(self.marks, RIGHT)

    @property
    def wrapped(self) -> int:
        """And those in quotes, or with a full stop."""
        return count(self.marks, WRAPPED)

    @property
    def kept(self) -> int:
        """Questions that met all of their values whole."""
        return count(self.marks, KEPT)


def cell(rows: Sequence[Row], name: str, kinds: Sequence[str]) -> Cell:
    """A way's questions of some kinds, over all contexts."""
    marks, hits, asked = "", 0, 0
    for row in rows:
        own_marks, own_found = row["cells"].get(name, ["", []])
        for letter, number, kind in zip(own_marks, own_found, row["kinds"]):
            if kind in kinds:
                marks += letter
                hits += number
                asked += TOGETHER if kind == FOUR else 1
    return Cell(marks, hits, asked)


TASKS = {
    "recall": Task(
        generated,
        questions=lambda context, trial: (number := shape(context)[0]) + -(-number // 10),
        contexts=(1, 2, 2),
        kinds=KINDS,
        budgets=BUDGETS,
        ways=WAYS,
        free=TEXTS.free,
    ),
    "recall-texts": Task(
        written,
        questions=lambda context, trial: len(written(context, trial)),
        contexts=(1, 3, 3),
        kinds=(DIRECT, SIMILAR, PARAPHRASE),
        budgets=(200,),  # a tenth of the text
        ways=FEW,
        free=[text for name in LOCKED for text in free_of_texts(name)],
    ),
    "recall-tools": Task(
        partial(generated, tell=called),
        questions=lambda context, trial: -(-shape(context)[0] // 5),
        contexts=(1, 2, 2),
        kinds=(FOUR,),
        budgets=BUDGETS,
        ways=FEW,
        free=TEXTS.free,
    ),
}


if __name__ == "__main__":
    main("recall", "recall-texts", "recall-tools")
