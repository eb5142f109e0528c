"""Golden vectors of the scorers that read the last window, beside plain loops; and the controls."""

import math

import numpy as np
import pytest
import torch

from scenes import TEXTS, kept_positions, lanes, prefilled
from ta_lab.baselines.arkv import ARKV
from ta_lab.baselines.chunk_kv import ChunkKV, chunk_kv
from ta_lab.baselines.r_kv import RKV
from ta_lab.baselines.random_spans import displaced
from ta_lab.baselines.snap_kv import RocketKV, SnapKV
from transactional_attention import Retention, UnknownNameError
from transactional_attention.methods.registry import METHODS, get_method
from transactional_attention.types import Rank, Span, SponsoredSpan
from window_states import (
    GROUP,
    KV_HEADS,
    PADDING,
    QUERY_HEADS,
    ROWS,
    attention,
    random_states,
    window_seen,
)

LENGTH, W = 150, 8


@pytest.fixture(scope="module")
def states():
    return random_states(11, LENGTH)


def seen_of(query, key, order=slice(None)):
    return window_seen(query, key, W, order)


def votes(query, key, row):
    """Attention [query_head, slot] summed over the last W queries."""
    return torch.tensor([
        [sum(column) for column in zip(*attention(query, key, row, head, W), strict=True)]
        for head in range(QUERY_HEADS)
    ])  # fmt: skip


@pytest.mark.parametrize("size", [1, 7, 10])
def test_chunkkv(states, size):
    """S_j: the mean over heads and over the chunk of j, counted from the row's first token."""
    scores = ChunkKV(W, size).measure(seen_of(*states))
    assert scores.shape == (ROWS, 1, LENGTH)
    for row in range(ROWS):
        line = votes(*states, row).mean(0)
        for j in range(PADDING[row], LENGTH):
            chunk = (j - PADDING[row]) // size
            older = range(PADDING[row], LENGTH - W)
            mates = [float(line[i]) for i in older if (i - PADDING[row]) // size == chunk]
            expected = sum(mates) / len(mates) if j < LENGTH - W else float(line[j])
            assert math.isclose(scores[row, 0, j], expected, rel_tol=1e-4, abs_tol=1e-6)


def test_rocketkv(states):
    """S_j: the largest of 63 neighbours; its order is that of the group's sum."""
    scores = RocketKV(W).measure(seen_of(*states))
    for row in range(ROWS):
        line = votes(*states, row)
        for head in range(KV_HEADS):
            group = line[head * GROUP : (head + 1) * GROUP].sum(0)
            for j in range(PADDING[row], LENGTH - W):
                near = range(max(j - 31, PADDING[row]), min(j + 32, LENGTH - W))
                expected = max(float(group[i]) for i in near) / GROUP
                assert math.isclose(scores[row, head, j], expected, rel_tol=1e-4)


@pytest.mark.parametrize("scorer", [ChunkKV(W, 7), RocketKV(W), SnapKV(W), ARKV(W), RKV()])
def test_neighbours_are_those_in_the_sequence_and_not_in_the_slots(states, scorer):
    order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(5))
    mixed = seen_of(*states, order)
    expected = scorer.measure(seen_of(*states))[..., order]
    live = mixed.live.expand_as(expected)
    torch.testing.assert_close(scorer.measure(mixed)[live], expected[live])


@pytest.mark.parametrize(("budget", "size"), [(16, 8), (13, 7), (18, 10), (256, 10), (1, 1)])
def test_a_chunk_fits_into_the_budget(budget, size):
    assert chunk_kv(Retention(budget)).size == size


def held(model, tokenizer, text=TEXTS[0], **options):
    cache = prefilled(model, tokenizer, [text], **options)
    return cache, kept_positions(cache)


def test_chunks_are_kept_whole(model, tokenizer):
    _, kept = held(model, tokenizer, budget=28, method="chunkkv")
    older = len(TEXTS[0]) - 8
    chunks = [j // 10 for j in kept if j < older]
    cut = [c for c in set(chunks) if chunks.count(c) < min(10, older - 10 * c)]
    assert len(chunks) == 20 and len(cut) <= 1
    for chunk in cut:  # what is left of the budget goes to the newest tokens of the next chunk
        places = [j for j in kept if j // 10 == chunk]
        assert places[-1] == min(10 * chunk + 9, older - 1)


def test_boundary_keeps_a_tenth_at_each_end_around_snapkv(model, tokenizer):
    _, kept = held(model, tokenizer, budget=60, method="boundary-10")
    _, plain = held(model, tokenizer, budget=60, method="snapkv", sinks=6)
    n = len(TEXTS[0])
    assert {*range(6), *range(n - 8, n)} <= set(kept)
    assert kept == plain


@pytest.mark.parametrize(
    "name", ["h2o", "keydiff", "streaming-llm", "random", "ta-fast-semantic", "ada-kv", "ta+tova"]
)
def test_boundary_around_any_method_keeps_a_tenth_at_each_end(model, tokenizer, name):
    kept = lanes(prefilled(model, tokenizer, budget=60, method=f"boundary-10+{name}"))
    n = len(TEXTS[0])
    assert all({*range(6), *range(n - 6, n)} <= set(lane) for lane in kept)
    assert sum(map(len, kept)) == 6 * 60


def test_boundary_around_snapkv_has_one_name_and_the_twin_stands_outside():
    assert get_method("boundary-10+snapkv") is METHODS["boundary-10"]
    for name in ("ta+boundary-10+h2o", "boundary-10+ta+h2o"):
        assert get_method(name).name == "ta+boundary-10+h2o"
        assert get_method(name).twin and get_method(name).sinks(Retention(60)) == 6
    assert get_method("boundary-10+ta").name == get_method("ta+boundary-10+ta").name
    for name in ("boundary-10+nothing", "boundary-10+", "ta+ta+h2o", "boundary-10+boundary-10+h2o"):
        with pytest.raises(UnknownNameError, match="did you mean"):
            get_method(name)


def test_whitelist_keeps_keywords_and_not_what_they_announce(model, tokenizer):
    """Sinks, the newest token, `code`, and the newest of the rest."""
    _, kept = held(model, tokenizer, budget=12, method="streaming-whitelist")
    at, n = TEXTS[0].index("code"), len(TEXTS[0])
    assert kept == [0, 1, 2, 3, *range(at, at + 4), *range(n - 4, n)]


def test_whitelist_beside_sponsorship_keeps_both(model, tokenizer):
    _, kept = held(model, tokenizer, budget=24, method="ta+streaming-whitelist")
    for word in ("code", "7301"):
        at = TEXTS[0].index(word)
        assert set(range(at, at + 4)) <= set(kept)


def spans_of(cache):
    return [span.value for span in cache.flow.sequences[0].registry.spans]


@pytest.mark.parametrize("seed", range(3))
def test_random_spans_have_the_sizes_of_the_sponsored_ones(model, tokenizer, seed):
    text = " ".join(TEXTS)
    reference, _ = held(model, tokenizer, text, budget=40, method="ta-fast-semantic", seed=seed)
    cache, kept = held(model, tokenizer, text, budget=40, method="random-spans", seed=seed)
    sizes = [len(value) for value in spans_of(reference)]
    assert len(sizes) == 3 and [len(value) for value in spans_of(cache)] == sizes
    assert spans_of(cache) != spans_of(reference)
    assert all(set(range(v.start, v.end)) <= set(kept) for v in spans_of(cache))


def test_places_are_uniform_over_the_sequence():
    span = SponsoredSpan(Span(3, 5), Span(5, 9), 4, 15.0, 1.0, "r", "user", Rank(1.0))
    starts = [displaced(span, 20, seed, 0).value.start for seed in range(3400)]
    assert set(starts) == set(range(17))
    assert np.bincount(starts).min() > 140  # 200 each
    assert displaced(span, 20, 1, 0) == displaced(span, 20, 1, 0)
    assert displaced(span, 3, 1, 0).value == Span(0, 4)
