"""Who does the work of an experiment: this process, or others (``ray_executor.py``).

An experiment is a plan of units and a driver that adds their results to rows and saves them. A
unit is plain data and a name that is the same in every process, so that another process can make
the plan again and run it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .plan import Arm

Key = tuple[str, int, int]  # "block", which, context; or "job", which, 0


@dataclass(frozen=True)
class Unit:
    """One context of a block under ``arms``, or one measurement, which has none.

    ``run(arms)``: its result. ``rows``: what names the rows that it is part of, one an arm, or that
    of the measurement. ``timed``: what it measures is time or memory, so that nothing else may run
    beside it.
    """

    key: Key
    run: Callable[[tuple[Arm, ...]], Any]
    rows: tuple[dict[str, Any], ...]
    arms: tuple[Arm, ...] = ()
    timed: bool = False

    def parts(self) -> Iterator[Unit]:
        """The unit once for each of its rows."""
        if not self.arms:
            yield self
        for arm, row in zip(self.arms, self.rows if self.arms else (), strict=True):
            yield replace(self, arms=(arm,), rows=(row,))

    def result(self) -> Any:
        """What this process finds."""
        return self.run(self.arms)


class Executor(Protocol):
    """``results``: every unit with its result, in the order of the units.

    Units are taken one by one, as late as the executor can: what they are may depend on the
    results before them.
    """

    def results(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Any]]:
        """Runs the units."""
        ...


class Local:
    """Units one after another, in this process."""

    def results(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Any]]:
        """Each unit is taken when the result before it has been used."""
        for unit in units:
            yield unit, unit.result()


@dataclass
class Planning:
    """Runs nothing: ``units`` are those that there would be."""

    units: dict[Key, Unit] = field(default_factory=dict)

    def results(self, units: Iterable[Unit]) -> Iterator[tuple[Unit, Any]]:
        """Notes all, gives none."""
        self.units |= {unit.key: unit for unit in units}
        return iter(())
