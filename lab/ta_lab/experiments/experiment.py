"""What an experiment of ``ta reproduce`` is and what it is given."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import InputError
from transactional_attention.inspection.provenance import revision
from transactional_attention.methods.method import Shape
from transactional_attention.models.embedded import SHIPPED

if TYPE_CHECKING:
    from .plan import Block


Row = dict[str, Any]
Record = dict[str, Any]
Size = Literal["quick", "default", "full"]
NARROWING = ("only", "budgets", "tokens")
"""Options that change what an experiment runs."""


@dataclass
class Context:
    """What a run is given.

    ``load``: makes the model and its tokenizer; called once, and only by experiments that need it.
    ``model``: its name, without a path. ``size``: how many trials and cells. ``trials``: overrides
    the number of the size. ``rows``: those of an interrupted run with the same arguments.
    ``tokenizers``: others by name, loaded when they are called. ``data``: a file or folder of the
    experiment's own input. ``records``: the folder of other experiments' records.
    ``save(rows)`` is called whenever there are new ones,
    ``progress(done, total)`` in units of the experiment. ``only``: methods or ways, ``budgets``:
    their K; all where empty (``takes``). ``tokens``: of every context, in place of the size's."""

    load: Callable[[], tuple[Any, Any]]
    model: str = "embedded"
    seed: int = 0
    size: Size = "default"
    trials: int | None = None
    only: tuple[str, ...] = ()
    budgets: tuple[int, ...] = ()
    tokens: int | None = None
    filler: str = "pydoc"
    rows: list[Row] = field(default_factory=list)
    tokenizers: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    data: Path | None = None
    records: Path | None = None
    save: Callable[[list[Row]], None] = lambda rows: None
    progress: Callable[[float, float], None] = lambda done, total: None

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

    @property
    def narrowing(self) -> Row:
        """What takes a part of an experiment, or other lengths, by option."""
        options = {"only": list(self.only), "budgets": list(self.budgets), "tokens": self.tokens}
        return {name: value for name, value in options.items() if value}

    @property
    def siblings(self) -> list[str]:
        """Shipped models that spell otherwise than the one at hand, where that one ships too."""
        return [name for name in SHIPPED if self.model in SHIPPED and name != self.model]

    def takes(self, name: str, budget: int | None) -> bool:
        """Whether a method at a K is asked for; the full cache, which has none, always is."""
        named = not self.only or name in self.only
        return budget is None or (named and (not self.budgets or budget in self.budgets))

    def pick(self, quick: Any, default: Any, full: Any) -> Any:
        """The one of three that belongs to the size."""
        return {"quick": quick, "default": default, "full": full}[self.size]

    def number(self, quick: int, default: int, full: int) -> int:
        """Contexts: those that were asked for, otherwise the number of the size."""
        return self.trials or int(self.pick(quick, default, full))


def read_record(path: Path, name: str) -> Record | None:
    """The record of an experiment; None for a file that is none of it, or cannot be read."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    match = isinstance(record, dict) and record.get("experiment") == name
    return record if match and isinstance(record.get("rows"), list) else None


def part_of(record: Record, name: str) -> list[Row]:
    """Rows of a part of a record."""
    return [row for row in record["rows"] if row.get("part") == name]


@dataclass(frozen=True)
class Experiment:
    """Something of the paper, measured.

    ``place``: where the paper has it. ``run(context)`` returns ``{"rows": [...]}`` and whatever
    else belongs in the record; the command adds name, provenance and checksum. ``tables(record)``:
    the paper's figures, ours, n and intervals in Markdown, from a record alone and without a model.
    ``blocks(context)``: its cells, of an experiment over cases. ``options``: which of ``NARROWING``
    change what it runs."""

    name: str
    place: str
    summary: str
    run: Callable[[Context], Record]
    tables: Callable[[Record], str]
    options: tuple[str, ...] = ()
    blocks: Callable[[Context], Sequence[Block]] | None = None


def elsewhere(what: str) -> Callable[[Context], Record]:
    """The run of an experiment of which records alone are left; ``what`` measures it now."""

    def run(context: Context) -> Record:
        raise InputError(f"this is measured by {what}; records of earlier runs keep their tables")

    return run


def main(*names: str) -> None:
    """Run what a script's command line names of its experiments, or all of them, as ``ta
    reproduce`` does and with its options."""
    from transactional_attention.cli import main as ta  # noqa: PLC0415  (of scripts alone)

    named = not {*names}.isdisjoint(sys.argv[1:])
    sys.argv[1:1] = ["reproduce", *(() if named else names)]
    ta()
