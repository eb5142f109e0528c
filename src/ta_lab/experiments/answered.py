"""Kept is not yet answered: what must be held beside a value so that a model says it and no more.

Not in the paper. The ledger is on-top, so that questions of any length leave the context its K.
All arms of a context are cut from one prefill, so that rows are paired."""

from __future__ import annotations

from ..generators.statements import SHORT
from .ablation import Titled, variants
from .experiment import Context
from .plan import FULL, Block, arms, contexts, task_cases

BUDGETS = (16, 32, 64, 256)
FORMS = {
    "needle": ("needle", ""),
    "json": ("formats", f"json{SHORT}"),
    "env": ("formats", f"env{SHORT}"),
    "prose": ("unstructured", SHORT),
}
"""Eight characters in each, as in the paper: at 16 tokens no longer value fits."""


def blocks(context: Context) -> list[Block]:
    """Four forms of one value, and a shorter context."""
    tokens = context.pick(1024, 4096, 4096)
    alone = (FULL, *arms(("oracle", "streaming-llm", "ta"), BUDGETS, ledger="on-top"))
    number = contexts(context, 1, 12, 50)
    both = (one for k in (32, 64) for one in variants("held", k, ledger="on-top"))
    held = sorted(both, key=lambda one: one.title == "4 sinks")  # those last, as records have them
    found: list[Block] = [
        Titled(name, task_cases(context, task, variant, tokens=tokens), number, (*alone, *held))
        for name, (task, variant) in FORMS.items()
    ]
    if context.size != "quick":
        shorter = task_cases(context, "needle", tokens=1024)
        found.append(Titled("needle in 1,024 tokens", shorter, number, alone))
    return found
