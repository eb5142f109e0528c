"""From logits to a token, by OpenAI's parameters: one seeded generator a reply."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen. ``temperature`` 0 takes the likeliest.

    ``top_p``: of the likeliest tokens, those that make up this share. ``frequency`` and
    ``presence``: what a token's logit loses for each time it was said, and for having been said.
    ``bias``: token id to what its logit gains. ``top``: how many likeliest tokens are told with
    each; None tells no logarithm of a probability.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    frequency: float = 0.0
    presence: float = 0.0
    bias: Mapping[int, float] = field(default_factory=dict)
    seed: int | None = None
    top: int | None = None

    def sampler(self) -> "Sampler":
        """What chooses the tokens of one reply."""
        return Sampler(self)


@dataclass(frozen=True)
class Token:
    """One that was chosen, with its logarithm of probability and the likeliest beside it."""

    id: int = field(repr=False)
    logprob: float | None = None
    top: tuple[tuple[int, float], ...] = field(default=(), repr=False)


class Sampler:
    """Chooses the tokens of one reply, and counts them."""

    def __init__(self, sampling: Sampling) -> None:
        self.sampling = sampling
        self.said: Counter[int] = Counter()
        self.random = np.random.default_rng(sampling.seed)

    def choose(self, logits: NDArray[np.float32]) -> Token:
        """The next token from the model's logits [vocabulary]; probabilities that are told are
        those before temperature and top_p."""
        rule, found = self.sampling, self._penalised(logits)
        chosen = int(found.argmax()) if rule.temperature == 0 else self._drawn(found)
        self.said[chosen] += 1
        if rule.top is None:
            return Token(chosen)
        logs = found - found.max()
        logs = logs - np.log(np.exp(logs).sum())
        best = np.argsort(-logs, kind="stable")[: rule.top]
        return Token(chosen, float(logs[chosen]), tuple((int(i), float(logs[i])) for i in best))

    def _penalised(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        rule, found = self.sampling, logits.astype(np.float64)
        for token, gain in rule.bias.items():
            if token < len(found):
                found[token] += gain
        if rule.frequency or rule.presence:
            for token, count in self.said.items():
                found[token] -= rule.frequency * count + rule.presence
        return found

    def _drawn(self, logits: NDArray[np.float64]) -> int:
        weights = np.exp((logits - logits.max()) / self.sampling.temperature)
        weights /= weights.sum()
        if self.sampling.top_p < 1:
            order = np.argsort(-weights, kind="stable")
            before = np.cumsum(weights[order]) - weights[order]
            weights[order[before >= self.sampling.top_p]] = 0  # the likeliest always stays
            weights /= weights.sum()
        return int(self.random.choice(len(weights), p=weights))
