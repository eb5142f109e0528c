"""An experiment over generated cases: a name and what makes its blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cells import run_blocks
from .costs import Cost, cost_of
from .experiment import Context, Experiment, Record
from .plan import Block, with_controls
from .rendering import render


def case_experiment(
    name: str,
    table: str,
    summary: str,
    blocks: Callable[[Context], Sequence[Block]],
    render: Callable[[Record], str] = render,
) -> Experiment:
    """Runs the blocks with controls, and shows them beside the paper's figures of that name."""

    def planned(context: Context) -> Sequence[Block]:
        return with_controls(context, blocks(context))

    def run(context: Context) -> Record:
        return run_blocks(context, planned(context))

    def cost(context: Context) -> Cost:
        return cost_of(planned(context))

    return Experiment(name, table, summary, run, render, cost)
