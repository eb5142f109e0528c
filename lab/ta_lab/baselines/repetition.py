"""KVzip's pass: the context is repeated on top of its full cache, chunk by chunk."""

import torch
from torch import Tensor

from transactional_attention.config import Retention
from transactional_attention.engines.transformers.cache import RetentionCache
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.forward import ForwardPlan
from transactional_attention.engines.transformers.observe import Observer
from transactional_attention.engines.transformers.passes import Scored
from transactional_attention.methods.observation import NOTHING, AttentionRule, attend

CHUNK, OVERLAP, SINKS, QUERY_BLOCK = 2000, 8, 4, 128
FIRST = "\n\nRepeat the text above, word for word:\n"
NEXT = "\n\nRepeat the text above, word for word, from where it says:\n"


class ChunkReader(Observer):
    """Measures the attention that one chunk of a layer's context receives in one forward."""

    def __init__(self, branch: RetentionCache, chunk: slice) -> None:
        super().__init__(NOTHING, None, branch.decoder)
        self.chunk = chunk
        self.scores: Tensor | None = None

    def update(self, query: Tensor, key: Tensor, rule: AttentionRule, forward: ForwardPlan) -> None:
        """Score [row, kv_head, token] the chunk; slots of an uncut cache are in order."""
        first, size = min(SINKS, self.chunk.start), self.chunk.stop - self.chunk.start
        slots = torch.arange(key.shape[2], device=key.device)
        fed = slots[-query.shape[2] :]
        compared = torch.cat([slots[:first], slots[self.chunk], fed])
        positions = forward.slot_positions(key.device)[..., compared]
        asking = forward.asking(key.device)
        received = most_received(query, key[:, :, compared], positions, asking, rule)
        self.scores = received[..., first : first + size]


def reconstruct(source: RetentionCache) -> Scored:
    """S [layer][row, kv_head, slot] of every token of ``source``."""
    ids = source.flow.tables[None].ids[0].tolist()
    parts: list[list[Tensor]] = [[] for _ in source.managed]
    tokens = 0
    for start in range(0, len(ids), CHUNK):
        chunk = slice(start, min(start + CHUNK, len(ids)))
        request = source.tokenizer(NEXT if start else FIRST, add_special_tokens=False)["input_ids"]
        fed = [*request, *ids[max(start - OVERLAP, 0) : chunk.stop]]
        for part, scores in zip(parts, _repeat(source, fed, chunk), strict=True):
            part.append(scores)
        tokens += len(fed)
    return [torch.cat(part, 2) for part in parts], tokens, source


def _repeat(source: RetentionCache, fed: list[int], chunk: slice) -> list[Tensor]:
    """Feed a repetition to a branch of the cache; what the chunk received [layer]."""
    branch = compress(source, Retention(budget=None, method="full"))
    readers = [ChunkReader(branch, chunk) for _ in branch.managed]
    for layer, reader in zip(branch.managed, readers, strict=True):
        layer.observer = reader
    branch.feed(torch.tensor([fed]), torch.arange(len(fed))[None] + source.num_columns)
    return [reader.scores for reader in readers if reader.scores is not None]


def most_received(
    query: Tensor, key: Tensor, positions: Tensor, asking: Tensor, rule: AttentionRule
) -> Tensor:
    """The largest weight that each key gets, over queries and the group, [row, kv_head, slot].

    Arguments as for ``observation.attend``; a block of queries at a time.
    """
    best = torch.zeros(key.shape[:3], device=key.device)
    for start in range(0, query.shape[2], QUERY_BLOCK):
        block = slice(start, start + QUERY_BLOCK)
        weights = attend(query[:, :, block], key, positions, asking[:, block], rule)
        best = torch.maximum(best, weights.unflatten(1, (key.shape[1], -1)).amax((2, 3)))
    return best
