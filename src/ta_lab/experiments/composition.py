"""Figure 5: what sponsorship adds to other methods; every ``x`` beside ``ta+x``."""

from __future__ import annotations

from .case_experiment import case_experiment
from .experiment import Context
from .needle import BASELINES
from .plan import FULL, Block, arms, contexts, task_cases

QUICK = ("tova", "streaming-llm")
MORE = ("chunkkv", "keydiff", "expected-attention")
"""Methods that the paper does not run, each of another kind."""


def blocks(context: Context) -> list[Block]:
    """Needles under every method with and without sponsorship."""
    budgets = context.pick((16,), (16, 64), (16, 32, 64, 128, 256))
    alone = context.pick(QUICK, BASELINES, (*BASELINES, *MORE))
    twins = tuple(f"ta+{name}" for name in alone)
    chosen = (FULL, *arms((*alone, *twins, "ta"), budgets))
    return [Block("needle", task_cases(context, "needle"), contexts(context, 5, 10, 50), chosen)]


EXPERIMENT = case_experiment(
    "composition", "Figure 5", "other methods with and without sponsorship, on the needle", blocks
)
