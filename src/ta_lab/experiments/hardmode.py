"""Table 11: similar anchors, paraphrased questions, an early needle, K=64."""

from __future__ import annotations

from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

EARLY = 0.1  # relative depth


def blocks(context: Context) -> list[Block]:
    """The three tests; the paper's TA is Learned (its variant table)."""
    budgets = (64,)
    chosen = (
        FULL,
        *arms(("oracle", "h2o", "streaming-llm"), budgets),
        *as_printed(("ta-learned", "ta-fast-semantic"), budgets),
        *arms(("ta",), budgets),
    )
    tests = {
        "similar": task_cases(context, "similar"),
        "paraphrased": task_cases(context, "paraphrased"),
        "early": task_cases(context, "needle", depths=(EARLY,)),
    }
    trials = contexts(context, 2, 20, 200)
    return [Block(name, make, trials, chosen, groups=("overall",)) for name, make in tests.items()]


EXPERIMENT = case_experiment(
    "hardmode", "Table 11", "similar anchors, paraphrased questions, an early needle", blocks
)
