"""Muon: momentum whose update is made orthogonal (Jordan 2024), for the matrices of the layers."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)


def orthogonalise(matrix: Tensor, rounds: int = 5) -> Tensor:
    """A matrix with the same singular vectors and singular values near 1, in its own precision."""
    a, b, c = NEWTON_SCHULZ
    tall = matrix.shape[0] > matrix.shape[1]
    result = matrix
    result = result.T if tall else result
    result = result / (result.norm() + 1e-7)
    for _ in range(rounds):
        gram = result @ result.T
        result = a * result + (b * gram + c * gram @ gram) @ result
    return result.T if tall else result


class Muon(torch.optim.Optimizer):
    """Orthogonalised Nesterov momentum for two-dimensional parameters."""

    def __init__(
        self,
        weights: Iterable[Tensor],
        lr: float,
        momentum: float = 0.95,
        arithmetic: torch.dtype = torch.float32,
    ) -> None:
        """`lr` is the size of a step along an orthogonal matrix, found in `arithmetic`."""
        super().__init__(list(weights), {"lr": lr, "momentum": momentum})
        self.arithmetic = arithmetic

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update every weight that has a gradient."""
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state = self.state[weight]
                if not state:
                    state["average"] = torch.zeros_like(weight)
                average = state["average"]
                average.lerp_(weight.grad, 1 - group["momentum"])
                ahead = weight.grad.lerp(average, group["momentum"])
                update = orthogonalise(ahead.to(self.arithmetic)).to(weight.dtype)
                stretch = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
                weight.add_(update, alpha=-group["lr"] * stretch)
