"""What a method is, a name and what it puts together; and what methods must know of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..config import Format, Retention
from ..detection.detector import Detector
from ..detection.model_detectors import Reader, bound, reads_model
from ..detection.patterns import Patterns
from ..errors import InputError
from ..sponsorship.caller_ranges import Displacement
from ..types import Floats, Ints
from .allocation import Allocation
from .observation import Seen
from .scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Shape:
    """What methods must know of a model: managed layers, their kv heads, how to read with it."""

    layers: int
    kv_heads: int
    reader: Reader | None = None


@dataclass(frozen=True)
class Precision:
    """What must be held, and the newest tokens, stay in full precision; all else is ``format``.

    Both formats take one byte a number and one scale for each token of a kv head. A method that
    keeps more in full precision overrides ``shares``, and ``weigh`` where layers differ.
    """

    format: Format = "int8"

    def weigh(self, seen: Seen) -> Tensor | None:
        """What a layer asks for, [row], read with the scores after a prompt's attention."""
        return None

    def shares(self, budgets: Ints, weights: Floats | None) -> Ints:
        """Pairs in full precision at least, [table, row or 1].

        ``budgets`` [table]: K of each; ``weights`` [layer, row]: what ``weigh`` gave.
        """
        return np.zeros((len(budgets), 1), np.int64)


@dataclass(frozen=True)
class Method:
    """A named combination of detectors, scorer, mandatory tokens and allocation.

    ``scorer`` and ``allocation`` are made from the retention. ``detectors`` run on the text; under
    the paper preset ``paper_detectors`` do, where they are given. ``finds_values``: it
    sponsors values by itself.
    ``sinks`` and ``recent`` (a number, or one that depends on the budget) are the method's own
    mandatory tokens; ``None`` takes the preset's. ``exact``: what layers and heads hold sums to K
    times their number; else the authors' split may exceed it. ``decode``: what gives way to a
    generated token under the strict ledger. ``newest``: the newest token never does. ``sponsors``:
    vouchers and spans; ``weighted``: vouchers times the anchor's share of attention.
    ``whole_prompt``: a prompt in chunks is refused. ``displace``: moves what is sponsored elsewhere
    (control). ``precision``: what of the kept is held in low precision. ``ends_turns``: a judge is
    asked what may go when a turn ends. ``buffer``: tokens that the authors let pile up above K
    while they read, before each cut. ``boundary``: a tenth of K is kept at each end too (control).
    ``twin``: made by ``ta+``.
    """

    name: str
    summary: str
    source: str
    scorer: Callable[[Retention], Scorer]
    detectors: tuple[str | Detector, ...] = ()
    finds_values: bool = False
    paper_detectors: tuple[str | Detector, ...] | None = None
    sinks: int | Callable[[Retention], int] | None = None
    recent: int | Callable[[Retention], int] | None = None
    unlimited: bool = False
    decode: str = "least utility"
    newest: bool = True
    allocation: Callable[[Retention], Allocation] | None = None
    exact: bool = True
    sponsors: bool = True
    weighted: bool = False
    whole_prompt: bool = False
    displace: Displacement | None = None
    precision: Callable[[Retention], Precision] | None = None
    ends_turns: bool = False
    buffer: int | None = None
    boundary: bool = False
    twin: bool = False

    @property
    def observes(self) -> str:
        """What the scorer reads of a layer, in words, at the default budget."""
        return str(self.scorer(Retention()).observes)

    @property
    def passes(self) -> bool:
        """Whether it scores by passes of its own, over a whole prompt."""
        return self.scorer(Retention()).observes.passes

    @property
    def reads_model(self) -> bool:
        """Whether a detector reads a model, so that a tokenizer alone does not serve it."""
        return any(map(reads_model, self.detectors))

    @property
    def runs_model(self) -> bool:
        """Whether what it keeps is known only when the model has read the context."""
        own = self.scorer(Retention()).observes or self.allocation is not None
        return bool(own) or self.ends_turns

    @property
    def trained(self) -> bool:
        """Whether a detector needs weights that were trained for the model."""
        return any(reads_model(d) and d.trained for d in self.detectors)

    @property
    def saving(self) -> str:
        """Whether memory is freed: heads of one layer that differ are padded to the widest."""
        if self.unlimited:
            return "none"
        ragged = self.allocation is not None and self.allocation(Retention()).ragged
        return "masked" if ragged else "physical"

    @property
    def protects(self) -> bool:
        """Whether it finds values and sponsors them."""
        return self.sponsors and bool(self.detectors)

    def detectors_for(
        self, retention: Retention, shape: Shape | None = None
    ) -> tuple[str | Detector, ...]:
        """Detectors of a preset: the default one adds value shapes to those of the paper.

        Those that read a model are bound to that of ``shape``, if there is one; the caller's
        patterns speak last. InputError: patterns, for a method that sponsors nothing.
        """
        reader = None if shape is None else shape.reader
        own = self.detectors
        if retention.preset == "paper":
            own = own if self.paper_detectors is None else self.paper_detectors
        elif self.finds_values and "values" not in own:
            own = (*own, "shapes")
        if not retention.patterns:
            return bound(own, reader)
        if not self.detectors:
            raise InputError(
                f"patterns name values to sponsor, and method {self.name!r} sponsors none: "
                f"use ta, or ta+{self.name}"
            )
        return bound((*own, Patterns(retention.patterns)), reader)
