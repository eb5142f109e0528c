"""What a method is: a name, and what it puts together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .allocation import Allocation
from .anchors import Detector
from .config import Retention
from .displacement import Place
from .scorers import Scorer


@dataclass(frozen=True)
class Method:
    """A named combination of detectors, scorer, mandatory tokens and allocation.

    ``scorer`` and ``allocation`` are made from the retention. ``detectors`` run on the text.
    ``sinks`` and ``recent`` (a number, or one that depends on the budget) are the method's own
    mandatory tokens; ``None`` takes the preset's. ``exact``: what layers and heads hold sums to K
    times their number; else the authors' split may exceed it. ``decode``: what gives way to a
    generated token under the strict ledger. ``newest``: the newest token never does. ``sponsors``:
    vouchers and spans; ``weighted``: vouchers times the anchor's share of attention.
    ``whole_prompt``: a prompt in chunks is refused. ``place``: moves what is sponsored elsewhere
    (control). ``twin``: made by ``ta+``.
    """

    name: str
    summary: str
    source: str
    scorer: Callable[[Retention], Scorer]
    detectors: tuple[str | Detector, ...] = ()
    shapes: bool = False
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
    place: Place | None = None
    twin: bool = False

    @property
    def observes(self) -> str:
        """What the scorer reads of a layer, in words, at the default budget."""
        return str(self.scorer(Retention()).observes)

    @property
    def saving(self) -> str:
        """Whether memory is freed: heads of one layer that differ are padded to the widest."""
        if self.unlimited:
            return "none"
        ragged = self.allocation is not None and self.allocation(Retention()).ragged
        return "masked" if ragged else "physical"

    def detectors_for(self, retention: Retention) -> tuple[str | Detector, ...]:
        """Detectors of a preset: the default one adds value shapes to those of the paper."""
        extra = ("shapes",) if self.shapes and retention.preset == "default" else ()
        return (*self.detectors, *extra)
