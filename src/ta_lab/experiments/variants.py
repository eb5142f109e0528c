"""Table 8 and section 5.4: variants of TA-Fast in English and other languages.

Its confusers are the experiment ``confusers``, its memory is ``scaling``.
"""

from __future__ import annotations

from .case_experiment import case_experiment
from .experiment import Context
from .plan import FULL, Block, arms, as_printed, contexts, task_cases

NAMED, OTHERS = ("es", "ja", "ko"), ("fr", "de", "zh", "ru")
"""The paper names Spanish, Japanese and Korean; the others are this project's choice."""
PAPER = ("ta-fast-regex", "ta-fast-semantic", "ta-fast-embedding", "ta-full")
ABROAD, EVERY, UNNAMED = "non-English", "all languages", "other languages"


def blocks(context: Context) -> list[Block]:
    """The paper's sentence in English, and statements of seven other languages."""
    budgets = context.pick((32,), (32,), (16, 32, 64))
    chosen = (
        FULL,
        *arms(("oracle", "tova"), budgets),
        *as_printed(PAPER, budgets),
        *arms(("ta",), budgets),
    )
    trials = contexts(context, 1, 5, 100)
    english = Block("en", task_cases(context, "needle"), trials, chosen, groups=(EVERY,))
    others = [
        Block(
            lang,
            task_cases(context, "languages", lang),
            trials,
            chosen,
            groups=(ABROAD, EVERY, *((UNNAMED,) if lang in OTHERS else ())),
        )
        for lang in (*NAMED, *OTHERS)
    ]
    return [english, *others]


EXPERIMENT = case_experiment(
    "variants", "Table 8", "variants of TA-Fast in English and seven other languages", blocks
)
