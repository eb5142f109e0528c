"""How a server's tokens are drawn, against the definitions in plain numpy."""

import numpy as np
import pytest

from transactional_attention.engines.sampling import Sampler, Sampling

LOGITS = np.array([0.5, 2.0, -1.0, 1.0, 0.0], np.float32)


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def drawn(count=4000, logits=LOGITS, **options):
    """How often each token is drawn, each time anew."""
    ids = [Sampler(Sampling(seed=n, **options)).choose(logits).id for n in range(count)]
    return np.bincount(ids, minlength=len(logits)) / count


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_tokens_are_drawn_by_their_probability(temperature):
    shares = drawn(temperature=temperature)
    assert np.abs(shares - softmax(LOGITS / temperature)).max() < 0.03


@pytest.mark.parametrize("options", [{"top_p": 0.7}, {"top_k": 2}, {"min_p": 0.3}], ids=str)
def test_only_the_likeliest_are_drawn(options):
    """Of 0.57, 0.21, 0.13, 0.08 and 0.03; the second is 0.37 times as likely as the first."""
    kept = np.where(np.isin(np.arange(5), np.argsort(-LOGITS)[:2]), softmax(LOGITS), 0)
    shares = drawn(temperature=1.0, **options)
    assert set(np.flatnonzero(shares)) == set(np.flatnonzero(kept))
    assert np.abs(shares - kept / kept.sum()).max() < 0.03


def test_what_cuts_the_tail_leaves_the_likeliest_and_without_it_all_are_drawn():
    assert set(np.flatnonzero(drawn(50, temperature=1.0, top_p=1e-9))) == {1}
    shares = drawn(200, temperature=1.0, top_k=2, top_p=0.7)  # 0.73 of the two is the likeliest
    assert set(np.flatnonzero(shares)) == {1}
    assert set(np.flatnonzero(drawn(200, temperature=9.0))) == set(range(5))


def test_repetition_divides_what_the_conversation_has():
    logits = np.array([3.0, 2.0, -1.0, -1.5], np.float32)
    sampler = Sampling(repetition=2.0, top=4).sampler(np.array([0, 0, 2, 99]))
    for expected in ([1.5, 2, -2, -1.5], [1.5, 1, -2, -1.5], [1.5, 1, -2, -1.5]):
        token = sampler.choose(logits)
        log_probabilities = [log for _, log in sorted(token.top)]
        assert log_probabilities == pytest.approx(np.log(softmax(np.array(expected))), abs=1e-9)


def test_temperature_nought_takes_the_likeliest_and_penalties_move_it():
    sampler = Sampler(Sampling(frequency=0.6, presence=0.3))
    choices, logits, counts = [], LOGITS.astype(np.float64), np.zeros(5)
    for _ in range(8):
        penalised = logits - 0.6 * counts - 0.3 * (counts > 0)
        choices.append(int(penalised.argmax()))
        counts[choices[-1]] += 1
        assert sampler.choose(LOGITS).id == choices[-1]
    assert len(set(choices)) > 2


def test_a_bias_and_what_is_told():
    token = Sampler(Sampling(bias={2: 100.0, 77: 5.0}, top=2)).choose(LOGITS)
    biased = softmax(LOGITS + np.array([0, 0, 100, 0, 0]))
    assert token.id == 2 and token.logprob == pytest.approx(np.log(biased[2]), abs=1e-9)
    assert [i for i, _ in token.top] == [2, 1]
    assert Sampler(Sampling()).choose(LOGITS).logprob is None
    assert str(token.id) not in repr(token).split("logprob")[0]
