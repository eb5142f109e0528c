"""Mean and covariance of a layer's queries, without their rotation: O(head_dim^2) a query head."""

from __future__ import annotations

import copy
from functools import partial

import torch
from torch import nn

from ...methods.observation import Moments
from .forward import TableForward
from .frequencies import FIXED
from .rotary import Rotary

FIRST = 4  # queries of the first tokens are outliers and stay out, as in kvpress


class QueryMoments:
    """``count`` [row], ``total`` [row, query_head, head_dim], ``squares`` [..., dim, dim]."""

    def __init__(self, compact: Rotary | None, decoder: nn.Module) -> None:
        self.compact, self.rotary = compact, compact or rotary_of_queries(decoder)
        self.count = self.total = self.squares = torch.zeros(1)  # takes any shape at the first add

    def add(self, query: torch.Tensor, asking: torch.Tensor, forward: TableForward) -> None:
        """Take queries [row, query_head, new, head_dim] in; ``asking`` [row, new]."""
        if self.compact is not None:
            plain = self.compact.undo(query, forward).float()
        else:
            plain = self.rotary.unrotate(query.float(), asking[:, None])
        counted = asking >= FIRST
        plain = plain * counted[:, None, :, None]
        self.count = self.count.to(query.device) + counted.sum(1)
        self.total = self.total.to(query.device) + plain.sum(2)
        self.squares = self.squares.to(query.device) + plain.transpose(2, 3) @ plain

    def seen(self, positions: torch.Tensor) -> Moments:
        """What a scorer reads while ``positions`` [row, kv_head or 1, slot] are live."""
        count = self.count.clamp(min=1)[:, None, None]
        mean = self.total / count
        covariance = self.squares / count[..., None] - mean[..., None] * mean[..., None, :]
        if self.compact is not None:
            start = (positions[:, 0] >= 0).sum(-1)
        else:
            start = positions.amax((1, 2)) + 1
        return Moments(mean, covariance, partial(self.rotary.mean_rotation, start))

    def of_rows(self, rows: torch.Tensor | None = None) -> QueryMoments:
        """A copy for some rows, or for all."""
        found = copy.copy(self)
        if rows is not None and self.total.ndim > 1:
            rows = rows.to(self.total.device)
            found.count, found.total = self.count[rows], self.total[rows]
            found.squares = self.squares[rows]
        return found


def rotary_of_queries(decoder: nn.Module) -> Rotary:
    """The rotation of a decoder's queries at their own positions.

    Raises:
        UnsupportedError: when it is not one that can be undone, or depends on the length.
    """
    remedy = "use a method that does not read them (`ta methods`)"
    return Rotary(decoder, FIXED, user="the moments of queries: reading them", remedy=remedy)
