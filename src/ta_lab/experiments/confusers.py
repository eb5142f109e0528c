"""Tables 7 and 8: other values that are stated like the one asked for, over a grid of K."""

from __future__ import annotations

from ..generators.confusers import COUNTS
from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

PAPER = ("ta-learnrank", "ta-fast-regex", "ta-fast-semantic", "ta-learned")
FULL_TA = ("ta-full", "ta-full-weighted")


def blocks(context: Context) -> list[Block]:
    """One block a number of confusers; the paper names no K, so every one is run."""
    budgets = context.pick((32,), (16, 64, 256), (16, 32, 64, 128, 256))
    chosen = (
        FULL,
        *arms(("oracle", "tova"), budgets),
        *as_printed(PAPER, budgets),
        *as_printed(FULL_TA, budgets),
        *arms(("ta",), budgets),
    )
    numbers = context.pick(("5",), ("1", "5", "10"), COUNTS)
    trials = contexts(context, 3, 10, 200)
    return [
        Block(f"{number} confusers", task_cases(context, "confusers", number), trials, chosen)
        for number in numbers
    ]


EXPERIMENT = case_experiment(
    "confusers", "Tables 7 and 8", "1 to 10 other values stated like the one asked for", blocks
)
