"""Table 1: the needle under seven methods and five budgets, both protocols, both ledgers."""

from __future__ import annotations

from .case_experiment import case_experiment
from .experiment import Context
from .needle_depths import render_with_depths
from .plan import CONTROLS, FULL, Arm, Block, arms, as_printed, contexts, task_cases

PAPER_BUDGETS = (16, 32, 64, 128, 256)
PRACTICE = (512, 1024, 2048)
BASELINES = ("tova", "h2o", "snapkv", "streaming-llm", "pyramidkv", "dynamickv")
TA_FAST = ("ta-fast-regex", "ta-fast-semantic")


def needle_arms(
    budgets: tuple[int, ...], *, controls: bool = True, few: bool = False
) -> tuple[Arm, ...]:
    """The full cache, the paper's methods, its ablation, ours; ``few``: what a quick run has."""
    baselines = ("tova", "streaming-llm") if few else BASELINES
    fast = TA_FAST[1:] if few else TA_FAST
    return (
        FULL,
        *(arms(CONTROLS, budgets) if controls else ()),
        *arms(baselines, budgets),
        *as_printed(fast, budgets),
        *as_printed(fast, budgets, sponsored=False),
        *arms(("ta",), budgets),
    )


def blocks(context: Context) -> list[Block]:
    """The main table; the on-top ledger and baselines with 4 sinks and the tail beside it; the
    question in the prompt.
    """
    make = task_cases(context, "needle")
    if context.size == "quick":
        few = needle_arms((16, 64), controls=False, few=True)
        return [Block("needle", make, contexts(context, 5, 5, 5), few)]
    budgets = PAPER_BUDGETS + context.pick((), (), PRACTICE)
    others = context.pick((), (16, 64), budgets)
    on_top = arms((*BASELINES, *TA_FAST, "ta"), others, ledger="on-top")
    protected = arms(BASELINES, others, tail=True)
    main = (*needle_arms(budgets), *on_top, *protected)
    shown = (*needle_arms(others, controls=False), *protected)
    more = context.pick((), (), budgets)
    shown += arms((*BASELINES, *TA_FAST, "ta"), more, ledger="on-top")
    main += arms(TA_FAST, more, ledger="on-top", preset="paper")
    number = contexts(context, 5, 20, 50)
    return [
        Block("needle", make, number, main),
        Block("needle", make, number, shown, protocol="visible"),
    ]


EXPERIMENT = case_experiment(
    "needle",
    "Table 1",
    "a credential in 4,096 tokens of filler, by method and K",
    blocks,
    render_with_depths,
)
