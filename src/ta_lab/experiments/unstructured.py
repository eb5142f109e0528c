"""Section 7: values that no label announces ("Remember this number")."""

from __future__ import annotations

from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

PAPER = ("ta-fast-regex", "ta-fast-semantic")
LEARNED = ("ta-learned", "ta-fast-embedding")


def blocks(context: Context) -> list[Block]:
    """Sentences without a label, and beside them labelled ones asked for in other words.

    The paper names neither K nor the variant, so every one is run.
    """
    budgets = context.pick((32,), (16, 64), (16, 32, 64, 128))
    printed = PAPER if context.size == "quick" else (*PAPER, *LEARNED)
    chosen = (
        FULL,
        *arms(("oracle", "tova", "streaming-llm"), budgets),
        *as_printed(printed, budgets),
        *arms(("ta",), budgets),
    )
    tokens, trials = context.pick(1024, 4096, 4096), contexts(context, 2, 10, 200)
    return [
        Block(task, task_cases(context, task, tokens=tokens), trials, chosen)
        for task in context.pick(("unstructured",), *[("unstructured", "paraphrased")] * 2)
    ]


EXPERIMENT = case_experiment(
    "unstructured", "section 7", "values that no label announces, and questions in other words",
    blocks,
)  # fmt: skip
