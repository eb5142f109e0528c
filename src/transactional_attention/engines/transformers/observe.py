"""What is collected of one layer while it attends, for scorers that read it.

The state follows the layer's slots: it is extended, overwritten and cut with the keys.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from ...errors import InputError, UnsupportedError
from ...methods.observation import AttentionRule, Moments, Observation, Seen, weigh
from .forward import ForwardPlan
from .frequencies import FIXED
from .rotary import Rotary

QUERY_BLOCK = 64  # column sums take query_head x block x slot numbers at a time
PER_SLOT, PER_QUERY = ("sums", "pension", "gates"), ("queries", "asking")
PENSION_RATE = 0.9  # the paper names none
FIRST = 4  # queries of the first tokens are outliers and stay out, as in kvpress


class Observer:
    """Queries [row, query_head, w, head_dim]; sums, pension and gates [row, kv_head or more, slot].

    ``arriving`` [row, kv_head, new]: what the gates made of this forward's tokens before attention.

    Queries of compact caches are stored without rotation. They are read as the last ones of the
    tokens that are live then; in the forward that brought them, that is where they were.
    """

    def __init__(self, wanted: Observation, rotary: Rotary | None, decoder: nn.Module) -> None:
        self.wanted, self.rotary, self.groups = wanted, rotary, 1
        self.rule: AttentionRule | None = None
        self.queries: Tensor | None = None
        self.asking: Tensor | None = None
        self.sums: Tensor | None = None
        self.pension: Tensor | None = None
        self.gates: Tensor | None = None
        self.arriving: Tensor | None = None
        self.moments = QueryMoments(rotary, decoder) if wanted.moments else None

    @torch.no_grad()
    def update(self, query: Tensor, key: Tensor, rule: AttentionRule, forward: ForwardPlan) -> None:
        """Take one forward in: queries of its new tokens, keys of all that they could see."""
        self.rule, self.groups = rule, query.shape[1] // key.shape[1]
        asking = forward.asking(key.device)
        if self.wanted.queries:
            self._keep_queries(query, asking, forward)
        if self.moments is not None:
            self.moments.add(query, asking, forward)
        if self.wanted.gates:
            self._keep_gates(forward)
        if self.wanted.columns:
            sums = column_sums(query, key, forward.slot_positions(key.device), asking, rule)
            self.sums = sums if self.sums is None else self._grown(self.sums, 0.0, forward) + sums
        if self.wanted.pension:
            received = self._received(forward.slot_positions(key.device))
            assert received is not None
            if self.pension is not None:
                old = self._grown(self.pension, torch.nan, forward)
                moved = PENSION_RATE * old + (1 - PENSION_RATE) * received
                received = torch.where(old.isnan(), received, moved)
            self.pension = received

    def _keep_gates(self, forward: ForwardPlan) -> None:
        if self.arriving is None:
            raise UnsupportedError(
                "a layer attends to hidden states that its gates did not see: use a method without "
                "gates (`ta methods`)"
            )
        new, self.arriving = self.arriving, None
        self.gates = new if self.gates is None else self._extended(self.gates, new, forward)

    def _keep_queries(self, query: Tensor, asking: Tensor, forward: ForwardPlan) -> None:
        size = self.wanted.queries
        query = query[:, :, -size:]
        if self.rotary is not None:
            query = self.rotary.undo(query, forward)
        if self.queries is not None and self.asking is not None:
            query, asking = torch.cat([self.queries, query], 2), torch.cat([self.asking, asking], 1)
        self.queries, self.asking = query[:, :, -size:].clone(), asking[:, -size:].clone()

    @classmethod
    def _grown(cls, state: Tensor, start: float, forward: ForwardPlan) -> Tensor:
        """The state [row, head, slot] with ``start`` where this forward wrote tokens."""
        new = state.new_full((*state.shape[:2], forward.new.shape[1]), start)
        return cls._extended(state, new, forward)

    @staticmethod
    def _extended(state: Tensor, new: Tensor, forward: ForwardPlan) -> Tensor:
        """The state [row, head, slot] with ``new`` [row, head, new] in this forward's slots."""
        if forward.step.slots is not None:
            index = forward.slot_index(state.device)[..., None]
            return state.scatter(2, index.expand(-1, state.shape[1], 1), new)
        return torch.cat([state, new], 2)

    def _received(self, positions: Tensor) -> Tensor | None:
        """A: the mean over query heads and the queries that saw a token, [row, kv_head, slot]."""
        if self.sums is None:
            return None
        saw = length_of(positions)[:, None, None] - positions
        return self.sums / (self.groups * saw.clamp(min=1))

    @torch.no_grad()
    def seen(self, keys: Tensor, values: Tensor, forward: ForwardPlan) -> Seen:
        """The layer as a scorer sees it, with the tokens of ``forward`` live."""
        positions = forward.slot_positions(keys.device)
        return Seen(
            keys=keys,
            values=values,
            positions=positions,
            length=length_of(positions),
            rule=self.rule or AttentionRule(1.0),  # read with queries only
            queries=self._turned(positions),
            asking=self.asking,
            sums=self.sums,
            received=self._received(positions),
            pension=self.pension,
            moments=None if self.moments is None else self.moments.seen(positions),
            gates=self.gates,
        )

    def _turned(self, positions: Tensor) -> Tensor | None:
        if self.rotary is None or self.queries is None:
            return self.queries
        live, size = (positions[:, 0] >= 0).sum(-1), self.queries.shape[2]
        ranks = live[:, None] - size + torch.arange(size, device=live.device)
        return self.rotary.rotate(self.queries, ranks[:, None])

    def take(self, forward: ForwardPlan) -> None:
        """Keep what is known of the slots that are kept."""
        self._change(forward.take, *PER_SLOT)

    def _change(self, change: Callable[[Tensor], Tensor], *names: str) -> None:
        for name in names:
            if (state := getattr(self, name)) is not None:
                setattr(self, name, change(state))

    def select_rows(self, rows: Tensor) -> None:
        """Reorder, repeat or drop rows."""
        chosen = lambda state: state.index_select(0, rows.to(state.device))  # noqa: E731
        self._change(chosen, *PER_SLOT, *PER_QUERY)
        if self.moments is not None:
            self.moments = self.moments.of_rows(rows)

    def adopt(self, other: Observer | None) -> None:
        """Take over what is wanted of another observer of the same tokens, before any cut. Raises
        InputError when it has not collected that."""
        if not self.wanted.collects:
            return
        if other is None or not other.wanted.covers(self.wanted):
            raise InputError(
                f"the prefill did not collect {self.wanted}: name what all methods read before it "
                "(RetentionCache(observe=...))"
            )
        self.rule, self.groups = other.rule, other.groups
        for wanted, names in (
            (self.wanted.queries, PER_QUERY),
            (self.wanted.columns, ("sums",)),
            (self.wanted.pension, ("pension",)),
            (self.wanted.gates, ("gates",)),
        ):
            for name in names if wanted else ():
                setattr(self, name, getattr(other, name))
        if self.wanted.moments and other.moments is not None:
            self.moments = other.moments.of_rows()


def column_sums(
    query: Tensor, key: Tensor, positions: Tensor, asking: Tensor, rule: AttentionRule
) -> Tensor:
    """What every token receives from these queries and a group's heads, [row, kv_head, slot].

    A block of queries at a time, over the keys that come before its end.
    """
    kv_heads, num_keys, num_queries = key.shape[1], key.shape[2], query.shape[2]
    total = torch.zeros(key.shape[:3], dtype=torch.float32, device=key.device)
    asked = (asking >= 0).float()[:, None, None]  # a padding query adds nothing
    for start in range(0, num_queries, QUERY_BLOCK):
        stop = min(start + QUERY_BLOCK, num_queries)
        end = num_keys - num_queries + stop
        weights = weigh(
            query[:, :, start:stop],
            key[:, :, :end],
            positions[..., :end],
            asking[:, start:stop],
            rule,
        )
        received = (asked[..., start:stop] @ weights)[:, :, 0]
        total[:, :, :end] += received.unflatten(1, (kv_heads, -1)).sum(2)
    return total


def length_of(positions: Tensor) -> Tensor:
    """Tokens seen [row] while the newest is among positions [row, head, slot]."""
    return positions.amax((1, 2)) + 1


class QueryMoments:
    """``count`` [row], ``total`` [row, query_head, head_dim], ``squares`` [..., dim, dim]."""

    def __init__(self, compact: Rotary | None, decoder: nn.Module) -> None:
        self.compact, self.rotary = compact, compact or rotary_of_queries(decoder)
        self.count = self.total = self.squares = torch.zeros(1)  # takes any shape at the first add

    def add(self, query: Tensor, asking: Tensor, forward: ForwardPlan) -> None:
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

    def seen(self, positions: Tensor) -> Moments:
        """What a scorer reads while ``positions`` [row, kv_head or 1, slot] are live."""
        count = self.count.clamp(min=1)[:, None, None]
        mean = self.total / count
        covariance = self.squares / count[..., None] - mean[..., None] * mean[..., None, :]
        if self.compact is not None:
            start = (positions[:, 0] >= 0).sum(-1)
        else:
            start = positions.amax((1, 2)) + 1
        return Moments(mean, covariance, partial(self.rotary.mean_rotation, start))

    def of_rows(self, rows: Tensor | None = None) -> QueryMoments:
        """A copy for some rows, or for all."""
        moments = copy.copy(self)
        if rows is not None and self.total.ndim > 1:
            rows = rows.to(self.total.device)
            moments.count, moments.total = self.count[rows], self.total[rows]
            moments.squares = self.squares[rows]
        return moments


def rotary_of_queries(decoder: nn.Module) -> Rotary:
    """The rotation of a decoder's queries at their own positions. Raises UnsupportedError when it
    is not one that can be undone, or depends on the length."""
    remedy = "use a method that does not read them (`ta methods`)"
    return Rotary(decoder, FIXED, user="the moments of queries: reading them", remedy=remedy)
