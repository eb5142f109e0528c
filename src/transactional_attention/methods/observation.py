"""What a scorer reads of a layer, and the attention arithmetic that it uses.

A scorer declares an ``Observation``. An engine collects it while attention runs in a fused kernel,
and hands it over as ``Seen``. Nothing here computes the full query x key matrix: attention of the
last window is w x n, and column sums are added up in blocks of queries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

FIRST_GATES = "trim-kv"


@dataclass(frozen=True)
class Observation:
    """What is collected of every layer; ``a | b`` is enough for both.

    ``queries``: the last w queries, for last-window attention (w = 1: of the last query).
    ``columns``: attention that every token received from all queries so far. ``pension``: its
    moving average. ``moments``: mean and covariance of all queries, without rotation. ``gates``:
    the name of the method whose trained gates read the hidden states that attention reads, one
    number per token and kv head; True stands for the first one that had any. ``keys``, ``values``:
    of the live tokens. ``passes``: forwards of the method's own give the scores, which are passed
    to ``compress``.
    """

    queries: int = 0
    columns: bool = False
    pension: bool = False
    moments: bool = False
    gates: str | bool = ""
    keys: bool = False
    values: bool = False
    passes: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.gates, bool):  # as files and code of before have it
            object.__setattr__(self, "gates", FIRST_GATES if self.gates else "")

    def __or__(self, other: Observation) -> Observation:
        if self.gates and other.gates and self.gates != other.gates:
            raise InputError(f"gates of {self.gates} and of {other.gates}: one model has one kind")
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Observation(*(max(pair) for pair in pairs))

    def __bool__(self) -> bool:
        return self != NOTHING

    @property
    def collects(self) -> bool:
        """Whether something must be recorded while attention runs. Keys and values are at hand
        anyway."""
        return any(self._collected)

    def covers(self, other: Observation) -> bool:
        """Whether what is collected for this is enough for ``other`` too."""
        return self._collected == (self | other)._collected

    @property
    def _collected(self) -> tuple[int, bool, bool, bool, str | bool]:
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

    ``softcap``: logit soft-capping (Gemma 2). ``sinks`` [query_head]: logits of a column without a
    value (gpt-oss). ``reach``: most tokens that a query sees, itself included.
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
    """Softmax of logits [row, query_head, query, slot]; the share of attention sinks is left
    out."""
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
    """Attention weights [row, query_head, query, slot] in float32; 0 for keys that a query does not
    see. Rows of padding queries are undefined: ``attend`` sets them to 0. Arguments as there."""
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
    """Set what is not ``seen`` [row, kv_head or 1, query, slot] to the smallest number.

    In place, because scores are the largest tensors here.
    """
    import torch

    groups = scores.shape[1] // seen.shape[1]
    return scores.masked_fill_(
        ~seen.repeat_interleave(groups, 1) if seen.shape[1] > 1 else ~seen,
        torch.finfo(scores.dtype).min,
    )


@dataclass(frozen=True)
class Moments:
    """Mean [row, query_head, head_dim] and covariance of all queries so far, without rotation.

    ``ahead(count)`` [row, head_dim, head_dim]: the mean rotation of the next ``count`` positions;
    multiply row vectors by it from the right.
    """

    mean: Tensor
    covariance: Tensor
    ahead: Callable[[int], Tensor]


@dataclass(frozen=True)
class Seen:
    """One layer as a scorer sees it; tensors are on the layer's device.

    ``keys``, ``values`` [row, kv_head, slot, head_dim]: of the live tokens, keys as attention sees
    them. ``positions`` [row, kv_head or 1, slot]: original positions in no particular order, -1 for
    padding. ``length`` [row]: tokens seen. ``queries`` [row, query_head, w, head_dim] and
    ``asking`` [row, w]: the last queries and their positions, oldest first. ``sums`` [row, kv_head,
    slot]: attention that a token received, summed over queries and the group's query heads.
    ``received``: its mean over both, over the queries that saw the token. ``pension``: its moving
    average. ``gates`` [row, kv_head, slot]: log beta of a token, in float32, below 0.
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
        """Attention [row, query_head, size, slot] of the last ``size`` queries over the live
        tokens."""
        queries, asking = self._last(size)
        return attend(queries, self.keys, self.positions, asking, self.rule)

    def window_logits(self, size: int) -> Tensor:
        """Their logits before the softmax; the smallest number where a query does not see a
        token."""
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
        """Pool votes [row, kv_head, slot] over neighbours, among tokens older than the window.

        Tokens of the window keep their own votes: at the next step the oldest of them has to
        compete.
        """
        import torch

        older = self.outside_window(size)
        return torch.where(older, self.in_order(torch.where(older, votes, 0.0), pool), votes)

    def in_order(self, values: Tensor, function: Any) -> Tensor:
        """Apply ``function`` (pooling) to values [row, head, slot] in order of position."""
        import torch

        order = self.positions.argsort(dim=-1, stable=True).expand_as(values)
        return torch.empty_like(values).scatter(2, order, function(values.gather(2, order)))
