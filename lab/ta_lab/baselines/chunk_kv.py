"""ChunkKV (2502.00299 [2nd]; kvpress 0.5.5, Apache-2.0, is the code it names): whole chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transactional_attention.config import Retention
from transactional_attention.methods.observation import Seen
from transactional_attention.methods.scorers import Scorer

from .snap_kv import WINDOW, window_of

if TYPE_CHECKING:
    from torch import Tensor

CHUNK = 10


@dataclass(frozen=True)
class ChunkKV(Scorer):
    """S_j = mean of the last window's attention to the tokens of j's chunk; chunks are fixed.

    Chunk of j: j // c, counted from the start of the sequence. Attention is summed over the last w
    queries and averaged over all query heads, so all heads of a layer share chunks. The mean
    (kvpress) orders whole chunks as the paper's sum [2nd] does; the chunk that the window cuts is
    not at a disadvantage. The last w tokens are always kept (kvpress forces none).

    Whole chunks are kept, best first; the budget is exact, so the newest tokens of the next chunk
    fill what is left (kvpress rounds to whole chunks). c = min(10, K - w): the paper's 10 [2nd],
    kvpress's 20 does not fit into K = 16. Indices are not reused over layers. While decoding the
    window moves on and chunks are scored again by what is left of them; the tokens of the worst
    chunk go first.
    """

    window: int = WINDOW
    size: int = CHUNK

    def measure(self, seen: Seen) -> Tensor:
        """S [row, 1, slot]; tokens of the window, mandatory now, keep their own."""
        import torch

        votes = seen.window(self.window).sum(2).mean(1, keepdim=True)
        older = seen.outside_window(self.window)
        places = torch.where(older, seen.positions, -1)
        chunks = torch.div(places, self.size, rounding_mode="floor")
        return torch.where(older, self._means(votes, chunks), votes)

    @staticmethod
    def _means(votes: Tensor, chunks: Tensor) -> Tensor:
        """The mean of votes [row, 1, slot] over the slots of the same chunk."""
        import torch

        order = chunks.argsort(dim=-1, stable=True)
        ordered = chunks.gather(2, order)
        rank = (ordered.diff(dim=-1, prepend=ordered[..., :1]) != 0).cumsum(-1)
        group = torch.empty_like(rank).scatter(2, order, rank)
        total = torch.zeros_like(votes).scatter_add(2, group, votes)
        count = torch.zeros_like(votes).scatter_add(2, group, torch.ones_like(votes))
        return total.gather(2, group) / count.gather(2, group)


def chunk_kv(retention: Retention) -> ChunkKV:
    """Window and chunk that fit into the least budget."""
    window = window_of(retention)
    room = min(retention.budgets(), default=CHUNK + window) - window
    return ChunkKV(window, max(1, min(CHUNK, room)))
