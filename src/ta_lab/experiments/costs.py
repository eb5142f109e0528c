"""What an experiment would run, counted from its plan before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .jobs import Job
from .plan import Block


class Cost(NamedTuple):
    """``cells`` of a table; ``answers`` that the model generates; ``prefills`` of whole contexts.

    ``texts``: cuts of a context without a model. ``steps``: single tokens that are fed beside
    those of answers. ``others``: measurements of other kinds.
    """

    cells: int = 0
    answers: int = 0
    prefills: int = 0
    texts: int = 0
    steps: int = 0
    others: int = 0

    def plus(self, other: Cost) -> Cost:
        """Both of them."""
        return Cost(*(a + b for a, b in zip(self, other, strict=True)))


def total(costs: Iterable[Cost]) -> Cost:
    """All of them."""
    found = Cost()
    for cost in costs:
        found = found.plus(cost)
    return found


def cost_of(blocks: Iterable[Block]) -> Cost:
    """Cells, and what their contexts ask for: hidden questions share the prefill of a context."""
    return total(map(_of_block, blocks))


def _of_block(block: Block) -> Cost:
    cells, cuts = len(block.arms), block.contexts * len(block.arms)
    if not block.answered:
        return Cost(cells, texts=cuts)
    prefills = block.contexts * (1 if block.protocol == "hidden" else block.questions)
    return Cost(cells, cuts * block.questions, prefills)


def cost_of_parts(jobs: Sequence[Job], blocks: Iterable[Block] = ()) -> Cost:
    """Those of the blocks, and a measurement a job."""
    return cost_of(blocks).plus(Cost(others=len(jobs)))
