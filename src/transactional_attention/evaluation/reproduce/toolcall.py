"""Table 2: a credential is shared early and fills the slot of a function call, K=32."""

from __future__ import annotations

from ..tasks import toolcall
from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

FAST = ("ta-fast-semantic", "ta-fast-regex")


def blocks(context: Context) -> list[Block]:
    """Credentials of 12 and 32 characters; in a full run also in the tokenizer's chat form."""
    budgets = context.pick((32,), (32,), (32, 64))
    chosen = (
        FULL,
        *arms(("oracle", "tova", "streaming-llm"), budgets),
        *as_printed(FAST, budgets),
        *as_printed(FAST[:1], budgets, sponsored=False),
        *arms(("ta",), budgets),
        *arms(("tova", *FAST, "ta"), budgets, ledger="on-top"),
    )
    chat = bool(getattr(context.loaded[1], "chat_template", None)) and context.size == "full"
    variants = toolcall.VARIANTS + (toolcall.CHAT_VARIANTS if chat else ())
    number = contexts(context, 2, 10, 100)
    return [
        Block(
            title(variant),
            task_cases(context, "toolcall", variant),
            number,
            chosen,
            groups=("overall",) if variant in toolcall.VARIANTS else (),
        )
        for variant in variants
    ]


def title(variant: str) -> str:
    """A variant of the task in words."""
    length, _, form = variant.partition("-")
    return f"{length} characters" + (", chat form" if form else "")


EXPERIMENT = case_experiment(
    "toolcall", "Table 2", "a shared credential fills a call, several turns later", blocks
)
