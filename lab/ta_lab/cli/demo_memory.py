"""``ta demo --memory``: forty values stated, a small cache, and any of them asked for by name."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rich.console import Console

from transactional_attention.config import DEFAULT_METHOD, Ledger, Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.copies import copy_of

from ..cases.cases import Case
from ..cases.runner import CaseRunner, outcome_of
from ..generators.placing import Asked, Setting, Statement, Told, make_cases
from ..generators.recalled import TEXTS
from ..generators.statements import CONFUSERS, fresh

VALUES, CONTEXT, BUDGET = 40, 4096, 128
LABELS = (*(label for label, _ in TEXTS.direct), *CONFUSERS.labels)


def _tell(rng: random.Random, setting: Setting) -> Told:
    """A code for each of ``VALUES`` labels, all over the text."""
    stated = []
    for place, label in enumerate(rng.sample(LABELS, VALUES)):
        value = fresh(rng, "code")
        text = rng.choice(TEXTS.statements).format(label=label, value=value)
        stated.append(Statement(text, value, label, (place + rng.random()) / VALUES))
    return stated, [Asked("\n\nWhat is the {label}?", stated[0].value)]


def demo_memory(
    model: Any, tokenizer: Any, budget: int, ledger: Ledger, seed: int, console: Console
) -> Iterator[dict[str, Any]]:
    """Read the text, cut it to K, and answer what is typed, or comes by standard input. A row an
    answer, without text of a value."""
    setting = Setting(CONTEXT, 0.5, seed, "pydoc")
    (case,) = make_cases("recalled", _tell, tokenizer, setting)
    runner = CaseRunner(model, tokenizer, case, "hidden")
    cache = runner.compress(Retention(budget, DEFAULT_METHOD, ledger=ledger, memory=True))
    held = sum(outcome_of(cache.flow, runner.encoded, 0).whole)
    assert cache.memory is not None
    size, full = cache.memory.num_bytes, runner.snapshot.pair_bytes()
    labels = {value.label: case.context[value.start : value.end] for value in case.values}
    console.print(
        f"\nA transcript of {len(runner.encoded.ids):,} tokens states {VALUES} values. It is cut "
        f"to K={budget}: {held} of them are held, the whole text waits on the host, in "
        f"{size / full:.1%} of the full cache's bytes.\n"
        "Ask for any of them, an empty line ends:\n\n" + ", ".join(sorted(labels)) + "\n"
    )
    for asked in _typed(console):
        yield _answered(runner, cache, asked, labels, console)


def _typed(console: Console) -> Iterator[str]:
    """Lines until an empty one, with a prompt in a terminal."""
    while True:
        console.print("> ", end="")
        line = sys.stdin.buffer.readline().decode("utf-8", "replace").strip()
        if not line:
            console.print()
            return
        if not sys.stdin.isatty():
            console.print(line, markup=False)
        yield line


def _answered(
    runner: CaseRunner, cache: RetentionCache, asked: str, labels: dict[str, str], console: Console
) -> dict[str, Any]:
    """Ask a copy of the cache, and say what came back for it."""
    question = asked if asked.endswith("?") else f"What is the {asked}?"
    meant = [label for label in labels if label in question.lower()]
    value = labels[max(meant, key=len)] if meant else next(iter(labels.values()))
    own: Case = replace(runner.encoded.case, question=f"\n\n{question}", answer=value)
    asking, copy = runner.asking(own), copy_of(cache)
    text, ended = asking.answer(copy)
    back = copy.report().recalled
    right = asking.judged(text, ended).wrapped if meant else None
    mark = {True: "✓", False: "✗", None: "?"}[right]
    console.print(f"{mark} {text.strip()}", markup=False)
    tokens = sum(item.end - item.start for item in back)
    console.print(f"  came back: {len(back)} segments, {tokens} tokens\n", markup=False)
    return {"asked": meant, "recalled": len(back), "right": right}
