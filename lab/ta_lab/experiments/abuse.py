"""Section 5.3: anchors that a tool injects to crowd out the value that the user stated.

What is kept is counted, and no model answers: the longest floods exceed the positions of small
models. The templates are those of the collection's test split. Every number of fakes meets every
statement in turn, and an allowlist permits the label that a method reads in the text, or the rule
that finds the value where it reads none."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.detection.label_words import content_words
from transactional_attention.detection.scanner import Scanner
from transactional_attention.methods.registry import get_method

from ..cases.cases import Case
from ..collection.floods import COUNTS, flood_case
from ..collection.splits import Split, get_split
from .experiment import Context
from .plan import FULL, LABELS, Block, arms, as_printed

SPLIT = "test"
KINDS = ("repeated", "templated", "diverse")
FAST, OURS = ("ta-fast-regex", "ta-fast-semantic"), "ta"


def flood(context: Context, kind: str, count: int, sourced: bool, _: Any, trial: int) -> list[Case]:
    """A statement among ``count`` fakes of a kind, the next statement in the next trial.

    A trial has the same statement for every kind, with sources or without. Two rounds of trials
    meet each statement with fakes that spoof its label and with others."""
    split = get_split(SPLIT)
    size = len(split.flood_facts)
    of_count = itertools.count(COUNTS.index(count), len(COUNTS))  # ``flood_case`` has so many fakes
    spoofing = (i for i in of_count if (i // size + trial // size) % 2 == 0)
    index = next(itertools.islice(spoofing, trial, None))
    split = _from(split, (trial - index) % size)
    case = flood_case(split, kind, index, context.seed, sourced=sourced)
    alone = flood_case(split, "none", index, context.seed, sourced=sourced)
    labels = {name: _permits(alone, name) for name in (*FAST, OURS)}  # without a flood
    return [replace(case, meta={**case.meta, LABELS: labels})]


def _from(split: Split, first: int) -> Split:
    """The split with its statements, and the fakes that spoof them, counted from another one."""
    size = len(split.flood_facts)
    order = [(first + i) % size for i in range(size)]
    fakes = [*order, *range(size, len(split.flood_fakes))]
    return replace(
        split,
        flood_facts=[split.flood_facts[i] for i in order],
        flood_fakes=[split.flood_fakes[i] for i in fakes],
    )


def _permits(case: Case, method: str) -> tuple[str, ...]:
    """The labels that a method reads, in the words of the text; without any its surest rule."""
    detectors = get_method(method).detectors_for(Retention(method=method))
    found = [
        anchor
        for anchor in Scanner(detectors).feed(case.context, final=True)
        if any(v.start < anchor.value.end and anchor.value.start < v.end for v in case.critical)
    ]
    texts = (case.context[anchor.label.start : anchor.label.end] for anchor in found)
    labels = dict.fromkeys(filter(None, map(content_words, texts)))
    surest = sorted(found, key=lambda anchor: -anchor.confidence)[:1]
    return tuple(labels) or tuple(anchor.rule for anchor in surest)


def blocks(context: Context) -> list[Block]:
    """No flood and floods of 20 to 500 fakes, with and without the sources of the turns."""
    budgets = context.pick((64,), (64,), (16, 32, 64, 128))
    chosen = (
        FULL,
        *arms(("oracle", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST, budgets, allow=True),
        *arms((OURS,), budgets),
        *arms((OURS,), budgets, allow=True),
    )
    both = 2 * len(get_split(SPLIT).flood_facts)
    trials = context.trials or context.pick(2, both, 4 * both)
    counts = context.pick((20, 500), COUNTS, COUNTS)
    found = []
    for sourced in (False, True):
        known = ", sources known" if sourced else ""
        make = partial(flood, context, "none", counts[0], sourced)
        found.append(Block(f"0 fakes{known}", make, trials, chosen, answered=False))
        for kind in context.pick(KINDS[1:2], KINDS, KINDS):
            for count in counts:
                make = partial(flood, context, kind, count, sourced)
                name, groups = f"{count} {kind}{known}", (f"all floods{known}",)
                found.append(Block(name, make, trials, chosen, groups=groups, answered=False))
    return found
