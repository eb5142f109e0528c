"""R-KV beside its formula in plain loops, on random tensors with duplicates and padding."""

import math

import torch

from ta_lab.baselines.r_kv import RKV
from window_states import DIM, GROUP, KV_HEADS, PADDING, random_states, window_seen

LENGTH, WINDOW, MIX = 96, 8, 0.07


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
    query, key = random_states(7, LENGTH)
    key[:, :, 60:70] = key[:, :, 20:30] + 0.1  # said twice
    seen = window_seen(query, key, WINDOW)
    scores = RKV().measure(seen)
    for row in range(2):
        for head in range(KV_HEADS):
            for j, expected in naive(seen, row, head).items():
                assert math.isclose(scores[row, head, j], expected, rel_tol=1e-3, abs_tol=1e-6)
