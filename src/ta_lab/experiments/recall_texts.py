"""Values of texts that people wrote by hand, asked for one by one with questions of theirs.

Not in the paper. Texts and questions were written before recall was built (``data/recall``); the
locked ones are read here, all of them one after the other. What is done is what ``recall`` does."""

from __future__ import annotations

from ..collection.asked import PARAPHRASE, SIMILAR, cases_of_texts, free_of_texts
from ..generators.recalled import DIRECT
from .plan import SEEDS_APART
from .recall import KEEP, LINES, OFF, ON, OTHERS, TOLD, Task, experiment

LOCKED = "locked"
BUDGETS = (64, 200)  # the latter is a tenth of the text

TASK = Task(
    cases=lambda context, trial: cases_of_texts(LOCKED, context.seed * SEEDS_APART + trial),
    questions=lambda _: len(cases_of_texts(LOCKED, 0)),
    contexts=(1, 2, 2),
    kinds=(DIRECT, SIMILAR, PARAPHRASE),
    budgets=BUDGETS,
    ways=(OFF, ON, LINES, TOLD, KEEP, OTHERS[0]),
    free=free_of_texts(LOCKED),
)
EXPERIMENT = experiment("recall-texts", "the same of texts that people wrote by hand", TASK)
