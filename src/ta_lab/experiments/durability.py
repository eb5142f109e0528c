"""How long a value is held: generated tokens and turns between its statement and the question.

The paper's vouchers lose a tenth at every decode step; method ``ta`` holds what it admitted until
something releases it. What is kept is counted without a model (``durability_text.py``), and the
model is asked (``durability_asked.py``), each up to 5,000 tokens. The printed span of six tokens
would cut the value at once, so it is 10 here.
"""

from __future__ import annotations

from dataclasses import replace

from .costs import Cost, total
from .durability_arms import BEYOND, FEW, MANAGED, SETTINGS, TEXT
from .durability_asked import after_generated, after_turns, past_positions
from .durability_part import Part
from .durability_table import CONTROLS_OF, render
from .durability_text import ASKED, SAID, over_generated, over_turns
from .experiment import Context, Experiment, Record, Row
from .jobs import Job, run_parts
from .plan import CONTROLS

GENERATED = ((0, 10, 50, 200), *[(0, 1, 5, 10, 20, 27, 50, 100, 200, 500, 1000, 2000, 5000)] * 2)
TURNS = ((0, 1, 5), *[(0, 1, 2, 5, 10, 20, 40, 70)] * 2)  # 70 turns are 5,000 tokens
ANSWERED = ((0, 20), (0, 10, 27, 100, 300), (0, 10, 27, 50, 100, 500, 2000))
FAR = (200, 1000, 5000)
ASKED_TURNS = ((1, 2), (1, 5, 20), (1, 5, 20, 70))
PAST = ((256,), (256,), (256, 1024))
LEAST = 3  # distances at which the controls are asked
SHORT = 2048  # tokens of a context that leaves room for 5,000 before the trained positions end


def parts_of(context: Context) -> list[Part]:
    """What is measured, by size."""
    pick, trials = context.pick, context.trials
    tokens = pick(512, 1024, 4096)
    short = min(tokens, SHORT)
    free, asked = trials or pick(1, 5, 20), trials or pick(1, 3, 20)
    far, turns = pick(0, 1, 20), trials or pick(1, 3, 20)  # minutes each
    parts = [
        Part("generated", over_generated, tokens, free, pick(*GENERATED), MANAGED),
        Part("turns", over_turns, tokens, free, pick(*TURNS), MANAGED),
        Part("answers", after_generated, tokens, asked, pick(*ANSWERED), SETTINGS, asked=True),
        Part("far", after_generated, short, far, (pick(*FAR),), FEW, asked=True),
        Part(
            "asked turns", after_turns, short, turns, pick(*ASKED_TURNS), SETTINGS,
            asked=True, each=ASKED + SAID,
        ),
        Part("past", past_positions, 0, far, pick(*PAST), BEYOND, asked=True),
    ]  # fmt: skip
    return parts if context.size == "quick" else [*parts, *map(_controls, parts)]


def _controls(part: Part) -> Part:
    """A part with the controls: where minutes pass, the oracle alone, as the others lose the value
    at once, and what is lost does not come back."""
    few = part.settings in (FEW, BEYOND)
    settings = ("oracle",) if few else CONTROLS if part.asked else TEXT
    gaps = part.gaps if few or not part.asked else part.gaps[:LEAST]
    return replace(part, name=CONTROLS_OF.format(part.name), settings=settings, gaps=gaps)


def cost(context: Context) -> Cost:
    """Every setting at every gap; what is fed before a question counts token by token."""
    return total(map(_cost, parts_of(context)))


def _cost(part: Part) -> Cost:
    cells = len(part.settings) * len(part.gaps)
    asked = part.trials * cells
    if not part.asked:
        return Cost(texts=asked)
    fed = part.trials * part.each * sum(part.gaps)
    alone = not part.tokens  # past the trained positions every setting reads for itself
    return Cost(
        cells, asked, asked if alone else part.trials,
        steps=fed * (len(part.settings) if alone else 1),
    )  # fmt: skip


def run(context: Context) -> Record:
    """A row a trial and part, every setting over the same contexts."""
    jobs = [
        _job(context, part, trial) for part in parts_of(context) for trial in range(part.trials)
    ]
    return {"rows": run_parts(context, jobs)}


def _job(context: Context, part: Part, trial: int) -> Job:
    def measured() -> Row:
        return {"cells": list(part.measure(context, part, trial))}

    key = {"part": part.name, "trial": trial, "tokens": part.tokens}
    return Job(key | {"protocol": "hidden", "ledger": "strict"}, measured)


EXPERIMENT = Experiment(
    "durability", "section 3.1, algorithm 1", "values held over generated tokens and turns",
    run, render, cost,
)  # fmt: skip
