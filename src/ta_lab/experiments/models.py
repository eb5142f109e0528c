"""Table 3: a credential under other tokenizers at K=16 and 24, and answers of the model at hand."""

from __future__ import annotations

from transactional_attention.models.embedded import SHIPPED

from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

BUDGETS = (16, 24)
FAST = ("ta-fast-regex", "ta-fast-semantic")
FAMILIES = {
    "llama-3": "llama3",
    "mistral-7b-v0.3": "mistral_v3",
    "mistral-7b-instruct-v0.3": "mistral_v3",
}
"""What the name of a model begins with, to the name that the paper's figures are found by."""


def blocks(context: Context) -> list[Block]:
    """The model with answers, its shipped sibling too, then every tokenizer of
    ``context.tokenizers`` without a model."""
    make = task_cases(context, "needle")
    text_only = (
        FULL,
        *arms(("oracle", "streaming-llm"), BUDGETS),
        *as_printed(FAST, BUDGETS),
        *as_printed(FAST[1:], BUDGETS, sponsored=False),
        *arms(("ta",), BUDGETS),
    )
    asked = (*text_only, *arms(("tova", "ta-full"), BUDGETS))
    kept = contexts(context, 5, 50, 200)
    answers = contexts(context, 5, 20, 50)
    return [
        Block(family_of(context.model), make, answers, asked),
        *(Block(name, make, answers, asked, model=name) for name in others(context)),
        *(
            Block(name, make, kept, text_only, answered=False, tokenizer=name)
            for name in context.tokenizers
        ),
    ]


def others(context: Context) -> list[str]:
    """The shipped models that spell otherwise than the one at hand, where that one ships too."""
    return [name for name in SHIPPED if context.model in SHIPPED and name != context.model]


def family_of(model: str) -> str:
    """The name of a model, or that of the tokenizer which the paper's figures are about."""
    known = (name for start, name in FAMILIES.items() if model.lower().startswith(start))
    return next(known, model)


EXPERIMENT = case_experiment(
    "models", "Table 3", "the needle at K=16 and 24 under the tokenizers of other models", blocks
)
