"""What was asked of ``ta reproduce``, of all experiments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transactional_attention.cli.common import (
    writable,
    writable_later,
)
from transactional_attention.models import AUTO

from ..experiments import Context
from ..report import path_of
from .plainly import told_raw
from .sources import ModelSource, tokenizers_in


@dataclass(frozen=True)
class Run:
    """What was asked for. It travels to workers, so it is plain data.

    ``out``: the folder of records and report; ``json``: a file, or a folder for ``several``.
    ``again``: cells to measure anew. ``threads``: None leaves torch's choice.
    """

    load: ModelSource
    seed: int
    size: str
    trials: int | None
    filler: str
    tokenizers: Path | None
    data: Path | None
    out: Path | None
    json: Path | None
    several: bool
    again: tuple[str, ...]
    executor: str
    threads: int | None

    @property
    def model(self) -> str:
        """The name of the model, or its folder."""
        return self.load.model

    @property
    def on_gpu(self) -> bool:
        """Whether a unit of work needs a GPU."""
        return (self.load.device or "").startswith("cuda")

    def context(self, **own: Any) -> Context:
        """What an experiment is given; ``own``: what belongs to one of them."""
        return Context(
            self.load,
            model=Path(self.model).name,
            seed=self.seed,
            size=self.size,  # type: ignore[arg-type]
            trials=self.trials,
            filler=self.filler,
            tokenizers=tokenizers_in(self.tokenizers, raw=self.load.raw),
            data=self.data,
            **own,
        )

    @property
    def arguments(self) -> dict[str, Any]:
        """Those that decide the figures; a record is gone on with under the same ones alone."""
        given = {"size": self.size, "trials": self.trials, "filler": Path(self.filler).name}
        return given | told_raw(self.load.raw)

    def rerun(self) -> dict[str, str]:
        """Options beside the arguments; of a folder elsewhere just its name."""
        folders = {"tokenizers": self.tokenizers, "data": self.data}
        shown = {
            name: path.name if path.is_absolute() else path.as_posix()
            for name, path in folders.items()
            if path is not None
        }
        given = {"tokenizer": self.load.tokenizer, "device": self.load.device}
        given["dtype"] = None if self.load.dtype == AUTO else self.load.dtype
        named = {name: Path(value).name for name, value in given.items() if value}
        return {**named, **shown}

    def paths(self, name: str) -> list[Path]:
        """Where the record of an experiment is kept; folders are made when it is written.

        Raises:
            InputError: when a folder could not be made, or a file not written.
        """
        found = []
        if self.out is not None:
            found.append(path_of(self.out, name))
            writable_later(found[0])
        if self.json is not None:
            inside = self.several or self.json.is_dir()
            found.append(self.json / f"{name}.json" if inside else self.json)
            (writable_later if inside else writable)(found[-1])
        return found
