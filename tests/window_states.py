"""What a layer of two padded rows shows to scorers that read a window of queries."""

import math

import torch

from transactional_attention.methods.observation import AttentionRule, Seen

ROWS, QUERY_HEADS, KV_HEADS, DIM = 2, 4, 2, 8
GROUP, PADDING, SCALE = 2, (0, 7), DIM**-0.5


def random_states(seed, length):
    """Queries [row, query head, token, width] and keys [row, kv head, token, width]."""
    generator = torch.Generator().manual_seed(seed)
    query = torch.randn(ROWS, QUERY_HEADS, length, DIM, generator=generator) * 2
    key = torch.randn(ROWS, KV_HEADS, length, DIM, generator=generator) * 2
    return query, key


def places(length):
    """Positions of both rows, [row, slot]; -1 is padding."""
    return torch.stack([torch.arange(length) - padding for padding in PADDING]).clamp(min=-1)


def window_seen(query, key, window, order=slice(None)):
    """The last ``window`` queries over all keys, whose slots may be in another order. Values are
    the keys of the next token."""
    positions = places(key.shape[2])
    return Seen(
        keys=key[:, :, order],
        values=key.roll(-1, 2)[:, :, order],
        positions=positions[:, None, order],
        length=positions.amax(1) + 1,
        rule=AttentionRule(SCALE),
        queries=query[:, :, -window:],
        asking=positions[:, -window:],
    )


def attention(query, key, row, head, window):
    """One head's attention [window query][column], one softmax at a time."""
    weights, length = [], key.shape[2]
    for i in range(length - window, length):
        seen = range(PADDING[row], i + 1)
        raw = [float(query[row, head, i] @ key[row, head // GROUP, j]) * SCALE for j in seen]
        total, line = sum(map(math.exp, raw)), [0.0] * length
        for j, x in zip(seen, raw, strict=True):
            line[j] = math.exp(x) / total
        weights.append(line)
    return weights
