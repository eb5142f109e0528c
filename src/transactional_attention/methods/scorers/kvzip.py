"""KVzip (2505.23416; code MIT): what the model reads when it repeats the context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..observation import AttentionRule, Observation, attend
from . import Scorer

if TYPE_CHECKING:
    from torch import Tensor

CHUNK, OVERLAP, SINKS, QUERY_BLOCK = 2000, 8, 4, 128


class KVzip(Scorer):
    """S_j = the most that token j receives from any query of a repetition and of j's group.

    The context is repeated in chunks of 2,000 tokens: a request to repeat it (from the second chunk
    on with the last 8 tokens of the one before) and the chunk itself are fed on top of the full
    cache, and thrown away. The softmax is over [first 4 tokens | chunk | what is fed]. Query-
    agnostic; one pass serves every budget. Selection is per kv head, by one threshold over all
    layers and heads (``allocation/threshold.py``).

    Always kept: the first token and the newest 4. The authors keep the whole system prompt, the
    query and all answers: that is ``ledger='on-top'``; under ``strict`` tokens that came after the
    pass score 0 and give way first. A chunk's wording is ours, and one row is served at a time.
    """

    observes = Observation(passes=True)
    per_head = True


def most_received(
    query: Tensor, key: Tensor, positions: Tensor, asking: Tensor, rule: AttentionRule
) -> Tensor:
    """The largest weight that each key gets, over queries and the group, [row, kv_head, slot].

    Arguments as for ``observation.attend``; a block of queries at a time.
    """
    import torch

    best = torch.zeros(key.shape[:3], device=key.device)
    for start in range(0, query.shape[2], QUERY_BLOCK):
        block = slice(start, start + QUERY_BLOCK)
        weights = attend(query[:, :, block], key, positions, asking[:, block], rule)
        best = torch.maximum(best, weights.unflatten(1, (key.shape[1], -1)).amax((2, 3)))
    return best
