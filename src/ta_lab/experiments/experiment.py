"""What an experiment of ``ta reproduce`` is, what it is given, who does its work, what it costs.

An experiment is a plan of units and a driver that adds their results to rows and saves them. A
unit is plain data and a name that is the same in every process, so that another process can make
the plan again and run it (``ray_executor.py``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import InputError
from transactional_attention.inspection.provenance import revision
from transactional_attention.methods.method import Shape

if TYPE_CHECKING:
    from .plan import Arm, Block
    from .running import Cost


Key = tuple[str, int, int]  # "block", which, context; or "job", which, 0


@dataclass(frozen=True)
class Unit:
    """One context of a block under ``arms``, or one measurement, which has none.

    ``run(arms)``: its result. ``rows``: what names the rows that it is part of, one an arm, or that
    of the measurement. ``timed``: what it measures is time or memory, so that nothing else may run
    beside it."""

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
    results before them."""

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


Row = dict[str, Any]
Record = dict[str, Any]
Size = Literal["quick", "default", "full"]


def _nothing(*_: Any) -> None:
    """A callback that nobody listens to."""


@dataclass
class Context:
    """What a run is given.

    ``load``: makes the model and its tokenizer; called once, and only by experiments that need it.
    ``model``: its name, without a path. ``size``: how many trials and cells. ``trials``: overrides
    the number of the size. ``rows``: those of an interrupted run with the same arguments.
    ``tokenizers``: others by name, loaded when they are called. ``data``: a file or folder of the
    experiment's own input. ``records``: the folder of other experiments' records.
    ``save(rows)`` is called whenever there are new ones,
    ``progress(done, total)`` in units of the experiment. ``executor``: who runs them."""

    load: Callable[[], tuple[Any, Any]]
    model: str = "embedded"
    seed: int = 0
    size: Size = "default"
    trials: int | None = None
    filler: str = "pydoc"
    rows: list[Row] = field(default_factory=list)
    tokenizers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    data: Path | None = None
    records: Path | None = None
    save: Callable[[list[Row]], None] = _nothing
    progress: Callable[[float, float], None] = _nothing
    executor: Executor = field(default_factory=Local)

    def __post_init__(self) -> None:
        if self.size not in ("quick", "default", "full"):
            raise InputError(f"size must be quick, default or full, got {self.size!r}")
        if self.trials is not None and self.trials < 1:
            raise InputError(f"trials must be at least 1, got {self.trials}")

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        """The model and its tokenizer."""
        return self.load()

    @cached_property
    def shape(self) -> Shape:
        """What reads text with the model."""
        return model_shape(*self.loaded)

    @cached_property
    def origin(self) -> Row:
        """Commit of the code that runs in this process."""
        return revision()

    def pick(self, quick: Any, default: Any, full: Any) -> Any:
        """The one of three that belongs to the size."""
        return {"quick": quick, "default": default, "full": full}[self.size]


@dataclass(frozen=True)
class Experiment:
    """A table of the paper, measured.

    ``table``: its place in the paper. ``run(context)`` returns ``{"rows": [...]}`` and whatever
    else belongs in the record; the command adds name, provenance and checksum. ``render(record)``
    gives Markdown, from a record alone and without a model. ``cost(context)`` counts what a run
    would do; None where that takes the experiment's own data or other records.
    ``blocks(context)``: its cells, of an experiment over cases alone."""

    name: str
    table: str
    summary: str
    run: Callable[[Context], Record]
    render: Callable[[Record], str]
    cost: Callable[[Context], Cost] | None = None
    blocks: Callable[[Context], Sequence[Block]] | None = None


def planned(experiment: Experiment, context: Context) -> Planning:
    """The units of an experiment, none of them run."""
    planning = Planning()
    experiment.run(replace(context, executor=planning, rows=[], save=_nothing, progress=_nothing))
    return planning
