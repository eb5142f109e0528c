"""Golden splits: each allocation beside its published formula in plain loops, on random scores."""

import numpy as np
import pytest

from ta_lab.baselines.ada_kv import AdaKV
from ta_lab.baselines.dynamic_kv import DynamicKV
from ta_lab.baselines.pyramid_kv import PyramidKV
from ta_lab.baselines.splitting import Ends, ends_of
from transactional_attention import Retention
from transactional_attention.methods.floors import raised
from transactional_attention.selection.slot_table import SlotTable

W = 8
SHAPES = [(16, 16), (32, 16), (32, 32), (16, 64), (28, 256), (5, 57), (3, 13)]  # layers, K


def authors_pyramid(layers, k, length, window=W, beta=20):
    """METHODS.md, PyramidKV, item 3, integer arithmetic throughout."""
    base = k - window
    if length < k or length < 2 * base:
        return [k] * layers
    least = base // beta
    most = 2 * base - least
    if most >= length - window:
        most = length - window
        least = 2 * base - most
    step = (most - least) // (layers - 1)
    return [most - layer * step + window for layer in range(layers)]


@pytest.mark.parametrize("length", [12, 40, 91, 300, 4096])
@pytest.mark.parametrize(("layers", "k"), SHAPES)
def test_pyramid_of_the_authors(layers, k, length):
    window = min(W, k // 2)
    budgets = PyramidKV(window, faithful=True).layers([k] * layers, length)
    assert list(budgets) == authors_pyramid(layers, k, length, window)


@pytest.mark.parametrize(
    ("layers", "k", "mean"),
    [(16, 16, 16.5), (32, 16, 24), (16, 32, 32.5), (32, 32, 39.5), (16, 64, 65.5), (32, 64, 71.5)],
)
def test_pyramid_of_the_authors_overshoots_and_ours_does_not(layers, k, mean):
    faithful = PyramidKV(W, faithful=True).layers([k] * layers, 4096)
    assert sum(faithful) == mean * layers
    assert sum(PyramidKV(W).layers([k] * layers, 4096)) == k * layers


@pytest.mark.parametrize("length", [12, 40, 91, 300, 4096])
@pytest.mark.parametrize(("layers", "k"), SHAPES)
def test_pyramid_follows_the_line_and_sums_to_the_budget(layers, k, length):
    window = min(W, k // 2)
    budgets = PyramidKV(window).layers([k] * layers, length)
    assert sum(budgets) == k * layers
    base = k - window
    if length <= k or length < 2 * base:
        assert list(budgets) == [k] * layers
        return
    most = min(2 * base - base / 20, length - window)
    least = 2 * base - most
    for layer, budget in enumerate(budgets):
        line = most + (least - most) * layer / (layers - 1) + window
        assert abs(budget - line) < 1
    assert list(budgets) == sorted(budgets, reverse=True)


def table_of(positions, rows, budget, heads):
    table = SlotTable.empty(budget, rows, heads)
    table.append(positions, np.zeros_like(positions))
    return table


def batch(generator, lengths, heads, layers=1):
    """Positions [row, slot], left-padded, and scores [layer][lane, slot]."""
    width = max(lengths)
    positions = np.stack([np.arange(width) - (width - n) for n in lengths]).clip(min=-1)
    scores = [generator.exponential(size=(len(lengths) * heads, width)) for _ in range(layers)]
    return positions, [s * generator.uniform(0.5, 2, size=(len(s), 1)) for s in scores]


@pytest.mark.parametrize(("k", "heads"), [(16, 2), (64, 8), (33, 3)])
@pytest.mark.parametrize("alpha", [0.2, 0.5])
def test_ada_kv(k, heads, alpha):
    """B_h = (1 - alpha) c_h + alpha b + w, each within one token, and the sum exact."""
    generator, lengths = np.random.default_rng(k), (120, 70, 10)
    positions, (scores,) = batch(generator, lengths, heads)
    table = table_of(positions, len(lengths), k, heads)
    budgets = AdaKV(Ends(0, W), alpha).heads(table, scores).reshape(len(lengths), heads)
    base = k - W
    for row, length in enumerate(lengths):
        if length <= k:
            assert budgets[row].tolist() == [k] * heads
            continue
        pooled = []
        for head in range(heads):
            line = scores[row * heads + head, max(lengths) - length :]
            pooled += [(float(line[j]), head) for j in range(length - W)]
        best = sorted(pooled, reverse=True)[: heads * base]
        assert budgets[row].sum() == heads * k
        for head in range(heads):
            count = sum(1 for _, owner in best if owner == head)
            assert abs(budgets[row, head] - W - (1 - alpha) * count - alpha * base) < 1


def plain_dynamic(lines, k, points):
    """METHODS.md, DynamicKV, item 3; ``lines`` [layer][head] are lists of scores."""
    base, heads, layers = k - W, len(lines[0]), len(lines)
    kept = [[sorted(s, reverse=True)[: 10 * base] for s in layer] for layer in lines]
    for last in points:
        pool = [(s, i) for i in range(last + 1) for line in kept[i] for s in line]
        best = sorted(pool, reverse=True)[: base * heads * (last + 1)]
        count = [sum(1 for _, owner in best if owner == i) for i in range(last + 1)]
        budgets = [c * base * layers // sum(count) for c in count]
        budgets[-1] += base * layers - sum(budgets)
        for i in range(last + 1):
            kept[i] = [line[: budgets[i]] for line in kept[i]]
    return [len(layer[0]) + W for layer in kept]


def dynamic(lengths, k, layers, heads=2, **options):
    positions, scores = batch(np.random.default_rng(layers), lengths, heads, layers)
    tables = [table_of(positions, len(lengths), k, heads) for _ in range(layers)]
    budgets = DynamicKV(Ends(0, W), **options).together(tables, scores)
    lines = [
        [
            [
                [float(s[row * heads + head, j]) for j in range(max(lengths) - n, max(lengths) - W)]
                for head in range(heads)
            ]
            for s in scores
        ]
        for row, n in enumerate(lengths)
    ]
    return np.stack(budgets).reshape(layers, len(lengths), heads), lines


@pytest.mark.parametrize("layers", [3, 4, 6, 8, 16])
@pytest.mark.parametrize("k", [16, 24])
def test_dynamic_kv_of_the_authors(layers, k):
    lengths = (150, 90)
    budgets, lines = dynamic(lengths, k, layers, faithful=True)
    for row in range(len(lengths)):
        points = [i for i in range(layers) if i % 4 == 3]
        expected = plain_dynamic(lines[row], k, points)
        assert budgets[:, row, 0].tolist() == budgets[:, row, 1].tolist() == expected
        untrimmed = layers % 4
        assert (sum(expected) > k * layers) == bool(untrimmed)


@pytest.mark.parametrize("layers", [3, 4, 16])
@pytest.mark.parametrize("k", [16, 24])
def test_dynamic_kv_counts_once_and_sums_to_the_budget(layers, k):
    lengths = (150, 90, 12)
    budgets, lines = dynamic(lengths, k, layers)
    assert (budgets[..., 0] == budgets[..., 1]).all()
    assert (budgets[..., 0].sum(0) == k * layers).all()
    assert (budgets[:, 2] == k).all()
    for row in (0, 1):
        pool = sorted(
            ((s, i) for i, x in enumerate(lines[row]) for y in x for s in y), reverse=True
        )
        best = pool[: (k - W) * 2 * layers]
        for layer in range(layers):
            share = sum(1 for _, owner in best if owner == layer) / 2
            assert abs(budgets[layer, row, 0] - W - share) < 1


def test_a_layer_above_its_cap_gives_to_the_others():
    lists = [np.full((2, 5), 9.0), np.zeros((2, 30)), np.zeros((2, 30))]
    split = DynamicKV(Ends(0, W)).split(lists, 24)
    assert split[0] == 5 and split.sum() == 24


def test_the_ends_are_those_that_the_method_keeps():
    assert ends_of(Retention(64)) == Ends(0, 8)
    assert ends_of(Retention(64, sinks=4, recent=2)) == Ends(4, 2)


@pytest.mark.parametrize(
    ("split", "least", "expected"),
    [([24, 16, 8], 8, [24, 16, 8]), ([24, 16, 8], 12, [20, 16, 12]), ([9, 9, 9], 9, [9, 9, 9])],
)
def test_a_split_is_raised_to_the_least_and_keeps_its_sum(split, least, expected):
    assert raised(np.array(split), least).tolist() == expected
