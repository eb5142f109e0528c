"""Observation to base utility, one file a method; a scorer never sees vouchers or the budget.

A scorer that reads a layer gives one number a token in ``measure``, with tensors, where the layer
is; the host gets just that. ``score`` then makes the utility of it, together with what the host
knows. Attention-free scorers have ``score`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...types import Bools, Floats, Ints
from ..observation import NOTHING, Observation, Seen

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TokenView:
    """What the host knows of the tokens; arrays are [lane, slot] or broadcast to it.

    A lane is a row of the batch, or one kv head of it for scorers that select per head. ``length``
    is the number of tokens seen. ``anchor``: the token announces a value (only told under the paper
    preset). ``frequency``: how often its id was read, over the count of the most frequent id, 0 to
    1; 0 for generated tokens. ``row`` distinguishes rows. ``observed``: what ``measure`` gave, None
    for attention-free scorers. Padding has position -1; its utility is not read.
    """

    positions: Ints
    length: Ints
    anchor: Bools
    frequency: Floats
    row: Ints
    observed: Floats | None = None


@dataclass(frozen=True)
class Scorer:
    """Base utility per token, larger is kept; override what differs.

    ``per_head``: every kv head keeps tokens of its own; otherwise one set a layer. ``window``: of
    how many last queries it reads the attention. ``prunes``: its pass leaves tokens out of some
    layers.
    """

    per_head = False
    window = 0
    prunes = False

    @property
    def observes(self) -> Observation:
        """What is read of a layer; its window unless overridden."""
        return Observation(queries=self.window) if self.window else NOTHING

    def measure(self, seen: Seen) -> Tensor:
        """One number a token, [row, kv_head, slot] when ``per_head``, otherwise [row, 1, slot]."""
        raise NotImplementedError(f"{type(self).__name__} observes nothing")

    def score(self, view: TokenView) -> Floats:
        """Utility with the shape of ``view.positions``: what was measured, unless overridden."""
        assert view.observed is not None
        return view.observed

    # What only some observations need; the engine's types are not known here.

    def gates_of(self, decoder: Any, folder: str) -> Any:
        """Gates of a model by the index of their layer, if ``observes.gates``; ``folder``: where it
        was loaded from."""
        raise NotImplementedError(f"{type(self).__name__} has no gates")

    def run_pass(self, source: Any, needed: frozenset[int]) -> Any:
        """Scores by forwards of its own, if ``observes.passes`` (engines/transformers/passes.py).

        ``source``: an unlimited cache of one row, which is not changed. ``needed``: tokens that a
        pass that prunes carries through every layer.
        """
        raise NotImplementedError(f"{type(self).__name__} has no pass")


__all__ = ["Observation", "Scorer", "Seen", "TokenView"]
