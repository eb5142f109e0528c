"""Table 9 and the four-value agent: several values of one context, each and all, K=96."""

from __future__ import annotations

from ..generators.multislot import SIZES
from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases


def blocks(context: Context) -> list[Block]:
    """Three and four values; the paper's TA is Regex with an allowlist (its variant table)."""
    budgets = context.pick((96,), (96,), (64, 96, 128))
    chosen = (
        FULL,
        *arms(("oracle", "tova", "h2o"), budgets),
        *as_printed(("ta-fast-regex",), budgets, allow=True),
        *arms(("ta",), budgets),
    )
    trials = contexts(context, 2, 10, 200)
    return [
        Block(
            f"{size} values",
            task_cases(context, "multislot", size),
            trials,
            chosen,
            slots=True,
            questions=int(size),
        )
        for size in SIZES
    ]


EXPERIMENT = case_experiment(
    "multislot", "Table 9", "three and four values of one context, each and all", blocks
)
