"""What a scorer reads of a layer, and the arithmetic of attention that it reads it with.

An ``Observation`` is declared by a scorer; an engine collects it while attention runs through a
fused kernel, and hands it over as ``Seen``. Nothing here is ever query x key: last-window attention
is w x n, column sums are added up in blocks of queries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Observation:
    """What is collected of every layer; ``a | b`` serves both.

    ``queries``: the last w queries, which give last-window attention (w = 1: the last query's).
    ``columns``: what every token received from all queries so far. ``pension``: its moving average.
    ``moments``: mean and covariance of all queries, without their rotation. ``gates``: what trained
    gates make of the hidden states that attention reads, one number a token and kv head.
    ``keys``, ``values``: those of the live tokens. ``passes``: forwards of the method's own give
    the scores; they are handed to ``compress``.
    """

    queries: int = 0
    columns: bool = False
    pension: bool = False
    moments: bool = False
    gates: bool = False
    keys: bool = False
    values: bool = False
    passes: bool = False

    def __or__(self, other: Observation) -> Observation:
        both = zip(astuple(self), astuple(other), strict=True)
        return Observation(*(max(pair) for pair in both))

    def __bool__(self) -> bool:
        return self != NOTHING

    @property
    def collects(self) -> bool:
        """Whether something has to be noted while attention runs; keys and values are at hand."""
        return any(self._collected)

    def covers(self, other: Observation) -> bool:
        """Whether what is collected for this serves ``other`` too."""
        return self._collected == (self | other)._collected

    @property
    def _collected(self) -> tuple[int, bool, bool, bool, bool]:
        return self.queries, self.columns, self.pension, self.moments, self.gates

    def __str__(self) -> str:
        window = f"attention of the last {self.queries} queries"
        parts = {
            "attention of the last query" if self.queries == 1 else window: self.queries,
            "column sums": self.columns,
            "moments of all queries": self.moments,
            "hidden states through gates": self.gates,
            "keys": self.keys,
            "values": self.values,
            "passes of its own": self.passes,
        }
        return ", ".join(name for name, wanted in parts.items() if wanted) or "nothing"


NOTHING = Observation()


@dataclass(slots=True)  # not frozen: one is made for every call of attention
class AttentionRule:
    """How a layer turns queries and keys into weights.

    ``softcap``: logit soft-capping (Gemma 2); ``sinks`` [query_head]: logits of a column without a
    value (gpt-oss); ``reach``: tokens that a query sees at most, itself included.
    """

    scale: float
    softcap: float | None = None
    sinks: Tensor | None = None
    reach: int | None = None


def logits(query: Tensor, key: Tensor, rule: AttentionRule) -> Tensor:
    """Logits [row, query_head, query, slot] in float32; query heads share the keys of their group.

    ``query`` [row, query_head, query, head_dim], ``key`` [row, kv_head, slot, head_dim].
    """
    import torch

    rows, heads, count, dim = query.shape
    folded = query.reshape(rows, key.shape[1], heads // key.shape[1] * count, dim)
    scores = (folded @ key.transpose(2, 3)).float() * rule.scale
    scores = scores.view(rows, heads, count, key.shape[2])
    return scores if rule.softcap is None else rule.softcap * torch.tanh(scores / rule.softcap)


def normalise(scores: Tensor, rule: AttentionRule) -> Tensor:
    """Weights of logits [row, query_head, query, slot]; what goes to sinks is left out."""
    import torch

    if rule.sinks is None:
        return scores.softmax(-1)
    column = rule.sinks.view(1, -1, 1, 1).expand(*scores.shape[:3], 1).to(scores.dtype)
    return torch.cat([scores, column], -1).softmax(-1)[..., :-1]


def visible(positions: Tensor, asking: Tensor, reach: int | None) -> Tensor:
    """Bool [row, head, query, slot] from positions [row, head, slot] and [row, query]; -1 pads."""
    keys, queries = positions[:, :, None, :], asking[:, None, :, None]
    seen = (keys >= 0) & (keys <= queries)
    return seen if reach is None else seen & (keys > queries - reach)


def weigh(
    query: Tensor, key: Tensor, positions: Tensor, asking: Tensor, rule: AttentionRule
) -> Tensor:
    """``attend``, but a padding query has weights that mean nothing."""
    seen = visible(positions, asking, rule.reach)
    return normalise(hide(logits(query, key, rule), seen), rule)


def attend(
    query: Tensor, key: Tensor, positions: Tensor, asking: Tensor, rule: AttentionRule
) -> Tensor:
    """Weights [row, query_head, query, slot] in float32, zero for padding queries and keys.

    ``positions`` [row, kv_head or 1, slot] and ``asking`` [row, query]: original positions.
    """
    import torch

    weights = weigh(query, key, positions, asking, rule)
    return torch.where((asking >= 0)[:, None, :, None], weights, 0.0)


def hide(scores: Tensor, seen: Tensor) -> Tensor:
    """Fill what is not ``seen`` [row, kv_head or 1, query, slot] with the smallest number.

    In place: scores are the largest tensors here.
    """
    import torch

    groups = scores.shape[1] // seen.shape[1]
    return scores.masked_fill_(
        ~seen.repeat_interleave(groups, 1) if seen.shape[1] > 1 else ~seen,
        torch.finfo(scores.dtype).min,
    )


@dataclass(frozen=True)
class Moments:
    """Queries so far, without their rotation: mean [row, query_head, head_dim] and covariance.

    ``ahead(count)`` [row, head_dim, head_dim]: what the next ``count`` positions do to a row vector
    on average, to be multiplied from the right.
    """

    mean: Tensor
    covariance: Tensor
    ahead: Callable[[int], Tensor]


@dataclass(frozen=True)
class Seen:
    """One layer as a scorer sees it; tensors are on the layer's device.

    ``keys``, ``values`` [row, kv_head, slot, head_dim]: the live tokens, keys as attention sees
    them. ``positions`` [row, kv_head or 1, slot]: original positions in no particular order, -1
    for padding. ``length`` [row]: tokens seen. ``queries`` [row, query_head, w, head_dim] and
    ``asking`` [row, w]: the last queries and their positions, oldest first. ``sums`` [row, kv_head,
    slot]: what a token received, summed over queries and the group's query heads; ``received`` is
    their mean over both, over the queries that saw the token; ``pension`` its moving average.
    ``gates`` [row, kv_head, slot]: log beta of a token, in float32, below 0.
    """

    keys: Tensor
    values: Tensor
    positions: Tensor
    length: Tensor
    rule: AttentionRule
    queries: Tensor | None = None
    asking: Tensor | None = None
    sums: Tensor | None = None
    received: Tensor | None = None
    pension: Tensor | None = None
    moments: Moments | None = None
    gates: Tensor | None = None

    @property
    def live(self) -> Tensor:
        """Which slots hold a token, [row, kv_head or 1, slot]."""
        return self.positions >= 0

    def _last(self, size: int) -> tuple[Tensor, Tensor]:
        assert self.queries is not None and self.asking is not None
        return self.queries[:, :, -size:], self.asking[:, -size:]

    def window(self, size: int) -> Tensor:
        """Attention [row, query_head, size, slot] of the last queries over the live tokens."""
        queries, asking = self._last(size)
        return attend(queries, self.keys, self.positions, asking, self.rule)

    def window_logits(self, size: int) -> Tensor:
        """Their logits, before any softmax; what a query does not see holds the least number."""
        queries, asking = self._last(size)
        seen = visible(self.positions, asking, self.rule.reach)
        return hide(logits(queries, self.keys, self.rule), seen)

    def outside_window(self, size: int) -> Tensor:
        """Which slots hold a token older than the last queries, [row, kv_head or 1, slot]."""
        _, asking = self._last(size)
        return self.live & (self.positions < (self.length - asking.shape[1])[:, None, None])

    def over_groups(self, values: Tensor) -> Tensor:
        """Mean over the query heads of each kv head, [row, kv_head, slot]."""
        return values.unflatten(1, (self.keys.shape[1], -1)).mean(2)

    def pool_older(self, votes: Tensor, size: int, pool: Any) -> Tensor:
        """Pool votes [row, kv_head, slot] over neighbours, tokens older than the window alone.

        Those of the window keep their own: at the next step the oldest of them has to compete.
        """
        import torch

        older = self.outside_window(size)
        return torch.where(older, self.in_order(torch.where(older, votes, 0.0), pool), votes)

    def in_order(self, values: Tensor, function: Any) -> Tensor:
        """Apply ``function`` to values [row, head, slot] in order of position (for pooling)."""
        import torch

        order = self.positions.argsort(dim=-1, stable=True).expand_as(values)
        return torch.empty_like(values).scatter(2, order, function(values.gather(2, order)))
