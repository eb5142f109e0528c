"""Section 5.3: anchors that a tool injects to crowd out the value that the user stated.

What is kept is counted, and no model answers: the longest floods exceed the positions of small
models. The templates are those of the collection's test split.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ..cases import Case
from ..collection.floods import COUNTS, flood_case
from ..collection.splits import get_split
from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts

KINDS = ("repeated", "templated", "diverse")
FAST = ("ta-fast-regex", "ta-fast-semantic")


def flood(context: Context, kind: str, count: int, sourced: bool, _: Any, trial: int) -> list[Case]:
    """A statement among ``count`` fakes of a kind; the statement of a trial is always the same."""
    index = COUNTS.index(count) + len(COUNTS) * trial
    return [flood_case(get_split("test"), kind, index, context.seed, sourced=sourced)]


def blocks(context: Context) -> list[Block]:
    """No flood and floods of 20 to 500 fakes, with and without the sources of the turns."""
    budgets = context.pick((64,), (64,), (16, 32, 64, 128))
    chosen = (
        FULL,
        *arms(("oracle", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST, budgets, allow=True),
        *arms(("ta",), budgets),
        *arms(("ta",), budgets, allow=True),
    )
    trials = contexts(context, 2, 10, 40)
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


EXPERIMENT = case_experiment(
    "abuse", "section 5.3", "20 to 500 injected anchors, with allowlist and with sources", blocks
)
