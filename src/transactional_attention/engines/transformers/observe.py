"""What is collected of one layer while it attends, for scorers that read it.

The state follows the layer's slots: it is extended, overwritten and cut with the keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn

from ...errors import InputError, UnsupportedError
from ...methods.observation import AttentionRule, Observation, Seen, weigh
from .forward import TableForward
from .moments import QueryMoments

if TYPE_CHECKING:
    from .rotary import Rotary

QUERY_BLOCK = 64  # column sums take query_head x block x slot numbers at a time
PER_SLOT, PER_QUERY = ("sums", "pension", "gates"), ("queries", "asking")
PENSION_RATE = 0.9  # the paper names none (PAPER_GAPS C)


class Observer:
    """Queries [row, query_head, w, head_dim]; sums, pension and gates [row, kv_head or more, slot].

    ``arriving`` [row, kv_head, new]: what the gates made of this forward's tokens before attention.

    Queries of compact caches are stored without rotation. They are read as the last ones of the
    tokens that are live then; in the forward that brought them, that is where they were.
    """

    def __init__(self, wanted: Observation, rotary: Rotary | None, decoder: nn.Module) -> None:
        self.wanted, self.rotary, self.groups = wanted, rotary, 1
        self.rule: AttentionRule | None = None
        self.queries: torch.Tensor | None = None
        self.asking: torch.Tensor | None = None
        self.sums: torch.Tensor | None = None
        self.pension: torch.Tensor | None = None
        self.gates: torch.Tensor | None = None
        self.arriving: torch.Tensor | None = None
        self.moments = QueryMoments(rotary, decoder) if wanted.moments else None

    @torch.no_grad()
    def update(
        self, query: torch.Tensor, key: torch.Tensor, rule: AttentionRule, forward: TableForward
    ) -> None:
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

    def _keep_gates(self, forward: TableForward) -> None:
        if self.arriving is None:
            raise UnsupportedError(
                "a layer attends to hidden states that its gates did not see: use a method without "
                "gates (`ta methods`)"
            )
        new, self.arriving = self.arriving, None
        self.gates = new if self.gates is None else self._extended(self.gates, new, forward)

    def _keep_queries(
        self, query: torch.Tensor, asking: torch.Tensor, forward: TableForward
    ) -> None:
        size = self.wanted.queries
        query = query[:, :, -size:]
        if self.rotary is not None:
            query = self.rotary.undo(query, forward)
        if self.queries is None or self.asking is None:
            self.queries, self.asking = query.clone(), asking[:, -size:].clone()
            return
        self.queries = torch.cat([self.queries, query], 2)[:, :, -size:].clone()
        self.asking = torch.cat([self.asking, asking], 1)[:, -size:].clone()

    @classmethod
    def _grown(cls, state: torch.Tensor, start: float, forward: TableForward) -> torch.Tensor:
        """The state [row, head, slot] with ``start`` where this forward wrote tokens."""
        new = state.new_full((*state.shape[:2], forward.new.shape[1]), start)
        return cls._extended(state, new, forward)

    @staticmethod
    def _extended(state: torch.Tensor, new: torch.Tensor, forward: TableForward) -> torch.Tensor:
        """The state [row, head, slot] with ``new`` [row, head, new] in this forward's slots."""
        if forward.step.slots is not None:
            index = forward.slot_index(state.device)[..., None]
            return state.scatter(2, index.expand(-1, state.shape[1], 1), new)
        return torch.cat([state, new], 2)

    def _received(self, positions: torch.Tensor) -> torch.Tensor | None:
        """A: the mean over query heads and the queries that saw a token, [row, kv_head, slot]."""
        if self.sums is None:
            return None
        saw = length_of(positions)[:, None, None] - positions
        return self.sums / (self.groups * saw.clamp(min=1))

    @torch.no_grad()
    def seen(self, keys: torch.Tensor, values: torch.Tensor, forward: TableForward) -> Seen:
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

    def _turned(self, positions: torch.Tensor) -> torch.Tensor | None:
        if self.rotary is None or self.queries is None:
            return self.queries
        live, size = (positions[:, 0] >= 0).sum(-1), self.queries.shape[2]
        ranks = live[:, None] - size + torch.arange(size, device=live.device)
        return self.rotary.rotate(self.queries, ranks[:, None])

    def take(self, forward: TableForward) -> None:
        """Keep what is known of the slots that are kept."""
        for name in PER_SLOT:
            if getattr(self, name) is not None:
                setattr(self, name, forward.take(getattr(self, name)))

    def select_rows(self, rows: torch.Tensor) -> None:
        """Reorder, repeat or drop rows."""
        for name in (*PER_SLOT, *PER_QUERY):
            if getattr(self, name) is not None:
                state = getattr(self, name)
                setattr(self, name, state.index_select(0, rows.to(state.device)))
        if self.moments is not None:
            self.moments = self.moments.of_rows(rows)

    def adopt(self, other: Observer | None) -> None:
        """Take over what is wanted of another observer of the same tokens, before any cut.

        Raises:
            InputError: when it has not collected that.
        """
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
    query: torch.Tensor,
    key: torch.Tensor,
    positions: torch.Tensor,
    asking: torch.Tensor,
    rule: AttentionRule,
) -> torch.Tensor:
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


def length_of(positions: torch.Tensor) -> torch.Tensor:
    """Tokens seen [row] while the newest is among positions [row, head, slot]."""
    return positions.amax((1, 2)) + 1
