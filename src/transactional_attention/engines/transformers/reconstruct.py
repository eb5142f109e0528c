"""KVzip's pass: the context is repeated on top of the full cache, chunk by chunk."""

from __future__ import annotations

import torch

from ...config import Retention
from ...methods.observation import NOTHING, AttentionRule
from ...methods.scorers.kvzip import CHUNK, OVERLAP, SINKS, most_received
from .arguments import cache_argument
from .cache import RetentionCache
from .compress import compress
from .forward import TableForward
from .observe import Observer

FIRST = "\n\nRepeat the text above, word for word:\n"
NEXT = "\n\nRepeat the text above, word for word, from where it says:\n"


class ChunkReader(Observer):
    """Measures the attention that one chunk of a layer's context receives in one forward."""

    def __init__(self, branch: RetentionCache, chunk: slice) -> None:
        super().__init__(NOTHING, None, branch.decoder)
        self.chunk = chunk
        self.scores: torch.Tensor | None = None

    def update(
        self, query: torch.Tensor, key: torch.Tensor, rule: AttentionRule, forward: TableForward
    ) -> None:
        """Score [row, kv_head, token] the chunk; slots of an uncut cache are in order."""
        first, size = min(SINKS, self.chunk.start), self.chunk.stop - self.chunk.start
        slots = torch.arange(key.shape[2], device=key.device)
        fed = slots[-query.shape[2] :]
        compared = torch.cat([slots[:first], slots[self.chunk], fed])
        positions = forward.slot_positions(key.device)[..., compared]
        asking = forward.asking(key.device)
        received = most_received(query, key[:, :, compared], positions, asking, rule)
        self.scores = received[..., first : first + size]


def reconstruct(source: RetentionCache) -> tuple[list[torch.Tensor], int]:
    """S [layer][row, kv_head, slot] of every token of ``source``, and the number of tokens fed."""
    ids = source.flow.tables[None].ids[0].tolist()
    parts: list[list[torch.Tensor]] = [[] for _ in source.managed]
    tokens = 0
    for start in range(0, len(ids), CHUNK):
        chunk = slice(start, min(start + CHUNK, len(ids)))
        request = source.tokenizer(NEXT if start else FIRST, add_special_tokens=False)["input_ids"]
        fed = [*request, *ids[max(start - OVERLAP, 0) : chunk.stop]]
        for part, scores in zip(parts, _repeat(source, fed, chunk), strict=True):
            part.append(scores)
        tokens += len(fed)
    return [torch.cat(part, 2) for part in parts], tokens


def _repeat(source: RetentionCache, fed: list[int], chunk: slice) -> list[torch.Tensor]:
    """Feed a repetition to a branch of the cache; what the chunk received [layer]."""
    branch = compress(source, Retention(budget=None, method="full"))
    readers = [ChunkReader(branch, chunk) for _ in branch.managed]
    for layer, reader in zip(branch.managed, readers, strict=True):
        layer.observer = reader
    decoder = branch.decoder
    inputs = torch.tensor([fed], device=source.managed[0].device)
    positions = torch.arange(len(fed), device=inputs.device)[None] + source.num_columns
    decoder(input_ids=inputs, position_ids=positions, **cache_argument(branch), use_cache=True)
    return [reader.scores for reader in readers if reader.scores is not None]
