"""Values of texts that people wrote by hand, asked for one by one with questions of theirs.

Not in the paper. The locked texts of ``data/recall`` are read here, a file after the other: 12 that
were written before recall was built, with their questions, and twice 14 by others who had not seen
it. What is done is what ``recall`` does."""

from __future__ import annotations

from functools import partial

from ..cases.cases import Case
from ..collection.asked import PARAPHRASE, SIMILAR, cases_of_texts, free_of_texts
from ..generators.recalled import DIRECT
from .experiment import Context
from .plan import SEEDS_APART
from .recall import FEW, Task, render_task, run_task

LOCKED = ("locked", "locked-second", "locked-third")
BUDGETS = (64, 200)  # the latter is a tenth of the text


def cases(context: Context, trial: int) -> list[Case]:
    """The questions of a file, which takes its turn."""
    return cases_of_texts(LOCKED[trial % len(LOCKED)], context.seed * SEEDS_APART + trial)


TASK = Task(
    cases=cases,
    questions=lambda context, trial: len(cases(context, trial)),
    contexts=(1, 3, 3),
    kinds=(DIRECT, SIMILAR, PARAPHRASE),
    budgets=BUDGETS,
    ways=FEW,
    free=[text for name in LOCKED for text in free_of_texts(name)],
)
run, render = partial(run_task, TASK), partial(render_task, TASK)
