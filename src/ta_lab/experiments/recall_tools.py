"""Tool calls with four arguments, values that left the cache: each comes back as its slot opens.

Not in the paper. The texts are those of ``recall``; the user's turn says what to do and gives the
tool's schema, whose names of arguments are the values' labels. An argument counts when the call
has it with its value, so what is asked for by the schema and what the call itself opens both
count."""

from __future__ import annotations

from functools import partial

from ..generators.recalled import FOUR, TEXTS, called
from .recall import BUDGETS, FEW, Task, generated, render_task, run_task, shape

TASK = Task(
    cases=partial(generated, tell=called),
    questions=lambda context, trial: -(-shape(context)[0] // 5),
    contexts=(1, 2, 2),
    kinds=(FOUR,),
    budgets=BUDGETS,
    ways=FEW,
    free=TEXTS.free,
)
run, render = partial(run_task, TASK), partial(render_task, TASK)
