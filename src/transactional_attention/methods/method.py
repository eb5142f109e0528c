"""What a method is: a name and the parts that it combines; and what methods must know of a
model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
    """What methods must know of a model: the number of managed layers and of their kv heads, and
    how to read text with it."""

    layers: int
    kv_heads: int
    reader: Reader | None = None


@dataclass(frozen=True)
class Precision:
    """Held tokens and the newest ones stay in full precision; everything else is stored as
    ``format``.

    Both formats take one byte per number and one scale per token and kv head. A method that keeps
    more in full precision overrides ``shares``, and ``weigh`` if layers differ.
    """

    format: Format = "int8"

    def weigh(self, seen: Seen) -> Tensor | None:
        """What a layer asks for, [row]; measured with the scores after a prompt's attention."""
        return None

    def shares(self, budgets: Ints, weights: Floats | None) -> Ints:
        """Least number of pairs in full precision, [table, row or 1].

        ``budgets`` [table]: K of each. ``weights`` [layer, row]: what ``weigh`` gave.
        """
        return np.zeros((len(budgets), 1), np.int64)


@dataclass(frozen=True)
class Method:
    """A named combination of detectors, scorer, mandatory tokens and allocation.

    ``scorer`` and ``allocation`` make theirs from the retention. ``detectors`` run on the text;
    under the paper preset ``paper_detectors``, if given. ``finds_values``: it sponsors values by
    itself, so ``ta+NAME`` is the method itself.

    ``sinks``, ``recent``: the method's own mandatory tokens, a number or a function of the
    retention; None takes the preset's. ``unlimited``: nothing is evicted.

    ``decode``: what gives way to a generated token under the strict ledger, in words. ``newest``:
    the newest token never gives way. ``exact``: what layers and heads hold sums to K times their
    number; otherwise the authors' split may exceed it. ``whole_prompt``: prompts in chunks are
    refused.

    ``sponsors``: vouchers and spans are used. ``weighted``: vouchers are multiplied by the anchor's
    share of attention. ``displace``: moves what is sponsored elsewhere (control). ``precision``:
    what is stored in low precision. ``ends_turns``: when a turn ends, a judge decides what may go.
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
    twin: bool = False

    @property
    def observes(self) -> str:
        """What the scorer reads of a layer, in words, at the default budget."""
        return str(self.scorer(Retention()).observes)

    @property
    def passes(self) -> bool:
        """Whether it scores by forwards of its own over a whole prompt."""
        return self.scorer(Retention()).observes.passes

    @property
    def reads_model(self) -> bool:
        """Whether a detector reads a model, so that a tokenizer alone is not enough."""
        return any(map(reads_model, self.detectors))

    @property
    def runs_model(self) -> bool:
        """Whether what it keeps is known only after the model has read the context."""
        reads_layers = self.scorer(Retention()).observes or self.allocation is not None
        return bool(reads_layers) or self.ends_turns

    @property
    def trained(self) -> bool:
        """Whether a detector needs weights trained for the model."""
        return any(reads_model(d) and d.trained for d in self.detectors)

    @property
    def saving(self) -> str:
        """Whether memory is freed. "masked": heads of a layer that differ are padded to the
        widest."""
        if self.unlimited:
            return "none"
        ragged = self.allocation is not None and self.allocation(Retention()).ragged
        return "masked" if ragged else "physical"

    def precision_for(self, retention: Retention) -> Precision | None:
        """How what is kept is stored; None if all of it is in full precision.

        ``Retention.storage`` sets the format, also for a method that has a rule of its own.
        """
        rule, form = self.precision and self.precision(retention), retention.storage
        if form is None:
            return rule
        return Precision(form) if rule is None else replace(rule, format=form)

    @property
    def protects(self) -> bool:
        """Whether it finds values and sponsors them."""
        return self.sponsors and bool(self.detectors)

    def detectors_for(
        self, retention: Retention, shape: Shape | None = None
    ) -> tuple[str | Detector, ...]:
        """Detectors under a preset, then the caller's patterns. Detectors that read a model are
        bound to the model of ``shape``, if any.

        Raises InputError: patterns, for a method that sponsors nothing.
        """
        reader = None if shape is None else shape.reader
        detectors = self.detectors
        if retention.preset == "paper" and self.paper_detectors is not None:
            detectors = self.paper_detectors
        if not retention.patterns:
            return bound(detectors, reader)
        if not self.detectors:
            raise InputError(
                f"patterns name values to sponsor, and method {self.name!r} sponsors none: "
                f"use ta, or ta+{self.name}"
            )
        return bound((*detectors, Patterns(retention.patterns)), reader)
