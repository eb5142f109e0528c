"""End to end: what is kept, at the cut and at every decode step, by a naive transcription.

The transcription reads the attention matrix of one eager forward (the teacher-forced judge), one
head at a time, with sorted() and plain sums; it shares nothing with the scorers.
"""

import pytest
import torch

from scenes import TEXTS, Conversation, encode
from teacher_forced import reference_weights, tiny_llama
from transactional_attention import Retention, RetentionCache

K, WINDOW, STEPS = 16, 8, 12


def h2o(weights, now, live):
    """Column sums over all queries so far; a token's column is zero once it is evicted."""
    return {j: float(weights[:, : now + 1, j].sum()) for j in live}


def tova(weights, now, live):
    """Mean over heads of the last query's attention."""
    return {j: float(weights[:, now, j].mean()) for j in live}


def snapkv(weights, now, live):
    """Last window over the live tokens, averaged over five neighbours older than the window."""
    rows = weights[:, now - WINDOW + 1 : now + 1][:, :, live]
    votes = (rows / rows.sum(-1, keepdim=True)).sum(1).mean(0)
    older = [i for i, j in enumerate(live) if j <= now - WINDOW]
    scores = {j: float(votes[i]) for i, j in enumerate(live)}
    for i in older:
        near = [i + shift for shift in (-2, -1, 0, 1, 2) if 0 <= i + shift < len(older)]
        scores[live[i]] = sum(float(votes[k]) for k in near) / 5
    return scores


RULES = {"h2o": (h2o, K // 2, True), "tova": (tova, 0, False), "snapkv": (snapkv, WINDOW, True)}


@pytest.fixture(scope="module")
def small(tokenizer):
    return tiny_llama(vocab_size=len(tokenizer), layers=2)


@pytest.mark.parametrize("text", TEXTS[:2])
@pytest.mark.parametrize("name", RULES)
def test_kept_positions_equal_the_naive_rule(small, tokenizer, name, text):
    rule, recent, per_head = RULES[name]
    ids, mask = encode(tokenizer, text)
    talk = Conversation(small, RetentionCache(small, tokenizer, Retention(K, name)), ids, mask)
    talk.turn(new_tokens=STEPS)
    seen = slice(0, talk.cache.num_columns)
    matrices = reference_weights(small, talk.cache, talk.ids[:, seen], talk.mask[:, seen])
    heads = 2 if per_head else 1
    for layer, matrix in enumerate(matrices):
        for head in range(heads):
            weights = matrix[0].chunk(heads)[head]
            held = [set(step[layer][0][head].tolist()) for step in talk.cache.trace]
            check(rule, recent, weights, held, length=len(text))


def check(rule, recent, weights, held, length):
    """``held``: the tokens that each forward's queries saw."""
    assert held[0] == set(range(length))
    scores = rule(weights, length - 1, list(range(length)))
    newest = set(range(length - recent, length))
    best = sorted(set(scores) - newest, key=scores.get, reverse=True)
    live = newest | set(best[: K - recent])
    for now, after in enumerate(held[1:], start=length):
        if now > length:  # the first generated token meets the scores of the cut
            scores = rule(weights, now - 1, sorted(live))
        free = [j for j in live if j <= now - recent]
        live = live - {min(free, key=scores.get)} | {now}
        assert after == live


def test_the_transcription_can_fail(small, tokenizer):
    with pytest.raises(AssertionError):
        check(h2o, K // 2, torch.rand(2, 40, 40), [set(range(30)), set(range(16))], length=30)
