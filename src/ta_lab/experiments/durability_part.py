"""A part of ``durability``: the same contexts, settings and distances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .experiment import Context, Row


@dataclass(frozen=True)
class Part:
    """``measure(context, part, trial)``: the cells of a trial.

    ``tokens`` of a context; 0: as many as the model was trained for. ``gaps``: distances to the
    question, of ``each`` tokens. ``asked``: the model answers.
    """

    name: str
    measure: Callable[[Context, Part, int], Iterator[Row]]
    tokens: int
    trials: int
    gaps: tuple[int, ...]
    settings: tuple[str, ...]
    asked: bool = False
    each: int = 1
