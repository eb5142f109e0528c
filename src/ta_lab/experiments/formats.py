"""Table 10: values inside seven formats of machine-made text, K=32."""

from __future__ import annotations

from ..generators.formats import FORMATS
from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases


def blocks(context: Context) -> list[Block]:
    """One block a format."""
    budgets = context.pick((32,), (32,), (32, 64))
    chosen = (
        FULL,
        *arms(("oracle", "tova"), budgets),
        *as_printed(("ta-learned", "ta-fast-regex"), budgets),
        *arms(("ta",), budgets),
    )
    trials = contexts(context, 1, 10, 100)
    return [
        Block(name, task_cases(context, "formats", name), trials, chosen, groups=("all formats",))
        for name in FORMATS
    ]


EXPERIMENT = case_experiment(
    "formats", "Table 10", "values inside tool calls, headers, traces and settings", blocks
)
