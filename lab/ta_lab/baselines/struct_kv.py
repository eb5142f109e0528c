"""StructKV (2604.06746): tokens that many layers attend to, and deep layers that see them alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transactional_attention.errors import InputError
from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

from .snap_kv import WINDOW

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class StructKV(Scorer):
    """S_j = sum over a layer's query heads of the mean attention of the last w queries to token j.

    Formulas are second-hand, from a note on the paper; there is no public code.

    Global centrality C_j = sum over the layers l <= L* of lambda^(L* - l) S_j^l. The pivot L* is
    the upper end of the steepest step between two layers, measured by 0.2 x less entropy + 0.3 x
    more mass in the top-k + 0.5 x more variance. Layers after L* compute on the top-k of C and the
    window alone: the other tokens do not go through them, and cannot be stored there. k is
    ``structural`` (R_struct) x the number of tokens. Then every layer stores the top-k of its own S
    and the window within K, one set for all heads; a deep layer at most what it holds.

    The note leaves open, and we take: entropy (nats) and mass of S divided by its sum, variance of
    S itself, none of them scaled; the k of the mass is that of C, window tokens counted; the top-k
    of C is outside the window. w = min(8, K/2) of the least budget. ``pivot`` fixes L*, from 0 on.

    The layers' S that choose L* and C are those of the ordinary prefill, which has to collect the
    last w queries; the pass then feeds the prompt once more, and stored tokens are chosen by the S
    of the pass. Under ``strict`` tokens that came after it score 0 and give way first, but for the
    newest w. One row is served at a time.
    """

    window: int = WINDOW
    decay: float = 0.9
    weights: tuple[float, float, float] = (0.2, 0.3, 0.5)
    structural: float = 0.2
    pivot: int | None = None
    prunes = True

    def __post_init__(self) -> None:
        if not 0 < self.structural <= 1:
            raise InputError(
                f"structural is a share of the tokens in (0, 1], got {self.structural}"
            )
        if self.pivot is not None and self.pivot < 0:
            raise InputError(f"pivot is a layer counted from 0, got {self.pivot}")

    @property
    def observes(self) -> Observation:
        """The last w queries of the prefill, and a pass that prunes deep layers."""
        return Observation(queries=self.window, passes=True)

    def run_pass(self, source: Any, needed: frozenset[int]) -> Any:
        """S [layer][row, 1, slot] of the tokens that each layer holds."""
        from .pruning import propagate

        return propagate(self, source, needed)

    def measure(self, seen: Seen) -> Tensor:
        """S [row, 1, slot] of one layer."""
        return seen.window(self.window).mean(2).sum(1, keepdim=True)

    def count(self, length: int) -> int:
        """Structural tokens of a prompt beside its window."""
        return max(1, round(length * self.structural))

    def pivot_of(self, scores: Tensor) -> int:
        """L* from S [layer, token]: layers after it are pruned. Raises InputError when a fixed
        pivot is not one of the layers."""
        import torch

        layers, length = scores.shape
        if self.pivot is not None:
            if self.pivot >= layers:
                raise InputError(f"pivot {self.pivot}: the model has {layers} layers from 0 on")
            return self.pivot
        share = scores / scores.sum(1, keepdim=True)
        order = torch.xlogy(share, share).sum(1)  # minus the entropy
        mass = share.topk(min(self.count(length), length), 1).values.sum(1)
        measures = torch.stack([order, mass, scores.var(1, correction=0)])
        steps = measures.diff(dim=1) * measures.new_tensor(self.weights)[:, None]
        return int(steps.sum(0).argmax()) + 1 if layers > 1 else 0

    def centrality(self, scores: Tensor, pivot: int) -> Tensor:
        """C [token] from S [layer, token] of the layers up to the pivot."""
        import torch

        ages = torch.arange(pivot, -1, -1, device=scores.device)
        return (self.decay**ages)[:, None].mul(scores[: pivot + 1]).sum(0)

    def structure(self, centrality: Tensor, needed: Iterable[int] = ()) -> Tensor:
        """Tokens that deep layers compute on, in order: top-k of C, the window, and ``needed``."""
        import torch

        length = len(centrality)
        older = max(length - self.window, 0)
        chosen = torch.zeros(length, dtype=torch.bool, device=centrality.device)
        best = centrality[:older].argsort(descending=True, stable=True)[: self.count(length)]
        chosen[best] = chosen[older:] = True
        chosen[sorted(needed)] = True
        return chosen.nonzero()[:, 0]
