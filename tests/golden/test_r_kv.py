"""R-KV beside its formula in plain loops, on random tensors with duplicates and padding."""

import math

import torch

from transactional_attention.methods.observation import AttentionRule, Seen
from transactional_attention.methods.scorers.r_kv import RKV

HEADS, GROUP, LENGTH, DIM, WINDOW, MIX = 2, 2, 150, 8, 8, 0.07
PADDING = (0, 5)


def scene(order=None):
    generator = torch.Generator().manual_seed(7)
    query = torch.randn(2, HEADS * GROUP, LENGTH, DIM, generator=generator) * 2
    key = torch.randn(2, HEADS, LENGTH, DIM, generator=generator) * 2
    key[:, :, 60:70] = key[:, :, 20:30] + 0.1  # said twice
    positions = torch.stack([torch.arange(LENGTH) - p for p in PADDING]).clamp(min=-1)
    order = torch.arange(LENGTH) if order is None else order
    return Seen(
        keys=key[:, :, order],
        values=key[:, :, order],
        positions=positions[:, None, order],
        length=positions.amax(1) + 1,
        rule=AttentionRule(DIM**-0.5),
        queries=query[:, :, -WINDOW:],
        asking=positions[:, -WINDOW:],
    )


def softmax(values):
    total = sum(math.exp(v) for v in values.values())
    return {j: math.exp(v) / total for j, v in values.items()}


def naive(seen, row, head):
    """Z of the tokens older than the window, by their columns."""
    first, end = PADDING[row], LENGTH - WINDOW
    keys = seen.keys[row, head]
    mean = dict.fromkeys(range(first, end), 0.0)
    for w in range(WINDOW):
        queries = [seen.queries[row, head * GROUP + g, w] for g in range(GROUP)]
        line = {j: max(float(q @ keys[j]) for q in queries) / DIM**0.5 for j in mean}
        for j, weight in softmax(line).items():
            mean[j] += weight / WINDOW
    near = {j: [i for i in range(j - 3, j + 4) if i in mean] for j in mean}
    importance = {j: max(mean[i] for i in near[j]) for j in mean}
    columns = dict.fromkeys(range(first, LENGTH), 0.0)
    for i in columns:
        cosines = {j: float(torch.cosine_similarity(keys[i], keys[j], 0)) for j in columns}
        cosines[i] = 0.0
        matches = [j for j in columns if cosines[j] > 0.5]
        if matches:
            cosines[matches[-1]] = 0.0
        for j, value in cosines.items():
            columns[j] += value / len(columns)
    redundancy = softmax(columns)
    return {j: MIX * importance[j] - (1 - MIX) * redundancy[j] for j in mean}


def test_r_kv():
    seen = scene()
    found = RKV().measure(seen)
    for row in range(2):
        for head in range(HEADS):
            for j, expected in naive(seen, row, head).items():
                assert math.isclose(found[row, head, j], expected, rel_tol=1e-3, abs_tol=1e-6)


def test_r_kv_knows_positions_and_not_slots():
    order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(1))
    mixed = scene(order)
    expected, live = RKV().measure(scene())[..., order], mixed.live.expand(-1, HEADS, -1)
    torch.testing.assert_close(RKV().measure(mixed)[live], expected[live])
